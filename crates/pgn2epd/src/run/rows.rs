//! A run over the rows of tables that are not text: explorer files, Arrow and Parquet.

use std::io::{self, Error, ErrorKind};
use std::iter;
use std::path::Path;

use book::columns;
use book::count_file::{CountFile, CountFileError, CountedPosition};
use emit::{Counts, LineKind, Plan, RecordReplay, Sink, TableColumns};
#[cfg(feature = "arrow")]
use table::{Batches, column_texts};

use super::games::{Consumer, ENTRIES, PlySource, TextRun, run_batches};
use crate::inputs::InputText;

struct PlayRows<'r> {
    columns: &'r TableColumns,
    texts: Vec<Vec<String>>,
    first: u64,
    plan: &'r Plan,
}

impl PlySource for PlayRows<'_> {
    type Read = Counts;

    fn play<S: Sink>(self, mut sink: S) -> (S, Counts) {
        let mut replay = RecordReplay::new(self.plan, LineKind::Records, Default::default());
        for row in 0..self.texts.first().map_or(0, Vec::len) {
            let texts = self.texts.iter().map(|column| &*column[row]);
            replay.row(self.columns, texts, self.first + row as u64 + 1, &mut sink);
        }
        (sink, replay.finish().0)
    }
}

/// Reads an explorer file as rows of a table; one inside of another is copied to `folder`.
pub(super) fn run_explorer<C: Consumer>(
    text: InputText<'_>,
    folder: &Path,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let file = text.into_file(folder)?;
    let mut bytes = file.metadata()?.len();
    let explorer = CountFile::new(Box::new(file)).map_err(failure)?;
    let names = TableColumns::of(columns()).unwrap_or_default();
    let mut entries = explorer.entries();
    let (mut before, mut failed, mut failures) = (0, None, 0_u64);
    let batches = iter::from_fn(|| {
        // The blocks after a damaged one can be read.
        let whole = entries.by_ref().filter_map(|entry| match entry {
            Ok(entry) => Some(entry),
            Err(error) => {
                failures += 1;
                failed.get_or_insert(error);
                None
            }
        });
        let rows: Vec<_> = whole.take(ENTRIES).collect();
        if rows.is_empty() {
            return failed.take().map(|error| Err(all_failures(error, failures)));
        }
        let first = before;
        before += rows.len() as u64;
        Some(Ok(((rows, first), std::mem::take(&mut bytes))))
    });
    let plan = run.plan;
    let source = |(entries, first): (Vec<CountedPosition>, u64)| {
        let mut texts = vec![Vec::with_capacity(entries.len()); columns().count()];
        for entry in entries {
            let row = entry.row(explorer.header());
            let row = row.map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
            texts.iter_mut().zip(row).for_each(|(column, text)| column.push(text));
        }
        Ok(PlayRows { columns: &names, texts, first, plan })
    };
    run_batches(run, source, batches)
}

fn all_failures(error: CountFileError, count: u64) -> Error {
    match failure(error) {
        error if count == 1 => error,
        error => Error::new(error.kind(), format!("{error} (the first of {count} such places)")),
    }
}

fn failure(error: CountFileError) -> Error {
    match error {
        CountFileError::Read(error) => error,
        error => Error::new(ErrorKind::InvalidData, error),
    }
}

/// Reads an Arrow or Parquet file; one that is not a file of its own is copied to `folder`.
#[cfg(feature = "arrow")]
pub(super) fn run_tables<C: Consumer>(
    text: InputText<'_>,
    folder: &Path,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let file = text.into_file(folder)?;
    let mut bytes = file.metadata()?.len();
    let tables = Batches::open(file)?;
    let names: Vec<String> = tables.names().to_vec();
    let mut tables = tables.peekable();
    let first = tables.peek().and_then(|batch| column_texts(batch.as_ref().ok()?, 0, 1).ok());
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
    let mut read = 0;
    let batches = tables.flat_map(|table| {
        let table = match table {
            Ok(table) => table,
            Err(error) => return vec![Err(error)],
        };
        let before = read;
        read += table.num_rows() as u64;
        let part =
            |from| Ok(((table.clone(), from, before + from as u64), std::mem::take(&mut bytes)));
        (0..table.num_rows()).step_by(ENTRIES).map(part).collect()
    });
    let plan = run.plan;
    let source = |(table, from, first): (_, usize, u64)| {
        let texts = column_texts(&table, from, ENTRIES)?;
        Ok(PlayRows { columns: &columns, texts, first, plan })
    };
    run_batches(run, source, batches)
}
