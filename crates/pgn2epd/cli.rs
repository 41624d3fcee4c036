//! The program: a client of the library, and what only a program needs.
//!
//! `args` is what was typed, `run` does it, `report` says what is wrong, `progress` and `output` are what their names say.

mod args;
mod output;
mod progress;
mod report;
mod run;

use std::process::ExitCode;

use clap::Parser;

/// Some games had errors.
const SOME_ERRORS: u8 = 1;
/// Wrong arguments, or an input or output that fails.
const FAILED: u8 = 2;

pub(crate) fn main() -> ExitCode {
    let args = args::Args::parse();
    match run::run(&args) {
        Ok(summary) if summary.errors == 0 => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(SOME_ERRORS),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report::failure(&error);
            ExitCode::from(FAILED)
        }
    }
}
