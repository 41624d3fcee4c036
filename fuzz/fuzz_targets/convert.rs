//! For any text, the output does not depend on chunk boundaries and threads.
#![no_main]

use std::num::NonZeroUsize;

use libfuzzer_sys::fuzz_target;
use pgn2epd::{Observer, Options, Problem, Summary, convert_observed};

#[derive(Default, PartialEq, Debug)]
struct Problems(Vec<String>);

impl Observer for Problems {
    fn problem(&mut self, problem: &Problem) {
        self.0.push(problem.to_string());
    }
}

fn run(text: &[u8], jobs: usize, chunk_bytes: usize) -> Option<(Vec<u8>, Problems, Summary)> {
    let options = Options::default().jobs(NonZeroUsize::new(jobs)).chunk_bytes(chunk_bytes);
    let (mut output, mut problems) = (Vec::new(), Problems::default());
    let summary = convert_observed(text, &mut output, &options, &mut problems).ok()?;
    Some((output, problems, summary))
}

fuzz_target!(|input: (u8, &[u8])| {
    let (size, text) = input;
    let whole = run(text, 1, 4 << 20);
    assert_eq!(run(text, 1, 1 + usize::from(size)), whole);
    assert_eq!(run(text, 3, 1 + usize::from(size)), whole);
});
