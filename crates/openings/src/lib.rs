//! Opening names: the code and the name of a position.
//!
//! * [`Openings::embedded`] is the built-in table; [`Openings::layer`] reads other ones, see
//!   [`FileFormat`];
//! * [`Openings::classify`] names a position, [`Openings::classify_game`] a game;
//! * [`GameName`] is the opening of a game, and the ply at which it was reached;
//! * [`Openings::tree`] lists the names with a common prefix, as a tree of openings and variations;
//! * [`OpeningTracker`] follows the opening through a game and its variations; [`NameSource`] is
//!   the source of its names.
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
//! Positions are compared by piece placement, side to move, castling rights, and the en passant
//! square if a capture is legal; transpositions are therefore recognized.

mod load;
mod move_graph;
mod name;
mod table;
mod tracker;

pub use load::{FileFormat, LoadError, LoadReason};
pub use move_graph::{MoveGraph, NodeOperations};
pub use name::{MOST_NAME_PARTS, Name, Opening, OpeningChange};
pub use table::{EnPassant, NameTree, Openings};
pub use tracker::{GameName, NameSource, OpeningTracker, texts_of_tags};
