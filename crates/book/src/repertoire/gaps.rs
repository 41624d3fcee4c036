//! What a repertoire does not answer, compared with the games of an explorer file.

use std::cmp::Reverse;
use std::collections::VecDeque;

use san::{AnyPosition, MoveCode, Position, PositionKey, PositionMap, keywords, san_of};

use super::{Repertoire, after};
use crate::error::BookError;
use crate::explorer::ExplorerFile;
use crate::tally::Tally;

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
    /// Returns the gaps that the games of an explorer file show, those of most games first.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn gaps(&self, games: &ExplorerFile, limits: &GapLimits) -> Result<Vec<Gap>, BookError> {
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
                    sum += tally;
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
