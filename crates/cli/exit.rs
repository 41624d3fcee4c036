//! The exit status: 0 for success, 1 for errors in the input, 2 for a failed run.

use std::process::ExitCode;

/// Invalid arguments, or an input or output that fails.
pub(crate) const FAILED: u8 = 2;

/// The outcome of a run that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Exit status 0.
    Well,
    /// Errors in the input were reported: exit status 1.
    SomeErrors,
}

impl Outcome {
    /// Returns the outcome of a run that found this many errors.
    pub(crate) fn of_errors(errors: u64) -> Self {
        if errors == 0 { Outcome::Well } else { Outcome::SomeErrors }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Well => ExitCode::SUCCESS,
            Outcome::SomeErrors => ExitCode::from(1),
        }
    }
}
