//! The records of chunks on their way to the outputs; the crate `dataset` has the steps that depend
//! on other records.
//!
//! * `index`: where the records of a chunk are in its text and what their selection depends on,
//!   noted by `indexing_sink` in the workers;
//! * `game_key`: what games are equal by;
//! * `record_output`: passes chunks to the outputs, through the steps of a data set if the options
//!   have any;
//! * `text` and `rows`: records as text and as rows, and how they are written;
//! * `file_set`: the outputs: one, or the files of a folder.

pub(crate) mod file_set;
mod game_key;
pub(crate) mod index;
pub(crate) mod indexing_sink;
pub(crate) mod record_output;
pub(crate) mod rows;
pub(crate) mod text;
