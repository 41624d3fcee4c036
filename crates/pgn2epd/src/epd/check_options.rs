//! Options and totals of a check.

use std::num::NonZeroUsize;

use epd::{Dialect, ReadOptions, Rules};

use crate::options::OnDamage;
use crate::options::keywords::{OnOff, Unreadable};
use crate::options::option_set::OptionSet;
use crate::options::option_spec::options;

options! {
    /// Options for checking and repairing files of records.
    ///
    /// ```
    /// use pgn2epd::epd::CheckOptions;
    ///
    /// let options = CheckOptions::from_names([("stats", "true"), ("strict", "true")])?;
    /// assert!(options.statistics && options.strict);
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct CheckOptions {
        "Reading": {
            /// The dialect of all lines [default: detected for each line]
            dialect: Option<Dialect> = None, value("NAME");

            /// Whether to play the moves in operands.
            moves: OnOff = OnOff::On, value("WHETHER");

            /// Rules of all positions.
            rules: Rules = Rules::Detected, name("variant"), value("NAME");

            /// Refuse positions that no game leads to, even if moves can be played.
            strict: bool = false;

            /// Count positions and different positions, in the terms used for the books of
            /// Stockfish.
            statistics: bool = false, name("stats");
        }
        "Records": {
            /// Write the records in their normal form.
            ///
            /// A record that still has an error in that form is not written, nor are comments and
            /// empty lines.
            fix: bool = false;

            /// What becomes of text that --fix cannot read.
            unreadable: Unreadable = Unreadable::Comment, value("WHAT"), for_any(&["fix"]);
        }
        "Running": {
            /// As in [`Options`](crate::Options).
            jobs: Option<NonZeroUsize> = None, shared();

            /// As in [`Options`](crate::Options).
            on_damage: OnDamage = OnDamage::Stop, shared();
        }
    }
}

impl OptionSet for CheckOptions {}

impl CheckOptions {
    pub(super) fn read_options(&self) -> ReadOptions {
        let CheckOptions { dialect, moves, rules, strict, .. } = *self;
        let moves = moves == OnOff::On;
        ReadOptions { dialect, moves, rules, strict, ..ReadOptions::default() }
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
        self.commented += other.commented;
        self.dropped += other.dropped;
        self.rejected += other.rejected;
    }
}
