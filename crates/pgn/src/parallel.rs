//! The ordered parallel pipeline: a stream to chunks, chunks to workers, their answers in the order of the input.
//!
//! Workers get whole chunks and share nothing. What a worker says of its chunk is only believed if the chunk before it
//! turned out to end where this one begins (see [`crate::boundary`]); else the unfinished game is worked on again,
//! together with the chunk, by the thread that delivers. So what is delivered does not depend on the number of workers,
//! nor on the size of chunks, and memory is bounded by both and by the size of the largest game.

mod in_flight;
mod passing;
mod settler;

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::Scanner;
use crate::boundary::Tail;
use crate::chunk::{Chunk, Chunks};

use settler::Settler;

/// What is done with each chunk.
pub trait Work: Sync {
    /// What comes of a chunk. It is given back to be used again, so that its memory is.
    type Output: Send + Default;

    /// Works on all games of the chunk that are whole; what it has done of a game that turns out to be cut is undone.
    /// `output` is an old one to be filled anew.
    fn chunk(&self, chunk: Chunk<'_>, output: &mut Self::Output) -> Worked;

    /// The same for a chunk whose first game is whole for certain and not larger than the limit, but perhaps huge: what there is of
    /// it may be handed on in parts, so that it need not be held. `output` is what comes behind them.
    fn chunk_in_parts(
        &self,
        chunk: Chunk<'_>,
        output: &mut Self::Output,
        hand_on: &mut dyn FnMut(&mut Self::Output),
    ) -> Worked {
        let _ = hand_on;
        self.chunk(chunk, output)
    }

    /// Says of the game that begins with the chunk that it is larger than the limit.
    fn too_large(&self, chunk: Chunk<'_>, output: &mut Self::Output);
}

/// How far a worker came: made from its scanner.
#[derive(Clone, Copy, Debug)]
pub struct Worked {
    up_to: usize,
    tail: Tail,
    game_start: usize,
}

impl Worked {
    /// To be called once [`Scanner::next_game`] has returned `false`.
    pub fn of(scanner: &Scanner<'_>) -> Self {
        let game_start = scanner.game_start().max(scanner.last_end());
        Worked { up_to: scanner.last_end(), tail: scanner.tail(), game_start }
    }
}

/// How the pipeline runs. Nothing of it changes what is delivered.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// Threads that work on chunks. The calling thread is one of them.
    pub workers: usize,
    /// The size of a chunk, in bytes.
    pub chunk_bytes: usize,
    /// A game larger than this, in bytes, is not worked on.
    pub max_game_bytes: usize,
}

impl Pipeline {
    /// How many chunks there are at once with so many workers, at most.
    pub fn most_in_flight(workers: usize) -> usize {
        if workers <= 1 { 1 } else { 3 * workers }
    }
}

/// Reads `input` to its end and hands the answers of the workers to `deliver`, in the order of the input, with the number
/// of bytes of input that each stands for. `deliver` may end it all early.
///
/// # Errors
///
/// An error of `input`; all whole games before it are delivered first.
pub fn in_order<W: Work>(
    input: impl Read,
    pipeline: &Pipeline,
    work: &W,
    deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
) -> io::Result<()> {
    let mut chunks = Chunks::new(input, pipeline.chunk_bytes);
    let mut settler = Settler::new(pipeline, work, deliver);
    if pipeline.workers <= 1 {
        return settler.run_alone(&mut chunks);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(pipeline.workers - 1)
        .build()
        .map_err(io::Error::other)?;
    pool.in_place_scope(|scope| settler.run_with_workers(&mut chunks, scope))
}
