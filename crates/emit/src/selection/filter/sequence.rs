//! Conditions on several positions of a game: moves played in a row, positions reached, what holds
//! for some plies, or after something else.

use san::{AnyPosition, PositionKey};

use super::Filter;
use super::eval::{Known, decide};
use super::expr::{Expr, MOST, Sequence};
use crate::ply::Ply;

type States = [u64; MOST + 1];

/// A state: not yet, or not any more.
const NEVER: u64 = u64::MAX;

impl Sequence {
    fn initial(&self) -> u64 {
        match self {
            Sequence::For(..) | Sequence::Line(_) | Sequence::Reached(_) => 0,
            Sequence::After(..) => NEVER,
            Sequence::Moves(_) => 1,
        }
    }

    /// Returns whether it holds in a position, and the state after the move played from it.
    fn advance<'k, P: AnyPosition>(
        &'k self,
        state: u64,
        ply: &Ply<'_, P>,
        holds: impl Fn(&'k Expr) -> bool,
    ) -> (bool, u64) {
        match self {
            Sequence::For(condition, plies) => {
                let count = if holds(condition) { state + 1 } else { 0 };
                (count >= *plies, count)
            }
            Sequence::After(condition, within) => {
                let since = if holds(condition) { 1 } else { state.saturating_add(1) };
                (state <= *within, since)
            }
            // A bit for each number of moves of the sequence that were the last ones.
            Sequence::Moves(moves) => {
                let follows =
                    |count: &usize| state >> count & 1 == 1 && moves[*count].is_played(ply);
                let counts = (0..moves.len()).filter(follows);
                (state >> moves.len() & 1 == 1, counts.fold(1, |bits, count| bits | 2 << count))
            }
            // The number of moves of the line that have been played.
            Sequence::Line(moves) => match moves.get(state as usize) {
                None => (state != NEVER, state),
                Some(next) => (false, if next.is_played(ply) { state + 1 } else { NEVER }),
            },
            Sequence::Reached(positions) => {
                let key = ply.position.as_chess().map(PositionKey::of);
                let is_reached = state == 1 || key.is_some_and(|key| positions.contains(&key));
                (is_reached, is_reached.into())
            }
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct SequenceTracker {
    /// The main line, and the variations that the last position is in.
    lines: Vec<LineStates>,
}

#[derive(Debug)]
struct LineStates {
    number: Option<u32>,
    /// Before and after the last position.
    before: States,
    after: States,
    /// Before the position that a variation leaves, and after the first move of the variation.
    alternative: [States; 2],
}

impl SequenceTracker {
    pub(super) fn begin(&mut self) {
        self.lines.clear();
    }

    /// Returns, as bits, which sequences hold next; `known` takes the bits of those before one.
    /// `is_alternative`: at a position before a variation again, with the variation's first move.
    pub(super) fn follow<'k, P: AnyPosition>(
        &mut self,
        filter: &'k Filter,
        ply: &Ply<'_, P>,
        is_alternative: bool,
        known: impl Fn(u32) -> Known<'k>,
    ) -> u32 {
        let depth = ply.branches.len();
        self.lines.truncate(depth + 1);
        if self.lines.len() == depth {
            // The position that a variation leaves is the first one of its line too: a variation
            // of its first move leaves it once more.
            let initial = || [filter.initial_states(); 2];
            let [before, after] = self.lines.last().map_or_else(initial, |outer| outer.alternative);
            let number = ply.branches.last().map(|branch| branch.ply);
            self.lines.push(LineStates { number, before, after, alternative: [before, after] });
        }
        let Some(line) = self.lines.last_mut() else { return 0 };
        let is_next = line.number.is_none_or(|number| number < ply.number);
        if !is_alternative {
            line.number = Some(ply.number);
        }
        let mut truths = 0;
        for (i, sequence) in filter.sequences.iter().enumerate() {
            let known = known(truths);
            let holds = |condition: &'k Expr| decide(filter, condition, &known) == Some(true);
            let before = if is_next { line.after[i] } else { line.before[i] };
            let (is_true, state) = sequence.advance(before, ply, holds);
            truths |= u32::from(is_true) << i;
            if is_alternative {
                (line.alternative[0][i], line.alternative[1][i]) = (before, state);
            } else {
                (line.before[i], line.after[i]) = (before, state);
            }
        }
        truths
    }
}

impl Filter {
    fn initial_states(&self) -> States {
        let mut states = [0; MOST + 1];
        states.iter_mut().zip(&self.sequences).for_each(|(state, of)| *state = of.initial());
        states
    }
}
