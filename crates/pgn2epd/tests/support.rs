//! Helpers for several of these tests.

use std::num::NonZeroUsize;

use pgn2epd::{Observer, Options, Problem, convert};

/// The problems of a run.
#[derive(Default)]
pub(crate) struct Problems(pub(crate) Vec<Problem>);

impl Observer for Problems {
    fn problem(&mut self, problem: &Problem) {
        self.0.push(problem.clone());
    }
}

impl Problems {
    pub(crate) fn messages(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    pub(crate) fn lines(&self) -> Vec<u64> {
        self.0.iter().map(|problem| problem.place.line).collect()
    }
}

pub(crate) fn named(names: &[(&str, &str)]) -> Options {
    Options::from_names(names.iter().copied()).unwrap()
}

pub(crate) fn jobs(number: usize) -> Option<NonZeroUsize> {
    NonZeroUsize::new(number)
}

/// The result of a conversion.
pub(crate) fn converted(source: &[u8], options: &Options) -> Vec<u8> {
    let mut output = Vec::new();
    convert(source, &mut output, options).unwrap();
    output
}

/// The result of a conversion as text.
pub(crate) fn text(source: &[u8], names: &[(&str, &str)]) -> String {
    String::from_utf8(converted(source, &named(names))).unwrap()
}
