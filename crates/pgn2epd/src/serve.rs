//! An opening explorer over HTTP.

mod numbered_games;

use ::book::explorer::{ExplorerError, ExplorerFile};

use crate::book::{BookError, BookOptions, Form, Source, write_book};

pub use ::serve::{Games, Library, Limits, NameError, OriginError, Positions, Server, signalled};
pub use numbered_games::NumberedGames;

/// Why positions cannot be looked up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The counts cannot be read or written.
    #[error(transparent)]
    Book(#[from] BookError),
    /// What was written cannot be read.
    #[error(transparent)]
    Explorer(#[from] ExplorerError),
}

/// Makes an explorer file of a count, in memory.
///
/// # Errors
///
/// Returns an error if a part or a temporary file cannot be read or written.
pub fn explorer_in_memory(
    source: Source,
    options: &BookOptions,
) -> Result<ExplorerFile, ServeError> {
    let mut bytes = Vec::new();
    let options = BookOptions { format: Some(Form::Explorer), ..options.clone() };
    write_book(source, &options, &mut bytes)?;
    Ok(ExplorerFile::new(Box::new(bytes))?)
}
