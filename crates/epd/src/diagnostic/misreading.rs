//! Programs that read records, and their misreadings.

use std::fmt;

use san::keywords;

use crate::severity::Severity;

/// A program that reads records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Consumer {
    /// The opening reader of cutechess-cli.
    Cutechess,
    /// The opening reader of fastchess.
    Fastchess,
    /// `Board.from_epd` of python-chess.
    PythonChess,
}

keywords! { Consumer:
    "cutechess" [Consumer::Cutechess] "";
    "fastchess" [Consumer::Fastchess] "";
    "python-chess" [Consumer::PythonChess] "";
}

/// A part of a line that a program misreads.
#[derive(Clone, PartialEq, Eq)]
pub struct Misreading {
    pub(crate) consumer: Consumer,
    /// The machine-readable name of the rule, unique for the program.
    pub(crate) rule: &'static str,
    pub(crate) severity: Severity,
    /// What the program does. `{}` is replaced with `text`.
    pub(crate) message: &'static str,
    pub(crate) text: String,
}

impl Misreading {
    /// Returns the program.
    pub fn consumer(&self) -> Consumer {
        self.consumer
    }

    /// Returns the machine-readable name of the rule, such as `blanks` or `clocks`.
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// Returns [`Severity::Error`] if the program rejects the whole line.
    pub fn severity(&self) -> Severity {
        self.severity
    }
}

impl fmt::Display for Misreading {
    /// Displays the program and what it does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.consumer, self.message.replace("{}", &self.text))
    }
}

impl fmt::Debug for Misreading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Misreading({}: {self})", self.rule)
    }
}
