//! An opening explorer: counts of positions over HTTP, in the form of Lichess' explorer, and a page
//! that shows them.
//!
//! * [`Server`] answers requests until it is stopped;
//! * [`Library`] is what it answers from: a name and the [`Positions`];
//! * [`Limits`] are those of a client.
//!
//! Nothing is written, and no file is opened: what is not among the libraries and their [`Games`]
//! cannot be asked for.

mod answer;
mod question;
mod server;

pub use answer::{Games, Library, NameError, Positions};
pub use server::{Limits, OriginError, Server, signalled};
