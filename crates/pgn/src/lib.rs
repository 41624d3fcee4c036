//! PGN text: where it may be cut, games, tokens, tags; without the rules of chess.
//!
//! [`splits`] divides a file into byte ranges, and [`part`] reads the games of one. [`GameCutter`]
//! cuts a stream into [`Chunk`]s for the [pipeline](stream::ordered). A [`Scanner`] finds the games
//! of a chunk, reads their [`TagPair`]s and [returns](Scanner::next_token) the [`Token`]s of their
//! movetext; departures from the standard are [`PgnDiagnostic`]s. [`games`] yields the games of a
//! text in memory as values.

mod boundary;
mod game;
mod range;
mod scanner;
mod tag;
mod token;
mod word;

pub use boundary::{GameCutter, count_games};
pub use game::{Game, Games, games};
pub use range::{Part, Unit, splits};
pub use scanner::{Chunk, ChunkEnd, Doubt, PeekedWord, Scanner};
pub use stream::place::Place;
pub use stream::range::{Split, part};
pub use tag::{TagPair, escaped, is_unknown, known_value, plain_text, text_of, write_tag};
pub use token::{Outcome, PgnDiagnostic, PgnDiagnosticKind, Span, Token, is_double_loss};
pub use word::{has_moves, has_placement, may_have_comments, move_numbers, nag_of_sign};
