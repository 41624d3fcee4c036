//! The paths of a chunk of games: the distinct positions of each game, and the moves played from
//! them.

use san::{MoveCode, Position, PositionKey, PositionSet};

use crate::count_order::{PARTITIONS, partition_of_hash};
use crate::evaluation::Evaluation;
use crate::games::{GamePly, Games};
use crate::recorded_counts::RecordedCounts;
use crate::tally::GameFacts;

#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionVisit {
    pub(crate) key: PositionKey,
    pub(crate) hash: u64,
    pub(crate) ply: u32,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
    pub(crate) next: MoveCode,
    pub(crate) evaluation: Evaluation,
}

impl PositionVisit {
    #[inline]
    pub(crate) fn of(
        position: &Position,
        ply: u32,
        next: MoveCode,
        evaluation: Evaluation,
    ) -> Self {
        let clock = |plies: u32| plies.min(u16::MAX.into()) as u16;
        let (halfmoves, fullmoves) = (clock(position.halfmoves()), clock(position.fullmoves()));
        let key = PositionKey::of(position);
        let is_pinned = position.pinned_en_passant().is_some() && !next.is_none();
        let next = if is_pinned { next.with_pin() } else { next };
        PositionVisit { key, hash: key.stable_hash(), ply, halfmoves, fullmoves, next, evaluation }
    }

    /// Creates a visit of a position with unknown clocks.
    pub(crate) fn of_key(key: PositionKey, ply: u32, next: MoveCode) -> Self {
        let (hash, evaluation) = (key.stable_hash(), Evaluation::NONE);
        PositionVisit { key, hash, ply, halfmoves: 0, fullmoves: 0, next, evaluation }
    }

    #[inline]
    pub(crate) fn seen(&self, game: u32) -> GamePly {
        let PositionVisit { ply, halfmoves, fullmoves, .. } = *self;
        GamePly { game, ply, halfmoves, fullmoves }
    }
}

/// The concatenated paths of a chunk of games.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    whole: Paths,
    /// The same visits, divided by the hashes of their positions; empty if they are not divided.
    parts: Vec<Paths>,
    games: Games,
    recorded: Vec<RecordedCounts>,
    /// The first visit of the current game.
    start: usize,
    /// The visits of the current game before this one are in `seen`.
    looked_at: usize,
    seen: PositionSet<(PositionKey, MoveCode)>,
}

/// What a game counts for once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Once {
    /// A position; an equal one is among this number of positions before it.
    Position { within: usize },
    /// A move of a position, since variations have several.
    Move,
}

impl Once {
    #[inline]
    fn are_equal(self, a: &PositionVisit, b: &PositionVisit) -> bool {
        a.hash == b.hash && a.key == b.key && (self != Once::Move || a.next == b.next)
    }

    fn identity(self, visit: &PositionVisit) -> (PositionKey, MoveCode) {
        (visit.key, if self == Once::Move { visit.next } else { MoveCode::NONE })
    }
}

/// Visits, and for each game that has some its index in the chunk and their end.
#[derive(Debug, Default)]
struct Paths {
    visits: Vec<PositionVisit>,
    ends: Vec<(u32, usize)>,
}

/// The path of a game: distinct positions, or distinct moves.
pub(crate) struct GamePath<'v> {
    pub(crate) visits: &'v [PositionVisit],
    /// The visits of this and of all later games.
    pub(crate) rest: &'v [PositionVisit],
    /// Its index among the games of the chunk.
    pub(crate) game: u32,
    pub(crate) recorded: RecordedCounts,
}

/// Maximum number of visits that are compared linearly.
const NEAR: usize = 32;

impl Visits {
    pub(crate) fn clear(&mut self) {
        self.whole.clear();
        self.parts.iter_mut().for_each(Paths::clear);
        self.games.clear();
        self.recorded.clear();
        self.undo();
    }

