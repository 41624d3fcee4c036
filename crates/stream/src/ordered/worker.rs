//! The work done for each chunk.

use crate::chunk::Chunk;

use super::cutter::{ChunkEnd, Cutter};

pub(super) type Start<W> = <<W as ChunkWorker>::Cutter as Cutter>::Start;

pub(super) type State<W> = <<W as ChunkWorker>::Cutter as Cutter>::State;

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
    ) -> ChunkEnd<State<Self>>;

    /// Like [`ChunkWorker::chunk`], for a chunk whose first item is known to be complete and within
    /// the limit, but possibly huge: results may be handed on in parts, so that they need not be
    /// held in memory. `output` is the last part.
    fn chunk_in_parts(
        &self,
        chunk: Chunk<'_, Start<Self>>,
        output: &mut Self::Output,
        pass_on: &mut dyn FnMut(&mut Self::Output),
    ) -> ChunkEnd<State<Self>> {
        let _ = pass_on;
        self.chunk(chunk, output)
    }

    /// Counts the items of a chunk that begins and ends between items, if results depend on the
    /// number of items before them.
    fn count_items(&self, chunk: Chunk<'_, Start<Self>>) -> Option<u64> {
        let _ = chunk;
        None
    }

    /// Whether a result is right, given the results delivered before it. If it is not, the chunk is
    /// processed again, without [`Chunk::items_before`].
    fn is_valid(&self, output: &Self::Output) -> bool {
        let _ = output;
        true
    }

    /// Receives the next piece of an item that exceeds the limit, whose beginning has been
    /// [reported](ChunkWorker::too_large).
    fn skipped(&self, text: &[u8], output: &mut Self::Output) {
        let _ = (text, output);
    }

    /// Reports that the item at the start of `chunk` exceeds the size limit.
    fn too_large(&self, chunk: Chunk<'_, Start<Self>>, output: &mut Self::Output);
}
