//! Checks on records beyond the grammar, and on how other programs read them.
//!
//! * [`operations`]: the operations of a record, individually and in sequence;
//! * [`clocks`]: the clocks that it gives;
//! * [`moves`]: the legality and notation of moves in operands;
//! * [`together`]: consistency of operations with the position and with each other;
//! * [`consumers`]: how other programs read a line.

pub(crate) mod clocks;
pub(crate) mod consumers;
pub(crate) mod moves;
pub(crate) mod operations;
pub(crate) mod together;
