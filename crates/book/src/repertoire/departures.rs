//! Where games leave a repertoire.

use emit::{Ply, Problem, Sink, date_of_game};
use pgn::{Outcome, Place, TagPair, known_value};
use san::{Move, Position, keywords};

use super::Repertoire;
use crate::collect::outcome_of;

keywords! {
    /// Why a game is not in the repertoire any more.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum DepartureKind {
        /// The side of the repertoire played another move than the repertoire has.
        Own = "own",
        /// The opponent played a move to which the repertoire has no answer.
        Reply = "reply",
        /// The line of the repertoire ended.
        End = "end",
    }
}

/// A game that left a repertoire, and did not come back into it by another order of moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Departure {
    /// Number of the game, from 1.
    pub game: u64,
    /// Where the game begins.
    pub place: Place,
    /// The player of the white pieces; empty if unknown.
    pub white: String,
    /// The player of the black pieces; empty if unknown.
    pub black: String,
    /// The result.
    pub outcome: Outcome,
    /// Year, month and day; 0 if unknown.
    pub date: [u32; 3],
    /// Why it left.
    pub kind: DepartureKind,
    /// Number of plies played before the last position that is in the repertoire.
    pub ply: u32,
    /// This position.
    pub position: Position,
    /// The move that left the repertoire.
    pub played: Move,
    /// The moves that would have stayed in it.
    pub moves: Vec<Move>,
}

/// Games compared with a repertoire.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The games that left it.
    pub left: Vec<Departure>,
    /// Number of games that did not, as far as they can be read.
    pub stayed: u64,
    /// Number of games without a position of the repertoire.
    pub outside: u64,
}

/// Compares the games of a chunk with a repertoire, by their main lines.
#[derive(Debug)]
pub struct Compare<'r> {
    repertoire: &'r Repertoire,
    compared: Comparison,
    /// The positions that meet the conditions.
    pub positions: u64,
    /// The problems of the games.
    pub problems: Vec<Problem>,
    game: Current,
}

#[derive(Debug, Default)]
struct Current {
    number: u64,
    place: Place,
    white: String,
    black: String,
    outcome: Outcome,
    date: [u32; 3],
    /// How many of its positions meet the conditions.
    selected: u64,
    /// The last position that is in the repertoire, and the move played from it.
    last: Option<(u32, Position, Option<Move>)>,
}

impl<'r> Compare<'r> {
    /// Creates a sink. The plan must have the fact [`Line`](emit::Fact::Line).
    pub fn new(repertoire: &'r Repertoire) -> Self {
        Compare {
            repertoire,
            compared: Comparison::default(),
            positions: 0,
            problems: Vec::new(),
            game: Current::default(),
        }
    }

    /// Returns the games that were compared. Their numbers count from the beginning of the chunk.
    pub fn finish(self) -> Comparison {
        self.compared
    }
}

impl Sink for Compare<'_> {
    fn number(&mut self, game: u64, place: Place) {
        (self.game.number, self.game.place) = (game, place);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        let name = |tag: &[u8]| known_value(tags, tag).unwrap_or_default().into_owned();
        self.game = Current {
            number: self.game.number,
            place: self.game.place,
            white: name(b"White"),
            black: name(b"Black"),
            outcome: outcome_of(tags),
            date: date_of_game(tags),
            selected: 0,
            last: None,
        };
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.game.selected += 1;
        self.skipped_ply(ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        if self.repertoire.covers(ply.position) {
            self.game.last = Some((ply.number, ply.position.clone(), ply.next));
        }
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        let Compare { repertoire, compared, positions, game, .. } = self;
        *positions += game.selected;
        if game.selected == 0 {
            return;
        }
        let (ply, position, played) = match game.last.take() {
            None => return compared.outside += 1,
            Some((.., None)) => return compared.stayed += 1,
            Some((ply, position, Some(played))) => (ply, position, played),
        };
        let kind = match position.turn() == repertoire.side {
            true => DepartureKind::Own,
            false if repertoire.ends_at(&position) => DepartureKind::End,
            false => DepartureKind::Reply,
        };
        compared.left.push(Departure {
            game: game.number,
            place: game.place,
            white: std::mem::take(&mut game.white),
            black: std::mem::take(&mut game.black),
            outcome: match game.outcome {
                Outcome::Unknown => outcome.unwrap_or_default(),
                outcome => outcome,
            },
            date: game.date,
            kind,
            ply,
            played,
            moves: repertoire.covered_moves(&position).collect(),
            position,
        });
    }

    fn discard_game(&mut self) {
        self.game.last = None;
        self.game.selected = 0;
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
