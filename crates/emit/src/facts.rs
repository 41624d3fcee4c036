//! Facts about a position: one list for templates (`--add`), columns and conditions (`--where`).
//!
//! `table` has each [`Fact`] with its name, type, unit, documentation and places of use, `value`
//! finds its value for a position of chess or of a variant. Only requested facts are computed;
//! comments are read once for all of them.

mod table;
mod value;

pub use table::{COUNTS, Fact, FactKind, FactPlace, FactSet, UnknownField, did_you_mean};
pub(crate) use table::{KNOWN_TAGS, OF_RECORD, Variable, differ_in_one, is_close, is_tag_name};
pub(crate) use value::{
    CommentFacts, Found, Later, Value, days, number, turn, value_of_game, value_of_ply,
};
