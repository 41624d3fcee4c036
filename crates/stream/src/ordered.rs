//! The ordered parallel pipeline: a stream is cut into chunks, workers process them, and results
//! leave in input order.
//!
//! A text consists of items: games, lines. A [`Cutter`] knows where an item seems to begin, and a
//! [`ChunkWorker`] processes the items of a chunk. Workers get whole chunks and share nothing. The
//! result of a chunk is accepted only if the previous chunk really ended where this one begins;
//! otherwise the delivering thread processes the unfinished item again, together with the chunk.
//! The output therefore depends neither on the number of workers nor on the chunk size, and memory
//! is bounded by both and by the size of the largest item.

mod committer;
pub(crate) mod threads;

use crate::chunk::{Chunk, NextInput};
pub use committer::{ChunkInput, in_order};
pub use threads::{OrderedTasks, SerialQueue, Threads, lock};

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

/// The rules by which a text is cut into chunks of whole items, such as games or lines. The
/// functions are called without an instance, so that the pipeline is compiled for each cutter.
pub trait Cutter {
    /// How the item after a cut begins.
    type Start: Copy + Send;
    /// State at the end of a chunk.
    type State: Copy + Send;
    /// State while the rest of an oversized item is skipped.
    type Skipped;

    /// Returns the last offset in `bytes`, other than 0, at which an item seems to begin. It may be
    /// wrong: a worker that ends inside an item there reports it ([`ChunkEnd::up_to`]).
    fn last_cut(bytes: &[u8]) -> Option<(usize, Self::Start)>;

    /// Scans a chunk that begins with an unfinished item up to the end of that item.
    fn end_of_first(chunk: Chunk<'_, Self::Start>) -> ChunkEnd<Self::State>;

    /// Begins to skip the oversized item that `chunk` begins with and ends inside of, in `state`.
    fn begin_skip(chunk: Chunk<'_, Self::Start>, state: Self::State) -> Self::Skipped;

    /// Skips the rest of the item in the next chunk. Returns the offset reached, and the new state
    /// if the item goes on.
    fn resume_skip(
        skipped: Self::Skipped,
        chunk: Chunk<'_, Self::Start>,
    ) -> (usize, Option<Self::Skipped>);
}

/// How much of a chunk a worker completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkEnd<S> {
    /// The offset up to which all items are complete, whatever follows.
    pub up_to: usize,
    /// The offset of the unfinished text: an item with the text before it that belongs to it, or
    /// text outside of items.
    pub rest_start: usize,
    /// The offset of the unfinished item itself, if one has begun.
    pub item_start: Option<usize>,
    /// The state at the end of the chunk.
    pub state: S,
}

/// Cuts a text between lines. A line ends with LF, CRLF or a bare CR; the last line needs no end.
#[derive(Clone, Copy, Debug)]
pub enum LineCutter {}

impl Cutter for LineCutter {
    type Start = ();
    type State = ();
    type Skipped = ();

    fn last_cut(bytes: &[u8]) -> Option<(usize, ())> {
        after_last_line(bytes).map(|at| (at, ()))
    }

    fn end_of_first(chunk: Chunk<'_, ()>) -> ChunkEnd<()> {
        let (lines, _) = whole_lines(chunk);
        end_at(chunk, after_first_line(lines).unwrap_or(lines.len()))
    }

    fn begin_skip(_: Chunk<'_, ()>, (): ()) {}

    fn resume_skip((): (), chunk: Chunk<'_, ()>) -> (usize, Option<()>) {
        match after_first_line(chunk.bytes()) {
            Some(at) => (at, None),
            None => (chunk.bytes().len(), Some(())),
        }
    }
}

/// Returns the whole lines of a chunk, and where they end; one cut by a read error is not whole.
///
/// ```
/// use stream::chunk::Chunk;
/// use stream::ordered::whole_lines;
///
/// let (lines, end) = whole_lines(Chunk::whole(b"one\ntwo"));
/// assert_eq!((lines, end.up_to), (&b"one\ntwo"[..], 7));
/// ```
pub fn whole_lines(chunk: Chunk<'_, ()>) -> (&[u8], ChunkEnd<()>) {
    let bytes = chunk.bytes();
    let up_to = match chunk.next_input() {
        NextInput::End | NextInput::Item(()) => bytes.len(),
        NextInput::Anything | NextInput::Fault => after_last_line(bytes).unwrap_or(0),
    };
    (&bytes[..up_to], end_at(chunk, up_to))
}

fn end_at(chunk: Chunk<'_, ()>, up_to: usize) -> ChunkEnd<()> {
    let item_start = (up_to < chunk.bytes().len()).then_some(up_to);
    ChunkEnd { up_to, rest_start: up_to, item_start, state: () }
}

fn after_first_line(bytes: &[u8]) -> Option<usize> {
    let end = memchr::memchr2(b'\n', b'\r', bytes)?;
    Some(if bytes[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 })
}

/// A final CR does not count: its LF may not have been read yet.
fn after_last_line(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [.., b'\n'] => Some(bytes.len()),
        [but_last @ .., _] => memchr::memrchr2(b'\n', b'\r', but_last).map(|i| i + 1),
        [] => None,
    }
}

type Start<W> = <<W as ChunkWorker>::Cutter as Cutter>::Start;

type CutterState<W> = <<W as ChunkWorker>::Cutter as Cutter>::State;

/// The work done for each chunk.
pub trait ChunkWorker: Sync {
    /// The items that a chunk consists of.
    type Cutter: Cutter;
    /// Result of a chunk. Results are passed back to be reused, so that their allocations are.
    type Output: Send + Default;

    /// Processes all complete items of the chunk and undoes its work on an item that turns out to
    /// be cut. `output` is a recycled result, to be filled anew.
    fn chunk(
        &self,
        chunk: Chunk<'_, Start<Self>>,
        output: &mut Self::Output,
    ) -> ChunkEnd<CutterState<Self>>;

    /// Like [`ChunkWorker::chunk`], for a chunk whose first item is complete and within the limit,
    /// but possibly huge: results may be handed on in parts, of which `output` is the last.
    fn chunk_in_parts(
        &self,
        chunk: Chunk<'_, Start<Self>>,
        output: &mut Self::Output,
        _pass_on: &mut dyn FnMut(&mut Self::Output),
    ) -> ChunkEnd<CutterState<Self>> {
        self.chunk(chunk, output)
    }

    /// Counts the items of a chunk of whole items, if results depend on the number before them.
    fn count_items(&self, _chunk: Chunk<'_, Start<Self>>) -> Option<u64> {
        None
    }

    /// Whether a result is right, given the results delivered before it. If it is not, the chunk is
    /// processed again, without [`Chunk::items_before`].
    fn is_valid(&self, _output: &Self::Output) -> bool {
        true
    }

    /// Receives the next piece of an item that was [too large](ChunkWorker::too_large).
    fn skipped(&self, _text: &[u8], _output: &mut Self::Output) {}

    /// Reports that the item at the start of `chunk` exceeds the size limit.
    fn too_large(&self, chunk: Chunk<'_, Start<Self>>, output: &mut Self::Output);
}
