//! Cuts a stream into chunks of whole items, as far as possible without scanning it, and commits
//! their results in input order, once they are known to be correct.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::threads::Jobs;
use super::{ChunkEnd, ChunkWorker, Cutter, CutterState, Pipeline, Start, after_last_line};
use crate::chunk::{ChunkCounts, NextInput, OwnedChunk};
use crate::read_at::{ReadAt, ReaderAt, fill};

/// What is cut into chunks.
#[expect(missing_debug_implementations, reason = "readers need not have it")]
pub enum ChunkInput<'i> {
    /// A stream, which is read to its end.
    Stream(&'i mut dyn Read),
    /// A file, of which the workers read their chunks.
    File(Arc<dyn ReadAt>),
}

/// Calls `deliver` with the results of the workers, in input order, each with the number of input
/// bytes that it covers. `deliver` may break to stop early. Fails with the read error of `input`,
/// after all complete items before it have been delivered.
pub fn in_order<W: ChunkWorker>(
    input: ChunkInput<'_>,
    pipeline: &Pipeline,
    work: &W,
    deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut chunks = Chunks::new(input, pipeline.chunk_bytes);
    let (progress, old_outputs, old_buffers) = (DeliveryProgress::Whole, Vec::new(), Vec::new());
    let mut committer =
        OrderedCommitter { pipeline, work, deliver, progress, old_outputs, old_buffers };
    match pipeline.threads.pool()? {
        None => committer.run_alone(&mut chunks),
        // The place of a chunk may be awaited, so earlier chunks must have begun.
        Some(pool) => {
            pool.in_place_scope_fifo(|scope| committer.run_with_workers(&mut chunks, scope))
        }
    }
}

/// Commits results in input order; re-runs chunks whose cut proved wrong.
struct OrderedCommitter<'w, W: ChunkWorker> {
    pipeline: &'w Pipeline,
    work: &'w W,
    deliver: &'w mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
    progress: DeliveryProgress<W>,
    old_outputs: Vec<W::Output>,
    old_buffers: Vec<Vec<u8>>,
}

struct Processed<W: ChunkWorker> {
    chunk: OwnedChunk<Start<W>>,
    output: W::Output,
    worked: ChunkEnd<CutterState<W>>,
    /// The error that ended the text, if the worker read it.
    read: io::Result<()>,
}

/// What the end of everything delivered so far requires.
enum DeliveryProgress<W: ChunkWorker> {
    /// The delivered input ends where the next chunk begins.
    Whole,
    /// An item is unfinished: its bytes so far, not to be retried before they reach `retry_at`.
    Carry {
        chunk: OwnedChunk<Start<W>>,
        retry_at: usize,
    },
    Skip(<W::Cutter as Cutter>::Skipped),
}

impl<'w, W: ChunkWorker> OrderedCommitter<'w, W> {
    fn run_alone(&mut self, chunks: &mut Chunks<'_>) -> io::Result<()> {
        loop {
            let (chunk, outcome) =
                chunks.next::<W::Cutter>(self.old_buffers.pop().unwrap_or_default());
            let Some(mut chunk) = chunk else { return outcome };
            // The results of all earlier chunks are there, so nothing needs to be counted.
            let outcome = outcome.and(chunk.load(|_| None));
            // An unfinished item is processed together with this chunk, not the chunk alone.
            let flow = if matches!(self.progress, DeliveryProgress::Whole) {
                let mut output = self.old_outputs.pop().unwrap_or_default();
                let worked = self.work.chunk(chunk.borrow(), &mut output);
                self.deliver_worked(chunk, output, worked)
            } else {
                self.commit_after_carry(chunk)
            };
            if flow.is_break() || outcome.is_err() {
                return outcome;
            }
        }
    }

