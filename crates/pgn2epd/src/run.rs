//! The run of a command over a text: threads play games, or read lines, into what a consumer makes
//! of them, and the results are used in the order of the input.

pub(crate) mod games;
#[cfg(feature = "book")]
mod rows;

use std::io::{self, Error, ErrorKind, Read};
use std::iter;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use emit::{Counts, EntryReplay, Evals, LineKind, Plan, ReadRegisters, RecordReplay, Sink};
use epd::{EpdDiagnostic, LONGEST_LINE, Lines, OverlongLine, RawLine, without_look_alikes};
use pgn::Place;
use stream::chunk::Chunk;
use stream::ordered::{ChunkEnd, ChunkWorker, LineCutter, Pipeline, Threads, lock, whole_lines};
use training::{
    Damage, Entries, Entry, PlainEntries, PlainError, PlainFault, ReadError, ScoreUnit,
    TrainingFormat,
};

use crate::epd::line::line_text;
use crate::inputs::{InputText, TextKind};
use games::{Consumer, ENTRIES, PlySource, TextRun, deliver_chunk, run_batches, run_games};
#[cfg(feature = "book")]
use rows::run_explorer;
#[cfg(feature = "arrow")]
use rows::run_tables;

pub(crate) struct Reading {
    pub(crate) score: ScoreUnit,
    pub(crate) evals: Evals,
    #[cfg_attr(not(feature = "book"), expect(dead_code, reason = "only binary files need one"))]
    pub(crate) folder: PathBuf,
}

/// Passes the positions of a text, with [its plan](crate::Options::plan_of), to a consumer.
pub(crate) fn run_source<C: Consumer>(
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

pub(crate) trait LineConsumer: Sync {
    type Result: Send + Default;

    /// Reads the lines of a chunk; returns one that exceeds the limit, after which none are read.
    fn chunk(&self, lines: ChunkLines<'_>, result: &mut Self::Result) -> Option<OverlongLine>;

    /// Whether a result is right, given those delivered before it. If not, the chunk is read again.
    fn is_valid(&self, _result: &Self::Result) -> bool {
        true
    }
}

pub(crate) struct ChunkLines<'c> {
    chunk: Chunk<'c, ()>,
    lines: &'c [u8],
}

impl ChunkLines<'_> {
    /// Calls `each` with every line and its faults of decoding, until an overlong line, returned.
    pub(crate) fn for_each(
        self,
        mut each: impl FnMut(TextLine<'_>, &mut Vec<EpdDiagnostic>),
    ) -> Option<OverlongLine> {
        let ChunkLines { chunk, lines } = self;
        let mut faults = Vec::new();
        // All lines are tested for UTF-8 at once.
        let whole = std::str::from_utf8(lines);
        let (mut at, start) = (0, chunk.start());
        for RawLine { number, bytes, len_with_end } in Lines::numbered(lines, start.line) {
            if len_with_end > LONGEST_LINE {
                return Some(OverlongLine { line: number });
            }
            faults.clear();
            let text = match whole {
                Ok(text) => without_look_alikes(&text[at..at + bytes.len()], &mut |fault| {
                    faults.push(fault);
                }),
                Err(_) => line_text(bytes, &mut |fault| faults.push(fault)),
            };
            let byte = chunk.start_byte() + at as u64;
            each(TextLine { number, byte, text: &text, bytes }, &mut faults);
            at += len_with_end;
        }
        None
    }
}

#[derive(Clone, Copy)]
pub(crate) struct TextLine<'l> {
    pub(crate) number: u64,
    pub(crate) byte: u64,
    /// The line as text, in which characters that only look like those of ASCII are replaced.
    pub(crate) text: &'l str,
    pub(crate) bytes: &'l [u8],
}

/// Reads lines on all threads; `deliver` gets results and their bytes in order, until it breaks.
pub(crate) fn run_lines<C: LineConsumer>(
    text: InputText<'_>,
    threads: &Threads,
    chunk_bytes: usize,
    consumer: &C,
    deliver: &mut dyn FnMut(&mut C::Result, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    let pipeline = Pipeline { threads: threads.clone(), chunk_bytes, max_item_bytes: LONGEST_LINE };
    let mut overlong = None;
    let worker = LineWorker(consumer);
    let read = text.in_order(&pipeline, &worker, &mut |done, bytes| {
        let flow = deliver(&mut done.result, bytes);
        overlong = done.overlong;
        if overlong.is_some() { ControlFlow::Break(()) } else { flow }
    });
    overlong.map_or(read, |line| Err(line.into()))
}

struct LineWorker<'r, C>(&'r C);

#[derive(Default)]
struct LinesResult<R> {
    result: R,
    overlong: Option<OverlongLine>,
}

impl<C: LineConsumer> ChunkWorker for LineWorker<'_, C> {
    type Cutter = LineCutter;
    type Output = LinesResult<C::Result>;

    fn chunk(&self, chunk: Chunk<'_, ()>, done: &mut Self::Output) -> ChunkEnd<()> {
        let (lines, end) = whole_lines(chunk);
        done.overlong = self.0.chunk(ChunkLines { chunk, lines }, &mut done.result);
        end
    }

    fn is_valid(&self, done: &Self::Output) -> bool {
        self.0.is_valid(&done.result)
    }

    fn too_large(&self, chunk: Chunk<'_, ()>, done: &mut Self::Output) {
        self.0.chunk(ChunkLines { chunk, lines: b"" }, &mut done.result);
        done.overlong = Some(OverlongLine { line: chunk.start().line });
    }
}

pub(crate) struct ChunkRecords<'c> {
    lines: ChunkLines<'c>,
    kind: &'c LineKind,
    plan: &'c Plan,
    before: ReadRegisters,
}

