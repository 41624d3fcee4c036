//! Opening repertoires: the lines that a side has prepared, compared with games.

mod departures;
mod gaps;

use std::collections::BTreeSet;
use std::path::Path;

use san::{AnyPosition, Color, Move, MoveCode, Position, PositionKey, PositionMap};

use crate::entries::{entries, join_pins};
use crate::error::BookError;
use crate::partial::Source;
use crate::tally::{Tally, UnknownResult};

pub use departures::{Compare, Comparison, Departure, DepartureKind};
pub use gaps::{Gap, GapKind, GapLimits};

/// The positions and moves of a repertoire. Positions are compared, so the order of moves does not
/// matter.
#[derive(Debug)]
pub struct Repertoire {
    side: Color,
    /// The moves of each position; none at the end of a line.
    moves: PositionMap<Vec<MoveCode>>,
    /// The positions in which its games start, besides the starting position.
    starts: BTreeSet<Box<str>>,
}

impl Repertoire {
    /// Makes the repertoire of a side from its lines, counted with variations and moves.
    ///
    /// Sorting uses at most `memory` bytes; temporary files go to `folder`.
    ///
    /// # Errors
    ///
    /// If the counts cannot be read.
    pub fn new(
        lines: Source,
        side: Color,
        memory: usize,
        folder: &Path,
    ) -> Result<Self, BookError> {
        let (_, counts) = lines.open(memory, folder)?;
        let (mut moves, mut starts) = (PositionMap::default(), BTreeSet::new());
        for entry in entries(counts.counts(1), true) {
            let mut entry = entry?;
            join_pins(&mut entry.moves);
            let codes = entry.moves.iter().map(|(code, _)| *code).filter(|code| !code.is_none());
            moves.insert(entry.key, codes.collect());
            starts.insert(entry.total.strongest.info.start);
        }
        starts.remove("");
        Ok(Repertoire { side, moves, starts })
    }

    /// Whether it has no moves.
    pub fn is_empty(&self) -> bool {
        self.moves.values().all(Vec::is_empty)
    }

    /// Returns the share of the points that its side scored, in millionths.
    pub fn score(&self, tally: &Tally) -> Option<u64> {
        let white = tally.score_millionths(UnknownResult::Skip)?;
        Some(self.side.fold_wb(white, 1_000_000 - white))
    }

    /// Whether a position is on a line, and has a move if the side of the repertoire is to move.
    fn covers(&self, position: &Position) -> bool {
        self.moves.get(&PositionKey::of(position)).is_some_and(|moves| {
            position.turn() != self.side || !moves.is_empty() || position.is_finished()
        })
    }

    /// Returns the moves that lead to such positions, also those of other orders of moves.
    fn covered_moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let moves = position.legal_moves().into_iter();
        moves.filter(|played| self.covers(&after(position, *played)))
    }

    fn ends_at(&self, position: &Position) -> bool {
        let moves = self.moves.get(&PositionKey::of(position));
        moves.is_none_or(Vec::is_empty) && self.covered_moves(position).next().is_none()
    }
}

fn after(position: &Position, played: Move) -> Position {
    let mut after = position.clone();
    after.play_unchecked(played);
    after
}
