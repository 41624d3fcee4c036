//! What the crate promises, held against the rules of chess, the crate shakmaty and a slow twin.

mod differential;
mod fen;
mod laws;
mod perft;
mod random_game;
mod reasons;
mod spellings;
