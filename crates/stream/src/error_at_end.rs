//! An error that takes the place of the end of a text.

use std::io::{self, Read};

/// A reader that returns an error, if there is one, and is then at its end.
///
/// ```
/// use std::io::{self, Read};
///
/// use stream::error_at_end::ErrorAtEnd;
///
/// let mut text = Vec::new();
/// let mut reader = b"1. e4".chain(ErrorAtEnd::from(Some(io::Error::other("no more"))));
/// assert!(reader.read_to_end(&mut text).is_err());
/// assert_eq!(text, b"1. e4");
/// ```
#[derive(Debug)]
pub struct ErrorAtEnd(Option<io::Error>);

impl From<Option<io::Error>> for ErrorAtEnd {
    fn from(error: Option<io::Error>) -> Self {
        ErrorAtEnd(error)
    }
}

impl Read for ErrorAtEnd {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
