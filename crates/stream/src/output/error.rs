//! Errors of outputs.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

/// An output could not be written.
#[derive(Debug)]
pub struct OutputError {
    pub(super) name: String,
    pub(super) is_stdout: bool,
    /// Path of the complete result, if it could not replace the target.
    pub(super) kept: Option<PathBuf>,
    pub(super) source: io::Error,
}

impl OutputError {
    /// Creates an error for the output with this name in messages.
    pub fn new(name: impl Into<String>, source: io::Error) -> Self {
        OutputError { name: name.into(), is_stdout: false, kept: None, source }
    }

    /// Finds the failed output in the chain of causes of an error, including errors inside an [`io::Error`].
    pub fn find<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e OutputError> {
        let mut cause = Some(error);
        while let Some(error) = cause {
            if let Some(found) = error.downcast_ref() {
                return Some(found);
            }
            // `io::Error::source` skips the wrapped error itself and returns its source.
            let held = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
            cause = held.map_or_else(|| error.source(), |held| Some(held));
        }
        None
    }

    /// Whether the reader of standard output closed it, as `head` does when it has enough.
    pub fn is_closed_stdout(&self) -> bool {
        self.is_stdout && self.source.kind() == io::ErrorKind::BrokenPipe
    }

    /// Returns the error of the operating system.
    pub fn io_error(&self) -> &io::Error {
        &self.source
    }
}

impl Display for OutputError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}", self.name)?;
        match &self.kept {
            Some(kept) => write!(f, " (the result is in {})", kept.display()),
            None => Ok(()),
        }
    }
}

impl Error for OutputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.source)
    }
}

impl From<io::Error> for OutputError {
    /// Returns the failed output inside the error; any other error is attributed to standard output, which may be written to
    /// without an [`Output`](super::Output).
    fn from(error: io::Error) -> Self {
        error.downcast().unwrap_or_else(|source| OutputError {
            is_stdout: true,
            ..OutputError::new(super::STDOUT, source)
        })
    }
}

impl From<OutputError> for io::Error {
    /// Keeps the error kind, so that interrupted calls are retried.
    fn from(error: OutputError) -> Self {
        io::Error::new(error.source.kind(), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Wrapped(io::Error);

    impl Display for Wrapped {
        fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
            f.write_str("wrapped")
        }
    }

    impl Error for Wrapped {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn a_failed_output_is_found_in_any_wrapper() {
        let failed = || OutputError::new("x.epd", io::ErrorKind::StorageFull.into());
        let wrapped = Wrapped(io::Error::other(Wrapped(failed().into())));
        assert_eq!(OutputError::find(&wrapped).map(|e| e.name.as_str()), Some("x.epd"));
        assert!(OutputError::find(&Wrapped(io::ErrorKind::BrokenPipe.into())).is_none());
        assert_eq!(io::Error::from(failed()).kind(), io::ErrorKind::StorageFull);
    }
}
