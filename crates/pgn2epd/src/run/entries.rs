//! A run over training data.

use std::io;

use emit::{Counts, EntryReplay, Plan, Sink};
use stream::ordered::Pipeline;
use training::{Entries, Entry, ReadError, ScoreUnit, TrainingFormat};

use super::games::{OnChunk, PlySource, deliver_chunk};
use super::records::RecordConsumer;
use crate::inputs::InputText;
use crate::observer::Observer;
use crate::summary::Summary;

/// Number of entries that are worth a thread.
const BATCH: usize = 4096;

/// The most entries of a game that are held; more are several games.
const LONGEST_GAME: usize = 1 << 16;

/// Entries that are read together: whole games.
struct Batch {
    entries: Vec<Entry>,
    /// Number of entries before them.
    first: u64,
    /// Number of bytes that they take.
    bytes: u64,
}

/// The entries of a batch, to be read once.
struct BatchEntries<'b> {
    batch: &'b Batch,
    plan: &'b Plan,
    format: TrainingFormat,
    unit: ScoreUnit,
}

impl PlySource for BatchEntries<'_> {
    type Read = Counts;

    fn games_before(&self) -> u64 {
        0
    }

    fn play<S: Sink>(self, mut sink: S) -> (S, Counts) {
        let mut replay = EntryReplay::new(self.plan, self.format, self.unit);
        let entries = &self.batch.entries;
        for (at, entry) in entries.iter().enumerate() {
            let ends_game = entries.get(at + 1).is_none_or(|next| next.is_start);
            replay.entry(entry, self.batch.first + at as u64, ends_game, &mut sink);
        }
        (sink, replay.finish())
    }
}

/// Reads training data on all threads, and calls `deliver` with the results, in their order, until it breaks.
///
/// # Errors
///
/// Returns an error if the data is damaged or cannot be read. What is before it has been delivered.
#[expect(
    clippy::too_many_arguments,
    reason = "those of the other runs, and how the data is encoded"
)]
pub(crate) fn run_entries<C: RecordConsumer>(
    text: InputText<'_>,
    (format, unit): (TrainingFormat, ScoreUnit),
    pipeline: &Pipeline,
    plan: &Plan,
    consumer: &C,
    summary: &mut Summary,
    observer: &mut dyn Observer,
    deliver: OnChunk<'_, C::Result>,
) -> io::Result<()> {
    let work = |batch: Batch| {
        let mut result = C::Result::default();
        let source = BatchEntries { batch: &batch, plan, format, unit };
        let counts = consumer.consume(source, &mut result);
        (result, counts, batch.bytes)
    };
    let mut take = |(mut result, counts, bytes): (C::Result, Counts, u64)| {
        let flow = deliver_chunk::<C>(&mut result, &counts, bytes, summary, observer, deliver);
        if flow.is_break() { Err(()) } else { Ok(()) }
    };
    let read = pipeline.threads.map_produced(work, &mut take, |give| {
        let mut entries = Entries::new(format, text);
        let (mut first, mut read) = (0, 0);
        let mut batch = Vec::new();
        let mut damage: Option<ReadError> = None;
        loop {
            let next = match entries.next() {
                Some(Ok(entry)) => Some(entry),
                Some(Err(error)) => {
                    damage = Some(error);
                    None
                }
                None => None,
            };
            let is_full = batch.len() >= LONGEST_GAME
                || batch.len() >= BATCH && next.as_ref().is_some_and(|entry| entry.is_start);
            if next.is_none() || is_full {
                let (entries, bytes) = (std::mem::take(&mut batch), entries.bytes_read() - read);
                let len = entries.len() as u64;
                give(Batch { entries, first, bytes })?;
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