    fn run_with_workers<'s>(
        &mut self,
        chunks: &mut Chunks<'_>,
        scope: &rayon::ScopeFifo<'s>,
    ) -> io::Result<()>
    where
        'w: 's,
    {
        // This thread also processes chunks while nothing can be delivered. The queue must hold
        // work for the other threads, and room for what they finish meanwhile: with fewer chunks
        // they wait for this thread, with more given away it idles.
        let most_in_flight = Pipeline::most_in_flight(self.pipeline.threads.count());
        let most_given = most_in_flight - self.pipeline.threads.count() - 1;
        let jobs = Jobs::<'w, Processed<W>>::new();
        let mut outcome = Ok(());
        let mut ended = false;
        loop {
            let reads = !ended && jobs.len() < most_in_flight;
            let gives = reads && jobs.unfinished() < most_given;
            if !gives && let Some(mut done) = jobs.pop() {
                let read = std::mem::replace(&mut done.read, Ok(()));
                if self.commit(done).is_break() || read.is_err() {
                    jobs.drop_waiting();
                    return read.and(outcome);
                }
                continue;
            }
            let work = self.work;
            if reads {
                let (chunk, read) =
                    chunks.next::<W::Cutter>(self.old_buffers.pop().unwrap_or_default());
                ended = chunk.is_none() || read.is_err();
                outcome = read;
                let Some(mut chunk) = chunk else { continue };
                let mut output = self.old_outputs.pop().unwrap_or_default();
                jobs.push(move || {
                    let read = chunk.load(|chunk| work.count_items(chunk));
                    let worked = work.chunk(chunk.borrow(), &mut output);
                    Processed { chunk, output, worked, read }
                });
                if gives {
                    jobs.run_in(scope);
                    continue;
                }
            } else if jobs.len() == 0 {
                return outcome;
            }
            // The oldest chunk, since a chunk may have to wait until all earlier ones have begun.
            jobs.run_next_or_wait();
        }
    }

    fn commit(&mut self, done: Processed<W>) -> ControlFlow<()> {
        let Processed { mut chunk, mut output, mut worked, .. } = done;
        if !matches!(self.progress, DeliveryProgress::Whole) {
            self.old_outputs.push(output);
            return self.commit_after_carry(chunk);
        }
        if !self.work.is_valid(&output) {
            chunk = chunk.split_off(0);
            worked = self.work.chunk(chunk.borrow(), &mut output);
        }
        self.deliver_worked(chunk, output, worked)
    }

    /// Commits a chunk that begins inside an item.
    fn commit_after_carry(&mut self, mut chunk: OwnedChunk<Start<W>>) -> ControlFlow<()> {
        match std::mem::replace(&mut self.progress, DeliveryProgress::Whole) {
            DeliveryProgress::Whole => {}
            DeliveryProgress::Carry { chunk: mut carry, retry_at } => {
                carry.bytes.extend_from_slice(&chunk.bytes);
                carry.next_input = chunk.next_input;
                self.old_buffers.push(chunk.bytes);
                if carry.bytes.len() < retry_at && !carry.next_input.is_last() {
                    self.progress = DeliveryProgress::Carry { chunk: carry, retry_at };
                    return ControlFlow::Continue(());
                }
                // Scanning is cheap, processing is not: it is done once, when the item is complete.
                let worked = W::Cutter::end_of_first(carry.borrow());
                if worked.up_to == 0 {
                    return self.carry(carry, worked);
                }
                if worked.up_to <= self.pipeline.max_item_bytes {
                    return self.commit_in_parts(carry);
                }
                chunk = carry;
            }
            DeliveryProgress::Skip(skipped) => {
                let (at, skipped) = W::Cutter::resume_skip(skipped, chunk.borrow());
                if let Some(skipped) = skipped {
                    self.progress = DeliveryProgress::Skip(skipped);
                }
                let mut output = W::Output::default();
                self.work.skipped(&chunk.bytes[..at], &mut output);
                (self.deliver)(&mut output, at as u64)?;
                if at == chunk.bytes.len() {
                    self.old_buffers.push(chunk.bytes);
                    return ControlFlow::Continue(());
                }
                chunk = chunk.split_off(at);
            }
        }
        let mut output = self.old_outputs.pop().unwrap_or_default();
        let worked = self.work.chunk(chunk.borrow(), &mut output);
        self.deliver_worked(chunk, output, worked)
    }

    fn commit_in_parts(&mut self, chunk: OwnedChunk<Start<W>>) -> ControlFlow<()> {
        let mut output = self.old_outputs.pop().unwrap_or_default();
        let mut flow = ControlFlow::Continue(());
        let worked = self.work.chunk_in_parts(chunk.borrow(), &mut output, &mut |part| {
            if flow.is_continue() {
                flow = (self.deliver)(part, 0);
            }
        });
        flow?;
        self.deliver_worked(chunk, output, worked)
    }

    fn deliver_worked(
        &mut self,
        chunk: OwnedChunk<Start<W>>,
        mut output: W::Output,
        worked: ChunkEnd<CutterState<W>>,
    ) -> ControlFlow<()> {
        let flow = (self.deliver)(&mut output, worked.up_to as u64);
        self.old_outputs.push(output);
        flow?;
        if worked.up_to == chunk.bytes.len() {
            self.old_buffers.push(chunk.bytes);
            return ControlFlow::Continue(());
        }
        self.carry(chunk.split_off(worked.up_to), worked)
    }

    /// Keeps an unfinished item and the text before it, or skips the item if it is too large.
    fn carry(
        &mut self,
        mut chunk: OwnedChunk<Start<W>>,
        worked: ChunkEnd<CutterState<W>>,
    ) -> ControlFlow<()> {
        let ChunkEnd { up_to, rest_start, item_start, state } = worked;
        let max_bytes = self.pipeline.max_item_bytes;
        let len = chunk.bytes.len();
        // Text before the item that is above the limit does not belong to it.
        let start = match item_start {
            Some(item) if item - rest_start > max_bytes => item,
            _ => rest_start,
        };
        if len - (start - up_to) <= max_bytes {
            // Retried only after the size has doubled, so the cost stays linear in it.
            self.progress = DeliveryProgress::Carry { chunk, retry_at: 2 * len };
            return ControlFlow::Continue(());
        }
        let mut output = self.old_outputs.pop().unwrap_or_default();
        if item_start.is_none() {
            // Text outside items is reported once, whatever its length.
            chunk.next_input = NextInput::End;
            self.work.chunk(chunk.borrow(), &mut output);
        } else {
            self.work.too_large(chunk.borrow(), &mut output);
        }
        let flow = (self.deliver)(&mut output, len as u64);
        self.old_outputs.push(output);
        self.progress = DeliveryProgress::Skip(W::Cutter::begin_skip(chunk.borrow(), state));
        flow
    }
}

