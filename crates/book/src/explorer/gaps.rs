//! What a repertoire does not answer, compared with the games of an explorer file.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

use san::{AnyPosition, Color, MoveCode, Position, PositionKey, PositionMap, keywords, san_of};

use super::{ExplorerEntry, ExplorerFile};
use crate::entries::{Entries, Entry};
use crate::error::BookError;
use crate::select::join_pins;
use crate::tally::{Tally, UnknownResult};
use crate::write::Source;

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
    /// The games that played the move, or reached the end of the line.
    pub tally: Tally,
    /// The games that reached the position.
    pub of: u64,
}

/// What is reported of a repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GapLimits {
    /// The side of the repertoire.
    pub side: Color,
    /// Minimum number of games.
    pub min_games: u64,
    /// Moves of the repertoire whose side scored less are reported, in millionths of a point.
    pub min_score: u64,
}

impl GapLimits {
    /// Returns the score of the repertoire's side in millionths.
    pub fn score(&self, tally: &Tally) -> Option<u64> {
        let white = tally.score_millionths(UnknownResult::Skip)?;
        Some(self.side.fold_wb(white, 1_000_000 - white))
    }
}

/// Compares a repertoire, counted with variations and moves, with the games of an explorer file.
/// Positions are compared, so the order of moves does not matter. Returns the gaps, those of most
/// games first.
///
/// # Errors
///
/// If the repertoire or the file cannot be read.
pub fn gaps(
    repertoire: Source,
    against: &ExplorerFile,
    limits: &GapLimits,
    memory: usize,
    folder: &Path,
) -> Result<Vec<Gap>, BookError> {
    let (_, mut counts) = repertoire.open(memory, folder)?;
    let mut entries = PositionMap::<Entry>::default();
    for entry in Entries::new(counts.iter(1), true) {
        let mut entry = entry?;
        join_pins(&mut entry.moves);
        entries.insert(entry.key, entry);
    }
    let lines = lines(&entries);
    let mut gaps = Vec::new();
    for entry in entries.values() {
        let Some(found) = against.find(entry.key)? else { continue };
        let of = found.total.games;
        let mut add = |kind, position: &Position, played: MoveCode, tally: Tally| {
            if tally.games >= limits.min_games {
                let line = lines.get(&entry.key).map_or(&[][..], |line| line);
                let line = with_move(line, position, played);
                gaps.push(Gap { kind, position: position.clone(), line, tally, of });
            }
        };
        let position = entry.key.position(0, 1)?;
        if position.turn() == limits.side {
            for (code, tally) in own_moves(entry, &found) {
                if limits.score(tally).is_some_and(|score| score < limits.min_score) {
                    add(GapKind::Score, &position, code, tally.clone());
                }
            }
            continue;
        }
        let is_answered = |code: MoveCode| {
            let played = code.find(&position)?;
            let mut after = position.clone();
            after.play_unchecked(played);
            let answer = entries.get(&PositionKey::of(&after));
            Some(answer.is_some_and(has_moves) || after.is_finished())
        };
        let replies: Vec<_> = found.moves.iter().map(|(code, _)| is_answered(*code)).collect();
        // Other lines may go on after a reply in another order of moves.
        if !has_moves(entry) && !replies.contains(&Some(true)) {
            if replies.contains(&Some(false)) {
                add(GapKind::End, &position, MoveCode::NONE, found.total);
            }
            continue;
        }
        for ((code, tally), reply) in found.moves.into_iter().zip(replies) {
            if reply == Some(false) {
                add(GapKind::Reply, &position, code, tally);
            }
        }
    }
    gaps.sort_by_cached_key(|gap| {
        let key = PositionKey::of(&gap.position);
        (Reverse(gap.tally.games), gap.line.clone(), gap.kind as u8, key)
    });
    Ok(gaps)
}

/// Whether the repertoire goes on.
fn has_moves(entry: &Entry) -> bool {
    entry.moves.iter().any(|(code, _)| !code.is_none())
}

/// Returns the moves of the repertoire that games have, with the counts of these.
fn own_moves<'f>(
    entry: &Entry,
    found: &'f ExplorerEntry,
) -> impl Iterator<Item = (MoveCode, &'f Tally)> {
    let codes = entry.moves.iter().map(|(code, _)| *code).filter(|code| !code.is_none());
    codes.filter_map(|code| {
        let at = found.moves.binary_search_by_key(&code, |(code, _)| *code).ok()?;
        Some((code, &found.moves[at].1))
    })
}

/// Returns the shortest line of the repertoire to each position, in SAN.
fn lines(entries: &PositionMap<Entry>) -> PositionMap<Vec<String>> {
    let starts = entries.values().map(|entry| &*entry.total.strongest.info.start);
    let starts: BTreeSet<&str> = starts.filter(|start| !start.is_empty()).collect();
    let starts = starts.into_iter().filter_map(|fen| Position::from_fen(fen).ok());
    let mut waiting: VecDeque<(Position, Vec<String>)> =
        [Position::default()].into_iter().chain(starts).map(|start| (start, vec![])).collect();
    let mut lines = PositionMap::default();
    while let Some((position, line)) = waiting.pop_front() {
        let key = PositionKey::of(&position);
        let Some(entry) = entries.get(&key).filter(|_| !lines.contains_key(&key)) else { continue };
        for (code, _) in &entry.moves {
            let Some(played) = code.find(&position) else { continue };
            let mut after = position.clone();
            after.play_unchecked(played);
            waiting.push_back((after, with_move(&line, &position, *code)));
        }
        lines.insert(key, line);
    }
    lines
}

/// Returns a line and the move that follows, if there is one.
fn with_move(line: &[String], position: &Position, code: MoveCode) -> Vec<String> {
    let san = code.find(position).map(|played| san_of(position, played).to_string());
    line.iter().cloned().chain(san).collect()
}
