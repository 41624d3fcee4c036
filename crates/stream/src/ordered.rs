//! The ordered parallel pipeline: a stream is cut into chunks, workers process them, and results
//! leave in input order.
//!
//! A text consists of items: games, lines. A [`Cutter`] knows where an item seems to begin, and a
//! [`ChunkWorker`] processes the items of a chunk. Workers get whole chunks and share nothing. The
//! result of a chunk is accepted only if the previous chunk really ended where this one begins;
//! otherwise the delivering thread processes the unfinished item again, together with the chunk.
//! The output therefore depends neither on the number of workers nor on the chunk size, and memory
//! is bounded by both and by the size of the largest item.
//!
//! * `cutter`: where a text may be cut; `lines`: the cutter of lines;
//! * `worker`: the work done for each chunk;
//! * `chunks`: reads a stream into chunks;
//! * `jobs`: any thread runs them, and their results leave in their order;
//! * `committer`: commits results in input order, carries unfinished items, skips oversized ones;
//! * `threads`: the threads of a run, shared by its inputs;
//! * `tasks`: more work on the results, on the same threads;
//! * `produced`: work on items while others are produced;
//! * `serial_queue`: such work on a value, one job at a time.

mod chunks;
mod committer;
mod cutter;
mod jobs;
mod lines;
mod produced;
mod serial_queue;
mod tasks;
mod threads;
mod worker;

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::read_at::ReadAt;

use chunks::{ChunkInput, Chunks};
use committer::OrderedCommitter;
pub use cutter::{ChunkEnd, Cutter};
pub use lines::{LineCutter, whole_lines};
pub use serial_queue::SerialQueue;
pub use tasks::OrderedTasks;
pub use threads::{Threads, lock};
pub use worker::ChunkWorker;

/// Pipeline parameters. Only `max_item_bytes` affects what is delivered.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The threads that process chunks, including the calling thread.
    pub threads: Threads,
    /// Size of a chunk, in bytes.
    pub chunk_bytes: usize,
    /// Items larger than this, in bytes, are reported but not processed.
    pub max_item_bytes: usize,
}

impl Pipeline {
    /// Returns the maximum number of chunks in flight with this number of workers.
    pub fn most_in_flight(workers: usize) -> usize {
        if workers <= 1 { 1 } else { 3 * workers }
    }
}

/// Reads `input` to its end and calls `deliver` with the results of the workers, in input order,
/// each with the number of input bytes that it covers. `deliver` may break to stop early.
///
/// # Errors
///
/// Returns the read error of `input`, after all complete items before it have been delivered.
pub fn in_order<W: ChunkWorker>(
    mut input: impl Read,
    pipeline: &Pipeline,
    work: &W,
    deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    run(ChunkInput::Stream(&mut input), pipeline, work, deliver)
}

/// Like [`in_order`], for a file: the workers read their chunks.
///
/// # Errors
///
/// See [`in_order`].
pub fn in_order_of_file<W: ChunkWorker>(
    file: Arc<dyn ReadAt>,
    pipeline: &Pipeline,
    work: &W,
    deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    run(ChunkInput::File(file), pipeline, work, deliver)
}

fn run<W: ChunkWorker>(
    input: ChunkInput<'_>,
    pipeline: &Pipeline,
    work: &W,
    deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut chunks = Chunks::new(input, pipeline.chunk_bytes);
    let mut committer = OrderedCommitter::new(pipeline, work, deliver);
    match pipeline.threads.pool()? {
        None => committer.run_alone(&mut chunks),
        // The place of a chunk may be awaited, so earlier chunks must have begun.
        Some(pool) => {
            pool.in_place_scope_fifo(|scope| committer.run_with_workers(&mut chunks, scope))
        }
    }
}
