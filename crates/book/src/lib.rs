//! Opening libraries: positions of many games, counted, chosen and written.
//!
//! The way of a game: [`emit::Replay`] plays it, [`Collect`] counts its positions for a chunk of games ([`Counts`]), [`Aggregate`] adds
//! chunks up in bounded memory, [`Choice`] says which positions become the book and in which order, and [`write_book`]
//! writes it in one of its forms. [`write_partial`] stops half-way, and [`merge_partials`] goes on from there.
//!
//! What is counted is a [`Tally`], and everything in one is a sum, a minimum or a maximum: it makes no difference how games are
//! split, in which order they come, and when they are merged. Positions are compared whole, never by a hash alone.

mod aggregate;
mod collect;
#[cfg(feature = "arrow")]
mod columns;
mod disk;
mod error;
mod games;
mod given;
mod hash;
mod hot;
mod merge;
mod movecode;
mod partial;
mod row;
mod run;
mod select;
mod sorted;
mod sorter;
mod store;
mod tally;
mod temporary;
mod visits;
mod write;

pub use aggregate::Aggregate;
pub use collect::{Collect, Counts, Queens, Wanted};
pub use error::BookError;
pub use given::Given;
pub use merge::Entry;
pub use movecode::MoveCode;
pub use partial::{Header, Part, PartialForm, merge_partials, write_partial};
pub use select::{Choice, Chosen, Order, fields as four_fields};
pub use tally::{GameFacts, Occurrence, Outcome, Story, Strongest, Tally};
pub use write::{EpdOps, Figures, Form, Source, Style, choose, find, write_book};
