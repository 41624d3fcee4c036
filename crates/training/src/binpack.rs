//! Stockfish's binpack: blocks of chains, where a chain is a position of 32 bytes and the moves and
//! score differences that follow it.
//!
//! * `stem`: the first entry of a chain, 32 bytes;
//! * `destinations`: the numbering of a piece's moves;
//! * `bits`: numbers of any number of bits;
//! * `chain`: writes chains;
//! * `blocks`: puts chains into blocks;
//! * `reader`: reads blocks.

pub(crate) mod bits;
pub(crate) mod blocks;
pub(crate) mod chain;
pub(crate) mod destinations;
pub(crate) mod reader;
pub(crate) mod stem;
