//! The ordered parallel pipeline: a stream is cut into chunks, workers process them, and results leave in input order.
//!
//! Workers get whole chunks and share nothing. The result of a chunk is accepted only if the previous chunk really ended
//! where this one begins (see [`crate::boundary`]); otherwise the delivering thread processes the unfinished game again,
//! together with the chunk. The output therefore depends neither on the number of workers nor on the chunk size, and
//! memory is bounded by both and by the size of the largest game.

mod committer;
mod in_flight;
mod oversized;

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::boundary::ScannerState;
use crate::chunk::{Chunk, Chunks};
use crate::scanner::Scanner;
use crate::span::Place;

use committer::OrderedCommitter;

/// The work done for each chunk.
pub trait ChunkWorker: Sync {
    /// Result of a chunk. Results are passed back to be reused, so that their allocations are.
    type Output: Send + Default;

    /// Processes all complete games of the chunk and undoes its work on a game that turns out to be cut.
    /// `output` is a recycled result, to be filled anew.
    fn chunk(&self, chunk: Chunk<'_>, output: &mut Self::Output) -> ChunkEnd;

    /// Like [`ChunkWorker::chunk`], for a chunk whose first game is known to be complete and within the limit, but possibly huge:
    /// results may be handed on in parts, so that they need not be held in memory. `output` is the last part.
    fn chunk_in_parts(
        &self,
        chunk: Chunk<'_>,
        output: &mut Self::Output,
        hand_on: &mut dyn FnMut(&mut Self::Output),
    ) -> ChunkEnd {
        let _ = hand_on;
        self.chunk(chunk, output)
    }

    /// Reports that the game at the start of `chunk` exceeds the size limit.
    fn too_large(&self, chunk: Chunk<'_>, output: &mut Self::Output);
}

/// How much of a chunk a worker completed.
#[derive(Clone, Copy, Debug)]
pub struct ChunkEnd {
    up_to: usize,
    end_state: ScannerState,
    game_start: usize,
    /// End of the comments before an unfinished game without tags, or its start.
    lead_end: usize,
}

impl ChunkEnd {
    /// Reads the end state of a scanner whose [`Scanner::next_game`] has returned `false`.
    pub fn of(scanner: &Scanner<'_>) -> Self {
        let game_start = scanner.game_start().max(scanner.last_end());
        let lead_end = scanner.lead_end().max(game_start);
        ChunkEnd { up_to: scanner.last_end(), end_state: scanner.end_state(), game_start, lead_end }
    }
}

/// Pipeline parameters. Only `max_game_bytes` affects what is delivered.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// Number of threads that process chunks, including the calling thread.
    pub workers: usize,
    /// Size of a chunk, in bytes.
    pub chunk_bytes: usize,
    /// Games larger than this, in bytes, are reported but not processed.
    pub max_game_bytes: usize,
}

impl Pipeline {
    /// Returns the maximum number of chunks in flight with this number of workers.
    pub fn most_in_flight(workers: usize) -> usize {
        if workers <= 1 { 1 } else { 3 * workers }
    }
}

/// Reads `input` to its end and calls `deliver` with the results of the workers, in input order, each with the number of
/// input bytes that it covers. `deliver` may break to stop early.
///
/// # Errors
///
/// Returns the read error of `input`, after all complete games before it have been delivered.
pub fn in_order<W: ChunkWorker>(
    input: impl Read,
    pipeline: &Pipeline,
    work: &W,
    deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    in_order_from(Place::default(), input, pipeline, work, deliver)
}

/// Like [`in_order`], for a text whose first byte is at `start`.
///
/// # Errors
///
/// See [`in_order`].
pub fn in_order_from<W: ChunkWorker>(
    start: Place,
    input: impl Read,
    pipeline: &Pipeline,
    work: &W,
    deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut chunks = Chunks::new(input, pipeline.chunk_bytes, start);
    let mut committer = OrderedCommitter::new(pipeline, work, deliver);
    if pipeline.workers <= 1 {
        return committer.run_alone(&mut chunks);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(pipeline.workers - 1)
        .build()
        .map_err(io::Error::other)?;
    pool.in_place_scope(|scope| committer.run_with_workers(&mut chunks, scope))
}
