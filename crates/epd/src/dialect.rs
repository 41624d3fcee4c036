//! The dialects of EPD besides the standard, how they are detected and how they are read; and the
//! rules by which positions and moves are read.

pub(crate) mod forms;

use san::{Variant, keywords};

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

keywords! { Dialect:
    "epd" [Dialect::Standard] "four fields, then operations";
    "fen" [Dialect::Fen] "six fields, as FEN has them: EPD has hmvc and fmvn in their place";
    "crafty" [Dialect::Crafty]
        "the old format of Crafty: without trailing empty squares, a hyphen at the end";
    "perl" [Dialect::Perl] "four fields and no operations";
    "perft" [Dialect::Perft] "a semicolon before each operation, as perft suites have it";
    "label" [Dialect::Label] "a label for tuning: EPD has c9 for a result and ce for an evaluation";
    "pgn-extract" [Dialect::PgnExtract] "strings without quotes, as pgn-extract writes them";
    "scid" [Dialect::Scid] "\\s for a semicolon in a string, as Scid writes it";
    "python-chess" [Dialect::PythonChess]
        "backslash escapes in a string, as python-chess writes them";
}

keywords! {
    /// The rules by which positions and moves are read.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Rules {
        /// By each position: Chess960 by its castling rights, a variant if it cannot be chess.
        #[default]
        Detected = "auto",
        /// Chess: castling rights only of kings and rooks in their initial places.
        Chess = "chess",
        /// Chess960.
        Chess960 = "chess960",
        /// Antichess.
        Antichess = "antichess",
        /// Atomic.
        Atomic = "atomic",
        /// Crazyhouse.
        Crazyhouse = "crazyhouse",
        /// Horde.
        Horde = "horde",
        /// King of the Hill.
        KingOfTheHill = "kingofthehill",
        /// Racing Kings.
        RacingKings = "racingkings",
        /// Three-check.
        ThreeCheck = "threecheck",
    }
}

impl Rules {
    pub(crate) fn variant(self) -> Option<Variant> {
        Some(match self {
            Rules::Detected | Rules::Chess | Rules::Chess960 => return None,
            Rules::Antichess => Variant::Antichess,
            Rules::Atomic => Variant::Atomic,
            Rules::Crazyhouse => Variant::Crazyhouse,
            Rules::Horde => Variant::Horde,
            Rules::KingOfTheHill => Variant::KingOfTheHill,
            Rules::RacingKings => Variant::RacingKings,
            Rules::ThreeCheck => Variant::ThreeCheck,
        })
    }
}
