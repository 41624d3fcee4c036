//! Chess positions and the text of moves: SAN, long algebraic and UCI notation, FEN, X-FEN and
//! Shredder-FEN.
//!
//! * [`Setup`] is the content of a FEN, legal or not; [`Position`] is always legal;
//! * [`resolve()`] reads a move in any common notation, or explains why it cannot be played:
//!   [`SanError`];
//! * [`san_of`] writes the shortest unambiguous SAN, [`uci_of`] the notation of engines;
//! * [`write_fields`] writes the fields of EPD records, [`AnyPosition::fen`] those of a FEN;
//! * [`PositionKey`] is the identity of a position, [`Move::code`] a move in two bytes;
//! * [`Position::key`] is the key of Polyglot books;
//! * [`VariantPosition`] is a position of a variant, [`AnyPosition`] the interface that it shares
//!   with chess.
//!
//! ```
//! use san::{Position, resolve, san_of};
//!
//! let mut position = Position::default();
//! for token in ["e2-e4", "e5", "♘f3", "b8c6"] {
//!     let next = resolve(&position, token.as_bytes())?;
//!     print!("{} ", san_of(&position, next)); // e4 e5 Nf3 Nc6
//!     position.play_unchecked(next);
//! }
//! # Ok::<_, san::SanError>(())
//! ```
//!
//! `Square`, `Bitboard`, `Role`, `Color` and the attack tables are those of the crate shakmaty.
mod buffer;
mod error;
mod fen;
mod keys;
mod keyword;
mod language;
mod movegen;
mod position;
mod resolve;
#[cfg(feature = "serde")]
mod serialize;
mod setup;
mod variant;
mod write;

pub use buffer::{Buffer, Line};
pub use error::{FenError, Field, IllegalMove, PieceOn, SanError, role_name};
pub use fen::{CastlingStyle, EnPassantPolicy, FieldStyle, write_fields};
pub use keys::{MoveCode, PositionKey, PositionMap, PositionSet};
pub use keyword::{Keyword, UnknownKeyword};
pub use language::{Language, resolve_in};
pub use position::{Move, MoveList, Position};
pub use resolve::{resolve, resolve_plain, resolve_plain_word};
pub use setup::{Repair, Setup};
pub use variant::{AnyPosition, RepetitionKey, VariantMove, VariantPosition};
pub use write::{MoveText, san_of, uci_of};

pub use shakmaty::variant::Variant;
pub use shakmaty::{Bitboard, CastlingSide, Color, File, Piece, Rank, Role, Square};
