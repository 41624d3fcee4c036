//! What a run has done, in figures.

use std::ops::AddAssign;

use emit::Severity;

/// What was read, written and found wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games, with those that have an error.
    pub games: u64,
    /// Games that have an error.
    pub bad_games: u64,
    /// Games of which a filter wanted no position, for what their tags say.
    pub left_out: u64,
    /// Records written.
    pub positions: u64,
    /// Positions not written since their form needs what is not known: the result of the game, an evaluation, the move played.
    pub unlabelled: u64,
    /// Problems through which positions were lost.
    pub errors: u64,
    /// Problems through which nothing was lost.
    pub warnings: u64,
    /// Departures from the standard that change nothing, where they are looked for.
    pub notes: u64,
    /// Strings that were cut to the 255 bytes that a string operand may have.
    pub shortened: u64,
    /// Bytes of PGN.
    pub bytes_read: u64,
    /// Bytes of records.
    pub bytes_written: u64,
    /// Whether an error ended the run early: [`OnError::Stop`](crate::OnError::Stop).
    pub stopped: bool,
}

impl Summary {
    /// Counts a problem.
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
        self.games += other.games;
        self.bad_games += other.bad_games;
        self.left_out += other.left_out;
        self.positions += other.positions;
        self.unlabelled += other.unlabelled;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
        self.shortened += other.shortened;
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
        self.stopped |= other.stopped;
    }
}
