//! Chunks of games.

use crate::scanner::state::{GameStart, ScannerState};

/// A piece of text that begins at or between games; [`Scanner::of_chunk`](crate::Scanner::of_chunk)
/// reads them.
pub type Chunk<'a> = stream::chunk::Chunk<'a, GameStart>;

/// How much of a chunk of games a worker completed; see
/// [`Scanner::chunk_end`](crate::Scanner::chunk_end).
pub type ChunkEnd = stream::ordered::ChunkEnd<ScannerState>;
