//! Where temporary files are.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use crate::BookError;

/// A folder for temporary files.
#[derive(Clone, Debug)]
pub(crate) struct Temporary {
    pub(crate) folder: PathBuf,
}

impl Temporary {
    /// Why a file failed; or what failed on the way to it, where that is known.
    pub(crate) fn failed(&self, source: io::Error) -> BookError {
        source
            .downcast()
            .unwrap_or_else(|source| BookError::Temporary { folder: self.folder.clone(), source })
    }

    /// A file without a name: whatever ends the program, it is gone.
    pub(crate) fn file(&self) -> Result<File, BookError> {
        tempfile::tempfile_in(&self.folder).map_err(|error| self.failed(error))
    }
}
