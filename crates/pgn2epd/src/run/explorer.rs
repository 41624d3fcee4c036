//! A run over an explorer file.

use std::io::{self, Error, ErrorKind};
use std::path::Path;

use ::book::explorer::{ExplorerEntry, ExplorerError, ExplorerFile, columns};
use emit::TableColumns;

use super::games::TextRun;
use super::records::RecordConsumer;
use super::rows::{ROWS, Rows, run_rows};
use crate::inputs::InputText;

/// Reads the positions of an explorer file on all threads, as rows of a table. A file inside of
/// another is copied to `folder`.
///
/// # Errors
///
/// Returns an error if the file is damaged. The positions of all other blocks have been delivered.
pub(super) fn run_explorer<C: RecordConsumer>(
    text: InputText<'_>,
    folder: &Path,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let file = text.into_file(folder)?;
    let mut bytes = file.metadata()?.len();
    let explorer = ExplorerFile::new(Box::new(file)).map_err(failure)?;
    let names = TableColumns::of(columns()).unwrap_or_default();
    let texts = |entries: &Vec<ExplorerEntry>| {
        let mut texts = vec![Vec::with_capacity(entries.len()); columns().count()];
        for entry in entries {
            let row = entry.row(explorer.header());
            let row = row.map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
            texts.iter_mut().zip(row).for_each(|(column, text)| column.push(text));
        }
        Ok(texts)
    };
    let mut entries = explorer.entries();
    let mut first = 0;
    let (mut failed, mut failures) = (None, 0_u64);
    let rows = std::iter::from_fn(|| {
        // The blocks after a damaged one can be read.
        let whole = entries.by_ref().filter_map(|entry| match entry {
            Ok(entry) => Some(entry),
            Err(error) => {
                failures += 1;
                failed.get_or_insert(error);
                None
            }
        });
        let rows: Vec<_> = whole.take(ROWS).collect();
        if rows.is_empty() {
            return failed.take().map(|error| Err(all_failures(error, failures)));
        }
        let (before, bytes) = (first, std::mem::take(&mut bytes));
        first += rows.len() as u64;
        Some(Ok(Rows { rows, first: before, bytes }))
    });
    run_rows(&names, run, &texts, rows)
}

/// Returns the first of several errors, with their number.
fn all_failures(error: ExplorerError, count: u64) -> Error {
    match failure(error) {
        error if count == 1 => error,
        error => Error::new(error.kind(), format!("{error} (the first of {count} such places)")),
    }
}

fn failure(error: ExplorerError) -> Error {
    match error {
        ExplorerError::Read(error) => error,
        error => Error::new(ErrorKind::InvalidData, error),
    }
}
