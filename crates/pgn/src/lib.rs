//! PGN text: where it may be cut, games, tokens, tags. This crate does not implement the rules of
//! chess.
//!
//! From a file to a token:
//!
//! * [`splits`] divides a file into byte ranges, and [`part`] reads the games of one range;
//! * [`GameCutter`] cuts a stream into [`Chunk`]s at game boundaries, for the
//!   [pipeline](stream::ordered) that processes them on all cores;
//! * a [`Scanner`] finds the games of a chunk one by one and reads their [`TagPair`]s;
//! * [`Scanner::next_token`] returns the movetext as a sequence of [`Token`]s, each with its
//!   [`Span`];
//! * departures from the standard are reported as [`PgnDiagnostic`]s; a [`Place`] is a position in
//!   the file.
//!
//! [`games`] does the same for a text in memory and yields values; [`Game::visit`] drives any
//! [`pgn_reader::Visitor`].

mod boundary;
mod game;
mod range;
mod scanner;
mod tag;
mod token;
mod word;

pub use boundary::{GameCutter, count_games};
pub use game::{Game, Games, Movetext, games};
pub use range::{Part, Unit, splits};
pub use scanner::{Chunk, ChunkEnd, Doubt, PeekedWord, Scanner};
pub use stream::place::Place;
pub use stream::range::{Split, part};
pub use tag::{TagPair, escaped, is_unknown, known_value, plain_text, text_of, write_tag};
pub use token::{Outcome, PgnDiagnostic, PgnDiagnosticKind, Span, Token, is_double_loss};
pub use word::{has_moves, has_placement, move_numbers, nag_of_sign};
