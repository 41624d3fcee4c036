//! Where a text may be cut.

use crate::chunk::Chunk;

/// The rules by which a text is cut into chunks of whole items, such as games or lines.
///
/// The functions are called without an instance, so that the pipeline is compiled for each cutter.
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

    /// Scans a chunk that begins with an unfinished item up to the end of that item, without
    /// processing it.
    fn end_of_first(chunk: Chunk<'_, Self::Start>) -> ChunkEnd<Self::State>;

    /// Begins to skip an oversized item: `chunk` begins with it and ends inside it, in state
    /// `state`.
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
