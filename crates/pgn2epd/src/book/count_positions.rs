//! Counts the positions of games and of records.

use ::book::{Aggregate, Counts, PositionFilter};
use emit::Problem;

use crate::run::games::{ChunkGames, GameConsumer, Played, PlySource};
use crate::run::records::RecordConsumer;

/// Collects the positions of a chunk, divided for the counters.
pub(super) struct CountPositions<'p> {
    pub(super) wanted: &'p PositionFilter,
    pub(super) aggregate: &'p Aggregate,
}

impl GameConsumer for CountPositions<'_> {
    type Result = Counts;

    fn chunk(&self, games: ChunkGames<'_>, counts: &mut Counts) -> Played {
        self.consume(games, counts)
    }

    fn problems(counts: &mut Counts) -> impl Iterator<Item = &mut Problem> {
        counts.problems.iter_mut()
    }
}

impl RecordConsumer for CountPositions<'_> {
    fn consume<G: PlySource>(&self, source: G, counts: &mut Counts) -> G::Read {
        counts.clear();
        let (_, read) = source.play(counts.sink(self.wanted));
        self.aggregate.divide(counts);
        read
    }
}
