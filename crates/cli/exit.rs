//! The exit status: 0 for success, 1 for errors in the input, 2 for a failed run.

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

    /// Returns the exit status.
    pub(crate) fn status(self) -> u8 {
        match self {
            Outcome::Well => 0,
            Outcome::SomeErrors => 1,
        }
    }
}
