//! A file that detects truncation while it is read.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use stream::read_at::ReadAt;

/// Opens a file. The error for a folder gives advice.
///
/// ```
/// let error = pgn2epd::input::open_file("src".as_ref()).unwrap_err();
/// assert_eq!(error.to_string(), "it is a folder; name the files in it");
/// ```
pub fn open_file(path: &Path) -> io::Result<File> {
    // Windows does not open folders, others do not read them.
    if path.is_dir() {
        let reason = "it is a folder; name the files in it";
        return Err(io::Error::new(io::ErrorKind::IsADirectory, reason));
    }
    File::open(path)
}

#[derive(Debug)]
pub(super) struct OpenFile {
    file: File,
    len: Option<u64>,
    at: u64,
}

impl OpenFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = open_file(path)?;
        let metadata = file.metadata()?;
        Ok(OpenFile { file, len: metadata.is_file().then_some(metadata.len()), at: 0 })
    }

    pub(super) fn is_regular(&self) -> bool {
        self.len.is_some()
    }

    /// Returns another handle of a regular file, which several threads read at an offset.
    pub(super) fn shared(&self) -> Option<Self> {
        let len = self.len.filter(|_| cfg!(any(unix, windows)))?;
        Some(OpenFile { file: self.file.try_clone().ok()?, len: Some(len), at: 0 })
    }

    /// Returns what was read at an offset, unless the file ends earlier than when it was opened.
    fn checked(&self, read: usize, buffer: &[u8], at: u64) -> io::Result<usize> {
        // Files in /proc and /sys end elsewhere than at their reported length, which is constant.
        let is_end = read == 0 && !buffer.is_empty();
        if let Some(len) = self.len.filter(|len| is_end && at < *len)
            && self.file.metadata()?.len() < len
        {
            let reason = "the file became shorter while it was read";
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, reason));
        }
        Ok(read)
    }
}

/// A file that was read, still open: its name may be that of another file by now.
#[derive(Debug)]
pub struct ReadFile {
    /// The path it was opened with.
    pub path: PathBuf,
    file: File,
    version: Option<(u64, Option<SystemTime>)>,
}

impl ReadFile {
    /// Opens a file.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        Ok(ReadFile { path: path.to_owned(), version: version(&file), file })
    }

    pub(super) fn of(path: &Path, open: &OpenFile) -> Option<Self> {
        open.len?;
        let file = open.file.try_clone().ok()?;
        Some(ReadFile { path: path.to_owned(), version: version(&file), file })
    }

    /// Reads the file again; one that was changed since it was opened is an error.
    pub fn read_again(&self, each: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        let (mut buffer, mut at) = (vec![0; 1 << 16], 0);
        loop {
            let len = ReadAt::read_at(&self.file, &mut buffer, at)?;
            if len == 0 {
                break;
            }
            each(&buffer[..len]);
            at += len as u64;
        }
        match version(&self.file) == self.version {
            true => Ok(()),
            false => Err(io::Error::other("the file was changed while it was read")),
        }
    }
}

fn version(file: &File) -> Option<(u64, Option<SystemTime>)> {
    let metadata = file.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()))
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.at += read as u64;
        self.checked(read, buffer, self.at)
    }
}

impl ReadAt for OpenFile {
    fn file_len(&self) -> u64 {
        self.len.unwrap_or_default()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = ReadAt::read_at(&self.file, buffer, offset)?;
        self.checked(read, buffer, offset)
    }
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
    fn a_file_that_was_read_is_read_again_although_its_name_has_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "old").unwrap();
        let read = ReadFile::of(&path, &OpenFile::open(&path).unwrap()).unwrap();
        std::fs::write(folder.path().join("b"), "new one").unwrap();
        std::fs::rename(folder.path().join("b"), &path).unwrap();
        let mut text = Vec::new();
        read.read_again(&mut |part| text.extend_from_slice(part)).unwrap();
        assert_eq!(text, b"old");
        let read = ReadFile::of(&path, &OpenFile::open(&path).unwrap()).unwrap();
        std::fs::write(&path, "shorter").unwrap();
        std::fs::write(&path, "new").unwrap();
        read.read_again(&mut |_| {}).unwrap_err();
    }

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
