//! Positions selected by what an engine says of them.

use std::collections::VecDeque;

use san::Color;
use stream::spill::SortedPairs;

use super::Selection;
use super::encoded::{read_entry, write_entry};
use crate::error::BookError;
use crate::evaluate::{Evaluate, Evaluated};

/// Receives the key and the value of a position, and the side to move.
type Take<'t> = dyn FnMut(&[u8], &[u8], Color) -> Result<(), BookError> + 't;

impl Selection {
    /// Passes on what the book has; `wants` is whether more with this side to move are needed.
    pub(super) fn evaluate(
        &self,
        positions: &mut SortedPairs,
        evaluate: &mut dyn Evaluate,
        wants: &dyn Fn(Color) -> bool,
        take: &mut Take<'_>,
    ) -> Result<(), BookError> {
        let mut waiting = VecDeque::new();
        let mut answered = |answers, waiting: &mut VecDeque<(Vec<u8>, Vec<u8>)>| {
            for answer in answers {
                let (key, value) = waiting.pop_front().expect("each answer is of a position");
                let Some(Evaluated { evaluation, operations }) = answer else { continue };
                let (mut entry, _) = read_entry(&value)?;
                let moves = entry.moves.iter_mut().map(|(_, tally)| tally);
                let classes = entry.classes.iter_mut().map(|(.., tally)| tally);
                for tally in moves.chain(classes).chain([&mut entry.total]) {
                    tally.first.evaluation = evaluation;
                    tally.strongest.at.evaluation = evaluation;
                    tally.latest.iter_mut().for_each(|latest| latest.at.evaluation = evaluation);
                }
                let mut value = Vec::new();
                write_entry(&entry, &mut value);
                value.extend_from_slice(operations.as_bytes());
                take(&key, &value, entry.key.turn())?;
            }
            Ok::<_, BookError>(())
        };
        while let Some((key, value)) = positions.next()? {
            if ![Color::White, Color::Black].into_iter().any(wants) {
                return Ok(());
            }
            let selected = self.selected(value)?;
            if wants(selected.key.turn()) {
                waiting.push_back((key.to_vec(), value.to_vec()));
                answered(evaluate.add(&selected.position())?, &mut waiting)?;
            }
        }
        answered(evaluate.finish()?, &mut waiting)
    }
}
