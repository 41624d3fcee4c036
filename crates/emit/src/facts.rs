//! Facts about a position: one list for templates (`--op`), columns and conditions (`--where`).
//!
//! * `table`: [`Fact`] with its name, type, unit, documentation and places of use;
//! * `similar`: names that are similar to an unknown one;
//! * `set`: sets of requested facts, so that only those are computed;
//! * `value`: the value of a fact for a position of chess or of a variant.

mod set;
mod similar;
mod table;
mod value;

pub use set::FactSet;
pub(crate) use similar::{KNOWN_TAGS, is_close};
pub(crate) use table::is_tag_name;
pub use table::{Fact, FactKind, FactPlace, FactPlaces, UnknownField};
pub(crate) use value::{
    FactValue, GameFacts, Ratings, decimal, seconds, value, write_seconds, write_text,
};
