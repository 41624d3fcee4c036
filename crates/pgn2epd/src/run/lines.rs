//! A run over a text of positions, line by line.

use std::io;
use std::ops::ControlFlow;

use epd::{EpdDiagnostic, LONGEST_LINE, Lines, OverlongLine, RawLine, without_look_alikes};
use stream::chunk::Chunk;
use stream::ordered::{ChunkEnd, ChunkWorker, LineCutter, Pipeline, Threads, whole_lines};

use crate::epd::line_text::line_text;
use crate::inputs::InputText;
use crate::observer::Observer;

/// What a command makes of lines.
pub(crate) trait LineConsumer: Sync {
    /// What is made of a chunk. It is passed back, to be filled anew.
    type Result: Send + Default;

    /// Reads the lines of a chunk; returns one that exceeds the limit, after which none are read.
    fn chunk(&self, lines: ChunkLines<'_>, result: &mut Self::Result) -> Option<OverlongLine>;

    /// Whether a result is right, given those delivered before it. If not, the chunk is read again.
    fn is_valid(&self, result: &Self::Result) -> bool {
        let _ = result;
        true
    }
}

/// The lines of a chunk, to be read once.
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
    /// Number of bytes before the line.
    pub(crate) byte: u64,
    /// The line as text, in which characters that only look like those of ASCII are replaced.
    pub(crate) text: &'l str,
    /// The line as it is.
    pub(crate) bytes: &'l [u8],
}

/// Called with the result of each chunk and its number of bytes; breaks to end the run.
type OnChunk<'d, R> = &'d mut dyn FnMut(&mut R, u64, &mut dyn Observer) -> ControlFlow<()>;

/// Reads the lines of a text on all threads, and calls `deliver` with the results, in their order,
/// until it breaks.
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
    let mut overlong = None;
    let worker = LineWorker(consumer);
    let read = text.in_order(&pipeline, &worker, &mut |done, bytes| {
        let flow = deliver(&mut done.result, bytes, observer);
        overlong = done.overlong;
        if overlong.is_some() { ControlFlow::Break(()) } else { flow }
    });
    overlong.map_or(read, |line| Err(line.into()))
}

struct LineWorker<'r, C>(&'r C);

#[derive(Default)]
struct ChunkResult<R> {
    result: R,
    overlong: Option<OverlongLine>,
}

impl<C: LineConsumer> ChunkWorker for LineWorker<'_, C> {
    type Cutter = LineCutter;
    type Output = ChunkResult<C::Result>;

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
