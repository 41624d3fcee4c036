//! Lines of files of positions that are not records.
//!
//! * `puzzle`: the puzzles of Lichess, CSV;
//! * `evaluation`: the evaluations of Lichess, lines of JSON.

#[cfg(feature = "evaluations")]
pub(crate) mod evaluation;
pub(crate) mod puzzle;

use epd::{Centipawns, Opcode, Operand, Record};
use san::{FenError, Move, Position, SanError};

/// What the lines of a file of positions are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineKind {
    /// EPD records, FENs and labels.
    #[default]
    Records,
    /// [Puzzles of Lichess](https://database.lichess.org/#puzzles), CSV.
    Puzzles,
    /// [Evaluations of Lichess](https://database.lichess.org/#evals), lines of JSON.
    Evaluations,
}

/// An error in a line that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    /// A column is missing.
    #[error("the column {0} is missing")]
    Column(&'static str),
    /// The position is none.
    #[error("{0}")]
    Fen(FenError),
    /// A move is illegal.
    #[error("illegal: {0}")]
    Move(SanError),
    /// The line is not a JSON object of an evaluation.
    #[error("not an evaluation: {0}")]
    Json(String),
    /// This build does not read evaluations.
    #[error("this build has no evaluations: build it with the feature evaluations")]
    NotBuilt,
    /// The line has no evaluation.
    #[error("the line has no evaluation")]
    Nothing,
}

/// A position with what a line says of it.
#[derive(Debug)]
pub(crate) struct Found {
    /// With its operations.
    pub(crate) record: Record,
    /// The move that is known to be played.
    pub(crate) played: Option<Move>,
    pub(crate) evaluation: Option<Centipawns>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// Values by names that begin with a capital letter.
    pub(crate) tags: Vec<(&'static str, String)>,
}

impl Found {
    fn new(record: Record) -> Self {
        let (played, evaluation, depth, nodes) = Default::default();
        Found { record, played, evaluation, depth, nodes, tags: Vec::new() }
    }

    /// Sets an operation of the standard, whose operand is of its type.
    fn set(&mut self, opcode: Opcode, operand: Operand) {
        // A text that is too long is none of a record.
        let _ = self.record.set(opcode, operand);
    }
}

impl LineKind {
    /// Reads a line that is not a record; `None` if it has no position.
    pub(crate) fn read(self, line: &str) -> Result<Option<Found>, (usize, LineFault)> {
        match self {
            LineKind::Records => Ok(None),
            LineKind::Puzzles => puzzle::read(line),
            #[cfg(feature = "evaluations")]
            LineKind::Evaluations => evaluation::read(line).map(Some),
            #[cfg(not(feature = "evaluations"))]
            LineKind::Evaluations => Err((0, LineFault::NotBuilt)),
        }
    }
}

/// Returns a line of moves in UCI notation as moves in SAN up to the first illegal one, with its error, and the first move.
fn line_of<'m>(
    position: &Position,
    moves: impl Iterator<Item = &'m str>,
) -> (Vec<String>, Option<Move>, Option<SanError>) {
    let (mut position, mut sans, mut first) = (position.clone(), Vec::new(), None);
    for text in moves {
        match san::resolve(&position, text.as_bytes()) {
            Ok(next) => {
                sans.push(san::san_of(&position, next).to_string());
                position.play_unchecked(next);
                first.get_or_insert(next);
            }
            Err(error) => return (sans, first, Some(error)),
        }
    }
    (sans, first, None)
}
