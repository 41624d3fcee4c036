//! Programs that read records, and their misreadings.

use std::fmt;
use std::str::FromStr;

use crate::severity::Severity;
use san::Keyword;

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

impl Consumer {
    /// All programs.
    pub const ALL: [Consumer; 3] =
        [Consumer::Cutechess, Consumer::Fastchess, Consumer::PythonChess];

    /// Returns the name: `cutechess`, `fastchess` or `python-chess`.
    pub fn name(self) -> &'static str {
        match self {
            Consumer::Cutechess => "cutechess",
            Consumer::Fastchess => "fastchess",
            Consumer::PythonChess => "python-chess",
        }
    }
}

impl Keyword for Consumer {
    const ALL: &'static [Self] = &Consumer::ALL;

    fn word(self) -> &'static str {
        self.name()
    }

    fn help(self) -> &'static str {
        ""
    }
}

impl fmt::Display for Consumer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Consumer {
    type Err = UnknownConsumer;

    fn from_str(name: &str) -> Result<Self, UnknownConsumer> {
        let found = Consumer::ALL.into_iter().find(|consumer| consumer.name() == name);
        found.ok_or_else(|| UnknownConsumer(name.to_owned()))
    }
}

/// A name that no known program has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not known; known are {all}", all = Consumer::ALL.map(Consumer::name).join(", "))]
pub struct UnknownConsumer(pub String);

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
