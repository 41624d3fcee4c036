//! A file that detects truncation while it is read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use stream::read_at::{ReadAt, read_file_at};

/// A file and its length when it was opened.
#[derive(Debug)]
pub(super) struct OpenFile {
    file: File,
    /// `None` if it is not a regular file.
    len: Option<u64>,
    at: u64,
}

impl OpenFile {
    /// Opens a file; directories are errors.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a folder; name the files in it",
            ));
        }
        Ok(OpenFile { file, len: metadata.is_file().then_some(metadata.len()), at: 0 })
    }

    pub(super) fn is_regular(&self) -> bool {
        self.len.is_some()
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.at += read as u64;
        if read == 0
            && !buffer.is_empty()
            && let Some(len) = self.len
        {
            refuse_shortened(&self.file, len, self.at)?;
        }
        Ok(read)
    }
}

/// A regular file whose parts are read by several threads; it detects truncation, too.
#[derive(Debug)]
pub(super) struct SharedFile {
    file: File,
    len: u64,
}

impl OpenFile {
    /// Returns another handle of a regular file, on systems that can read at an offset.
    pub(super) fn shared(&self) -> Option<SharedFile> {
        let len = self.len.filter(|_| cfg!(any(unix, windows)))?;
        Some(SharedFile { file: self.file.try_clone().ok()?, len })
    }
}

impl ReadAt for SharedFile {
    fn file_len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = read_file_at(&self.file, buffer, offset)?;
        if read == 0 && !buffer.is_empty() {
            refuse_shortened(&self.file, self.len, offset)?;
        }
        Ok(read)
    }
}

/// Returns an error at the end of a file that is shorter than when it was opened.
fn refuse_shortened(file: &File, len: u64, at: u64) -> io::Result<()> {
    // Kernel files (/proc, /sys) end elsewhere than at their reported length, but that length is
    // constant.
    if at < len && file.metadata()?.len() < len {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the file became shorter while it was read",
        ));
    }
    Ok(())
}

impl Seek for OpenFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_becomes_shorter_is_an_error_and_one_that_grows_is_none() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        io::Write::write_all(&mut file, b"1. e4 e5 *\n").unwrap();
        for (len, is_error) in [(11, false), (20, false), (5, true)] {
            let mut open = OpenFile::open(file.path()).unwrap();
            let mut first = [0; 5];
            open.read_exact(&mut first).unwrap();
            file.as_file().set_len(len).unwrap();
            let read = open.read_to_end(&mut Vec::new());
            assert_eq!(read.is_err(), is_error, "{len}");
            let shared = open.shared().unwrap();
            assert_eq!(shared.read_at(&mut [0; 8], 5).is_err(), is_error, "{len}");
            file.as_file().set_len(11).unwrap();
        }
    }
}
