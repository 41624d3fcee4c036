//! PGN text: bytes to games to tokens.
mod class;
mod fault;
mod game;
mod scanner;
mod span;
mod tag;
mod token;
mod word;

pub use fault::{Fault, FaultKind};
pub use game::{Game, Games, Movetext, games};
pub use scanner::Scanner;
pub use span::{Place, Span};
pub use tag::TagPair;
pub use token::{Outcome, Token};