/// Reads a stream into chunks of about `size` bytes, or determines them in a file.
struct Chunks<'i> {
    input: ChunkInput<'i>,
    size: usize,
    /// Bytes read past the last cut.
    rest: Vec<u8>,
    byte: u64,
    is_within_line: bool,
    counts: Arc<ChunkCounts>,
    ended: bool,
}

/// Number of bytes at the end of a chunk that are searched for a cut first.
const TAIL: usize = 2 << 10;

/// Lower bound on the chunk size, in bytes; smaller chunks have no use.
const SMALLEST: usize = 64;

impl<'i> Chunks<'i> {
    pub(super) fn new(input: ChunkInput<'i>, size: usize) -> Self {
        let (size, rest) = (size.max(SMALLEST), Vec::new());
        let counts = ChunkCounts::new();
        Chunks { input, size, rest, byte: 0, is_within_line: false, counts, ended: false }
    }

    /// The next chunk, in `buffer`; the last may be empty, to tell that the text ends.
    /// On a read error, the bytes before it, without the torn item, are the last chunk.
    pub(super) fn next<C: Cutter>(
        &mut self,
        mut buffer: Vec<u8>,
    ) -> (Option<OwnedChunk<C::Start>>, io::Result<()>) {
        if self.ended {
            return (None, Ok(()));
        }
        if let ChunkInput::File(file) = &self.input {
            // The workers read again what was read past the last cut.
            let cut = cut_in_file::<C>(&**file, self.byte, self.size, &mut self.rest);
            self.rest.clear();
            if let Some(cut) = cut {
                buffer.resize(cut.len, 0);
                let start = self.counts.next_start(self.byte, self.is_within_line);
                (self.byte, self.is_within_line) = (self.byte + cut.len as u64, cut.is_within_line);
                let (next_input, file) = (cut.next_input, Some(Arc::clone(file)));
                return (Some(OwnedChunk { start, next_input, bytes: buffer, file }), Ok(()));
            }
        }
        let mut len = self.rest.len();
        let mut wanted = self.size.saturating_sub(len).max(1);
        // Stale contents are overwritten, not cleared: worth 2 % on 8moves_v3 (bench `throughput`).
        grow(&mut buffer, len + wanted);
        buffer[..len].copy_from_slice(&self.rest);
        self.rest.clear();
        let (next_input, outcome) = loop {
            grow(&mut buffer, len + wanted);
            let room = &mut buffer[len..len + wanted];
            let (read, outcome) = match &mut self.input {
                ChunkInput::Stream(reader) => fill(reader, room),
                ChunkInput::File(file) => {
                    let offset = self.byte + len as u64;
                    fill(&mut ReaderAt { file: &**file, offset }, room)
                }
            };
            len += read;
            buffer.truncate(len);
            self.ended = outcome.is_err() || read < wanted;
            if self.ended {
                let next_input = if outcome.is_ok() { NextInput::End } else { NextInput::Fault };
                break (next_input, outcome);
            }
            if let Some((at, next_input)) = place_to_cut::<C>(&buffer) {
                self.rest.extend_from_slice(&buffer[at..]);
                buffer.truncate(at);
                break (next_input, outcome);
            }
            wanted = len;
        };
        let start = self.counts.next_start(self.byte, self.is_within_line);
        self.byte += buffer.len() as u64;
        self.is_within_line = ends_within_line(&buffer);
        (Some(OwnedChunk { start, next_input, bytes: buffer, file: None }), outcome)
    }
}

