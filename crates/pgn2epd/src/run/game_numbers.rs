//! The number of games before a chunk, for records that contain the number of their game.

use std::sync::atomic::{AtomicU64, Ordering};

use emit::Plan;
use pgn::{Chunk, count_games};

/// The games before chunks: delivered, or, for chunks processed at the same time, expected.
#[derive(Debug, Default)]
pub(crate) struct GameNumbers {
    delivered: AtomicU64,
    /// What must be added to counted games, since an earlier chunk was not cut between games.
    correction: AtomicU64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GamesBefore {
    pub(crate) games: u64,
    /// The games counted before the chunk, if all earlier ones had not been delivered.
    counted: Option<u64>,
}

impl GameNumbers {
    /// Counts the games of a chunk, if records may contain their numbers.
    pub(crate) fn count(plan: &Plan, chunk: Chunk<'_>) -> Option<u64> {
        plan.counts_games().then(|| count_games(chunk))
    }

    pub(crate) fn before(&self, chunk: Chunk<'_>) -> GamesBefore {
        let counted = chunk.items_before();
        let games = match counted {
            Some(counted) => counted.wrapping_add(self.correction.load(Ordering::Relaxed)),
            None => self.delivered.load(Ordering::Relaxed),
        };
        GamesBefore { games, counted }
    }

    /// Whether as many games were delivered before the chunk.
    pub(crate) fn are_right(&self, before: GamesBefore) -> bool {
        let delivered = self.delivered.load(Ordering::Relaxed);
        let Some(counted) = before.counted.filter(|_| before.games != delivered) else {
            return true;
        };
        self.correction.store(delivered.wrapping_sub(counted), Ordering::Relaxed);
        false
    }

    pub(crate) fn deliver(&self, games: u64) {
        self.delivered.store(games, Ordering::Relaxed);
    }
}
