//! From plies to counts: what a worker does.

use emit::{Ply, Problem, Sink, Skip};
use pgn::TagPair;
use san::{Packed, Position, Role};

use crate::tally::{GameFacts, Outcome};
use crate::visits::{Visit, Visits};
use crate::{Given, MoveCode};

/// Which positions are counted, apart from the window of plies, which is the plan's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only positions with these queens.
    pub queens: Option<Queens>,
    /// No position in which somebody is mated.
    pub no_mate: bool,
    /// No position in which the side to move is in check.
    pub no_check: bool,
    /// The least and the most pieces, with kings and pawns.
    pub pieces: Option<(u32, u32)>,
    /// The least and the greatest evaluation by an engine, in centipawns, in the view of the side to move. What has none is
    /// left out. The sink must [look ahead](emit::LookAhead), since engines tell with a move what the position before was worth.
    pub eval: Option<(i32, i32)>,
    /// Whether the moves of the strongest game are kept, to be written as PGN.
    pub moves: bool,
    /// Whether positions of variations come too: then all positions of a game are compared.
    pub variations: bool,
}

/// Which queens a position must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queens {
    /// One of each side at least.
    Both,
    /// One at least.
    Any,
}

/// The counts of a chunk of games, made by [`Collect`].
#[derive(Debug, Default)]
pub struct Counts {
    pub(crate) visits: Visits,
    /// What is wrong with the games.
    pub problems: Vec<Problem>,
    /// How many positions were counted.
    pub positions: u64,
    game: Current,
    games: u64,
}

/// The game that is being read.
#[derive(Debug, Default)]
struct Current {
    facts: GameFacts,
    white: Vec<u8>,
    black: Vec<u8>,
    start: Vec<u8>,
    moves: Vec<u16>,
}

impl Counts {
    /// Forgets everything but its memory.
    pub fn clear(&mut self) {
        self.visits.clear();
        self.problems.clear();
        self.positions = 0;
        self.games = 0;
    }

    /// Counts a position that stands in a book, on this line, if it is wanted, whatever its evaluation.
    pub fn record(&mut self, position: &Position, line: u64, given: &Given, wanted: &Wanted) {
        let plies = position.fullmoves().saturating_sub(1).saturating_mul(2);
        let number = plies.saturating_add(u32::from(position.turn().is_black()));
        if !wanted.wants(&Ply::new(position, None, number)) {
            return;
        }
        self.visits.visit(Visit::of(position, number, MoveCode::NONE), 0);
        self.visits.end(line, GameFacts::default(), [b"", b"", b""], &[], *given);
        self.positions += 1;
    }

    /// Counts a game whose positions are known already, each with the move played from it, in their order.
    ///
    /// Nothing is known of its players and of where it began. A position that comes again does not count again.
    pub fn game(&mut self, facts: GameFacts, positions: &[(Packed, MoveCode)]) {
        self.games += 1;
        for (ply, (key, next)) in (0..).zip(positions) {
            self.visits.visit(Visit::of_key(*key, ply, *next), usize::MAX);
        }
        self.positions += self.visits.in_game() as u64;
        self.visits.end(self.games, facts, [b"", b"", b""], &[], Given::default());
    }

    /// A sink that counts into this.
    pub fn sink<'c>(&'c mut self, wanted: &'c Wanted) -> Collect<'c> {
        Collect { counts: self, wanted }
    }
}

/// Counts the positions of games; made by [`Counts::sink`].
#[derive(Debug)]
pub struct Collect<'c> {
    counts: &'c mut Counts,
    wanted: &'c Wanted,
}

impl Wanted {
    #[inline]
    fn wants(&self, ply: &Ply<'_>) -> bool {
        let position = ply.position;
        if let Some(queens) = self.queens {
            let queens_of = |color| (position.pieces(Role::Queen) & position.side(color)).any();
            let (white, black) = (queens_of(san::Color::White), queens_of(san::Color::Black));
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
        if (self.no_check || self.no_mate) && position.is_check() {
            return !self.no_check && position.has_legal_move();
        }
        true
    }
}

impl Wanted {
    fn wants_eval(&self, ply: &Ply<'_>) -> bool {
        self.eval.is_none() || !Skip { outside: self.eval, ..Skip::default() }.leaves_out(ply)
    }
}

impl Sink for Collect<'_> {
    fn leave_out(&mut self) {
        self.counts.games += 1;
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        let Counts { visits, game, .. } = &mut *self.counts;
        visits.undo();
        game.moves.clear();
        game.facts = facts(tags);
        for (name, text) in [
            (&b"White"[..], &mut game.white),
            (b"Black", &mut game.black),
            (b"FEN", &mut game.start),
        ] {
            text.clear();
            if let Some(tag) = tags.iter().find(|tag| tag.name() == name) {
                append_text(&tag.value(), text);
            }
        }
        self.counts.games += 1;
    }

