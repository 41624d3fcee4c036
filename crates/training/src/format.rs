//! The formats, and what each of them stores.

use san::{Position, keywords};

use crate::binpack::stem;
use crate::marlinformat;

/// A binary format of training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrainingFormat {
    /// Viridithas' format of games: a start position in marlinformat, then a move and a score for
    /// each ply. Scores and results are White's.
    Viriformat,
    /// Stockfish's binpack: chains of positions, compressed to some three bytes each. Scores and
    /// results are those of the side to move.
    Binpack,
    /// The positions of the trainer bullet, 32 bytes each, turned so that the side to move is
    /// White: without moves, castling rights, en passant squares and clocks. Scores and results are
    /// those of the side to move.
    Bulletformat,
    /// The positions of the trainer marlinflow, 32 bytes each, without moves. Scores and results
    /// are White's.
    Marlinformat,
}

keywords! { TrainingFormat:
    "viriformat" [TrainingFormat::Viriformat]
        "Games of moves with scores, binary (.vf): scores and results are White's; bullet and Viridithas read it";
    "binpack" [TrainingFormat::Binpack]
        "Stockfish's compressed games, binary (.binpack): scores and results are those of the side to move; nnue-pytorch and bullet read it";
    "bulletformat" [TrainingFormat::Bulletformat]
        "Positions of 32 bytes without moves, binary (.bullet): scores and results are those of the side to move; bullet reads it";
    "marlinformat" [TrainingFormat::Marlinformat]
        "Positions of 32 bytes without moves, binary: scores and results are White's; bullet-utils and marlinflow read it";
}

/// What a format has no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Castling rights of Chess960.
    Castling,
    /// The halfmove clock or the fullmove number.
    Clocks,
}

const SUFFIXES: [(&str, TrainingFormat); 3] = [
    ("vf", TrainingFormat::Viriformat),
    ("binpack", TrainingFormat::Binpack),
    ("bullet", TrainingFormat::Bulletformat),
];

impl TrainingFormat {
    /// Returns the format of files with this suffix, in upper or lower case.
    ///
    /// ```
    /// use training::TrainingFormat;
    ///
    /// assert_eq!(TrainingFormat::of_suffix("vf"), Some(TrainingFormat::Viriformat));
    /// assert_eq!(TrainingFormat::of_suffix("epd"), None);
    /// ```
    pub fn of_suffix(suffix: &str) -> Option<Self> {
        let found = SUFFIXES.iter().find(|(known, _)| known.eq_ignore_ascii_case(suffix));
        found.map(|(_, format)| *format)
    }

    /// Returns the suffix of files.
    ///
    /// ```
    /// use training::TrainingFormat;
    ///
    /// assert_eq!(TrainingFormat::Viriformat.suffix(), "vf");
    /// assert_eq!(TrainingFormat::Marlinformat.suffix(), "bin");
    /// ```
    pub fn suffix(self) -> &'static str {
        let known = SUFFIXES.iter().find(|(_, format)| *format == self);
        // Marlinformat has no suffix of its own.
        known.map_or("bin", |(suffix, _)| suffix)
    }

    /// Returns what the format has no room for in a position.
    ///
    /// ```
    /// use training::{TrainingFormat, Unfit};
    ///
    /// let position = san::Position::from_fen("1r2k1nr/8/8/8/8/8/8/1R2K1NR w KQkq - 0 1")?;
    /// assert_eq!(TrainingFormat::Binpack.unfit(&position), Some(Unfit::Castling));
    /// assert_eq!(TrainingFormat::Viriformat.unfit(&position), None);
    /// # Ok::<_, san::FenError>(())
    /// ```
    pub fn unfit(self, position: &Position) -> Option<Unfit> {
        match self {
            TrainingFormat::Bulletformat => None,
            TrainingFormat::Binpack if !stem::has_plain_rights(position) => Some(Unfit::Castling),
            TrainingFormat::Binpack => (!stem::fits(position)).then_some(Unfit::Clocks),
            TrainingFormat::Viriformat | TrainingFormat::Marlinformat => {
                (!marlinformat::fits(position)).then_some(Unfit::Clocks)
            }
        }
    }

    /// Returns whether the moves of a game are stored, so that games can be read back.
    pub fn has_games(self) -> bool {
        matches!(self, TrainingFormat::Viriformat | TrainingFormat::Binpack)
    }
}
