//! Machine-written parts of comments: evaluations, clocks, engine reports.
//!
//! Points of view differ: `[%eval]` is White's view of the position after the move, while an
//! engine's report beside its own move is about the position before it. Here an evaluation is
//! always from the view of the side to move in the position that it refers to (EPD 5.6).
//!
//! * `reader`: reads a comment once, for everything that it contains; no other module reads one;
//! * `command`, `report`, `tcec`: the three styles that it knows;
//! * `score`, `decimal`: their numbers, without floating point;
//! * `analysis`: what the comments say about a position;
//! * `comment`: the text that remains.

pub(crate) mod analysis;
pub(crate) mod command;
pub(crate) mod comment;
mod decimal;
pub(crate) mod reader;
pub(crate) mod report;
mod score;
mod tcec;

pub(crate) use reader::{commands, read_comments, report, reported_evaluation};
