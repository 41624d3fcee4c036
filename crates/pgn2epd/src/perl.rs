//! The functions of Chess::PGN::EPD 0.31 for Perl, under their original names.
//!
//! Names, arguments and results are those of the module, with these differences:
//!
//! * errors of the module are corrected: `docs/perl.md` lists them;
//! * an illegal move or position is an error with a reason, instead of a warning or nothing;
//! * [`epdset`] returns the position as a value, a [`Board`], instead of setting a global one;
//!   [`Board::epdlist`] plays from it.
//!
//! ```
//! use pgn2epd::perl;
//!
//! for epd in perl::epdlist(["e4", "c5", "Nf3"])? {
//!     println!("{epd}"); // rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 …
//! }
//! let endgame = perl::epdset("8/8/8/4k3/8/8/4P3/4K3 w - -")?;
//! assert_eq!(endgame.epdlist(["e4"])?, ["8/8/8/4k3/4P3/8/8/4K3 b - e3"]);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```

mod board;
mod epdcode;
mod epdfromto;
mod epdgetboard;
mod epdlist;
mod epdset;
mod epdstr;
mod epdtaxonomy;
mod font2map;
mod psquares;
mod tables;

pub use board::Board;
pub use diagram::{Border, Corner, Look, Placement};
pub use epdcode::epdcode;
pub use epdfromto::{FromTo, epdfromto};
pub use epdgetboard::epdgetboard;
pub use epdlist::epdlist;
pub use epdset::epdset;
pub use epdstr::{EpdStrError, epdstr, look};
pub use epdtaxonomy::{Taxonomy, epdtaxonomy};
pub use font2map::{FONT2MAP, font2map};
pub use psquares::psquares;
pub use tables::{Code, TableError, Tables, UnknownCode};
