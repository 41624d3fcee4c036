//! The totals of a run, and its observer.

use std::ops::{AddAssign, ControlFlow};

use emit::{ConditionValues, Counts, Losses, Omitted, Problem, Unstorable};
use epd::Severity;

/// Numbers of items read and written, and of errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Summary {
    /// Games, including those with errors, and records of files of positions.
    pub games: u64,
    /// Records of files of positions.
    pub records: u64,
    /// Texts in records that are no operations, and were read as comments.
    pub unread_texts: u64,
    /// Records whose texts have no room in comments.
    pub lost_texts: u64,
    /// Games with errors.
    pub bad_games: u64,
    /// Games that end at a move which is none in English, but legal in another language.
    pub foreign_games: u64,
    /// Games without any position that can match the filter, as determined by their tags.
    pub left_out: u64,
    /// Tags of the filter that games had, as bits, for [`hints`](crate::options::Filter::hints).
    pub condition_tags: u64,
    /// Which variables of the filter had a value in a position.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub condition_values: ConditionValues,
    /// Games and records of variants, if the filter has conditions that never hold in them.
    pub undecided_variants: u64,
    /// Tags and operations of columns and sort keys that games or records had, as bits.
    pub named: u64,
    /// Records written.
    pub positions: u64,
    /// Positions, or with [`unique_games`](crate::Options::unique_games) games, not written because
    /// of equal ones.
    pub duplicates: u64,
    /// Positions that lack a result, evaluation or move that the format needs.
    pub unlabelled: u64,
    /// Numbers of positions among these, by what they lack or the format has no room for.
    pub unstorable: Unstorable,
    /// Positions not written, and games not used, because the options omit them, by reason.
    pub omitted: Omitted,
    /// Problems that caused a loss of positions.
    pub errors: u64,
    /// Problems without any loss.
    pub warnings: u64,
    /// Harmless departures from the standard, if detection is enabled.
    pub notes: u64,
    /// Content that was dropped or altered without being an error.
    pub losses: Losses,
    /// Records longer than readers of EPD need to accept (EPD 3).
    pub long_records: u64,
    /// Bytes of PGN read.
    pub bytes_read: u64,
    /// Bytes of records written.
    pub bytes_written: u64,
    /// Whether an error ended the run; see [`OnError::Stop`](crate::options::OnError::Stop).
    pub stopped: bool,
    /// Whether a record, a row or a game was written.
    pub has_output: bool,
}

macro_rules! add {
    ($to:tt += $from:ident: $($field:ident)+) => {
        $($to.$field += $from.$field;)+
    };
}

pub(crate) use add;

impl Summary {
    pub(crate) fn add(&mut self, counts: &Counts) {
        add! {
            self += counts: games records unread_texts lost_texts bad_games foreign_games left_out
                omitted undecided_variants
        }
        self.losses.annotations += counts.annotations;
        self.losses.variations += counts.variations;
        self.condition_tags |= counts.condition_tags;
        self.condition_values = self.condition_values.union(counts.condition_values);
        self.named |= counts.named;
        self.stopped |= counts.stopped;
    }

    pub(crate) fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
    }
}

impl AddAssign for Summary {
    fn add_assign(&mut self, other: Summary) {
        add! {
            self += other: games records unread_texts lost_texts bad_games foreign_games left_out
                undecided_variants positions duplicates unlabelled unstorable omitted errors
                warnings notes losses long_records bytes_read bytes_written
        }
        self.condition_tags |= other.condition_tags;
        self.condition_values = self.condition_values.union(other.condition_values);
        self.named |= other.named;
        self.stopped |= other.stopped;
        self.has_output |= other.has_output;
    }
}

pub(crate) fn flow(is_over: bool) -> ControlFlow<()> {
    if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// What a conversion has written to one of its outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutputCounts {
    /// Number of positions.
    pub positions: u64,
    /// Number of bytes, before compression.
    pub bytes: u64,
}

/// Callbacks for problems and progress, invoked on the calling thread.
pub trait Observer {
    /// A member of an archive follows; line numbers start again from 1.
    fn member(&mut self, _name: &str) {}

    /// Reports an error in a game, or one that was corrected.
    fn problem(&mut self, _problem: &Problem) {}

    /// Totals so far; [`ControlFlow::Break`] ends the reading of the text, without an error.
    fn progress(&mut self, _summary: &Summary) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Observer for () {}
