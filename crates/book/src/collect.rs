//! Counts the plies of games; runs in the workers.

use emit::{EvaluationRange, Omissions, Ply, Problem, Ratings, Sink, date_of_game};
use epd::Opcode;
use pgn::{Outcome, Place, TagPair, known_value};
use san::{Color, MoveCode, PositionKey, Role, keywords};

use crate::class::GroupBy;
use crate::evaluation::Evaluation;
use crate::recorded_counts::RecordedCounts;
use crate::tally::GameFacts;
use crate::visits::{Once, PositionVisit, Visits};

/// Which positions are counted, in addition to the plan's window of plies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionFilter {
    /// Only positions with these queens.
    pub queens: Option<Queens>,
    /// Kinds of positions that are not counted. The plan must have them too, since comments are
    /// read for some of them.
    pub omit: Omissions,
    /// Minimum and maximum number of pieces, including kings and pawns.
    pub pieces: Option<(u32, u32)>,
    /// Only positions whose engine evaluation is in this range. The plan must have the fact
    /// [`Eval`](emit::Fact::Eval), since engines record the evaluation of a position with the move
    /// played from it.
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
    /// Whether counts are sorted as explorer files are. Partial results need another order.
    pub in_order: bool,
}

impl Details {
    /// No details.
    pub const NONE: Details =
        Details { moves: false, games: false, latest: false, in_order: false };
    /// All details.
    pub const ALL: Details = Details { moves: true, games: true, latest: true, in_order: false };
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
    game: Current,
    games: u64,
}

#[derive(Debug, Default)]
struct Current {
    facts: GameFacts,
    /// Its class as text; empty if all games are counted together.
    class: String,
    white: Vec<u8>,
    black: Vec<u8>,
    start: Vec<u8>,
    moves: Vec<u16>,
    line: u64,
    /// Whether it is a record or an entry of a file of positions.
    is_record: bool,
    recorded: RecordedCounts,
}

impl Counts {
    /// Clears all counts but keeps the allocations.
    pub fn clear(&mut self) {
        self.visits.clear();
        self.problems.clear();
        self.positions = 0;
        self.games = 0;
    }

    /// Counts a game whose positions are known, each with the move played from it, in order.
    ///
    /// Its players and its start are unknown. A repeated position is counted once.
    pub fn game(&mut self, facts: GameFacts, positions: &[(PositionKey, MoveCode)]) {
        self.games += 1;
        for (ply, (key, next)) in (0..).zip(positions) {
            let once = Once::Position { within: usize::MAX };
            self.visits.visit(PositionVisit::of_key(*key, ply, *next), once);
        }
        self.positions += self.visits.in_game() as u64;
        self.visits.end(self.games, facts, "", [b"", b"", b""], &[], RecordedCounts::default());
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
        if let Some((least, most)) = self.pieces {
            let pieces = position.occupied().count() as u32;
            if !(least..=most).contains(&pieces) {
                return false;
            }
        }
        self.omit.is_empty() || self.omit.of_position(ply, None).is_none()
    }

    /// The value is read only if it is needed; `None` if it excludes the position.
    #[inline]
    fn evaluation(
        &self,
        turn: Color,
        read: impl FnOnce() -> Option<epd::Centipawns>,
    ) -> Option<Evaluation> {
        let Some(range) = self.eval else { return Some(Evaluation::NONE) };
        let centipawns = read()?.get();
        range.contains(centipawns, turn).then(|| Evaluation::new(centipawns))
    }
}

impl Collect<'_> {
    #[inline]
    fn count(&mut self, ply: &Ply<'_>, next: MoveCode) {
        let visits = &mut self.counts.visits;
        if self.filter.once_per_game && visits.in_game() > 0 || !self.filter.wants(ply) {
            return;
        }
        let read = || emit::evaluation(ply);
        let Some(evaluation) = self.filter.evaluation(ply.position.turn(), read) else { return };
        let once = match self.filter.variations {
            true => Once::Move,
            // Between two equal positions there are only piece moves, so the halfmove clock bounds
            // the search.
            false => Once::Position { within: ply.position.halfmoves() as usize },
        };
        visits.visit(PositionVisit::of(ply.position, ply.number, next, evaluation), once);
    }

    fn keep_players(&mut self, tags: &[TagPair<'_>]) {
        let game = &mut self.counts.game;
        for (name, text) in [
            (&b"White"[..], &mut game.white),
            (b"Black", &mut game.black),
            (b"FEN", &mut game.start),
        ] {
            text.clear();
            if let Some(value) = known_value(tags, name) {
                text.extend_from_slice(value.as_bytes());
            }
        }
    }
}

