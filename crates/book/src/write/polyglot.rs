//! Polyglot books. The weight of a move is two per win and one per draw of the side that plays it;
//! games without a result count as draws if requested ([`UnknownResult`]). If a weight of a
//! position exceeds 16 bits, all of them are scaled. Moves without a point are omitted, because
//! they would never be played, unless all moves have the same weight.

use std::io::{BufWriter, Write};

use san::{MoveCode, Position, PositionKey};
use stream::spill::Sorter;

use super::PieceForm;
use crate::error::BookError;
use crate::polyglot::polyglot_move;
use crate::select::{MoveChoice, SelectedPosition, Weights, fields};
use crate::tally::{Tally, UnknownResult};

/// The entries of positions, which are sorted afterwards.
pub(super) struct Polyglot {
    pub(super) unknown: UnknownResult,
    pub(super) moves: MoveChoice,
}

/// The sort keys and the entries of some positions.
pub(super) type SortedEntries = Vec<([u8; KEY], Vec<u8>)>;

/// Size of a sort key in bytes: Polyglot's key and the position.
const KEY: usize = 8 + 32;

fn points(tally: &Tally, white: bool, unknown: UnknownResult) -> u64 {
    let wins = if white { tally.white } else { tally.black };
    wins.saturating_mul(2).saturating_add(tally.draws_with(unknown))
}

impl Polyglot {
    /// Returns the weight of a move before scaling, if the book has it.
    fn weight(&self, tally: &Tally, white: bool) -> Option<u64> {
        let points = points(tally, white, self.unknown);
        let MoveChoice { min_games, min_score, weights } = self.moves;
        let decided = tally.white.saturating_add(tally.black);
        let games = u128::from(decided.saturating_add(tally.draws_with(self.unknown)));
        // Twice as many points as games are a score of one; without games there is none.
        let has_score =
            |least| games > 0 && u128::from(points) * 500_000 >= u128::from(least) * games;
        let weight = if weights == Weights::Uniform { 1 } else { points };
        let is_wanted = weight > 0 && tally.games >= min_games && min_score.is_none_or(has_score);
        is_wanted.then_some(weight)
    }

    /// Writes the moves of a position with one key; returns whether there are any.
    fn write_moves<'m>(
        &self,
        position: &Position,
        moves: impl Iterator<Item = &'m (MoveCode, Tally)>,
        all: &mut SortedEntries,
    ) -> bool {
        let white = position.turn().is_white();
        let weight = |(code, tally): &(MoveCode, Tally)| {
            Some((polyglot_move(code.without_pin()), self.weight(tally, white)?))
        };
        let mut moves: Vec<(u16, u64)> = moves.filter_map(weight).collect();
        // Polyglot sorts by descending weight.
        moves.sort_by_key(|(code, points)| (std::cmp::Reverse(*points), *code));
        let points: Vec<u64> = moves.iter().map(|(_, points)| *points).collect();
        let mut entries = Vec::new();
        for ((code, _), weight) in moves.iter().zip(weights(&points)) {
            entries.extend_from_slice(&code.to_be_bytes());
            entries.extend_from_slice(&weight.to_be_bytes());
        }
        if entries.is_empty() {
            return false;
        }
        let mut key = [0; KEY];
        let (polyglot, whole) = key.split_at_mut(8);
        polyglot.copy_from_slice(&position.key().to_be_bytes());
        whole.copy_from_slice(&PositionKey::of(position).to_bytes());
        all.push((key, entries));
        true
    }
}

/// Converts points to 16-bit weights: all are scaled by the same factor, but none to zero.
fn weights(points: &[u64]) -> Vec<u16> {
    let most = points.iter().copied().max().unwrap_or(0);
    let scale = |points: u64| match most {
        0..=0xffff => points,
        _ => (u128::from(points) * 0xffff / u128::from(most)).max(1) as u64,
    };
    points.iter().map(|points| scale(*points) as u16).collect()
}

impl PieceForm for Polyglot {
    type Piece = SortedEntries;

    fn write(&self, selected: &SelectedPosition, entries: &mut SortedEntries) -> bool {
        let moves = selected.moves(true);
        let (pinned, plain): (Vec<_>, Vec<_>) =
            moves.iter().filter(|(code, _)| !code.is_none()).partition(|(code, _)| code.has_pin());
        let position = selected.position();
        let mut is_written = self.write_moves(&position, plain.into_iter(), entries);
        if !pinned.is_empty()
            && let Some(position) = position.with_pinned_en_passant()
        {
            is_written |= self.write_moves(&position, pinned.into_iter(), entries);
        }
        is_written
    }
}

pub(super) fn write_sorted(sorter: Sorter, output: &mut dyn Write) -> Result<(), BookError> {
    let mut output = BufWriter::new(output);
    let mut last: Option<([u8; 8], PositionKey)> = None;
    let mut sorted = sorter.finish()?;
    while let Some((key, entries)) = sorted.next()? {
        let (key, position) = key.split_first_chunk::<8>().expect("keys are made above");
        let position = PositionKey::from_bytes(position.try_into().expect("keys are made above"));
        if let Some((other, before)) = last
            && other == *key
        {
            return Err(same_key(before, position));
        }
        last = Some((*key, position));
        for entry in entries.chunks_exact(4) {
            let whole = [&key[..], entry, &[0; 4]].concat();
            output.write_all(&whole)?;
        }
    }
    Ok(output.flush()?)
}

fn same_key(a: PositionKey, b: PositionKey) -> BookError {
    let text =
        |key: PositionKey| key.position(0, 1).map_or("?".into(), |position| fields(&position));
    BookError::Refused(format!(
        "a Polyglot book cannot hold this: these positions have the same key: {} and {}",
        text(a),
        text(b)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fit_and_keep_their_proportion() {
        assert_eq!(weights(&[5, 0, 65_535]), [5, 0, 65_535]);
        assert_eq!(weights(&[131_070, 65_535, 1]), [65_535, 32_767, 1]);
        assert_eq!(weights(&[u64::MAX, u64::MAX / 2]), [65_535, 32_767]);
        assert_eq!(weights(&[]), [0; 0]);
    }
}
