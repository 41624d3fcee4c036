//! An opening explorer: counts of positions over HTTP, in the form of Lichess' explorer, and a page
//! that shows them.
//!
//! A [`Server`] answers requests from each [`Library`], a name and the [`Positions`], until it is
//! stopped. Nothing is written, and no file is opened: what is not among the libraries and their
//! [`Games`] cannot be asked for.

mod answer;
mod question;
mod server;

pub use answer::{FileNameError, Games, Library, Positions};
pub use server::{ClientLimits, OriginError, Server, signalled};
