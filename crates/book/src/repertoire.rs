//! Opening repertoires: the lines that a side has prepared, compared with games.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

use emit::{GameContext, Omission, Ply, Problem, Sink};
use pgn::{Outcome, Place, known_value};
use san::{
    AnyPosition, Color, Move, MoveCode, Position, PositionKey, PositionMap, keywords, san_of,
};

use crate::aggregate::Source;
use crate::block::CountsEntry;
use crate::count_file::CountFile;
use crate::error::BookError;
use crate::tally::{Tally, UnknownResult};
use crate::totals::EntriesIter;

/// The positions and moves of a repertoire, whatever the order of the moves.
#[derive(Debug)]
pub struct Repertoire {
    side: Color,
    /// The moves of each position; none at the end of a line.
    moves: PositionMap<Vec<MoveCode>>,
    /// The positions in which its games start, besides the starting position.
    starts: BTreeSet<Box<str>>,
}

impl Repertoire {
    /// Makes the repertoire of a side from its lines, counted with variations and moves, in about
    /// `memory` bytes and with temporary files in `folder`. Fails if the counts cannot be read.
    pub fn new(
        lines: Source,
        side: Color,
        memory: usize,
        folder: &Path,
    ) -> Result<Self, BookError> {
        let (_, counts) = lines.open(memory, folder)?;
        let (mut moves, mut starts) = (PositionMap::default(), BTreeSet::<Box<str>>::new());
        let read = |entries: &mut EntriesIter<'_, '_>| {
            let position = |entry: CountsEntry<'_>| {
                let codes = entry.counts.iter().map(|(code, ..)| code.without_pin());
                let codes = codes.filter(|code| !code.is_none());
                let start: Box<str> = entry.game(entry.total.strongest).start.clone();
                (entry.key, codes.collect::<BTreeSet<_>>(), start)
            };
            entries.map(|entry| Ok(position(entry?))).collect::<Result<Vec<_>, BookError>>()
        };
        counts.map(1, read, &mut |positions| {
            for (key, codes, start) in positions {
                moves.insert(key, codes.into_iter().collect());
                starts.insert(start);
            }
            Ok(())
        })?;
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
    /// How many positions of the game meet the conditions.
    selected: u64,
    /// The last position of the game that is in the repertoire, and the move played from it.
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
            selected: 0,
            last: None,
        }
    }

    fn follow(&mut self, ply: Ply<'_>) {
        if self.repertoire.covers(ply.position) {
            self.last = Some((ply.number, ply.position.clone(), ply.next));
        }
    }

    /// Returns the games that were compared. Their numbers count from the beginning of the chunk.
    pub fn finish(self) -> Comparison {
        self.compared
    }
}

impl Sink for Compare<'_> {
    fn begin(&mut self, _: &GameContext<'_>) {
        self.discard_game();
    }

    fn ply(&mut self, ply: Ply<'_>, _: &GameContext<'_>) {
        self.selected += 1;
        self.follow(ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>, _: Omission) {
        self.follow(ply);
    }

    fn end(&mut self, context: &GameContext<'_>) {
        let Compare { repertoire, compared, positions, selected, last, .. } = self;
        *positions += *selected;
        if *selected == 0 {
            return;
        }
        let (ply, position, played) = match last.take() {
            None => return compared.outside += 1,
            Some((.., None)) => return compared.stayed += 1,
            Some((ply, position, Some(played))) => (ply, position, played),
        };
        let kind = match position.turn() == repertoire.side {
            true => DepartureKind::Own,
            false if repertoire.ends_at(&position) => DepartureKind::End,
            false => DepartureKind::Reply,
        };
        let name = |tag: &[u8]| known_value(&context.tags, tag).unwrap_or_default().into_owned();
        compared.left.push(Departure {
            game: context.number,
            place: context.place,
            white: name(b"White"),
            black: name(b"Black"),
            outcome: context.result().unwrap_or_default(),
            date: context.date(),
            kind,
            ply,
            played,
            moves: repertoire.covered_moves(&position).collect(),
            position,
        });
    }

    fn discard_game(&mut self) {
        self.last = None;
        self.selected = 0;
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}

keywords! {
    /// What is missing in a repertoire, or should be looked at.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum GapKind {
        /// A move of the opponent to which the repertoire has no answer.
        Reply = "reply",
        /// A line ends with a move of the repertoire's side, and games went on.
        End = "end",
        /// A move of the repertoire with a low score.
        Score = "score",
    }
}

