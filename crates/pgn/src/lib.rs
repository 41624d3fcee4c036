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
mod chunk;
mod class;
mod diagnostic;
mod game;
mod range;
mod result;
mod scanner;
mod span;
mod tag;
mod tag_line;
mod tags;
mod text;
mod token;
mod visit;
mod word;

pub use boundary::{GameCutter, count_games};
pub use chunk::{Chunk, ChunkEnd};
pub use diagnostic::{PgnDiagnostic, PgnDiagnosticKind};
pub use game::{Game, Games, Movetext, games};
pub use range::{Part, Unit, splits};
pub use result::{Outcome, is_double_loss};
pub use scanner::{Doubt, PeekedWord, Scanner};
pub use span::Span;
pub use stream::place::Place;
pub use stream::range::{Split, part};
pub use tag::{TagPair, escaped, write_tag};
pub use tags::{is_unknown, known_value};
pub use text::{plain_text, text_of};
pub use token::Token;
pub use word::{has_moves, has_placement, move_numbers, nag_of_sign};
