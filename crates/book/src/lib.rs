//! Opening books: positions of many games, counted, selected and written.
//!
//! [`emit::Replay`] plays the games, [`Collect`] counts the positions of a chunk of games
//! ([`Counts`]), [`Aggregate`] adds up the chunks in bounded memory, [`Selection`] selects and
//! orders the positions of the book, and [`write_book`] writes it in one of its formats.
//! [`write_partial`] stops half-way, and [`Source::Parts`] resumes from there.
//!
//! A [`Tally`] consists of sums, minima and maxima only: the result does not depend on how games
//! are split, in which order they are read, or when they are merged. Positions are compared
//! exactly, never by hash alone.

mod aggregate;
mod block;
mod collect;
pub mod count_file;
mod error;
mod games;
mod polyglot;
mod repertoire;
mod run;
mod select;
mod table;
mod tally;
mod totals;
mod write;

pub use aggregate::{Aggregate, Source};
pub use collect::{Collect, Counts, Details, PositionFilter, Queens};
pub use count_file::Header;
pub use error::BookError;
pub use games::{GameClass, GroupBy, GroupByError, Speed};
pub use polyglot::{PolyglotEntry, PolyglotError, polyglot_entries};
pub use repertoire::{
    Compare, Comparison, Departure, DepartureKind, Gap, GapKind, GapLimits, Repertoire,
};
pub use run::Part;
pub use select::{
    Evaluate, Evaluated, MoveChoice, Order, Selection, Stages, Weights, fields as four_fields,
};
pub use tally::{Evaluation, Game, Occurrence, RecordedCounts, Tally, UnknownResult};
pub use write::{EpdOps, Figures, Form, Style, columns, write_book, write_partial};
