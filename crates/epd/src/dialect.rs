//! The dialects of EPD besides the standard, how they are detected and how they are read; and the
//! rules by which positions and moves are read.

pub(crate) mod forms;

use san::{Keyword, Variant, VariantPosition, keywords};

keywords! {
    /// A text format for positions, one per line: the standard, or the standard with what differs.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Dialect {
        /// four fields, then operations
        #[default]
        Standard = "epd",
        /// six fields, as FEN has them: EPD has hmvc and fmvn in their place
        ///
        /// Of Fritz and ChessBase, Stockfish's books, matetrack.
        Fen = "fen",
        /// the old format of Crafty: without trailing empty squares, a hyphen at the end
        ///
        /// Of HIARCS too: a slash after the last rank, no placeholder for an empty field, and the
        /// en passant field names the pawn.
        Crafty = "crafty",
        /// four fields and no operations
        ///
        /// Of Chess::PGN::EPD for Perl.
        Perl = "perl",
        /// a semicolon before each operation, as perft suites have it
        Perft = "perft",
        /// a label for tuning: EPD has c9 for a result and ce for an evaluation
        ///
        /// A result in brackets, or an evaluation and a result after bars: `… 0 1 | 35 | 0.5`.
        Label = "label",
        /// strings without quotes, as pgn-extract writes them
        PgnExtract = "pgn-extract",
        /// \s for a semicolon in a string, as Scid writes it
        Scid = "scid",
        /// backslash escapes in a string, as python-chess writes them
        PythonChess = "python-chess",
    }
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
        // Nearly all lines are read so; the other words are names of variants.
        let is_chess = matches!(self, Rules::Detected | Rules::Chess | Rules::Chess960);
        if is_chess { None } else { VariantPosition::variant_named(self.word().as_bytes()) }
    }
}
