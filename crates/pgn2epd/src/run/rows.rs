//! A run over the rows of a table that is not text.

use std::io::{self, Error, ErrorKind};
use std::path::Path;

use book::columns;
use book::explorer::{ExplorerEntry, ExplorerError, ExplorerFile};
use emit::{Counts, LineKind, Plan, RecordReplay, Sink, TableColumns};

use super::games::{PlySource, TextRun, deliver_chunk};
use super::records::RecordConsumer;
use crate::inputs::InputText;

/// Number of rows that are worth a thread.
pub(super) const ROWS: usize = 4096;

/// Rows that are read together.
pub(super) struct Rows<R> {
    pub(super) rows: R,
    /// The number of rows before them.
    pub(super) first: u64,
    /// Number of bytes that they take.
    pub(super) bytes: u64,
}

/// Rows as text, to be read once.
struct TextRows<'r> {
    columns: &'r TableColumns,
    texts: &'r [Vec<String>],
    /// The number of rows before them.
    first: u64,
    plan: &'r Plan,
}

impl PlySource for TextRows<'_> {
    type Read = Counts;

    fn games_before(&self) -> u64 {
        0
    }

    fn play<S: Sink>(self, mut sink: S) -> (S, Counts) {
        let mut replay = RecordReplay::new(self.plan, LineKind::Records, Default::default());
        for row in 0..self.texts.first().map_or(0, Vec::len) {
            let texts = self.texts.iter().map(|column| &*column[row]);
            replay.row(self.columns, texts, self.first + row as u64 + 1, &mut sink);
        }
        (sink, replay.finish().0)
    }
}

/// Processes rows on all threads, given the texts of each column.
///
/// # Errors
///
/// If rows cannot be read. Those before them have been delivered.
pub(super) fn run_rows<C: RecordConsumer, R: Send>(
    columns: &TableColumns,
    run: TextRun<'_, C>,
    texts: &(dyn Fn(&R) -> io::Result<Vec<Vec<String>>> + Sync),
    batches: impl IntoIterator<Item = io::Result<Rows<R>>>,
) -> io::Result<()> {
    let TextRun { pipeline, plan, consumer, summary, observer, deliver } = run;
    let work = |Rows { rows, first, bytes }: Rows<R>| {
        let mut result = C::Result::default();
        let counts = texts(&rows).map(|texts| {
            let texts = &texts[..];
            consumer.consume(TextRows { columns, texts, first, plan }, &mut result)
        });
        (result, counts, bytes)
    };
    let mut take = |(mut result, counts, bytes): (C::Result, io::Result<Counts>, u64)| {
        let counts = counts.map_err(Some)?;
        let flow = deliver_chunk::<C>(&mut result, &counts, bytes, summary, observer, deliver);
        if flow.is_break() { Err(None) } else { Ok(()) }
    };
    let read = pipeline.threads.map_produced(work, &mut take, |give| {
        for rows in batches {
            match rows {
                Ok(rows) => give(rows)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    })?;
    match read {
        Ok(read) => read,
        Err(Some(error)) => Err(error),
        Err(None) => Ok(()),
    }
}

// A run over an explorer file.

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
