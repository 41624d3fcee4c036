//! Options and totals of a check.

use std::num::NonZeroUsize;

use epd::{Consumer, Dialect, Form, ReadOptions};
use san::FieldStyle;

/// Options for checking and rewriting files of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// The dialect of all lines; `None` to detect it for each line.
    pub dialect: Option<Dialect>,
    /// Whether the moves in operands are played.
    pub moves: bool,
    /// Programs whose misreadings are reported too.
    pub consumers: Vec<Consumer>,
    /// How records are written; `None` for no output.
    pub rewrite: Option<Rewrite>,
    /// Whether non-ASCII characters are transliterated in the [normal form](Rewrite::Normal).
    pub ascii: bool,
    /// Whether only the first of equal positions is written: equal under the laws of chess,
    /// ignoring clocks.
    pub unique: bool,
    /// Whether positions are counted, at 48 bytes of memory per position.
    pub statistics: bool,
    /// Number of worker threads; `None` for one per core.
    pub jobs: Option<NonZeroUsize>,
}

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// Unchanged, including comments and empty lines.
    AsTheyStand,
    /// In normal form, without any other lines. A record that still has an error in that form is
    /// not written.
    Normal(Form, FieldStyle),
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            dialect: None,
            moves: true,
            consumers: Vec::new(),
            rewrite: None,
            ascii: false,
            unique: false,
            statistics: false,
            jobs: None,
        }
    }
}

impl CheckOptions {
    pub(super) fn read_options(&self) -> ReadOptions {
        ReadOptions { dialect: self.dialect, moves: self.moves }
    }
}

/// The totals of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// Lines with a record.
    pub records: u64,
    /// Lines that should have a record but do not.
    pub bad_lines: u64,
    /// Comment lines.
    pub comments: u64,
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Notes.
    pub notes: u64,
    /// Records not written because of an earlier equal position.
    pub duplicates: u64,
    /// Lines not written because they do not have exactly one reading.
    pub rejected: u64,
}

/// A line that is not written because it does not have exactly one reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RejectedLine<'l> {
    /// The line number in its file, counted from 1.
    pub line: u64,
    /// The line as read, without its end.
    pub bytes: &'l [u8],
}

impl std::ops::AddAssign for CheckCounts {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.bad_lines += other.bad_lines;
        self.comments += other.comments;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
        self.duplicates += other.duplicates;
        self.rejected += other.rejected;
    }
}