#[derive(Debug, Default)]
pub(crate) struct ReadRecords {
    counts: Counts,
    overlong: Option<OverlongLine>,
    registers: ReadRegisters,
}

impl AsRef<Counts> for ReadRecords {
    fn as_ref(&self) -> &Counts {
        &self.counts
    }
}

impl PlySource for ChunkRecords<'_> {
    type Read = ReadRecords;

    fn play<S: Sink>(self, mut sink: S) -> (S, ReadRecords) {
        let mut replay = RecordReplay::new(self.plan, self.kind.clone(), self.before);
        let overlong = self.lines.for_each(|line, faults| {
            let place = Place { byte: line.byte, line: line.number, column: 1 };
            match self.kind {
                LineKind::Records => replay.line(line.text, place, faults, &mut sink),
                // The values of a table are as they are written.
                _ => replay.line(&pgn::text_of(line.bytes), place, faults, &mut sink),
            };
        });
        let (counts, registers) = replay.finish();
        (sink, ReadRecords { counts, overlong, registers })
    }
}

/// Reads the records of a text on all threads.
pub(crate) fn run_records<C: Consumer>(
    text: InputText<'_>,
    evals: Evals,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let TextRun { pipeline, plan, consumer, summary, observer, deliver } = run;
    let kind = text.lines(evals, &plan.column_names)?;
    let records =
        LineRecords { consumer, kind, plan, registers: Mutex::new(ReadRegisters::before(plan)) };
    let Pipeline { threads, chunk_bytes, .. } = pipeline;
    run_lines(text, threads, *chunk_bytes, &records, &mut |done, bytes| {
        lock(&records.registers).follow(&done.read.registers);
        let counts = done.read.counts;
        let flow =
            deliver_chunk::<C>(&mut done.result, &counts, bytes, summary, observer, &mut *deliver);
        if summary.stopped { ControlFlow::Break(()) } else { flow }
    })
}

struct LineRecords<'r, C> {
    consumer: &'r C,
    kind: LineKind,
    plan: &'r Plan,
    registers: Mutex<ReadRegisters>,
}

#[derive(Default)]
struct RecordsOfChunk<R> {
    result: R,
    read: ReadRecords,
    before: ReadRegisters,
}

impl<C: Consumer> LineConsumer for LineRecords<'_, C> {
    type Result = RecordsOfChunk<C::Result>;

    fn chunk(&self, lines: ChunkLines<'_>, done: &mut Self::Result) -> Option<OverlongLine> {
        // Those of the last records that were delivered: right if all records have the same, or if
        // a game begins here.
        done.before = lock(&self.registers).clone();
        let records =
            ChunkRecords { lines, kind: &self.kind, plan: self.plan, before: done.before.clone() };
        done.read = self.consumer.consume(records, &mut done.result);
        done.read.overlong
    }

    fn is_valid(&self, done: &Self::Result) -> bool {
        done.read.registers.is_same_after(&done.before, &lock(&self.registers))
    }
}

/// The most entries of a game that are held; more are several games.
const LONGEST_GAME: usize = 1 << 16;

#[derive(Default)]
struct EntryGames {
    entries: Vec<Entry>,
    faults: Vec<PlainError>,
    first: u64,
}

struct PlayGames<'p> {
    games: EntryGames,
    plan: &'p Plan,
    has_clocks: bool,
    unit: ScoreUnit,
}

impl PlySource for PlayGames<'_> {
    type Read = Counts;

    fn play<S: Sink>(self, mut sink: S) -> (S, Counts) {
        let mut replay = EntryReplay::new(self.plan, self.has_clocks, self.unit);
        let EntryGames { entries, faults, first } = self.games;
        for (at, entry) in entries.iter().enumerate() {
            let ends_game = entries.get(at + 1).is_none_or(|next| next.is_start);
            replay.entry(entry, first + at as u64, ends_game, &mut sink);
        }
        faults.into_iter().for_each(|error| replay.fault(error, &mut sink));
        (sink, replay.finish())
    }
}

enum EntrySource<R> {
    Binary(Entries<R>),
    Plain(PlainEntries<R>),
}

enum Fault {
    Entry(PlainError),
    End(ReadError),
}

impl<R: Read> EntrySource<R> {
    fn next(&mut self) -> Option<Result<Entry, Fault>> {
        match self {
            EntrySource::Binary(entries) => Some(entries.next()?.map_err(Fault::End)),
            EntrySource::Plain(entries) => {
                Some(entries.next()?.map_err(|error| match error.fault {
                    PlainFault::Unreadable(reason) => {
                        let (offset, damage) = (entries.bytes_read(), io::Error::other(reason));
                        Fault::End(ReadError { offset, damage: Damage::Unreadable(damage) })
                    }
                    _ => Fault::Entry(error),
                }))
            }
        }
    }

    fn bytes_read(&self) -> u64 {
        match self {
            EntrySource::Binary(entries) => entries.bytes_read(),
            EntrySource::Plain(entries) => entries.bytes_read(),
        }
    }
}

/// Reads training data.
fn run_entries<C: Consumer>(
    text: InputText<'_>,
    unit: ScoreUnit,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let (plan, kind) = (run.plan, text.kind());
    let has_clocks = kind != TextKind::Training(TrainingFormat::Bulletformat);
    let mut source = match kind {
        TextKind::Training(format) => EntrySource::Binary(Entries::new(format, text)),
        _ => EntrySource::Plain(PlainEntries::new(text)),
    };
    let (mut following, mut read) = (Some(EntryGames::default()), 0);
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
                        following = Some(EntryGames { entries, first, ..EntryGames::default() });
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
