//! Counts the plies of games; runs in the workers.

use std::mem;

use emit::{EvaluationRange, GameContext, Omission, Ply, Problem, Ratings, Sink};
use epd::Opcode;
use pgn::known_value;
use san::{Color, MoveCode, Position, PositionKey, PositionSet, Role, keywords};

use crate::games::GroupBy;
use crate::tally::{Evaluation, Game, Occurrence, RecordedCounts};

#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionVisit {
    pub(crate) key: PositionKey,
    pub(crate) hash: u64,
    pub(crate) ply: u16,
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
        let (ply, halfmoves) = (clock(ply), clock(position.halfmoves()));
        let fullmoves = clock(position.fullmoves());
        let key = PositionKey::of(position);
        let is_pinned = position.pinned_en_passant().is_some() && !next.is_none();
        let next = if is_pinned { next.with_pin() } else { next };
        PositionVisit { key, hash: key.stable_hash(), ply, halfmoves, fullmoves, next, evaluation }
    }

    /// Creates a visit of a position with unknown clocks.
    pub(crate) fn of_key(key: PositionKey, ply: u16, next: MoveCode) -> Self {
        let (hash, evaluation) = (key.stable_hash(), Evaluation::NONE);
        PositionVisit { key, hash, ply, halfmoves: 0, fullmoves: 0, next, evaluation }
    }

    pub(crate) fn seen(&self, game: u32) -> Occurrence {
        let PositionVisit { ply, halfmoves, fullmoves, evaluation, .. } = *self;
        Occurrence { game, ply, halfmoves, fullmoves, evaluation }
    }
}

/// The concatenated paths of a chunk of games.
#[derive(Debug, Default)]
pub(crate) struct Visits {
    whole: Paths,
    /// The same visits, divided by the hashes of their positions; empty if they are not divided.
    parts: Vec<Paths>,
    games: Vec<(Game, RecordedCounts)>,
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
    pub(crate) game: &'v Game,
    pub(crate) recorded: RecordedCounts,
}

/// Maximum number of visits that are compared linearly.
const NEAR: usize = 32;

impl Visits {
    pub(crate) fn clear(&mut self) {
        self.whole.clear();
        self.parts.iter_mut().for_each(Paths::clear);
        self.games.clear();
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

    fn forget_moves(&mut self) {
        self.whole.visits[self.start..].iter_mut().for_each(|visit| visit.next = MoveCode::NONE);
    }

    pub(crate) fn end(&mut self, game: Game, recorded: RecordedCounts) {
        self.whole.ends.push((self.games.len() as u32, self.whole.visits.len()));
        self.games.push((game, recorded));
        self.undo();
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
            mem::swap(&mut self.whole, &mut other.whole);
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
            let (game, recorded) = &self.games[*game as usize];
            GamePath { visits, rest, game, recorded: *recorded }
        })
    }
}

pub(crate) fn part_of(hash: u64, count: usize) -> usize {
    ((hash >> 56) as usize * count) >> 8
}

impl Paths {
    fn clear(&mut self) {
        self.visits.clear();
        self.ends.clear();
    }
}

/// Which positions are counted, in addition to the plan's window of plies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionFilter {
    /// Only positions with these queens.
    pub queens: Option<Queens>,
    /// Minimum and maximum number of pieces, including kings and pawns.
    pub pieces: Option<(u32, u32)>,
    /// Only positions whose engine evaluation is in this range. The plan must have the fact
    /// [`Eval`](emit::Fact::Eval): engines record the evaluation of a position with the next move.
    pub eval: Option<EvaluationRange>,
    /// Counts only the first matching position of each game.
    pub once_per_game: bool,
    /// Whether the moves of the strongest game are kept, for writing PGN.
    pub moves: bool,
    /// Whether variations are included; a game then counts once for each move of a position.
    pub variations: bool,
    /// What is counted of each position.
    pub details: Details,
    /// By what games are divided into classes that are counted separately.
    pub group_by: GroupBy,
}

/// What is counted of a position besides the number of games, their results, and the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Details {
    /// Each move played from it.
    pub moves: bool,
    /// The strongest game with its players, ratings, and years.
    pub games: bool,
    /// Also the most recent game.
    pub latest: bool,
}

impl Details {
    /// No details.
    pub const NONE: Details = Details { moves: false, games: false, latest: false };
    /// All details.
    pub const ALL: Details = Details { moves: true, games: true, latest: true };
}

