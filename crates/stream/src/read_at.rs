//! Files of which several threads read different parts, and readers of them.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Deref;

/// A file of which any part can be read from any thread.
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// Returns the length of the file in bytes, when it was opened.
    fn file_len(&self) -> u64;

    /// Reads some bytes at `offset`; none at the end. Fails also if the file has become shorter.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl ReadAt for File {
    fn file_len(&self) -> u64 {
        self.metadata().map_or(0, |metadata| metadata.len())
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(self, buffer, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(self, buffer, offset);
        // Systems with one thread.
        #[cfg(not(any(unix, windows)))]
        {
            let mut file = self;
            io::Seek::seek(&mut file, io::SeekFrom::Start(offset))?;
            file.read(buffer)
        }
    }
}

impl ReadAt for Vec<u8> {
    fn file_len(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        self.get(start..).unwrap_or_default().read(buffer)
    }
}

/// A file that is read from any place, such as one in a store of objects.
pub trait ReadSeek: Read + Seek + Send {}

impl<R: Read + Seek + Send> ReadSeek for R {}

/// Reads a file from an offset to its end.
#[derive(Debug)]
pub struct ReaderAt<F> {
    /// The file.
    pub file: F,
    /// Where the next byte is read.
    pub offset: u64,
}

impl<F: Deref<Target: ReadAt>> Read for ReaderAt<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// Reads until the buffer is full, or the stream ends or fails; returns the number of bytes read.
pub fn fill(reader: &mut (impl Read + ?Sized), room: &mut [u8]) -> (usize, io::Result<()>) {
    let mut read = 0;
    while read < room.len() {
        match reader.read(&mut room[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (read, Err(error)),
        }
    }
    (read, Ok(()))
}

/// A reader that returns an error, if there is one, and is then at its end.
///
/// ```
/// use std::io::{self, Read, Seek};
///
/// use stream::read_at::ErrorAtEnd;
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
