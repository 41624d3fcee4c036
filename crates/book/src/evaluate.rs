//! What an engine says of positions.

use san::Position;

use crate::error::BookError;
use crate::evaluation::Evaluation;

/// Says which positions a book has, and what is known of them. The answers have the order of the
/// positions.
pub trait Evaluate {
    /// Receives the number of positions, of which some may not be asked for.
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
