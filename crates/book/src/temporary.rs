//! Location of temporary files.

use std::fs::File;
use std::io;
use std::path::PathBuf;

use stream::spill::temporary::{self, SpillError};

use crate::error::BookError;

/// A folder for temporary files.
#[derive(Clone, Debug)]
pub(crate) struct Temporary {
    pub(crate) folder: PathBuf,
}

impl Temporary {
    /// Returns the error for a failed file, preserving a more specific error inside `source`.
    pub(crate) fn failed(&self, source: io::Error) -> BookError {
        source
            .downcast()
            .unwrap_or_else(|source| SpillError { folder: self.folder.clone(), source }.into())
    }

    /// Creates an unnamed file, which disappears however the program ends.
    pub(crate) fn file(&self) -> Result<File, BookError> {
        Ok(temporary::file(&self.folder)?)
    }
}
