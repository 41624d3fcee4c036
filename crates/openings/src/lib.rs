//! Opening names: which code and which name a position has.
//!
//! * [`Openings::embedded`] is the table that comes with the program; [`Openings::layer`] reads others: see [`FileFormat`];
//! * [`Openings::classify`] names a position, [`Openings::classify_game`] a game;
//! * [`GameName`] is what a game is called, and since which ply;
//! * [`Openings::tree`] lists the names that begin alike, as a tree of openings and variations;
//! * [`emit::Names`] is implemented here, so that records can be written with names; [`Embedded`] is the embedded table,
//!   not yet read.
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
//! Positions are compared by what stands where, the side to move, the castling rights, and the en passant square where a
//! capture is legal; so the order of the moves does not matter.

mod classify;
mod embedded;
mod error;
mod game;
mod key;
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
