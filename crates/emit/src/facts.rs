//! Facts about a position: one list for templates (`--add`), columns and conditions (`--where`).
//!
//! * `table`: [`Fact`] with its name, type, unit, documentation and places of use;
//! * `place`: the places where facts may be used;
//! * `unknown_field`: facts by their names, and the error for a name that cannot be used;
//! * `similar`: names that are similar to an unknown one;
//! * `set`: sets of requested facts, so that only those are computed;
//! * `tag_values`: numbers, ratings and dates in tags;
//! * `time_tags`: the date and the time control of a game;
//! * `fact_value`: what values are;
//! * `value`: the value of a fact for a position of chess or of a variant;
//! * `board_facts`: those that follow from the board and the move played;
//! * `comment_facts`: those that are read from comments, read once for all of them.

mod board_facts;
mod comment_facts;
mod fact_value;
mod place;
mod set;
mod similar;
mod table;
mod tag_values;
mod time_tags;
mod unknown_field;
mod value;

pub(crate) use comment_facts::CommentFacts;
pub(crate) use fact_value::{FactValue, Written};
pub use place::{FactPlace, FactPlaces};
pub use set::FactSet;
pub(crate) use similar::{KNOWN_TAGS, differ_in_one, is_close};
pub(crate) use table::is_tag_name;
pub use table::{Fact, FactKind};
pub use tag_values::{Ratings, date_of_game};
pub(crate) use tag_values::{date, decimal};
pub(crate) use time_tags::TimeTags;
pub use time_tags::time_control;
pub(crate) use unknown_field::OF_RECORD;
pub(crate) use unknown_field::Variable;
pub use unknown_field::{COUNTS, UnknownField, did_you_mean};
pub(crate) use value::{
    GameFacts, QuickValue, legal_moves, points, quick_value, seconds, turn, value, value_of_game,
    write_seconds, write_text,
};
