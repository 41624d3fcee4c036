//! Moves of an analysis: those that are written, and those that are searched.

use std::fmt;
use std::str::FromStr;

use san::{AnyPosition, Position, SanError};

use crate::value_error::ValueError;

/// Which moves are written as best ones.
///
/// ```
/// use pgn2epd::analyse::BestMoves;
///
/// assert_eq!("within:30".parse(), Ok(BestMoves::Within(30)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMoves {
    /// The best one.
    Best,
    /// All moves that are at most this number of centipawns worse.
    Within(u32),
}

impl FromStr for BestMoves {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let within = text.strip_prefix("within:").and_then(|number| number.parse().ok());
        match (text, within) {
            ("best", _) => Ok(BestMoves::Best),
            (_, Some(centipawns)) => Ok(BestMoves::Within(centipawns)),
            _ => Err(ValueError::new("choose from best, within:CP, such as within:30".to_owned())),
        }
    }
}

impl fmt::Display for BestMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BestMoves::Best => f.write_str("best"),
            BestMoves::Within(centipawns) => write!(f, "within:{centipawns}"),
        }
    }
}

/// Moves in any notation, separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList(pub(crate) Vec<String>);

impl FromStr for MoveList {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let moves: Vec<String> = text.split(',').map(|mv| mv.trim().to_owned()).collect();
        // Such a text is a move in no position; others are one where they are legal.
        let is_none = |mv: &&String| {
            let read = Position::default().resolve(mv.as_bytes());
            matches!(read, Err(SanError::NotAMove | SanError::NullMove))
        };
        match moves.iter().find(is_none) {
            Some(mv) => Err(ValueError::new(format!(
                "{mv:?} is not a move; write moves with commas between them: e4,Nf3"
            ))),
            None => Ok(MoveList(moves)),
        }
    }
}

impl fmt::Display for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}
