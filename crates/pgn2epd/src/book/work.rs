//! Counts chunks of games on several workers: collects the positions of a chunk, and counts those of chunks that are committed.

use ::book::{Aggregate, Counts, PositionFilter};
use emit::{LookAhead, Plan, Replay};
use epd::Severity;
use pgn::{Chunk, ChunkEnd, GameCutter};
use stream::ordered::ChunkWorker;

use crate::observer::Observer;
use crate::summary::Summary;

/// The worker that counts a chunk.
pub(super) struct Count<'p> {
    pub(super) plan: &'p Plan,
    pub(super) wanted: &'p PositionFilter,
    pub(super) aggregate: &'p Aggregate,
}

#[derive(Debug, Default)]
pub(super) struct Done {
    pub(super) counts: Counts,
    games: emit::Counts,
}

impl ChunkWorker for Count<'_> {
    type Cutter = GameCutter;
    type Output = Done;

    fn chunk(&self, chunk: Chunk<'_>, done: &mut Done) -> ChunkEnd {
        // As much is counted as is collected.
        self.aggregate.count_waiting();
        done.counts.clear();
        let replay = Replay::new(chunk, self.plan);
        let mut sink = done.counts.sink(self.wanted);
        let (games, worked) = match self.plan.looks_ahead() {
            true => replay.run(&mut LookAhead::new(sink, self.plan)),
            false => replay.run(&mut sink),
        };
        done.games = games;
        self.aggregate.divide(&mut done.counts);
        worked
    }

    fn too_large(&self, chunk: Chunk<'_>, done: &mut Done) {
        done.counts.clear();
        done.games = Replay::new(chunk, self.plan).too_large(&mut done.counts.sink(self.wanted));
    }
}

impl Done {
    /// Converts the numbers of the chunk to those of the whole input.
    pub(super) fn deliver(
        &mut self,
        bytes: u64,
        summary: &mut Summary,
        observer: &mut dyn Observer,
    ) {
        for problem in &mut self.counts.problems {
            if problem.game > 0 {
                problem.game += summary.games;
            }
            match problem.severity() {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Note => summary.notes += 1,
            }
            observer.problem(problem);
        }
        summary.add(&self.games);
        summary.positions += self.counts.positions;
        summary.bytes_read += bytes;
        observer.progress(summary);
    }
}
