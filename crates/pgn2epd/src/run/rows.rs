//! A run over the rows of a table that is not text.

use std::io;

use emit::{Counts, LineKind, Plan, RecordReplay, Sink, TableColumns};

use super::games::{PlySource, TextRun, deliver_chunk};
use super::records::RecordConsumer;

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