/// A place where a repertoire and games differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// What is missing.
    pub kind: GapKind,
    /// The position.
    pub position: Position,
    /// The moves that lead to the position in the repertoire, and the move that is meant, in SAN.
    pub line: Vec<String>,
    /// The games that played the move, or went on after the end of the line.
    pub tally: Tally,
    /// The games that reached the position.
    pub of: u64,
}

/// Which gaps are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GapLimits {
    /// Minimum number of games.
    pub min_games: u64,
    /// Moves of the repertoire whose side scored less are reported, in millionths of a point.
    pub min_score: u64,
}

impl Repertoire {
    /// Returns the gaps that the games of a count file show, those of most games first.
    pub fn gaps(&self, games: &CountFile, limits: &GapLimits) -> Result<Vec<Gap>, BookError> {
        let lines = self.lines();
        let mut gaps = Vec::new();
        for (key, own) in &self.moves {
            let Some(found) = games.find(*key)? else { continue };
            let of = found.total.games;
            let position = key.position(0, 1)?;
            let mut add = |kind, played: MoveCode, tally: Tally| {
                if tally.games >= limits.min_games {
                    let line = lines.get(key).map_or(&[][..], |line| line);
                    let line = with_move(line, &position, played);
                    gaps.push(Gap { kind, position: position.clone(), line, tally, of });
                }
            };
            if position.turn() == self.side {
                for (code, tally) in found.moves {
                    let is_low = |score| score < limits.min_score;
                    if own.contains(&code) && self.score(&tally).is_some_and(is_low) {
                        add(GapKind::Score, code, tally);
                    }
                }
                continue;
            }
            let is_missing = |code: &MoveCode| {
                let after = code.find(&position).map(|played| after(&position, played));
                after.is_some_and(|after| !self.covers(&after) && !after.is_finished())
            };
            let missing = found.moves.into_iter().filter(|(code, _)| is_missing(code));
            if !self.ends_at(&position) {
                missing.for_each(|(code, tally)| add(GapKind::Reply, code, tally));
            } else {
                let went_on = missing.map(|(_, tally)| tally).reduce(|mut sum, tally| {
                    sum.add(tally, &found.games);
                    sum
                });
                if let Some(tally) = went_on {
                    add(GapKind::End, MoveCode::NONE, tally);
                }
            }
        }
        gaps.sort_by_cached_key(|gap| {
            let key = PositionKey::of(&gap.position);
            (Reverse(gap.tally.games), gap.line.clone(), gap.kind as u8, key)
        });
        Ok(gaps)
    }

    /// Returns the shortest line of the repertoire to each position, in SAN.
    fn lines(&self) -> PositionMap<Vec<String>> {
        let starts = self.starts.iter().filter_map(|fen| Position::from_fen(&**fen).ok());
        let mut waiting: VecDeque<(Position, Vec<String>)> =
            [Position::default()].into_iter().chain(starts).map(|start| (start, vec![])).collect();
        let mut lines = PositionMap::default();
        while let Some((position, line)) = waiting.pop_front() {
            let key = PositionKey::of(&position);
            let Some(moves) = self.moves.get(&key).filter(|_| !lines.contains_key(&key)) else {
                continue;
            };
            for code in moves {
                let Some(played) = code.find(&position) else { continue };
                let line = with_move(&line, &position, *code);
                waiting.push_back((after(&position, played), line));
            }
            lines.insert(key, line);
        }
        lines
    }
}

fn with_move(line: &[String], position: &Position, code: MoveCode) -> Vec<String> {
    let san = code.find(position).map(|played| san_of(position, played).to_string());
    line.iter().cloned().chain(san).collect()
}
