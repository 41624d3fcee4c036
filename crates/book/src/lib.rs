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
mod class;
mod collect;
mod count_order;
mod counter;
mod disk;
mod encoding;
mod entries;
mod error;
mod evaluate;
mod evaluation;
pub mod explorer;
mod games;
mod partial;
mod pieces;
mod polyglot;
mod recorded_counts;
mod repertoire;
mod row;
mod run;
mod select;
mod sorted;
mod table;
mod tally;
mod totals;
mod visits;
mod write;

pub use aggregate::Aggregate;
pub use class::{GameClass, GroupBy, GroupByError, Speed};
pub use collect::{Collect, Counts, Details, PositionFilter, Queens};
pub use entries::Entry;
pub use error::BookError;
pub use evaluate::{Evaluate, Evaluated};
pub use evaluation::Evaluation;
pub use partial::{Header, MARK as PARTIAL_MARK, Part, Source, write_partial};
pub use polyglot::{PolyglotEntry, PolyglotError, polyglot_entries};
pub use recorded_counts::RecordedCounts;
pub use repertoire::{
    Compare, Comparison, Departure, DepartureKind, Gap, GapKind, GapLimits, Repertoire,
};
pub use select::{MoveChoice, Order, Selection, Stages, Weights, fields as four_fields};
pub use tally::{GameFacts, GameInfo, NotableGame, SourceLocation, Tally, UnknownResult};
pub use write::{EpdOps, Figures, Form, Style, find, write_book};
