//! Training data for neural networks that evaluate chess positions: positions with a score, the
//! result of their game and, in most formats, the move played.
//!
//! * [`TrainingFormat`] lists the formats and what each of them stores;
//! * an [`Encoder`] turns games into bytes, [`Blocks`] puts the chains of a binpack into blocks;
//! * [`Entries`] reads a file entry by entry, in bounded memory;
//! * an [`Entry`] is a position with its [`Score`], move and [`GameResult`];
//! * a [`ScoreUnit`] converts centipawns to Stockfish's internal unit and back.
//!
//! ```
//! use san::{Position, resolve};
//! use training::{Encoder, Entries, GameResult, Score, TrainingFormat};
//!
//! let mut encoder = Encoder::new(TrainingFormat::Viriformat);
//! let mut position = Position::default();
//! encoder.begin_game();
//! for (san, centipawns) in [("e4", 25), ("e5", -20), ("Nf3", 31)] {
//!     let played = resolve(&position, san.as_bytes())?;
//!     assert!(encoder.push(&position, Some(played), Score::new(centipawns)));
//!     position.play_unchecked(played);
//! }
//! encoder.end_game(GameResult::Draw);
//!
//! let entries = Entries::new(TrainingFormat::Viriformat, encoder.bytes());
//! let scores: Vec<_> = entries.map(|entry| Ok(entry?.score.get())).collect::<Result<_, training::ReadError>>()?;
//! assert_eq!(scores, [25, -20, 31]);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
mod binpack;
mod entry;
mod format;
mod packed;
mod plain;

pub use binpack::Blocks;
pub use entry::{Damage, Entry, GameResult, ReadError, Score, ScoreUnit};
pub use format::{Encoder, Entries, TrainingFormat, Unfit, Unit};
pub use packed::packed;
pub use plain::{PlainEntries, PlainError, PlainFault};
