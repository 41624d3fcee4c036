//! Records of games as text, and their problems.

use std::ops::AddAssign;

use epd::{OperationList, Register};
use san::Buffer;

use crate::games::losses::Losses;
use crate::problem::Problem;
use crate::records::operation_builder::OperationBuilder;
use crate::selection::omitted::Omitted;

/// The records of games, and their problems.
#[derive(Debug, Default)]
pub struct Text {
    /// The records, each with its line end.
    pub bytes: Buffer,
    /// Number of records.
    pub positions: u64,
    /// Number of positions without the result, evaluation or move that the format needs.
    pub unlabelled: u64,
    /// Numbers of positions among these that the format has no room for.
    pub unstorable: Unstorable,
    /// Numbers of positions that were omitted, by reason.
    pub omitted: Omitted,
    /// Number of records longer than readers of EPD need to accept (EPD 3).
    pub long_records: u64,
    /// Problems, in the order of the text.
    pub problems: Vec<Problem>,
    /// Number of games in the file before those of the chunk; only set if the plan [counts
    /// games](crate::Plan::counts_games).
    pub games_before: u64,
    pub(super) mark: Mark,
    pub(super) compose: OperationBuilder<OperationList>,
}

/// Numbers of positions that a format has no room for, or that lack what it needs; each counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unstorable {
    /// Because of castling rights of Chess960.
    pub castling: u64,
    /// Because of their clocks.
    pub clocks: u64,
    /// Without an evaluation.
    pub evaluations: u64,
    /// Without a move played.
    pub moves: u64,
    /// Without a result.
    pub results: u64,
}

impl AddAssign for Unstorable {
    fn add_assign(&mut self, other: Unstorable) {
        self.castling += other.castling;
        self.clocks += other.clocks;
        self.evaluations += other.evaluations;
        self.moves += other.moves;
        self.results += other.results;
    }
}

/// The state of a [`Text`] before a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) bytes: usize,
    pub(super) positions: u64,
    pub(super) losses: Losses,
    pub(super) unlabelled: u64,
    pub(super) unstorable: Unstorable,
    pub(super) omitted: Omitted,
    pub(super) long_records: u64,
}

impl Text {
    /// Removes everything and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.problems.clear();
        self.compose.losses = Losses::default();
        self.compose.set.clear();
        (self.positions, self.unlabelled, self.long_records) = (0, 0, 0);
        self.mark = Mark::default();
        self.omitted = Omitted::default();
        self.unstorable = Unstorable::default();
    }

    /// Returns the counts of omitted or changed text.
    pub fn losses(&self) -> Losses {
        self.compose.losses
    }

    /// Returns the registers that records of files set; those of games are
    /// [planned](crate::Plan::registers_of_games).
    pub fn registers(&self) -> &[Register] {
        &self.compose.set
    }
}
