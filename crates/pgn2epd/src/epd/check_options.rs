//! Options and totals of a check.

use std::num::NonZeroUsize;

use epd::{Consumer, Dialect, Form, ReadOptions, Rules};
use san::{FieldStyle, keywords};

/// Options for checking and rewriting files of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// The dialect of all lines; `None` to detect it for each line.
    pub dialect: Option<Dialect>,
    /// Whether the moves in operands are played.
    pub moves: bool,
    /// The rules of all lines.
    pub rules: Rules,
    /// Whether positions that no game leads to are errors, even if moves can be played.
    pub strict: bool,
    /// What becomes of text that cannot be read in the [normal form](Rewrite::Normal).
    pub unreadable: Unreadable,
    /// Programs whose misreadings are reported too.
    pub consumers: Vec<Consumer>,
    /// How records are written; `None` for no output.
    pub rewrite: Option<Rewrite>,
    /// Whether non-ASCII characters are transliterated in the [normal form](Rewrite::Normal).
    pub ascii: bool,
    /// Whether only the first of equal positions is written: equal under the laws of chess,
    /// ignoring clocks. In the [normal form](Rewrite::Normal) it gets the operations of the others.
    pub unique: bool,
    /// Whether positions are counted, at 48 bytes of memory per position.
    pub statistics: bool,
    /// Number of worker threads; `None` for one per core.
    pub jobs: Option<NonZeroUsize>,
}

/// What becomes of text after the fields that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unreadable {
    /// It becomes a comment in the first free register from `c0` on.
    #[default]
    Comment,
    /// It is not written.
    Drop,
}

keywords! { Unreadable:
    "comment" [Unreadable::Comment] "Keep it as a comment, in the first free of c0 to c9";
    "drop" [Unreadable::Drop] "Leave it out";
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
            rules: Rules::Detected,
            strict: false,
            unreadable: Unreadable::Comment,
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
        let CheckOptions { dialect, moves, rules, strict, .. } = *self;
        ReadOptions { dialect, moves, rules, strict }
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
    /// Records whose operations were added to an earlier record of the same position.
    pub merged: u64,
    /// Texts that could not be read and were written as comments.
    pub commented: u64,
    /// Texts that are not written: what cannot be read, with [`Unreadable::Drop`], and impossible
    /// castling rights and en passant squares.
    pub dropped: u64,
    /// Lines not written because their position, or all of their text, cannot be kept.
    pub rejected: u64,
}

/// A line that is not written because its position, or all of its text, cannot be kept.
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
        self.merged += other.merged;
        self.commented += other.commented;
        self.dropped += other.dropped;
        self.rejected += other.rejected;
    }
}
