//! Positions selected by what an engine says of them.

use std::collections::VecDeque;

use san::{Color, Position};
use stream::spill::sorter::SortedPairs;

use crate::error::BookError;
use crate::evaluation::Evaluation;
use crate::select::{Selection, read_entry, write_entry};

/// Says which positions a book has, and what is known of them. The answers have the order of the
/// positions.
pub trait Evaluate {
    /// Is told how many positions there are, of which some may not be asked for.
    fn expect(&mut self, positions: u64);

    /// Takes a position, and returns those answers that are known.
    ///
    /// # Errors
    ///
    /// If there cannot be further answers.
    fn add(&mut self, position: &Position) -> Result<Vec<Option<Evaluated>>, BookError>;

    /// Returns the answers for all positions that are left.
    ///
    /// # Errors
    ///
    /// If some are missing.
    fn finish(&mut self) -> Result<Vec<Option<Evaluated>>, BookError>;

    /// Returns the engine and its limits.
    fn description(&self) -> String;
}

/// What is known of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Other operations, one a line: `acd 12`.
    pub operations: String,
}

impl Selection {
    /// Asks for sorted positions, and passes on those that the book has, with their keys. `wants`
    /// is whether further positions with this side to move are needed.
    pub(crate) fn evaluate(
        &self,
        positions: &mut SortedPairs,
        evaluate: &mut dyn Evaluate,
        wants: &dyn Fn(Color) -> bool,
        take: &mut dyn FnMut(&[u8], &[u8], Color) -> Result<(), BookError>,
    ) -> Result<(), BookError> {
        let mut waiting = VecDeque::new();
        let mut answered = |answers, waiting: &mut VecDeque<(Vec<u8>, Vec<u8>)>| {
            for answer in answers {
                let (key, value) = waiting.pop_front().expect("each answer is of a position");
                let Some(Evaluated { evaluation, operations }) = answer else { continue };
                let (mut entry, _) = read_entry(&value)?;
                let moves = entry.moves.iter_mut().map(|(_, tally)| tally);
                for tally in moves.chain([&mut entry.total]) {
                    tally.first.evaluation = evaluation;
                    tally.strongest.at.evaluation = evaluation;
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
            if wants(selected.position.turn()) {
                waiting.push_back((key.to_vec(), value.to_vec()));
                answered(evaluate.add(&selected.position)?, &mut waiting)?;
            }
        }
        answered(evaluate.finish()?, &mut waiting)
    }
}
