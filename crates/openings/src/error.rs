//! What is wrong with a file of openings.

use emit::{FaultKind, Problem};
use pgn::Place;
use san::{FenError, SanError};

/// Something wrong in a file of openings, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {reason}")]
pub struct LoadError {
    /// The line, counted from 1.
    pub line: u64,
    /// The character in its line, counted from 1.
    pub column: u64,
    /// What is wrong.
    pub reason: LoadReason,
}

/// What is wrong with a file of openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadReason {
    /// It is in no known form.
    #[error(
        "this is no table of openings that is known: those of Lichess (eco, name, pgn), EPD records, PGN, .eco files of SCID, CSV of code and EPD are read"
    )]
    Unknown,
    /// A column that is needed is not there.
    #[error("there is no column {0}")]
    NoColumn(&'static str),
    /// No name and no code.
    #[error("this line names nothing: neither a code nor a name")]
    NoName,
    /// A move that cannot be played.
    #[error("{token}: illegal: {error}")]
    Move {
        /// The move as it is written.
        token: String,
        /// Why it cannot be played.
        error: SanError,
    },
    /// The position is none.
    #[error("{0}")]
    Position(FenError),
    /// An EPD record that cannot be read.
    #[error("{0}")]
    Record(FaultKind),
    /// The name has no quotes around it.
    #[error("the name is not between quotes")]
    NoQuotes,
    /// The lines are not as CSV files are.
    #[error("{0}")]
    Csv(String),
    /// A game that cannot be played to its end.
    #[error("{0}")]
    Game(String),
}

impl From<Problem> for LoadError {
    fn from(problem: Problem) -> Self {
        let text = problem.to_string();
        // The place comes first: it is told apart from the rest here.
        let rest = text.splitn(3, ':').nth(2).unwrap_or_default().trim_start();
        let Place { line, column, .. } = problem.place;
        LoadError { line, column, reason: LoadReason::Game(rest.to_owned()) }
    }
}
