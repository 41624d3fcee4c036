//! What was typed to check files of positions.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use pgn2epd::epd::{CheckOptions, Consumer, Dialect, Form, Rewrite};
use pgn2epd::{CastlingStyle, EnPassantPolicy, FieldStyle};

use super::convert::{Castling, Ep};
use super::values::Jobs;

const AFTER_HELP: &str = "\
Each fault is a line, with the place, the level where it is a warning, and the reason:
  suite.epd:12:32: e5: illegal: no pawn of White's can reach e5
They go to standard output, unless records are written there. The dialect of a file is told once.
Comments, empty lines and lines that hold no record are left out by --fix.

Examples:
  pgn2epd check suite.epd
  pgn2epd check --stats --moves off book.epd
  pgn2epd check --fix --ep legal --unique book.epd -o clean.epd
  pgn2epd check --fix --format fen book.epd > book.fen

Exit status: 0 no errors; 1 errors; 2 wrong arguments, or a file that cannot be read or written.";

/// Check files of positions: grammar, fields, operations, moves; mend them, convert them, count them.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Check {
    /// Files of positions, one a line; none, or -, for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) files: Vec<PathBuf>,

    /// The dialect of all lines [default: told from each line]
    #[arg(long, value_name = "DIALECT", value_parser = dialects())]
    from: Option<String>,

    /// Whether to play the moves in operands
    #[arg(long, value_name = "WHETHER", value_enum, default_value_t = Switch::On)]
    moves: Switch,

    /// Say also what a program would misread, and what it would lose
    #[arg(long = "for", value_name = "PROGRAM", value_parser = consumers())]
    consumer: Option<String>,

    /// Write the records in their normal form
    #[arg(long)]
    fix: bool,

    /// The form in which --fix writes records
    #[arg(long, value_enum, requires = "fix", default_value_t = CheckFormat::Epd)]
    format: CheckFormat,

    /// When --fix gives the en passant square
    #[arg(long, value_name = "WHEN", value_enum, requires = "fix", default_value_t = Ep::Always)]
    ep: Ep,

    /// How --fix writes castling rights
    #[arg(long, value_name = "STYLE", value_enum, requires = "fix", default_value_t = Castling::Xfen)]
    castling: Castling,

    /// Write only the first of records with the same position; clocks and superfluous en passant squares do not count
    #[arg(long)]
    unique: bool,

    /// Count positions and different positions, in the words known from the books of Stockfish
    #[arg(long)]
    pub(in crate::cli) stats: bool,

    /// Say faults and statistics as lines of JSON
    #[arg(long)]
    pub(in crate::cli) json: bool,

    /// Write the records to a file; it is replaced only when all has gone well
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Say no faults, only by the exit status whether there are errors
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,

    /// Threads that work [default: as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Switch {
    /// Illegal moves are found, and moves in another notation than SAN
    On,
    /// Moves are taken as they are written, which is faster
    Off,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CheckFormat {
    /// Four fields and operations: the standard's record
    Epd,
    /// The six fields of a FEN, then all operations but hmvc and fmvn
    Fen,
    /// The old form of HIARCS and Crafty
    Crafty,
    /// Four fields and no operations, as Perl's Chess::PGN::EPD has it
    Perl,
}

fn dialects() -> clap::builder::PossibleValuesParser {
    Dialect::ALL
        .map(|dialect| {
            clap::builder::PossibleValue::new(dialect.name()).help(dialect.description())
        })
        .into()
}

fn consumers() -> clap::builder::PossibleValuesParser {
    Consumer::ALL.map(Consumer::name).into()
}

impl Check {
    /// Whether records are written.
    pub(in crate::cli) fn writes(&self) -> bool {
        self.fix || self.unique
    }

    /// What the library is to do.
    pub(in crate::cli) fn options(&self) -> CheckOptions {
        let style = FieldStyle { castling: self.castling.style(), en_passant: self.ep.policy() };
        let form = match self.format {
            CheckFormat::Epd => Form::Epd,
            CheckFormat::Fen => Form::Fen,
            CheckFormat::Crafty => Form::Crafty,
            CheckFormat::Perl => Form::Perl,
        };
        CheckOptions {
            dialect: self.from.as_deref().and_then(|name| name.parse().ok()),
            moves: matches!(self.moves, Switch::On),
            consumer: self.consumer.as_deref().and_then(|name| name.parse().ok()),
            rewrite: match (self.fix, self.unique) {
                (true, _) => Some(Rewrite::Normal(form, style)),
                (false, true) => Some(Rewrite::AsTheyStand),
                (false, false) => None,
            },
            unique: self.unique,
            statistics: self.stats,
            jobs: self.jobs.map(|Jobs(jobs)| jobs),
        }
    }
}

impl Ep {
    fn policy(self) -> EnPassantPolicy {
        match self {
            Ep::Always => EnPassantPolicy::Always,
            Ep::Pseudo => EnPassantPolicy::Pseudo,
            Ep::Legal => EnPassantPolicy::Legal,
        }
    }
}

impl Castling {
    fn style(self) -> CastlingStyle {
        match self {
            Castling::Xfen => CastlingStyle::XFen,
            Castling::Shredder => CastlingStyle::Shredder,
            Castling::Standard => CastlingStyle::Standard,
        }
    }
}
