//! Byte ranges of a file, so that several machines can share its items.
//!
//! A range owns the items whose first byte lies in it. However a file is divided into ranges, each
//! item belongs to exactly one of them, and the texts of the ranges, concatenated, are the text of
//! the file. A [`RangeUnit`] finds the first item of a range, the same one that a reader of the
//! whole file finds.
//!
//! For a compressed file with random access (see [`Source`](crate::source::Source)), ranges refer
//! to the decompressed text; files that can only be decompressed from the beginning are not
//! divided.
//!
//! * `part`: opens the text of a range;
//! * `splits`: divides a file into ranges;
//! * `first_item`: searches backward for a place where an item certainly begins, and forward from
//!   there.

mod first_item;
mod part;
mod splits;

pub use first_item::{
    CommentDelimiter, FirstItemFinder, PrecedingText, Reach, SyncPoint, first_item,
};
pub use part::{Part, RangeUnit, first_line, part};
pub use splits::{Split, splits};
