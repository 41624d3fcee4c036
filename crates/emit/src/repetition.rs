//! Counts repetitions of positions (EPD 5.20).

use arrayvec::ArrayVec;
use san::{AnyPosition, PositionMap, RepetitionKey};

use crate::ply::Ply;

#[derive(Debug, Default)]
pub(crate) struct Repetition {
    /// The whole line, only if variations are played: these replace the plies after their start.
    line: Vec<RepetitionKey>,
    /// The first positions: few are compared faster than they are hashed.
    recent: ArrayVec<RepetitionKey, 8>,
    counts: PositionMap<u32, RepetitionKey>,
}

impl Repetition {
    pub(crate) fn begin(&mut self) {
        self.line.clear();
        self.forget();
    }

    fn forget(&mut self) {
        self.recent.clear();
        if !self.counts.is_empty() {
            self.counts.clear();
        }
    }

    /// Advances to the next position; returns how often it has occurred, including this time.
    pub(crate) fn follow<P: AnyPosition>(&mut self, ply: &Ply<'_, P>, variations: bool) -> u32 {
        let next = ply.position.repetition_key();
        if variations {
            for gone in self.line.drain(self.line.len().min(ply.number as usize)..) {
                if let Some(count) = self.counts.get_mut(&gone) {
                    *count -= 1;
                }
            }
            self.line.push(next.clone());
        } else if ply.position.halfmoves() == 0 && ply.position.as_chess().is_some() {
            // In chess a position before a capture or a pawn move cannot recur, so only the last
            // part of a long game is kept. In Crazyhouse it can, because captured pieces are
            // dropped again.
            self.forget();
        }
        if !variations && self.counts.is_empty() {
            let count = 1 + self.recent.iter().filter(|earlier| **earlier == next).count();
            if self.recent.try_push(next.clone()).is_ok() {
                return count as u32;
            }
        }
        for earlier in self.recent.drain(..) {
            *self.counts.entry(earlier).or_default() += 1;
        }
        let count = self.counts.entry(next).or_default();
        *count += 1;
        *count
    }

    /// Returns how often a position has occurred, if it were the next one.
    pub(crate) fn count_with<P: AnyPosition>(&self, position: &P) -> u32 {
        let key = position.repetition_key();
        let recent = self.recent.iter().filter(|earlier| **earlier == key).count();
        self.counts.get(&key).map_or(0, |count| *count) + recent as u32 + 1
    }

    #[cfg(test)]
    fn held(&self) -> usize {
        self.counts.len() + self.recent.len() + self.line.len()
    }
}

#[cfg(test)]
mod tests {
    use san::{Position, resolve};

    use super::*;

    #[test]
    fn what_cannot_come_again_is_not_held() {
        let (mut repetition, mut position) = (Repetition::default(), Position::default());
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let advances = [["a3", "a6"], ["b3", "b6"], ["c3", "c6"]];
        let mut number = 0;
        for advance in advances {
            for san in shuffle.iter().cycle().take(400).chain(&advance) {
                repetition.follow(&Ply::new(&position, None, number), false);
                let next = resolve(&position, san.as_bytes()).unwrap();
                position.play_unchecked(next);
                number += 1;
            }
        }
        // The last knight moves and the pawn move after them; earlier positions are dropped.
        assert!(repetition.held() <= 4 + 2, "{}", repetition.held());
        assert_eq!(repetition.count_with(&position), 1);
    }
}
