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
mod epdfromto;
mod epdlist;
mod epdstr;
mod tables;

pub use board::{Board, epdgetboard, epdset, psquares};
pub use diagram::{Border, Corner, Look, Placement};
pub use epdfromto::{FromTo, epdfromto};
pub use epdlist::epdlist;
pub use epdstr::{EpdStrError, FONT2MAP, epdstr, font2map, look};
pub use tables::{Code, TableError, Tables, Taxonomy, UnknownCode, epdcode, epdtaxonomy};
