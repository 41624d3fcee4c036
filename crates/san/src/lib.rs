//! Positions, moves and their text.
