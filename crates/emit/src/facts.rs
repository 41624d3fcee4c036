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

mod table;
mod value;

pub use table::{
    COUNTS, Fact, FactKind, FactPlace, FactPlaces, FactSet, UnknownField, did_you_mean,
};
pub(crate) use table::{KNOWN_TAGS, OF_RECORD, Variable, differ_in_one, is_close, is_tag_name};
pub(crate) use value::{
    CommentFacts, FactValue, GameFacts, QuickValue, TimeTags, Written, date, decimal, legal_moves,
    points, quick_value, seconds, turn, value, value_of_game, write_seconds, write_text,
};
pub use value::{Ratings, date_of_game, time_control};
