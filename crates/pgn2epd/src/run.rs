//! The run of a command over a text: threads play games, or read lines, into what a consumer makes
//! of them, and the results are used in the order of the input.

pub(crate) mod games;
pub(crate) mod records;
#[cfg(feature = "book")]
mod rows;
#[cfg(feature = "arrow")]
pub(crate) mod tables;

use std::cell::Cell;
use std::io::{self, Read};
use std::path::PathBuf;

use emit::{Counts, EntryReplay, Evals, Plan, Sink};
use training::{
    Damage, Entries, Entry, PlainEntries, PlainError, PlainFault, ReadError, ScoreUnit,
    TrainingFormat,
};

use crate::inputs::{InputText, TextKind};
use games::{PlySource, TextRun, deliver_chunk, run_games};
use records::{RecordConsumer, run_records};
#[cfg(feature = "book")]
use rows::run_explorer;
#[cfg(feature = "arrow")]
use tables::run_tables;

// A run over a text, whatever it contains.

/// How the positions of a text are read.
pub(crate) struct Reading {
    /// The unit of scores in training data.
    pub(crate) score: ScoreUnit,
    pub(crate) evals: Evals,
    /// The folder for temporary files.
    #[cfg_attr(not(feature = "book"), expect(dead_code, reason = "only binary files need one"))]
    pub(crate) folder: PathBuf,
}

/// Passes the positions of a text, with [its plan](crate::text_plan::plan_of), to a consumer.
///
/// # Errors
///
/// Returns an error if the text cannot be read. The positions before it have been delivered.
pub(crate) fn run_source<C: RecordConsumer>(
    text: InputText<'_>,
    reading: &Reading,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    match text.kind() {
        TextKind::Training(_) | TextKind::Plain => run_entries(text, reading.score, run),
        #[cfg(feature = "arrow")]
        TextKind::Columns => run_tables(text, &reading.folder, run),
        #[cfg(not(feature = "arrow"))]
        TextKind::Columns => Err(io::Error::new(io::ErrorKind::Unsupported, table::NOT_BUILT)),
        #[cfg(feature = "book")]
        TextKind::Explorer => run_explorer(text, &reading.folder, run),
        kind if kind.has_positions() => run_records(text, reading.evals, run),
        _ => run_games(text, run),
    }
}

// A run over training data.

/// Number of entries that are worth a thread.
const BATCH: usize = 4096;

/// The most entries of a game that are held; more are several games.
const LONGEST_GAME: usize = 1 << 16;

/// Entries that are read together: whole games.
struct Batch {
    entries: Vec<Entry>,
    /// Those that cannot be read.
    faults: Cell<Vec<PlainError>>,
    /// Number of entries before them.
    first: u64,
    /// Number of bytes that they take.
    bytes: u64,
}

/// The entries of a batch, to be read once.
struct BatchEntries<'b> {
    batch: &'b Batch,
    plan: &'b Plan,
    has_clocks: bool,
    unit: ScoreUnit,
}

impl PlySource for BatchEntries<'_> {
    type Read = Counts;

    fn games_before(&self) -> u64 {
        0
    }

    fn play<S: Sink>(self, mut sink: S) -> (S, Counts) {
        let mut replay = EntryReplay::new(self.plan, self.has_clocks, self.unit);
        let entries = &self.batch.entries;
        for (at, entry) in entries.iter().enumerate() {
            let ends_game = entries.get(at + 1).is_none_or(|next| next.is_start);
            replay.entry(entry, self.batch.first + at as u64, ends_game, &mut sink);
        }
        for error in self.batch.faults.take() {
            replay.fault(error, &mut sink);
        }
        (sink, replay.finish())
    }
}

enum Source<R> {
    Binary(Entries<R>),
    Plain(PlainEntries<R>),
}

/// An error of an entry, or one that ends the data.
enum Fault {
    Entry(PlainError),
    End(ReadError),
}

impl<R: Read> Source<R> {
    fn next(&mut self) -> Option<Result<Entry, Fault>> {
        match self {
            Source::Binary(entries) => Some(entries.next()?.map_err(Fault::End)),
            Source::Plain(entries) => Some(entries.next()?.map_err(|error| match error.fault {
                PlainFault::Unreadable(reason) => {
                    let (offset, damage) = (entries.bytes_read(), io::Error::other(reason));
                    Fault::End(ReadError { offset, damage: Damage::Unreadable(damage) })
                }
                _ => Fault::Entry(error),
            })),
        }
    }

    fn bytes_read(&self) -> u64 {
        match self {
            Source::Binary(entries) => entries.bytes_read(),
            Source::Plain(entries) => entries.bytes_read(),
        }
    }
}

/// Reads training data on all threads.
///
/// # Errors
///
/// Returns an error if the data is damaged or cannot be read. What is before it has been delivered.
pub(crate) fn run_entries<C: RecordConsumer>(
    text: InputText<'_>,
    unit: ScoreUnit,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let TextRun { pipeline, plan, consumer, summary, observer, deliver } = run;
    let kind = text.kind();
    let has_clocks = kind != TextKind::Training(TrainingFormat::Bulletformat);
    let work = |batch: Batch| {
        let mut result = C::Result::default();
        let source = BatchEntries { batch: &batch, plan, has_clocks, unit };
        let counts = consumer.consume(source, &mut result);
        (result, counts, batch.bytes)
    };
    let mut take = |(mut result, counts, bytes): (C::Result, Counts, u64)| {
        let flow = deliver_chunk::<C>(&mut result, &counts, bytes, summary, observer, deliver);
        if flow.is_break() { Err(()) } else { Ok(()) }
    };
    let read = pipeline.threads.map_produced(work, &mut take, |give| {
        let mut source = match kind {
            TextKind::Training(format) => Source::Binary(Entries::new(format, text)),
            _ => Source::Plain(PlainEntries::new(text)),
        };
        let (mut first, mut read) = (0, 0);
        let (mut batch, mut faults) = (Vec::new(), Vec::new());
        let mut damage: Option<ReadError> = None;
        loop {
            let next = loop {
                match source.next() {
                    Some(Ok(entry)) => break Some(entry),
                    Some(Err(Fault::Entry(error))) => faults.push(error),
                    Some(Err(Fault::End(error))) => {
                        damage = Some(error);
                        break None;
                    }
                    None => break None,
                }
            };
            let is_full = batch.len() >= LONGEST_GAME
                || batch.len() >= BATCH && next.as_ref().is_some_and(|entry| entry.is_start);
            if next.is_none() || is_full {
                let (entries, bytes) = (std::mem::take(&mut batch), source.bytes_read() - read);
                let faults = Cell::new(std::mem::take(&mut faults));
                let len = entries.len() as u64;
                give(Batch { entries, faults, first, bytes })?;
                (first, read) = (first + len, read + bytes);
            }
            let Some(mut entry) = next else { return Ok(damage) };
            entry.is_start |= batch.is_empty();
            batch.push(entry);
        }
    })?;
    match read {
        Ok(Some(error)) => Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        Ok(None) | Err(()) => Ok(()),
    }
}