    #[inline]
    fn ply(&mut self, ply: Ply<'_>) {
        let Counts { visits, game, .. } = &mut *self.counts;
        let next = MoveCode::of(ply.next);
        if self.wanted.moves {
            game.follow(&ply, next);
        }
        if !self.wanted.wants(&ply) || !self.wanted.wants_eval(&ply) {
            return;
        }
        // What is between two equal positions only moves pieces: the clock says how far it may go back.
        let back = match self.wanted.variations {
            true => usize::MAX,
            false => ply.position.halfmoves() as usize,
        };
        visits.visit(Visit::of(ply.position, ply.number, next), back);
    }

    #[inline]
    fn pass(&mut self, ply: Ply<'_>) {
        if self.wanted.moves {
            self.counts.game.follow(&ply, MoveCode::of(ply.next));
        }
    }

    fn end(&mut self, outcome: Option<pgn::Outcome>) {
        let Counts { visits, game, games, positions, .. } = &mut *self.counts;
        if visits.in_game() == 0 {
            return;
        }
        if game.facts.outcome == Outcome::Unknown {
            game.facts.outcome = outcome.map_or(Outcome::Unknown, Outcome::from);
        }
        let story = [&game.white[..], &game.black, &game.start];
        *positions += visits.in_game() as u64;
        visits.end(*games, game.facts, story, &game.moves, Given::default());
    }

    fn undo(&mut self) {
        self.counts.visits.undo();
    }

    fn problem(&mut self, problem: Problem) {
        self.counts.problems.push(problem);
    }
}

impl Current {
    /// Keeps the move, if it is one of the main line.
    #[inline]
    fn follow(&mut self, ply: &Ply<'_>, next: MoveCode) {
        if ply.branches.is_empty() && ply.number as usize == self.moves.len() && !next.is_none() {
            self.moves.push(next.0);
        }
    }
}

fn facts(tags: &[TagPair<'_>]) -> GameFacts {
    let mut facts = GameFacts::default();
    let (mut white, mut black) = (0, 0);
    let mut year = [0; 2];
    for tag in tags {
        match tag.name() {
            b"Result" => facts.outcome = Outcome::of(tag.raw_value()),
            b"WhiteElo" => white = elo(tag.raw_value()),
            b"BlackElo" => black = elo(tag.raw_value()),
            b"Date" => year[0] = year_of(tag.raw_value()),
            b"UTCDate" => year[1] = year_of(tag.raw_value()),
            _ => {}
        }
    }
    if white > 0 && black > 0 {
        facts.elo_sum = white + black;
    }
    facts.year = if year[0] > 0 { year[0] } else { year[1] };
    facts
}

/// A rating up to 9999; 0 for anything else.
fn elo(text: &[u8]) -> u16 {
    let text = text.trim_ascii();
    if text.is_empty() || text.len() > 4 || !text.iter().all(u8::is_ascii_digit) {
        return 0;
    }
    text.iter().fold(0, |sum, digit| 10 * sum + u16::from(digit - b'0'))
}

/// The four digits that a date begins with; 0 if there are none.
fn year_of(text: &[u8]) -> u16 {
    text.get(..4).map_or(0, elo)
}

/// Appends the text of a tag: UTF-8 as it is, anything else as ISO 8859-1. What stands for "unknown" is left out.
fn append_text(bytes: &[u8], text: &mut Vec<u8>) {
    if bytes == b"?" {
        return;
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => text.extend_from_slice(bytes),
        Err(_) => text.extend_from_slice(emit::text_of(bytes).as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use emit::{Plan, Replay};

    use super::*;
    use crate::Aggregate;

    #[test]
    fn a_name_is_kept_whole_however_long_it_is() {
        let name = "x".repeat(40 << 20);
        let text = format!("[White \"{name}\"]\n\n1. e4 *\n");
        let (plan, mut counts) = (Plan::default(), Counts::default());
        let chunk = pgn::Chunk::whole(text.as_bytes());
        Replay::new(chunk, &plan).run(&mut counts.sink(&Wanted::default()));
        // The second limit has them written to disk.
        for memory in [1 << 30, 1] {
            let mut aggregate = Aggregate::new(memory, &std::env::temp_dir());
            aggregate.add(&counts, 0, 0).unwrap();
            let mut positions = 0;
            aggregate
                .for_each(&mut |_, _, tally| {
                    assert_eq!(tally.strongest.story.white.len(), name.len());
                    positions += 1;
                })
                .unwrap();
            assert_eq!(positions, 2);
        }
    }
}
