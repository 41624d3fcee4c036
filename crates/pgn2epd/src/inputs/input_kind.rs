//! What the user says of the content of inputs.

use san::keywords;
use training::TrainingFormat;

use super::sniff::TextKind;

keywords! {
    /// What a file contains.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum InputKind {
        /// Games.
        Pgn = "pgn",
        /// EPD records, FENs or labels.
        Epd = "epd",
        /// A table of positions as text, with a header, such as the puzzles of Lichess, or positions of Lucas Chess.
        Csv = "csv",
        /// A table of positions as lines of JSON.
        JsonLines = "jsonl",
        /// A table of positions as a stream or file of Arrow.
        Arrow = "arrow",
        /// A table of positions as Parquet.
        Parquet = "parquet",
        /// Evaluations of Lichess, lines of JSON.
        Evaluations = "evals",
        /// Entries of training data as text, Stockfish's .plain.
        Plain = "plain",
        /// Training data of Viridithas.
        Viriformat = "viriformat",
        /// Stockfish's training data.
        Binpack = "binpack",
        /// Training data of bullet.
        Bulletformat = "bulletformat",
        /// Training data of marlinflow.
        Marlinformat = "marlinformat",
    }
}

impl InputKind {
    pub(super) fn training(self) -> Option<TrainingFormat> {
        Some(match self {
            InputKind::Viriformat => TrainingFormat::Viriformat,
            InputKind::Binpack => TrainingFormat::Binpack,
            InputKind::Bulletformat => TrainingFormat::Bulletformat,
            InputKind::Marlinformat => TrainingFormat::Marlinformat,
            _ => return None,
        })
    }

    pub(super) fn text(self) -> Option<TextKind> {
        match self {
            InputKind::Pgn => Some(TextKind::Pgn),
            InputKind::Epd => Some(TextKind::Epd),
            InputKind::Plain => Some(TextKind::Plain),
            InputKind::Csv => Some(TextKind::Csv),
            InputKind::JsonLines => Some(TextKind::JsonLines),
            InputKind::Arrow | InputKind::Parquet => Some(TextKind::Columns),
            InputKind::Evaluations => Some(TextKind::Evaluations),
            _ => None,
        }
    }
}
