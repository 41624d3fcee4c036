//! A run over a text of records.

use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;

use emit::{Counts, Evals, LineKind, Plan, ReadRegisters, RecordReplay, Sink};
use epd::OverlongLine;
use pgn::Place;
use stream::ordered::{Pipeline, lock};

use super::games::{GameConsumer, PlySource, TextRun, deliver_chunk};
use super::lines::{ChunkLines, LineConsumer, run_lines};
use crate::inputs::InputText;

/// What a command makes of records as well as of games.
pub(crate) trait RecordConsumer: GameConsumer {
    fn consume<G: PlySource>(&self, source: G, result: &mut Self::Result) -> G::Read;
}

/// The records of a chunk, to be read once.
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

    fn games_before(&self) -> u64 {
        0
    }

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

/// Reads the records of a text on all threads. Problems are counted and reported when results are
/// delivered.
///
/// # Errors
///
/// Returns an error if the text cannot be read, or has a line beyond the size limit. The records
/// before it have been delivered.
pub(crate) fn run_records<C: RecordConsumer>(
    text: InputText<'_>,
    evals: Evals,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    let TextRun { pipeline, plan, consumer, summary, observer, deliver } = run;
    let kind = text.lines(evals, &plan.column_names)?;
    let records =
        Records { consumer, kind, plan, registers: Mutex::new(ReadRegisters::before(plan)) };
    let Pipeline { threads, chunk_bytes, .. } = pipeline;
    run_lines(text, threads, *chunk_bytes, &records, observer, &mut |done, bytes, observer| {
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
    /// The registers after the records that were delivered.
    registers: Mutex<ReadRegisters>,
}

#[derive(Default)]
struct RecordsOfChunk<R> {
    result: R,
    read: ReadRecords,
    /// The registers that were assumed before it.
    before: ReadRegisters,
}

impl<C: RecordConsumer> LineConsumer for Records<'_, C> {
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
