//! The exit status: 0 for success, 1 for errors in the input or if nothing was written, 2 for a
//! failed run.

use super::output::{Output, OutputError};

/// Invalid arguments, or an input or output that fails.
pub(crate) const FAILED: u8 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Exit status 0.
    Well,
    /// Errors in the input were reported, or nothing was written: exit status 1.
    SomeErrors,
}

/// A run that wrote nothing leaves the old output as it is, and has exit status 1.
/// Parts of a larger job (`--range`, `--partial`) may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Something,
    Nothing,
    EmptyPart,
}

impl Written {
    pub(crate) fn of(is_any: bool, is_part: bool) -> Self {
        match (is_any, is_part) {
            (true, _) => Written::Something,
            (false, true) => Written::EmptyPart,
            (false, false) => Written::Nothing,
        }
    }

    /// Completes an output, unless it would replace an old one with nothing.
    pub(crate) fn finish(self, output: Output) -> Result<(), OutputError> {
        if self == Written::Nothing && output.is_file() { Ok(()) } else { output.finish() }
    }

    pub(crate) fn outcome(self, errors: u64) -> Outcome {
        Outcome::of_errors(errors + u64::from(self == Written::Nothing))
    }
}

impl Outcome {
    pub(crate) fn of_errors(errors: u64) -> Self {
        if errors == 0 { Outcome::Well } else { Outcome::SomeErrors }
    }

    pub(crate) fn status(self) -> u8 {
        match self {
            Outcome::Well => 0,
            Outcome::SomeErrors => 1,
        }
    }
}
