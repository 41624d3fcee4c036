//! The dialects of EPD besides the standard, how they are detected and how they are read.

pub(crate) mod crafty;
pub(crate) mod fen;
pub(crate) mod label;

use std::fmt;
use std::str::FromStr;

use san::Keyword;
/// A text format for positions, one per line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Four fields and operations, as in the standard.
    #[default]
    Standard,
    /// The six fields of FEN, then optional operations: Fritz and ChessBase, Stockfish's books,
    /// matetrack.
    Fen,
    /// HIARCS and early Crafty: ranks without their trailing empty squares, a slash after the last
    /// rank, no placeholder for an empty field, and a hyphen after the fields; the en passant field
    /// names the pawn.
    Crafty,
    /// Four fields and nothing else: Chess::PGN::EPD for Perl.
    Perl,
    /// Semicolons before the operations: `… 0 1 ;D1 20 ;D2 400`.
    Perft,
    /// Tuning data: a result in brackets, or an evaluation and a result after bars: `… 0 1 [0.5]`,
    /// `… 0 1 | 35 | 0.5`.
    Label,
    /// The standard, with unquoted strings: pgn-extract.
    PgnExtract,
    /// The standard, with `\s` for a semicolon in strings: Scid.
    Scid,
    /// The standard, with backslash escapes in strings: python-chess.
    PythonChess,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Dialect; 9] = [
        Dialect::Standard,
        Dialect::Fen,
        Dialect::Crafty,
        Dialect::Perl,
        Dialect::Perft,
        Dialect::Label,
        Dialect::PgnExtract,
        Dialect::Scid,
        Dialect::PythonChess,
    ];

    /// Returns the name: `epd`, `fen`, `crafty`, `perl`, `perft`, `label`, `pgn-extract`, `scid` or
    /// `python-chess`.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Standard => "epd",
            Dialect::Fen => "fen",
            Dialect::Crafty => "crafty",
            Dialect::Perl => "perl",
            Dialect::Perft => "perft",
            Dialect::Label => "label",
            Dialect::PgnExtract => "pgn-extract",
            Dialect::Scid => "scid",
            Dialect::PythonChess => "python-chess",
        }
    }

    /// Returns a short description of the form of a line.
    pub fn description(self) -> &'static str {
        match self {
            Dialect::Standard => "four fields, then operations",
            Dialect::Fen => "six fields, as FEN has them: EPD has hmvc and fmvn in their place",
            Dialect::Crafty => {
                "the old format of Crafty: without trailing empty squares, a hyphen at the end"
            }
            Dialect::Perl => "four fields and no operations",
            Dialect::Perft => "a semicolon before each operation, as perft suites have it",
            Dialect::Label => {
                "a label for tuning: EPD has c9 for a result and ce for an evaluation"
            }
            Dialect::PgnExtract => "strings without quotes, as pgn-extract writes them",
            Dialect::Scid => "\\s for a semicolon in a string, as Scid writes it",
            Dialect::PythonChess => "backslash escapes in a string, as python-chess writes them",
        }
    }
}

impl Keyword for Dialect {
    const ALL: &'static [Self] = &Dialect::ALL;

    fn word(self) -> &'static str {
        self.name()
    }

    fn help(self) -> &'static str {
        self.description()
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let found = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        found.ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

/// A name that no dialect has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect {0:?}; choose from {all}", all = Dialect::ALL.map(Dialect::name).join(", "))]
pub struct UnknownDialect(pub String);
