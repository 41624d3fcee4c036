//! A run over a text of positions.

use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;

use emit::{Counts, Evals, LineKind, Plan, ReadRegisters, RecordReplay, Sink};
use epd::{EpdDiagnostic, LONGEST_LINE, Lines, OverlongLine, RawLine, without_look_alikes};
use pgn::Place;
use stream::chunk::Chunk;
use stream::ordered::{ChunkEnd, ChunkWorker, LineCutter, Pipeline, Threads, lock, whole_lines};

use super::games::{Consumer, PlySource, TextRun, deliver_chunk};
use crate::epd::line::line_text;
use crate::inputs::InputText;

// A run over a text of positions, line by line.

pub(crate) trait LineConsumer: Sync {
    type Result: Send + Default;

    /// Reads the lines of a chunk; returns one that exceeds the limit, after which none are read.
    fn chunk(&self, lines: ChunkLines<'_>, result: &mut Self::Result) -> Option<OverlongLine>;

    /// Whether a result is right, given those delivered before it. If not, the chunk is read again.
    fn is_valid(&self, result: &Self::Result) -> bool {
        let _ = result;
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
        Records { consumer, kind, plan, registers: Mutex::new(ReadRegisters::before(plan)) };
    let Pipeline { threads, chunk_bytes, .. } = pipeline;
    run_lines(text, threads, *chunk_bytes, &records, &mut |done, bytes| {
        lock(&records.registers).follow(&done.read.registers);
        let counts = done.read.counts;
        let flow =
            deliver_chunk::<C>(&mut done.result, &counts, bytes, summary, observer, &mut *deliver);
        if summary.stopped { ControlFlow::Break(()) } else { flow }
    })
}

struct Records<'r, C> {
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

impl<C: Consumer> LineConsumer for Records<'_, C> {
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
