//! A run over a table in a binary format.

use std::io::{self, Error, ErrorKind};
use std::path::Path;

use emit::{Counts, LineKind, Plan, RecordReplay, Sink, TableColumns};
use table::{Batches, column_texts};

use super::games::{PlySource, TextRun, deliver_chunk};
use super::records::RecordConsumer;
use crate::inputs::InputText;

/// Number of rows that are worth a thread.
const ROWS: usize = 4096;

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
    let TextRun { pipeline, plan, consumer, summary, observer, deliver } = run;
    let file = text.into_file(folder)?;
    let mut bytes = file.metadata()?.len();
    let batches = Batches::open(file)?;
    let columns =
        TableColumns::of(batches.names().iter().map(String::as_str)).ok_or_else(|| {
            let reason = "no column is fen, epd or record; `book merge` reads partial results";
            Error::new(ErrorKind::InvalidData, reason)
        })?;
    let work = |(batch, from, first, bytes)| {
        let mut result = C::Result::default();
        let counts = column_texts(&batch, from, ROWS).map(|texts| {
            let (columns, texts) = (&columns, &texts[..]);
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
        let mut first = 0;
        for batch in batches {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => return Ok(Err(error)),
            };
            for from in (0..batch.num_rows()).step_by(ROWS) {
                give((batch.clone(), from, first + from as u64, std::mem::take(&mut bytes)))?;
            }
            first += batch.num_rows() as u64;
        }
        Ok(Ok(()))
    })?;
    match read {
        Ok(read) => read,
        Err(Some(error)) => Err(error),
        Err(None) => Ok(()),
    }
}
