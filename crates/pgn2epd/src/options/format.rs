//! Formats of records.

use std::fmt;

use emit::LabelForm;
use san::{Keyword, keywords};
use table::TableFormat;
use training::TrainingFormat;

/// The form of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Four fields, then operations, as in the standard.
    #[default]
    Epd,
    /// The six fields of a FEN, without operations unless some are selected.
    Fen,
    /// The output of Chess::PGN::EPD for Perl: four fields, positions after each move, and an empty
    /// line after each game. As printed by the first sample program of the module, a game without
    /// moves is two empty lines.
    Perl,
    /// The old form of HIARCS and Crafty: trailing empty squares of ranks and empty fields are
    /// omitted, the en passant field names the pawn, and a hyphen ends the fields.
    Crafty,
    /// Positions labeled with the result of their game, for tuning programs. They have no
    /// operations, and positions of variations are excluded. Positions that cannot be labeled are
    /// not written, but [counted](crate::Summary::unlabelled).
    Label(LabelForm),
    /// Training data of engines, in a binary format. Positions without an evaluation, and those
    /// that the format cannot represent, are not written, but
    /// [counted](crate::Summary::unlabelled).
    Training(TrainingFormat),
    /// The games that have a selected position, as they are; those of training data with scores in
    /// comments.
    Pgn,
    /// A table with a row for each position.
    Table(TableFormat),
}

/// What formats have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatKind {
    /// Records with operations.
    Records,
    /// Positions with the result of their game.
    Labels,
    /// Training data of engines.
    Training,
    /// Games.
    Games,
    /// Tables.
    Tables,
}

impl fmt::Display for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            FormatKind::Records => "records",
            FormatKind::Labels => "labels",
            FormatKind::Training => "training data",
            FormatKind::Games => "games",
            FormatKind::Tables => "tables",
        };
        let formats = Format::ALL.iter().filter(|format| format.kind() == *self);
        let words: Vec<&str> = formats.map(|format| format.word()).collect();
        write!(f, "{what} ({})", words.join(", "))
    }
}

impl Format {
    /// Returns the kind of the format.
    pub fn kind(self) -> FormatKind {
        match self {
            Format::Epd | Format::Fen | Format::Perl | Format::Crafty => FormatKind::Records,
            Format::Label(_) => FormatKind::Labels,
            Format::Training(_) => FormatKind::Training,
            Format::Pgn => FormatKind::Games,
            Format::Table(_) => FormatKind::Tables,
        }
    }

    /// Returns the suffix of files in this format, without compression.
    ///
    /// ```
    /// use pgn2epd::options::{Format, LabelForm};
    ///
    /// assert_eq!(Format::Epd.suffix(), "epd");
    /// assert_eq!(Format::Label(LabelForm::CChessCli).suffix(), "csv");
    /// ```
    pub fn suffix(self) -> &'static str {
        match self {
            Format::Epd | Format::Perl | Format::Crafty | Format::Label(LabelForm::C9) => "epd",
            Format::Fen => "fen",
            Format::Label(LabelForm::CChessCli) => "csv",
            Format::Label(LabelForm::Plain) => "plain",
            Format::Label(LabelForm::Bracket | LabelForm::Bullet) => "txt",
            Format::Training(format) => format.suffix(),
            Format::Pgn => "pgn",
            Format::Table(format) => format.suffix(),
        }
    }
}

keywords! { Format:
    "epd" [Format::Epd] "Four fields and operations, the format of the standard";
    "fen" [Format::Fen] "The six fields of a FEN";
    "perl" [Format::Perl]
        "Four fields of the position after each move, an empty line after each game, like Perl's Chess::PGN::EPD";
    "crafty" [Format::Crafty] "The old format of HIARCS and Crafty: without trailing empty squares, a hyphen at the end";
    "c9" [Format::Label(LabelForm::C9)]
        "Four fields and the result: c9 \"1-0\", \"1/2-1/2\" or \"0-1\", as in PGN";
    "bracket" [Format::Label(LabelForm::Bracket)] "FEN [0.5]: points of White, 1.0, 0.5 or 0.0";
    "bullet" [Format::Label(LabelForm::Bullet)]
        "FEN | 35 | 0.5: centipawns and points, both for White; positions without an evaluation are omitted";
    "c-chess-cli" [Format::Label(LabelForm::CChessCli)]
        "FEN,35,1 as in the samples of c-chess-cli: centipawns, and 0 for a loss, 1 for a draw, 2 for a win, both for the side to move; \
         positions without an evaluation are omitted";
    "plain" [Format::Label(LabelForm::Plain)]
        "Stockfish's .plain, lines with fen, move, score, ply, result (-1, 0, 1) and e: score in centipawns and result, both for \
         the side to move; positions without an evaluation or a move are omitted";
    "viriformat" [Format::Training(TrainingFormat::Viriformat)]
        "Games of moves with scores, binary (.vf): scores and results are White's; bullet and Viridithas read it";
    "binpack" [Format::Training(TrainingFormat::Binpack)]
        "Stockfish's compressed games, binary (.binpack): scores and results are those of the side to move; nnue-pytorch and bullet read it";
    "bulletformat" [Format::Training(TrainingFormat::Bulletformat)]
        "Positions of 32 bytes without moves, binary (.bullet): scores and results are those of the side to move; bullet reads it";
    "marlinformat" [Format::Training(TrainingFormat::Marlinformat)]
        "Positions of 32 bytes without moves, binary: scores and results are White's; bullet-utils and marlinflow read it";
    "pgn" [Format::Pgn] "The games with a selected position, unchanged (.pgn); those of viriformat and binpack with scores in comments";
    "csv" [Format::Table(TableFormat::Csv)] "A table as comma-separated values, with the names of the columns in the first line (.csv)";
    "jsonl" [Format::Table(TableFormat::JsonLines)] "A table as lines of JSON (.jsonl, .ndjson)";
    "arrow" [Format::Table(TableFormat::Arrow)] "A table as an Arrow stream, binary (.arrow, .arrows)";
    "parquet" [Format::Table(TableFormat::Parquet)] "A table as Parquet, binary and compressed (.parquet)";
}