impl Default for Details {
    fn default() -> Self {
        Details::ALL
    }
}

keywords! {
    /// Required queens.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Queens {
        /// At least one of each side.
        Both = "both",
        /// At least one.
        Any = "any",
    }
}

/// The counts of a chunk of games, made by [`Collect`].
#[derive(Debug, Default)]
pub struct Counts {
    pub(crate) visits: Visits,
    /// The problems found in the games.
    pub problems: Vec<Problem>,
    /// The number of positions counted.
    pub positions: u64,
    game: CurrentGame,
    games: u64,
}

#[derive(Debug, Default)]
struct CurrentGame {
    moves: Vec<u16>,
    /// What the record of a file of positions states.
    recorded: Option<RecordedCounts>,
}

impl Counts {
    /// Clears all counts but keeps the allocations.
    pub fn clear(&mut self) {
        self.visits.clear();
        self.problems.clear();
        self.positions = 0;
        self.games = 0;
    }

    /// Counts a game whose positions are known, each with the move played from it, in order. Its
    /// number is set here. A repeated position is counted once.
    pub fn game(&mut self, game: Game, positions: &[(PositionKey, MoveCode)]) {
        self.games += 1;
        for (ply, (key, next)) in (0..).zip(positions) {
            let once = Once::Position { within: usize::MAX };
            self.visits.visit(PositionVisit::of_key(*key, ply, *next), once);
        }
        self.positions += self.visits.in_game() as u64;
        self.visits.end(Game { number: self.games, ..game }, RecordedCounts::default());
    }

    /// Returns a sink that counts into `self`.
    pub fn sink<'c>(&'c mut self, filter: &'c PositionFilter) -> Collect<'c> {
        Collect { counts: self, filter }
    }
}

/// Counts the positions of games; made by [`Counts::sink`].
#[derive(Debug)]
pub struct Collect<'c> {
    counts: &'c mut Counts,
    filter: &'c PositionFilter,
}

impl PositionFilter {
    #[inline]
    fn wants(&self, ply: &Ply<'_>) -> bool {
        let position = ply.position;
        if let Some(queens) = self.queens {
            let queens_of = |color| (position.pieces(Role::Queen) & position.side(color)).any();
            let (white, black) = (queens_of(Color::White), queens_of(Color::Black));
            let there = if queens == Queens::Both { white && black } else { white || black };
            if !there {
                return false;
            }
        }
        let pieces = position.occupied().count() as u32;
        self.pieces.is_none_or(|(least, most)| (least..=most).contains(&pieces))
    }
}

impl Collect<'_> {
    #[inline]
    fn count(&mut self, ply: &Ply<'_>, next: MoveCode) {
        let visits = &mut self.counts.visits;
        if self.filter.once_per_game && visits.in_game() > 0 || !self.filter.wants(ply) {
            return;
        }
        let mut evaluation = Evaluation::NONE;
        if let Some(range) = self.filter.eval {
            let Some(centipawns) = emit::evaluation(ply).map(epd::Centipawns::get) else { return };
            if !range.contains(centipawns, ply.position.turn()) {
                return;
            }
            evaluation = Evaluation::new(centipawns);
        }
        let once = match self.filter.variations {
            true => Once::Move,
            // Between equal positions are only piece moves, which the halfmove clock counts.
            false => Once::Position { within: ply.position.halfmoves() as usize },
        };
        visits.visit(PositionVisit::of(ply.position, ply.number, next, evaluation), once);
    }
}

/// Longest name of a player in bytes; others are cut.
const LONGEST_NAME: usize = 255;
const MOST_MOVES: usize = u16::MAX as usize;

