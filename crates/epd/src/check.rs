//! Checks on records beyond the grammar.
//!
//! * [`operations`]: the operations of a record, individually and in sequence;
//! * [`clocks`]: the clocks that it gives;
//! * [`moves`]: the legality and notation of moves in operands;
//! * [`together`]: consistency of operations with the position and with each other.

pub(crate) mod clocks;
pub(crate) mod moves;
pub(crate) mod operations;
pub(crate) mod together;
