//! Opening names: the code and the name of a position.
//!
//! * [`Openings::embedded`] is the built-in table; [`Openings::layer`] reads other ones, see [`FileFormat`];
//! * [`Openings::classify`] names a position, [`Openings::classify_game`] a game;
//! * [`GameName`] is the opening of a game, and the ply at which it was reached;
//! * [`Openings::tree`] lists the names with a common prefix, as a tree of openings and variations;
//! * [`emit::Names`] is implemented here, so that records can be written with names; [`Embedded`] is the built-in table,
//!   parsed on first use.
//!
//! ```
//! use openings::Openings;
//!
//! let game = Openings::embedded().classify_game(["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "Nf6", "Nc3", "a6"])?;
//! assert_eq!(game.eco(), Some("B90"));
//! assert_eq!(game.opening(), Some("Sicilian Defense: Najdorf Variation"));
//! # Ok::<_, san::SanError>(())
//! ```
//!
//! Positions are compared by piece placement, side to move, castling rights, and the en passant square if a capture is
//! legal; transpositions are therefore recognized.

mod classify;
mod embedded;
mod error;
mod game;
mod known_lines;
mod late_tree;
mod load;
mod table;
mod tree;

pub use embedded::Embedded;
pub use emit::Name;
pub use error::{LoadError, LoadReason};
pub use game::GameName;
pub use load::FileFormat;
pub use table::{EnPassant, Openings};
pub use tree::Branch;