    /// Discards the current game.
    pub(crate) fn undo(&mut self) {
        // Of the current game, whether it is complete or not.
        if self.looked_at > self.start {
            self.seen.clear();
        }
        self.start = self.whole.ends.last().map_or(0, |(_, end)| *end);
        self.whole.visits.truncate(self.start);
        self.looked_at = self.start;
    }

    /// Adds a position to the current game, unless it was counted before.
    #[inline]
    pub(crate) fn visit(&mut self, visit: PositionVisit, once: Once) {
        let visits = &mut self.whole.visits;
        let in_game = visits.len() - self.start;
        let back = match once {
            Once::Position { within } => within.min(in_game),
            Once::Move => in_game,
        };
        let is_new = match back {
            0 => true,
            1..=NEAR => {
                let near = &visits[visits.len() - back..];
                !near.iter().any(|other| once.are_equal(other, &visit))
            }
            _ => self.is_new_among_many(&visit, once),
        };
        if is_new {
            self.whole.visits.push(visit);
        }
    }

    #[cold]
    fn is_new_among_many(&mut self, visit: &PositionVisit, once: Once) -> bool {
        let visits = &self.whole.visits;
        self.seen.extend(visits[self.looked_at..].iter().map(|visit| once.identity(visit)));
        self.looked_at = visits.len();
        !self.seen.contains(&once.identity(visit))
    }

    /// Returns how many times the current game counts.
    pub(crate) fn in_game(&self) -> usize {
        self.whole.visits.len() - self.start
    }

    /// Forgets which moves were played in the current game.
    pub(crate) fn forget_moves(&mut self) {
        self.whole.visits[self.start..].iter_mut().for_each(|visit| visit.next = MoveCode::NONE);
    }

    pub(crate) fn end(
        &mut self,
        number: u64,
        facts: GameFacts,
        class: &str,
        info: [&[u8]; 3],
        moves: &[u16],
        recorded: RecordedCounts,
    ) {
        self.games.begin(facts, 0, number, class, info, moves);
        self.whole.ends.push((self.recorded.len() as u32, self.whole.visits.len()));
        self.recorded.push(recorded);
        self.undo();
    }

    pub(crate) fn games(&self) -> &Games {
        &self.games
    }

    /// Divides the visits into `count` parts, unless that has been done.
    pub(crate) fn divide(&mut self, count: usize) {
        if count <= 1 {
            return self.parts.clear();
        }
        if self.parts.len() == count && self.parts.iter().any(|part| !part.ends.is_empty()) {
            return;
        }
        self.parts.iter_mut().for_each(Paths::clear);
        self.parts.resize_with(count, Paths::default);
        let mut start = 0;
        for (game, end) in &self.whole.ends {
            for visit in &self.whole.visits[start..*end] {
                self.parts[part_of(visit.hash, count)].visits.push(*visit);
            }
            start = *end;
            for part in &mut self.parts {
                if part.visits.len() > part.ends.last().map_or(0, |(_, end)| *end) {
                    part.ends.push((*game, part.visits.len()));
                }
            }
        }
    }

    /// Leaves the undivided visits to `other`, which needs their allocation, if they are divided.
    pub(crate) fn leave_whole(&mut self, other: &mut Visits) {
        if !self.parts.is_empty() {
            self.whole.clear();
            std::mem::swap(&mut self.whole, &mut other.whole);
        }
    }

    /// Returns the paths of all games, or those in a part if they are divided.
    pub(crate) fn paths(&self, part: usize) -> impl Iterator<Item = GamePath<'_>> {
        let paths = self.parts.get(part).unwrap_or(&self.whole);
        let mut start = 0;
        paths.ends.iter().map(move |(game, end)| {
            let rest = &paths.visits[start..];
            let visits = &rest[..*end - start];
            start = *end;
            GamePath { visits, rest, game: *game, recorded: self.recorded[*game as usize] }
        })
    }
}

