//! Commits the results of chunks in input order, once they are known to be correct.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::chunk::{NextInput, OwnedChunk};

use super::Pipeline;
use super::chunks::Chunks;
use super::cutter::{ChunkEnd, Cutter};
use super::jobs::Jobs;
use super::worker::{ChunkWorker, Start, State};

/// Commits results in input order; re-runs chunks whose cut proved wrong.
pub(super) struct OrderedCommitter<'w, W: ChunkWorker> {
    pipeline: &'w Pipeline,
    work: &'w W,
    deliver: &'w mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
    progress: Progress<W>,
    old_outputs: Vec<W::Output>,
    old_buffers: Vec<Vec<u8>>,
}

struct Processed<W: ChunkWorker> {
    chunk: OwnedChunk<Start<W>>,
    output: W::Output,
    worked: ChunkEnd<State<W>>,
    /// The error that ended the text, if the worker read it.
    read: io::Result<()>,
}

/// What the end of everything delivered so far requires.
enum Progress<W: ChunkWorker> {
    /// The delivered input ends where the next chunk begins.
    Whole,
    /// An item is unfinished: its bytes so far, not to be retried before they reach `retry_at`.
    Carry { chunk: OwnedChunk<Start<W>>, retry_at: usize },
    /// An oversized item is being skipped.
    Skip(<W::Cutter as Cutter>::Skipped),
}

impl<'w, W: ChunkWorker> OrderedCommitter<'w, W> {
    pub(super) fn new(
        pipeline: &'w Pipeline,
        work: &'w W,
        deliver: &'w mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
    ) -> Self {
        OrderedCommitter {
            pipeline,
            work,
            deliver,
            progress: Progress::Whole,
            old_outputs: Vec::new(),
            old_buffers: Vec::new(),
        }
    }

    pub(super) fn run_alone(&mut self, chunks: &mut Chunks<'_>) -> io::Result<()> {
        loop {
            let (chunk, outcome) =
                chunks.next::<W::Cutter>(self.old_buffers.pop().unwrap_or_default());
            if let Some(mut chunk) = chunk {
                // The results of all earlier chunks are there, so nothing needs to be counted.
                let outcome = outcome.and(chunk.load(|_| None));
                // An unfinished item is processed together with this chunk; processing the chunk
                // alone would be wasted.
                let flow = if matches!(self.progress, Progress::Whole) {
                    let mut output = self.old_outputs.pop().unwrap_or_default();
                    let worked = self.work.chunk(chunk.borrow(), &mut output);
                    self.commit(Processed { chunk, output, worked, read: Ok(()) })
                } else {
                    self.commit_after_carry(chunk)
                };
                if flow.is_break() || outcome.is_err() {
                    return outcome;
                }
            } else {
                return outcome;
            }
        }
    }

    pub(super) fn run_with_workers<'s>(
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
        let jobs: Arc<Jobs<Job<W>, Processed<W>>> = Arc::default();
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
                let Some(chunk) = chunk else { continue };
                jobs.push(Job { chunk, output: self.old_outputs.pop().unwrap_or_default() });
                if gives {
                    let jobs = Arc::clone(&jobs);
                    scope.spawn_fifo(move |_| {
                        jobs.run_next(|job| job.run(work));
                    });
                    continue;
                }
            } else if jobs.len() == 0 {
                return outcome;
            }
            // The oldest chunk, since a chunk may have to wait until all earlier ones have begun.
            jobs.run_next_or_wait(|job| job.run(work));
        }
    }

    fn commit(&mut self, done: Processed<W>) -> ControlFlow<()> {
        let Processed { mut chunk, mut output, mut worked, .. } = done;
        if !matches!(self.progress, Progress::Whole) {
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
        match std::mem::replace(&mut self.progress, Progress::Whole) {
            Progress::Whole => {}
            Progress::Carry { chunk: mut carry, retry_at } => {
                carry.bytes.extend_from_slice(&chunk.bytes);
                carry.next_input = chunk.next_input;
                self.old_buffers.push(chunk.bytes);
                if carry.bytes.len() < retry_at && !carry.next_input.is_last() {
                    self.progress = Progress::Carry { chunk: carry, retry_at };
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
            Progress::Skip(skipped) => {
                let (at, skipped) = W::Cutter::resume_skip(skipped, chunk.borrow());
                if let Some(skipped) = skipped {
                    self.progress = Progress::Skip(skipped);
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
        worked: ChunkEnd<State<W>>,
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
        worked: ChunkEnd<State<W>>,
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
            // Retried only after the size has doubled, so the cost stays linear in the length of
            // the item.
            self.progress = Progress::Carry { chunk, retry_at: 2 * len };
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
        self.progress = Progress::Skip(W::Cutter::begin_skip(chunk.borrow(), state));
        flow
    }
}

struct Job<W: ChunkWorker> {
    chunk: OwnedChunk<Start<W>>,
    /// Memory for the result.
    output: W::Output,
}

impl<W: ChunkWorker> Job<W> {
    fn run(self, work: &W) -> Processed<W> {
        let Job { mut chunk, mut output } = self;
        let read = chunk.load(|chunk| work.count_items(chunk));
        let worked = work.chunk(chunk.borrow(), &mut output);
        Processed { chunk, output, worked, read }
    }
}
