//! Helpers for several modules of these tests.

use std::fmt;
use std::fs;
use std::io::{self, Cursor, Read};
use std::num::NonZeroUsize;
use std::path::Path;
#[cfg(unix)]
use std::process::Child;
use std::process::Command;

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

pub(crate) const ROOT: &str = env!("CARGO_MANIFEST_DIR");
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_pgn2epd");

/// The program built for these tests.
pub(crate) fn program() -> Program {
    Program::new(PROGRAM)
}

/// The program with at most this many kibibytes of address space.
#[cfg(target_os = "linux")]
pub(crate) fn limited(kibibytes: u32) -> Program {
    let script = format!("ulimit -v {kibibytes}; exec \"$0\" \"$@\"");
    Program::new("/bin/sh").args(["-c", &script, PROGRAM])
}

/// Runs the program in a folder that stays; it must succeed. Returns its standard output.
#[track_caller]
pub(crate) fn run_in(folder: &Path, args: &[&str]) -> Vec<u8> {
    let output = Command::new(PROGRAM).args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Sends a signal to a process; returns whether it was there.
#[cfg(unix)]
pub(crate) fn send(signal: &str, process: &Child) -> bool {
    let id = process.id().to_string();
    Command::new("kill").args(["-s", signal, &id]).status().unwrap().success()
}

/// The peak memory of a process in kibibytes.
#[cfg(target_os = "linux")]
pub(crate) fn peak(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

/// The first four fields of a record.
pub(crate) fn fields(record: &str) -> String {
    record.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// A text of the project.
pub(crate) fn text_of(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A generated text of the project is as expected; `UPDATE_DOCS=1` writes it anew.
#[track_caller]
pub(crate) fn assert_up_to_date(path: &str, expected: &str) {
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(Path::new(ROOT).join(path), expected).unwrap();
    }
    let found = text_of(path);
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "{path}: UPDATE_DOCS=1 cargo test writes it anew");
    }
    assert!(found == expected, "{path}: UPDATE_DOCS=1 cargo test writes it anew");
}

/// Bytes that a failing test shows as text.
#[derive(Clone)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// The message of the system for a file that is missing.
pub(crate) fn missing_file() -> String {
    io::Error::from_raw_os_error(2).to_string()
}

/// A file of `fixtures/`.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(ROOT).join("fixtures").join(name);
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