impl Sink for Collect<'_> {
    fn game_filtered_out(&mut self) {
        self.counts.games += 1;
    }

    fn begin(&mut self, _: &GameContext<'_>) {
        let Counts { visits, game, games, .. } = &mut *self.counts;
        visits.undo();
        game.recorded = None;
        game.moves.clear();
        *games += 1;
    }

    // Builds for tests have one copy, see `Replay::run_inlined`.
    #[cfg_attr(not(debug_assertions), inline)]
    fn ply(&mut self, ply: Ply<'_>, game: &GameContext<'_>) {
        let next = MoveCode::of(ply.next);
        if let Some(known) = ply.known() {
            let comment = known.text(Opcode::C0);
            let recorded = comment
                .and_then(|text| RecordedCounts::of_comment(&text))
                .or_else(|| RecordedCounts::of_row(&game.tags));
            self.counts.game.recorded = Some(recorded.unwrap_or_default());
        }
        if self.filter.moves {
            self.counts.game.follow(&ply, next);
        }
        self.count(&ply, next);
    }

    fn alternative(&mut self, ply: Ply<'_>, is_selected: bool) {
        // A null move leads to no other position.
        if is_selected && ply.next.is_some() && !self.filter.once_per_game {
            self.count(&ply, MoveCode::of(ply.next));
        }
    }

    fn skipped_ply(&mut self, ply: Ply<'_>, _: Omission) {
        if self.filter.moves {
            self.counts.game.follow(&ply, MoveCode::of(ply.next));
        }
    }

    fn end(&mut self, context: &GameContext<'_>) {
        let Counts { visits, game, games, positions, .. } = &mut *self.counts;
        if visits.in_game() == 0 {
            return;
        }
        *positions += visits.in_game() as u64;
        let PositionFilter { group_by, details, .. } = self.filter;
        let known = if details.games { known_game(context) } else { Game::default() };
        let class = || Box::new(group_by.class_of(&context.tags));
        let ended = Game {
            number: if game.recorded.is_some() { context.place.line } else { *games },
            outcome: context.result().unwrap_or_default(),
            moves: (*game.moves).into(),
            class: (!group_by.is_empty()).then(class),
            ..known
        };
        if !details.moves {
            visits.forget_moves();
        }
        visits.end(ended, game.recorded.unwrap_or_default());
    }

    fn discard_game(&mut self) {
        self.counts.visits.undo();
    }

    fn problem(&mut self, problem: Problem) {
        self.counts.problems.push(problem);
    }
}

impl CurrentGame {
    /// Keeps the move if it is part of the main line.
    fn follow(&mut self, ply: &Ply<'_>, next: MoveCode) {
        let is_next = ply.number as usize == self.moves.len() && self.moves.len() < MOST_MOVES;
        if is_next && ply.branches.is_empty() && !next.is_none() {
            self.moves.push(next.0);
        }
    }
}

fn known_game(context: &GameContext<'_>) -> Game {
    let Ratings { white, black } = context.ratings();
    // Rounded like the columns `white_elo` and `black_elo` of the converter.
    let both = white.zip(black).map(|(white, black)| (white.round() + black.round()) as u16);
    let [year, ..] = context.date();
    let text = |name: &[u8]| {
        let value = known_value(&context.tags, name).unwrap_or_default();
        value[..value.floor_char_boundary(LONGEST_NAME)].into()
    };
    let (white, black, start) = (text(b"White"), text(b"Black"), text(b"FEN"));
    let (elo_sum, year) = (both.unwrap_or(0), year as u16);
    Game { elo_sum, year, white, black, start, ..Game::default() }
}

#[cfg(test)]
mod tests {
    use emit::{Plan, Replay};

    use super::*;
    use crate::aggregate::Aggregate;

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
                    found
                        .extend(path.visits.iter().map(|visit| (path.game.number, visit.key.0[0])));
                }
            }
            found.sort_unstable();
            let expected = (0..100).map(|key| (1, key)).chain((50..150).map(|key| (3, key)));
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
        let number = visits.games.len() as u64 + 1;
        visits.end(Game { number, ..Game::default() }, RecordedCounts::default());
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

    #[test]
    fn long_names_are_cut() {
        let name = "é".repeat(20 << 20);
        let text = format!("[White \"x{name}\"]\n\n1. e4 *\n");
        let plan = Plan::default();
        // The second limit forces spilling to disk.
        for memory in [1 << 30, 1] {
            let mut counts = Counts::default();
            let chunk = pgn::Chunk::whole(text.as_bytes());
            Replay::new(chunk, &plan).run(&mut counts.sink(&PositionFilter::default()));
            let aggregate = Aggregate::new(memory, &std::env::temp_dir());
            aggregate.add(&mut counts, 0, 0).unwrap();
            let games = aggregate.finish().unwrap().all();
            let names: Vec<_> = games.into_iter().map(|(.., game, _)| game.white).collect();
            assert_eq!(names, vec![format!("x{}", "é".repeat(127)).into(); 2]);
        }
    }
}
