//! A run over a table in a binary format.

use std::io::{self, Error, ErrorKind};
use std::path::Path;

use emit::TableColumns;
use table::{Batches, column_texts};

use super::games::TextRun;
use super::records::RecordConsumer;
use super::rows::{ROWS, Rows, run_rows};
use crate::inputs::InputText;

/// Reads the rows of a table on all threads. A table that is not a file of its own is copied to
/// `folder`.
///
/// # Errors
///
/// Returns an error if the table is damaged or has no positions. What is before the damage has been
/// delivered.
pub(crate) fn run_tables<C: RecordConsumer>(
    text: InputText<'_>,
    folder: &Path,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let file = text.into_file(folder)?;
    let mut bytes = file.metadata()?.len();
    let batches = Batches::open(file)?;
    let names: Vec<String> = batches.names().to_vec();
    let mut batches = batches.peekable();
    let first = batches.peek().and_then(|batch| column_texts(batch.as_ref().ok()?, 0, 1).ok());
    let row: Vec<String> =
        first.iter().flatten().filter_map(|text| text.first().cloned()).collect();
    let names: Vec<&str> = names.iter().map(|name| run.plan.column_names.of(name)).collect();
    let columns = TableColumns::of(names.iter().copied())
        .or_else(|| TableColumns::of_row(&names, &row))
        .ok_or_else(|| {
            let reason =
                "no column is fen, epd or record, and not one alone has FENs: --rename fen=COLUMN";
            Error::new(ErrorKind::InvalidData, reason)
        })?;
    let texts = |(batch, from): &_| column_texts(batch, *from, ROWS);
    let mut read = 0;
    let rows = batches.flat_map(|batch| {
        let batch = match batch {
            Ok(batch) => batch,
            Err(error) => return vec![Err(error)],
        };
        let before = read;
        read += batch.num_rows() as u64;
        let part = |from| {
            let (first, bytes) = (before + from as u64, std::mem::take(&mut bytes));
            Ok(Rows { rows: (batch.clone(), from), first, bytes })
        };
        (0..batch.num_rows()).step_by(ROWS).map(part).collect()
    });
    run_rows(&columns, run, &texts, rows)
}
