//! A run over what one thread reads in batches and all threads play, such as training data.

use std::io::{self, Error, ErrorKind, Read};
use std::iter;

use emit::{Counts, EntryReplay, Plan, Sink};
use training::{
    Damage, Entries, Entry, PlainEntries, PlainError, PlainFault, ReadError, ScoreUnit,
    TrainingFormat,
};

use super::games::{Consumer, PlySource, TextRun, deliver_chunk};
use crate::inputs::{InputText, TextKind};

/// Plays batches, each with its number of bytes, as what `source` makes of them.
pub(super) fn run_batches<C: Consumer, B: Send, S: PlySource<Read = Counts>>(
    run: TextRun<'_, C>,
    source: impl Fn(B) -> io::Result<S> + Sync,
    batches: impl IntoIterator<Item = io::Result<(B, u64)>>,
) -> io::Result<()> {
    let TextRun { pipeline, consumer, summary, observer, deliver, .. } = run;
    let work = |(batch, bytes)| {
        let mut result = C::Result::default();
        let counts = source(batch).map(|source| consumer.consume(source, &mut result));
        (result, counts, bytes)
    };
    let mut take = |(mut result, counts, bytes): (C::Result, io::Result<Counts>, u64)| {
        let counts = counts.map_err(Some)?;
        let flow = deliver_chunk::<C>(&mut result, &counts, bytes, summary, observer, deliver);
        if flow.is_break() { Err(None) } else { Ok(()) }
    };
    let read = pipeline.threads.map_produced(work, &mut take, |give| {
        for batch in batches {
            match batch {
                Ok(batch) => give(batch)?,
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

// Training data.

const ENTRIES: usize = 4096;

/// The most entries of a game that are held; more are several games.
const LONGEST_GAME: usize = 1 << 16;

#[derive(Default)]
struct Games {
    entries: Vec<Entry>,
    faults: Vec<PlainError>,
    first: u64,
}

struct PlayGames<'p> {
    games: Games,
    plan: &'p Plan,
    has_clocks: bool,
    unit: ScoreUnit,
}

impl PlySource for PlayGames<'_> {
    type Read = Counts;

    fn play<S: Sink>(self, mut sink: S) -> (S, Counts) {
        let mut replay = EntryReplay::new(self.plan, self.has_clocks, self.unit);
        let Games { entries, faults, first } = self.games;
        for (at, entry) in entries.iter().enumerate() {
            let ends_game = entries.get(at + 1).is_none_or(|next| next.is_start);
            replay.entry(entry, first + at as u64, ends_game, &mut sink);
        }
        faults.into_iter().for_each(|error| replay.fault(error, &mut sink));
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

/// Reads training data.
pub(super) fn run_entries<C: Consumer>(
    text: InputText<'_>,
    unit: ScoreUnit,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let (plan, kind) = (run.plan, text.kind());
    let has_clocks = kind != TextKind::Training(TrainingFormat::Bulletformat);
    let mut source = match kind {
        TextKind::Training(format) => Source::Binary(Entries::new(format, text)),
        _ => Source::Plain(PlainEntries::new(text)),
    };
    let (mut following, mut read) = (Some(Games::default()), 0);
    let mut damage = None;
    let batches = iter::from_fn(|| {
        let Some(mut games) = following.take() else { return damage.take().map(Err) };
        loop {
            match source.next() {
                Some(Ok(mut entry)) => {
                    let len = games.entries.len();
                    entry.is_start |= len == 0;
                    if len >= LONGEST_GAME || len >= ENTRIES && entry.is_start {
                        let first = games.first + len as u64;
                        entry.is_start = true;
                        let entries = vec![entry];
                        following = Some(Games { entries, first, ..Games::default() });
                        break;
                    }
                    games.entries.push(entry);
                }
                Some(Err(Fault::Entry(error))) => games.faults.push(error),
                Some(Err(Fault::End(error))) => {
                    damage = Some(Error::new(ErrorKind::InvalidData, error));
                    break;
                }
                None => break,
            }
        }
        let bytes = source.bytes_read() - read;
        read += bytes;
        Some(Ok((games, bytes)))
    });
    run_batches(run, |games| Ok(PlayGames { games, plan, has_clocks, unit }), batches)
}