/// The end of a chunk that has not been read.
struct Cut<S> {
    len: usize,
    next_input: NextInput<S>,
    is_within_line: bool,
}

/// Ends a chunk of about `size` bytes before an item or after a line; reads only what it needs.
fn cut_in_file<C: Cutter>(
    file: &dyn ReadAt,
    start: u64,
    size: usize,
    buffer: &mut Vec<u8>,
) -> Option<Cut<C::Start>> {
    if start + size as u64 >= file.file_len() {
        return None;
    }
    let mut tail = TAIL.min(size);
    loop {
        let before = size - tail;
        buffer.resize(tail, 0);
        let (read, outcome) = fill(&mut ReaderAt { file, offset: start + before as u64 }, buffer);
        if read < tail || outcome.is_err() {
            return None;
        }
        let item = C::last_cut(buffer).map(|(at, item)| (at, NextInput::Item(item)));
        let line = || after_last_line(buffer).map(|at| (at, NextInput::Anything));
        if let Some((at, next_input)) = item.or_else(|| line().filter(|_| tail == size)) {
            let is_within_line = ends_within_line(&buffer[..at]);
            return Some(Cut { len: before + at, next_input, is_within_line });
        }
        if tail == size {
            return None;
        }
        tail = (4 * tail).min(size);
    }
}

fn ends_within_line(text: &[u8]) -> bool {
    !matches!(text.last(), Some(b'\n' | b'\r'))
}

fn grow(buffer: &mut Vec<u8>, len: usize) {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
}

/// Lines up to this length, in bytes, are not cut.
const LONGEST_LINE: usize = 1 << 20;

/// Finds where an item seems to begin, else the end of a line, else a space, else anywhere.
fn place_to_cut<C: Cutter>(buffer: &[u8]) -> Option<(usize, NextInput<C::Start>)> {
    let item = C::last_cut(buffer).map(|(at, start)| (at, NextInput::Item(start)));
    let anything = |at: usize| (at, NextInput::Anything);
    item.or_else(|| after_last_line(buffer).map(anything)).or_else(|| {
        let before_return = buffer.strip_suffix(b"\r").map_or(buffer.len(), <[u8]>::len);
        let blank = || memchr::memrchr(b' ', buffer).map_or(before_return, |i| i + 1);
        (buffer.len() >= LONGEST_LINE).then(|| anything(blank()))
    })
}
