//! Integration tests, comparing with the rules of chess, the crate shakmaty and a naive implementation.

mod differential;
mod fen;
mod laws;
mod perft;
mod random_game;
mod reasons;
mod spellings;
