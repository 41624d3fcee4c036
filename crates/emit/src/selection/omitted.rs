//! Counts of positions and games that are read but not written, by reason.

use std::ops::AddAssign;

use crate::records::plan::Select;
use crate::selection::exclude_games::Ending;
use crate::selection::exclude_positions::Exclusion;

/// Numbers of positions that were not written, each for the first reason that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OmittedPositions {
    /// Outside the window of plies, or not the last of its game.
    pub outside_plies: u64,
    /// Not matching the condition. Games of which no position can match are counted as games.
    pub condition: u64,
    /// The side to move is in check.
    pub in_check: u64,
    /// The move played is a capture, a promotion or a check.
    pub captures: u64,
    /// The game is over.
    pub finished: u64,
    /// The move played comes from a book.
    pub book_moves: u64,
    /// Without an evaluation.
    pub unevaluated: u64,
    /// The evaluation is a mate.
    pub mates: u64,
    /// The evaluation is beyond the limit.
    pub beyond: u64,
}

/// Numbers of games that were not used, by the way they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OmittedGames {
    /// Lost on time.
    pub time_forfeits: u64,
    /// Broken off.
    pub abandoned: u64,
    /// Decided by an arbiter or a match program.
    pub adjudicated: u64,
}

impl OmittedPositions {
    pub(crate) fn count(&mut self, exclusion: Exclusion) {
        *match exclusion {
            Exclusion::InCheck => &mut self.in_check,
            Exclusion::Capture => &mut self.captures,
            Exclusion::Finished => &mut self.finished,
            Exclusion::BookMove => &mut self.book_moves,
            Exclusion::Unevaluated => &mut self.unevaluated,
            Exclusion::Mate => &mut self.mates,
            Exclusion::Beyond => &mut self.beyond,
        } += 1;
    }

    /// Counts a position that the window of plies or the condition excludes.
    #[inline(always)]
    pub(crate) fn count_skipped(&mut self, number: u32, select: Select) {
        let is_outside = number < select.first || number > select.last || select.only_final;
        *if is_outside { &mut self.outside_plies } else { &mut self.condition } += 1;
    }

    /// Returns each count with the name of its reason.
    pub fn all(&self) -> [(&'static str, u64); 9] {
        let OmittedPositions { outside_plies, condition, in_check, captures, .. } = *self;
        let OmittedPositions { finished, book_moves, unevaluated, mates, beyond, .. } = *self;
        [
            ("outside_plies", outside_plies),
            ("condition", condition),
            ("in_check", in_check),
            ("captures", captures),
            ("finished", finished),
            ("book_moves", book_moves),
            ("unevaluated", unevaluated),
            ("mates", mates),
            ("beyond", beyond),
        ]
    }
}

impl OmittedGames {
    pub(crate) fn count(&mut self, ending: Ending) {
        *match ending {
            Ending::TimeForfeit => &mut self.time_forfeits,
            Ending::Abandoned => &mut self.abandoned,
            Ending::Adjudicated => &mut self.adjudicated,
        } += 1;
    }

    /// Returns each count with the name of its reason.
    pub fn all(&self) -> [(&'static str, u64); 3] {
        let OmittedGames { time_forfeits, abandoned, adjudicated } = *self;
        [("time_forfeits", time_forfeits), ("abandoned", abandoned), ("adjudicated", adjudicated)]
    }
}

impl AddAssign for OmittedPositions {
    fn add_assign(&mut self, other: OmittedPositions) {
        self.outside_plies += other.outside_plies;
        self.condition += other.condition;
        self.in_check += other.in_check;
        self.captures += other.captures;
        self.finished += other.finished;
        self.book_moves += other.book_moves;
        self.unevaluated += other.unevaluated;
        self.mates += other.mates;
        self.beyond += other.beyond;
    }
}

impl AddAssign for OmittedGames {
    fn add_assign(&mut self, other: OmittedGames) {
        self.time_forfeits += other.time_forfeits;
        self.abandoned += other.abandoned;
        self.adjudicated += other.adjudicated;
    }
}
