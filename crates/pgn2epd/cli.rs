//! The program: a client of the library, and what only a program needs.
//!
//! `args` is what was typed, `run` does it, `report` says what is wrong, `progress` and `output` are what their names say.

mod args;
mod output;
mod progress;
mod report;
mod run;

use std::process::ExitCode;

/// How a run went that was not broken off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Exit status 0.
    Well,
    /// Something in the input was wrong, and was said: exit status 1.
    SomeErrors,
}

impl Outcome {
    fn of_errors(errors: u64) -> Self {
        if errors == 0 { Outcome::Well } else { Outcome::SomeErrors }
    }
}

/// Wrong arguments, or an input or output that fails.
const FAILED: u8 = 2;

pub(crate) fn main() -> ExitCode {
    let args = args::parse();
    match run::run(&args) {
        Ok(Outcome::Well) => ExitCode::SUCCESS,
        Ok(Outcome::SomeErrors) => ExitCode::from(1),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            report::failure(&error);
            ExitCode::from(FAILED)
        }
    }
}
