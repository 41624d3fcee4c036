//! Errors of outputs.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// An output could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {name}{}", where_kept(kept.as_deref()))]
pub struct OutputError {
    pub(super) name: String,
    pub(super) is_stdout: bool,
    /// Path of the complete result, if it could not replace the target.
    pub(super) kept: Option<PathBuf>,
    pub(super) source: io::Error,
}

fn where_kept(kept: Option<&Path>) -> String {
    kept.map_or_else(String::new, |kept| format!(" (the result is in {})", kept.display()))
}

impl OutputError {
    /// Creates an error for the output with this name in messages.
    pub fn new(name: impl Into<String>, source: io::Error) -> Self {
        OutputError { name: name.into(), is_stdout: false, kept: None, source }
    }

    /// Finds the failed output in the chain of causes of an error, including errors inside an
    /// [`io::Error`].
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

    /// Returns the name of the output in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the error of the operating system.
    pub fn io_error(&self) -> &io::Error {
        &self.source
    }
}

impl From<io::Error> for OutputError {
    /// Takes out the failed output; other errors are of standard output, also written without one.
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
    use std::fmt::{self, Display, Formatter};

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

    #[test]
    fn only_a_broken_pipe_at_standard_output_is_closed_by_its_reader() {
        let (pipe, full) = (io::ErrorKind::BrokenPipe, io::ErrorKind::StorageFull);
        for (is_stdout, kind, expected) in
            [(true, pipe, true), (true, full, false), (false, pipe, false), (false, full, false)]
        {
            let error = OutputError { is_stdout, ..OutputError::new("x", kind.into()) };
            assert_eq!(error.is_closed_stdout(), expected, "{is_stdout} {kind}");
            assert_eq!(error.io_error().kind(), kind);
            assert_eq!(error.source().unwrap().to_string(), io::Error::from(kind).to_string());
        }
    }

    #[test]
    fn an_error_names_its_output_and_the_file_with_the_result() {
        let mut error = OutputError::new("x.epd", io::ErrorKind::StorageFull.into());
        assert_eq!(error.to_string(), "cannot write x.epd");
        error.kept = Some("x.epd.new".into());
        assert_eq!(error.to_string(), "cannot write x.epd (the result is in x.epd.new)");
        // An error of an output keeps its name; any other is one of standard output.
        assert_eq!(OutputError::from(io::Error::from(error)).name, "x.epd");
        let other = OutputError::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(other.to_string(), "cannot write standard output");
        assert!(other.is_closed_stdout());
    }
}
