//! Integration tests, comparing with the rules of chess, the crate shakmaty and a naive
//! implementation.

mod any_position;
mod differential;
mod fen;
mod laws;
mod perft;
mod position;
mod random_game;
mod reasons;
mod spellings;
mod variants;
