//! PGN text: bytes to games to tokens, and the ordered parallel pipeline. It knows no rules of chess.
//!
//! The way from a file to a token:
//!
//! * [`Source`] opens an input: plain, compressed, an archive;
//! * [`splits`] cuts a file into ranges of bytes, and [`part`] reads the games of one of them;
//! * [`in_order`] reads a stream, cuts it into [`Chunk`]s where games begin, hands them to workers and delivers their
//!   answers in the order of the input;
//! * [`Chunk::scanner`] makes a [`Scanner`], which finds one game after the other and reads its [`TagPair`]s;
//! * [`Scanner::next_token`] gives one [`Token`] of movetext after the other, with its [`Span`];
//! * what is odd about the text is a [`Fault`]; a [`Place`] says where it stands in the file.
//!
//! [`games`] is the same for a whole text in memory, as values; [`Game::visit`] drives any [`pgn_reader::Visitor`].

mod boundary;
mod chunk;
mod class;
mod fault;
mod game;
mod parallel;
mod range;
mod scanner;
mod source;
mod span;
mod tag;
mod token;
mod visit;
mod word;

pub use chunk::Chunk;
pub use fault::{Fault, FaultKind};
pub use game::{Game, Games, Movetext, games};
pub use parallel::{Pipeline, Work, Worked, in_order};
pub use range::{Part, Split, Unit, part, splits};
pub use scanner::{Guess, Scanner};
pub use source::{Format, Meter, Source, SourceError, Text};
pub use span::{Place, Span};
pub use tag::TagPair;
pub use token::{Outcome, Token};
