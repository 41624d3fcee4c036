//! Counts the positions of games.

use ::book::{Aggregate, Counts, PositionFilter};
use emit::Problem;

use crate::run::games::{ChunkGames, GameConsumer, Played, PlySource};

/// Collects the positions of a chunk, and counts those of chunks that were delivered.
pub(super) struct CountGames<'p> {
    pub(super) wanted: &'p PositionFilter,
    pub(super) aggregate: &'p Aggregate,
}

impl GameConsumer for CountGames<'_> {
    type Result = Counts;

    fn chunk(&self, games: ChunkGames<'_>, counts: &mut Counts) -> Played {
        // As much is counted as is collected.
        self.aggregate.count_waiting();
        counts.clear();
        let (_, played) = games.play(counts.sink(self.wanted));
        self.aggregate.divide(counts);
        played
    }

    fn problems(counts: &mut Counts) -> impl Iterator<Item = &mut Problem> {
        counts.problems.iter_mut()
    }
}
