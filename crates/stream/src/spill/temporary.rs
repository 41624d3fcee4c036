//! Temporary files.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A temporary file cannot be created, written or read, for example because the disk is full. It is
/// the inner error of an [`io::Error`].
#[derive(Debug, thiserror::Error)]
#[error("the temporary files in {folder} cannot be written or read")]
pub struct SpillError {
    /// Its folder.
    pub folder: PathBuf,
    /// The cause.
    pub source: io::Error,
}

/// Returns a function that adds the folder to an error.
pub(super) fn within(folder: &Path) -> impl Fn(io::Error) -> io::Error {
    |source| io::Error::other(SpillError { folder: folder.to_owned(), source })
}

/// Creates an unnamed file in a folder, which disappears however the program ends.
///
/// # Errors
///
/// If the file cannot be created, or this build lacks the feature `spill`: a [`SpillError`].
pub fn file(folder: &Path) -> io::Result<File> {
    #[cfg(feature = "spill")]
    let file = tempfile::tempfile_in(folder);
    #[cfg(not(feature = "spill"))]
    let file = Err(io::Error::new(io::ErrorKind::Unsupported, "built without temporary files"));
    file.map_err(within(folder))
}
