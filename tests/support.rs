//! Helpers for several modules of these tests.

use std::fs;
use std::io::{self, Cursor, Read};
use std::num::NonZeroUsize;
use std::path::Path;

use pgn2epd::input::Source;
use pgn2epd::{Game, Observer, Options, Problem, Summary, convert_observed};
use testkit::program::Program;

/// The complete result of a conversion.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Converted {
    pub(crate) output: Vec<u8>,
    pub(crate) summary: Summary,
    pub(crate) problems: Vec<Problem>,
}

#[derive(Default)]
struct Listed(Vec<Problem>);

impl Observer for Listed {
    fn problem(&mut self, problem: &Problem) {
        self.0.push(problem.clone());
    }
}

/// The text of bytes that may be UTF-16; `None` if they are not text.
pub(crate) fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let mut source = Source::new(bytes).ok()?;
    source.next_text().ok()??.read_to_end(&mut text).ok()?;
    Some(text)
}

/// Converts the data of a reader; data that is not PGN gives the error message.
pub(crate) fn try_convert_from(input: impl Read, options: &Options) -> Result<Converted, String> {
    let (mut output, mut listed) = (Vec::new(), Listed::default());
    let summary = convert_observed(input, &mut output, options, &mut listed)
        .map_err(|error| error.to_string())?;
    Ok(Converted { output, summary, problems: listed.0 })
}

/// Converts a text; an input that is not PGN gives the error message.
pub(crate) fn try_convert(pgn: &[u8], options: &Options) -> Result<Converted, String> {
    try_convert_from(pgn, options)
}

pub(crate) fn convert(pgn: &[u8], options: &Options) -> Converted {
    try_convert(pgn, options).unwrap()
}

impl Converted {
    /// The records, without line ends.
    pub(crate) fn lines(&self) -> Vec<&str> {
        std::str::from_utf8(&self.output).unwrap().lines().collect()
    }

    pub(crate) fn messages(&self) -> Vec<String> {
        self.problems.iter().map(ToString::to_string).collect()
    }
}

/// The games of a text as values, with the default options.
pub(crate) fn games(pgn: &[u8]) -> Vec<Game> {
    let games = pgn2epd::games(Cursor::new(pgn.to_vec()), &Options::default());
    games.collect::<Result<_, _>>().unwrap()
}

pub(crate) fn jobs(number: usize) -> Option<NonZeroUsize> {
    NonZeroUsize::new(number)
}

/// The program built for these tests.
pub(crate) fn program() -> Program {
    Program::new(env!("CARGO_BIN_EXE_pgn2epd"))
}

/// The message of the system for a file that is missing.
pub(crate) fn missing_file() -> String {
    io::Error::from_raw_os_error(2).to_string()
}

/// A file of `fixtures/`.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reports that a test is skipped because the system does not permit what it needs. If
/// `PGN2EPD_PRIVILEGED` is `required`, that is a failure.
#[cfg(target_os = "linux")]
#[allow(clippy::print_stderr)] // prints the reason
pub(crate) fn skip_unprivileged(reason: &str) {
    let is_required =
        std::env::var_os("PGN2EPD_PRIVILEGED").is_some_and(|value| value == "required");
    assert!(!is_required, "{reason}");
    eprintln!("skipped: {reason}");
}