/// One of `count` parts, which are in the order of partitions.
#[inline]
pub(crate) fn part_of(hash: u64, count: usize) -> usize {
    part_of_partition(partition_of_hash(hash), count)
}

#[inline]
pub(crate) fn part_of_partition(partition: usize, count: usize) -> usize {
    partition * count / PARTITIONS
}

impl Paths {
    fn clear(&mut self) {
        self.visits.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_does_not_hide_the_positions_of_the_next() {
        let mut visits = Visits::default();
        for _ in 0..2 {
            add(&mut visits, 0..100);
            end(&mut visits);
        }
        assert_eq!(keys(&visits), [(0..100).collect::<Vec<_>>(), (0..100).collect()]);
    }

    #[test]
    fn divided_visits_keep_the_order_of_games_and_positions() {
        let mut visits = Visits::default();
        add(&mut visits, 0..100);
        end(&mut visits);
        end(&mut visits);
        add(&mut visits, 50..150);
        end(&mut visits);
        for count in [3, 3, 1, 2, 300] {
            visits.divide(count);
            let mut found = Vec::new();
            for part in 0..count {
                for path in visits.paths(part) {
                    let hashes = path.visits.iter().map(|visit| visit.hash);
                    assert!(hashes.clone().all(|hash| part_of(hash, count) == part));
                    assert!(path.visits.is_sorted_by_key(|visit| visit.ply));
                    found.extend(path.visits.iter().map(|visit| (path.game, visit.key.0[0])));
                }
            }
            found.sort_unstable();
            let expected = (0..100).map(|key| (0, key)).chain((50..150).map(|key| (2, key)));
            assert!(found.into_iter().eq(expected), "{count}");
        }
        let mut other = Visits::default();
        visits.leave_whole(&mut other);
        assert!(other.paths(0).next().is_none() && other.whole.visits.capacity() > 0);
    }

    fn keys(visits: &Visits) -> Vec<Vec<u64>> {
        let key = |visit: &PositionVisit| visit.key.0[0];
        visits.paths(0).map(|path| path.visits.iter().map(key).collect()).collect()
    }

    fn add(visits: &mut Visits, keys: impl IntoIterator<Item = u64>) {
        for (ply, key) in (0..).zip(keys) {
            let visit = PositionVisit::of_key(PositionKey([key; 4]), ply, MoveCode::NONE);
            visits.visit(visit, Once::Position { within: usize::MAX });
        }
    }

    fn end(visits: &mut Visits) {
        let info = [&b""[..]; 3];
        visits.end(1, GameFacts::default(), "", info, &[], RecordedCounts::default());
    }

    #[test]
    fn a_position_counts_once_per_game_of_any_length() {
        let mut visits = Visits::default();
        add(&mut visits, [1, 2, 1, 3]);
        end(&mut visits);
        add(&mut visits, (0..100).chain(0..100));
        end(&mut visits);
        add(&mut visits, [1, 99]);
        end(&mut visits);
        assert_eq!(keys(&visits), [vec![1, 2, 3], (0..100).collect(), vec![1, 99]]);
    }

    #[test]
    fn a_move_counts_once_per_game_of_any_length() {
        for len in [4, 100] {
            let mut visits = Visits::default();
            let moves = (0..len).flat_map(|key| [(key, 1), (key, 2), (key, 1)]);
            for (key, next) in moves.clone().chain(moves) {
                let key = PositionKey([key; 4]);
                visits.visit(PositionVisit::of_key(key, 0, MoveCode(next)), Once::Move);
            }
            assert_eq!(visits.in_game(), 2 * len as usize);
        }
    }

    #[test]
    fn a_discarded_game_leaves_no_visits() {
        let mut visits = Visits::default();
        add(&mut visits, [7]);
        end(&mut visits);
        add(&mut visits, (0..100).chain([1]));
        visits.undo();
        add(&mut visits, 0..50);
        end(&mut visits);
        assert_eq!(keys(&visits), [vec![7], (0..50).collect()]);
    }
}
