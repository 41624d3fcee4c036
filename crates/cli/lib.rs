//! The program `pgn2epd` as a library, for other packages that contain it: a client of the library
//! `pgn2epd`, which Rust programs use.
//!
//! `args` parses the command line, `files` opens inputs and outputs, `job` reads inputs, `run` has
//! the commands, `report` prints messages; `host` is what runs the program.

mod args;
mod files;
mod host;
mod job;
mod report;
mod run;

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;

use files::OutputError;
pub use host::Host;
use host::host;
use pgn2epd::output::printable;
pub use report::{ReportLine, summary_object};

/// The exit status for invalid arguments, or an input or output that fails. It is 1 for errors in
/// the input, or if nothing was written.
const FAILED: u8 = 2;

/// Runs the program with its name and these arguments; returns its exit status.
///
/// It uses the standard streams of the process, and handles its signals.
///
/// ```
/// assert_eq!(pgn2epd_cli::run(&["pgn2epd".into(), "--version".into()]), 0);
/// ```
pub fn run(given: &[OsString]) -> u8 {
    pgn2epd::output::remove_on_signals();
    run_given(given)
}

/// Runs the program like [`run`], with the streams of a host, and leaves signals to it.
pub fn run_in(given: &[OsString], host: Arc<dyn Host>) -> u8 {
    host::with(host, || run_given(given))
}

/// Returns the commands by their names, with their options: what they are called, their help, the
/// name of the value, the words that it may be, and whether there may be several.
pub fn definition() -> serde_json::Value {
    args::described()
}

fn run_given(given: &[OsString]) -> u8 {
    let args = match args::parse(given) {
        Ok(args) => args,
        Err(advice) => return advise(&advice, given),
    };
    match run::run(&args, given) {
        Ok(errors) => u8::from(errors > 0),
        // The reader of the output has closed it.
        Err(error) if OutputError::find(&*error).is_some_and(OutputError::is_closed_stdout) => 0,
        Err(error) => {
            host().failed(&error, &report::failure(&error));
            FAILED
        }
    }
}

fn advise(advice: &clap::Error, given: &[OsString]) -> u8 {
    let text = advice.render().to_string();
    if !host().is_process() {
        host().failed(&anyhow::Error::msg(text), "");
        return FAILED;
    }
    let is_printable = |text: &str| text.lines().all(|line| printable(line) == line);
    // The text is without escape sequences: those of its colours and of the arguments.
    if advice.use_stderr()
        && !(is_printable(&text) && given.iter().all(|arg| is_printable(&arg.to_string_lossy())))
    {
        // The arguments have characters that a terminal acts upon.
        let lines: Vec<String> = text.lines().map(printable).collect();
        report::print(&lines.join("\n"));
        return FAILED;
    }
    let printed = advice.print().and_then(|()| io::stdout().flush());
    match printed {
        _ if advice.use_stderr() => FAILED,
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            report::print(&report::failure(&OutputError::from(error).into()));
            FAILED
        }
        _ => 0,
    }
}

pub(crate) fn version() -> String {
    let features = match env!("PGN2EPD_FEATURES") {
        "" => "none",
        features => features,
    };
    let (version, target) = (env!("CARGO_PKG_VERSION"), env!("PGN2EPD_TARGET"));
    let commit = commit().unwrap_or("unknown");
    format!("{version}\ncommit: {commit}\nfeatures: {features}\ntarget: {target}")
}

pub(crate) fn commit() -> Option<&'static str> {
    option_env!("PGN2EPD_COMMIT")
}
