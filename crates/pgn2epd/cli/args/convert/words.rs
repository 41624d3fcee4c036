//! The words that options of a conversion take.

use clap::ValueEnum;
use pgn2epd::LabelForm;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli::args) enum Format {
    /// Four fields and operations: the standard's record
    Epd,
    /// The six fields of a FEN
    Fen,
    /// Four fields, positions after each move, an empty line behind each game, as Perl's Chess::PGN::EPD has it
    Perl,
    /// The old form of HIARCS and Crafty: empty squares left out, a hyphen at the end
    Crafty,
    /// Four fields and the result: c9 "1-0"; "1/2-1/2"; "0-1"; as PGN has it: White's points first
    C9,
    /// FEN [0.5]: White's points, 1.0, 0.5 or 0.0
    Bracket,
    /// FEN | 35 | 0.5: centipawns and points, both White's view; positions without an evaluation are left out
    Bullet,
    /// FEN,35,1 as c-chess-cli has it: centipawns, and 0 for a loss, 1 a draw, 2 a win, both of the side to move; positions
    /// without an evaluation are left out
    Csv,
    /// Stockfish's .plain, lines with fen, move, score, ply, result (-1, 0, 1) and e: score in centipawns and result both of
    /// the side to move; positions without an evaluation or a move are left out
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli::args) enum Stay {
    /// They are written
    Keep,
    /// They are left out
    Skip,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli::args) enum Conflict {
    /// Each is written with the result of its game
    Keep,
    /// None is written if their results contradict, else the first
    Drop,
    /// One is written, with the means of results and evaluations; not for c9 and plain
    Mean,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli::args) enum Registers {
    /// Only what changes from record to record: to be read in order
    Delta,
    /// All of them on every record, so that each line stands alone
    Full,
    /// None
    Off,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli::args) enum Names {
    /// A table of named positions: some 3,800, those of Lichess, unless --openings names others
    Table,
    /// The tags ECO, NIC, Opening, Variation and SubVariation of each game
    Tags,
    /// There are none
    Off,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli::args) enum Ep {
    /// After every advance of a pawn by two squares: the standard
    Always,
    /// Only if an enemy pawn stands beside: X-FEN
    Pseudo,
    /// Only if a capture is legal: to compare positions with Lichess, python-chess, cutechess
    Legal,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli::args) enum Castling {
    /// KQkq, and a file's letter where that would be ambiguous (Chess960)
    Xfen,
    /// The letters of the rooks' files: HAha
    Shredder,
    /// Always KQkq
    Standard,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli::args) enum Bad {
    /// Write the positions before the error
    Keep,
    /// Write nothing of that game
    Skip,
    /// Write the positions before the error, and end
    Stop,
}

/// The form of the summary.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum SummaryForm {
    /// A line for people
    Text,
    /// An object for programs
    Json,
}

impl Format {
    pub(super) fn form(self) -> pgn2epd::Format {
        use pgn2epd::Format::Label;
        match self {
            Format::Epd => pgn2epd::Format::Epd,
            Format::Fen => pgn2epd::Format::Fen,
            Format::Perl => pgn2epd::Format::Perl,
            Format::Crafty => pgn2epd::Format::Crafty,
            Format::C9 => Label(LabelForm::C9),
            Format::Bracket => Label(LabelForm::Bracket),
            Format::Bullet => Label(LabelForm::Bullet),
            Format::Csv => Label(LabelForm::Csv),
            Format::Plain => Label(LabelForm::Plain),
        }
    }
}