impl Sink for Collect<'_> {
    fn number(&mut self, _: u64, place: Place) {
        self.counts.game.line = place.line;
    }

    fn game_filtered_out(&mut self) {
        self.counts.games += 1;
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        let Counts { visits, game, games, .. } = &mut *self.counts;
        visits.undo();
        (game.is_record, game.recorded) = (false, RecordedCounts::default());
        game.moves.clear();
        *games += 1;
        game.class = self.filter.group_by.text_of(tags);
        if self.filter.details.games {
            game.facts = facts(tags);
            self.keep_players(tags);
        } else {
            game.facts = GameFacts { outcome: outcome_of(tags), ..GameFacts::default() };
        }
    }

    // Builds for tests have one copy, see `Replay::next_game`.
    #[cfg_attr(not(debug_assertions), inline)]
    fn ply(&mut self, ply: Ply<'_>) {
        let next = MoveCode::of(ply.next);
        if let Some(known) = ply.known() {
            let game = &mut self.counts.game;
            let comment = known.text(Opcode::C0);
            game.is_record = true;
            let recorded = comment.and_then(|text| RecordedCounts::of_comment(&text));
            game.recorded = recorded.unwrap_or_default();
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

    #[inline]
    fn skipped_ply(&mut self, ply: Ply<'_>) {
        if self.filter.moves {
            self.counts.game.follow(&ply, MoveCode::of(ply.next));
        }
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        let Counts { visits, game, games, positions, .. } = &mut *self.counts;
        if visits.in_game() == 0 {
            return;
        }
        if game.facts.outcome == Outcome::Unknown {
            game.facts.outcome = outcome.unwrap_or_default();
        }
        let info = [&game.white[..], &game.black, &game.start];
        *positions += visits.in_game() as u64;
        let number = if game.is_record { game.line } else { *games };
        if !self.filter.details.moves {
            visits.forget_moves();
        }
        visits.end(number, game.facts, &game.class, info, &game.moves, game.recorded);
    }

    fn discard_game(&mut self) {
        self.counts.visits.undo();
    }

    fn problem(&mut self, problem: Problem) {
        self.counts.problems.push(problem);
    }
}

impl Current {
    /// Keeps the move if it is part of the main line.
    #[inline]
    fn follow(&mut self, ply: &Ply<'_>, next: MoveCode) {
        if ply.branches.is_empty() && ply.number as usize == self.moves.len() && !next.is_none() {
            self.moves.push(next.0);
        }
    }
}

fn facts(tags: &[TagPair<'_>]) -> GameFacts {
    let Ratings { white, black } = Ratings::of(tags);
    let [year, ..] = date_of_game(tags);
    GameFacts {
        // Rounded like the columns `white_elo` and `black_elo` of the converter.
        elo_sum: white
            .zip(black)
            .map_or(0, |(white, black)| (white.round() + black.round()) as u16),
        year: year as u16,
        outcome: outcome_of(tags),
    }
}

pub(crate) fn outcome_of(tags: &[TagPair<'_>]) -> Outcome {
    let result = tags.iter().find(|tag| tag.name() == b"Result");
    result.map_or(Outcome::default(), |tag| Outcome::of_tag(&tag.value()))
}

#[cfg(test)]
mod tests {
    use emit::{Plan, Replay};

    use super::*;
    use crate::aggregate::Aggregate;

    #[test]
    fn names_of_any_length_are_kept() {
        let name = "x".repeat(40 << 20);
        let text = format!("[White \"{name}\"]\n\n1. e4 *\n");
        let plan = Plan::default();
        // The second limit forces spilling to disk.
        for memory in [1 << 30, 1] {
            let mut counts = Counts::default();
            let chunk = pgn::Chunk::whole(text.as_bytes());
            Replay::new(chunk, &plan).run(&mut counts.sink(&PositionFilter::default()));
            let aggregate = Aggregate::new(memory, &std::env::temp_dir());
            aggregate.add(&mut counts, 0, 0).unwrap();
            let mut positions = 0;
            aggregate
                .for_each(&mut |_, _, tally| {
                    assert_eq!(tally.strongest.info.white.len(), name.len());
                    positions += 1;
                })
                .unwrap();
            assert_eq!(positions, 2);
        }
    }
}
