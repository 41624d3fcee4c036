//! A run over a text of positions, line by line.

use std::io;
use std::ops::ControlFlow;

use epd::{EpdDiagnostic, LONGEST_LINE, Lines, OverlongLine, RawLine, without_look_alikes};
use stream::chunk::Chunk;
use stream::ordered::{ChunkEnd, ChunkWorker, LineCutter, Pipeline, Threads, whole_lines};
use stream::place::Place;

use crate::epd::line_text::line_text;
use crate::inputs::{DeferringObserver, InputText, in_order_until_damage};
use crate::observer::Observer;

/// What a command makes of lines.
pub(crate) trait LineConsumer: Sync {
    /// What is made of a chunk. It is passed back, to be filled anew.
    type Result: Send + Default;

    /// Begins a chunk: clears the result.
    fn begin(&self, result: &mut Self::Result);

    /// Reads a line. `faults` has what was found while it was decoded. Returns whether the line has an
    /// error.
    fn line(
        &self,
        line: TextLine<'_>,
        faults: &mut Vec<EpdDiagnostic>,
        result: &mut Self::Result,
    ) -> bool;

    /// Ends a chunk.
    fn end(&self, result: &mut Self::Result) {
        let _ = result;
    }
}

/// A line of a text.
#[derive(Clone, Copy)]
pub(crate) struct TextLine<'l> {
    pub(crate) number: u64,
    /// The line as text, in which characters that only look like those of ASCII are replaced.
    pub(crate) text: &'l str,
    /// The line as it is.
    pub(crate) bytes: &'l [u8],
}

/// Called with the result of each chunk and its number of bytes; breaks to end the run.
type OnChunk<'d, R> = &'d mut dyn FnMut(&mut R, u64, &mut dyn Observer) -> ControlFlow<()>;

/// Reads the lines of a text on all threads, and calls `deliver` with the results, in their order,
/// until it breaks. What it reports to the observer is deferred until it is known whether a
/// compressed text is damaged.
///
/// # Errors
///
/// Returns an error if the text cannot be read, or has a line beyond the size limit. The lines
/// before it have been delivered.
pub(crate) fn run_lines<C: LineConsumer>(
    text: InputText<'_>,
    threads: &Threads,
    chunk_bytes: usize,
    consumer: &C,
    observer: &mut dyn Observer,
    deliver: OnChunk<'_, C::Result>,
) -> io::Result<()> {
    let pipeline = Pipeline { threads: threads.clone(), chunk_bytes, max_item_bytes: LONGEST_LINE };
    let mut observer = DeferringObserver::new(observer, text.integrity());
    let first_error = |done: &ChunkResult<C::Result>| done.first_error;
    let mut overlong = None;
    let worker = LineWorker(consumer);
    let read = in_order_until_damage(text, &pipeline, &worker, first_error, &mut |done, bytes| {
        let flow = deliver(&mut done.result, bytes, &mut observer);
        overlong = done.overlong;
        if overlong.is_some() { ControlFlow::Break(()) } else { flow }
    });
    observer.finish(overlong.map_or(read, |line| Err(line.into())))
}

/// The worker that reads the lines of a chunk.
struct LineWorker<'r, C>(&'r C);

/// Result of a chunk.
#[derive(Default)]
struct ChunkResult<R> {
    result: R,
    /// The end of the first line with an error. Cut there, that line is torn, and the one before it
    /// is whole.
    first_error: Option<Place>,
    /// A line that exceeds the limit; the lines after it are not read.
    overlong: Option<OverlongLine>,
}

impl<C: LineConsumer> ChunkWorker for LineWorker<'_, C> {
    type Cutter = LineCutter;
    type Output = ChunkResult<C::Result>;

    fn chunk(&self, chunk: Chunk<'_, ()>, done: &mut Self::Output) -> ChunkEnd<()> {
        self.0.begin(&mut done.result);
        (done.first_error, done.overlong) = (None, None);
        let (lines, end) = whole_lines(chunk);
        let mut faults = Vec::new();
        // All lines are tested for UTF-8 at once.
        let whole = std::str::from_utf8(lines);
        let mut at = 0;
        for RawLine { number, bytes, len_with_end } in Lines::numbered(lines, chunk.start().line) {
            if len_with_end > LONGEST_LINE {
                done.overlong = Some(OverlongLine { line: number });
                break;
            }
            faults.clear();
            let text = match whole {
                Ok(text) => without_look_alikes(&text[at..at + bytes.len()], &mut |fault| {
                    faults.push(fault);
                }),
                Err(_) => line_text(bytes, &mut |fault| faults.push(fault)),
            };
            let line = TextLine { number, text: &text, bytes };
            let is_bad = self.0.line(line, &mut faults, &mut done.result);
            if is_bad && done.first_error.is_none() {
                let len = bytes.strip_suffix(b"\r").unwrap_or(bytes).len();
                done.first_error = Some(chunk.place(at + len));
            }
            at += len_with_end;
        }
        self.0.end(&mut done.result);
        end
    }

    fn too_large(&self, chunk: Chunk<'_, ()>, done: &mut Self::Output) {
        self.0.begin(&mut done.result);
        done.first_error = None;
        done.overlong = Some(OverlongLine { line: chunk.start().line });
    }
}
