//! Arguments of the commands for two sources.

use std::path::PathBuf;

use clap::ValueHint;
use pgn2epd::join::JoinOptions;

use super::library_options::{LibraryOptions, Subset};

const JOIN_HELP: &str = "\
Add the operations of equal positions in other files to records

Each record of FILE gets the operations that it lacks from the records of OTHER with the same position, and is written in its place. \
Counters make no difference and are not added; the en passant square counts if a capture is legal. Of several records with an operation, \
that of the one with the greatest acd is written, and otherwise that of FILE, or of the first in OTHER.";

const JOIN_EXAMPLES: &str = "\
Examples:
  pgn2epd join book.epd --with lichess_db_eval.jsonl.zst -o evaluated.epd
  pgn2epd join old.epd --with new.epd > both.epd
  pgn2epd join suite.epd --with known.epd --only-unmatched > new.epd
  pgn2epd join suite.epd --with suite.epd | pgn2epd --unique - > merged.epd";

const DIFF_HELP: &str = "\
Compare two files of positions or games: positions that only one has, and different operations

Lines begin with < for what only A has, and with > for B; if both have a position, they have the operations that differ. Positions and \
operations are compared in any order. Counters make no difference; the en passant square counts if a capture is legal.";

const DIFF_AFTER_HELP: &str = "Exit status: 0 no differences; 1 differences, or errors in records; 2 wrong arguments, or a file that cannot be read.";

/// Everything about a join.
#[derive(Debug, clap::Args)]
#[command(long_about = JOIN_HELP, before_help = JOIN_EXAMPLES)]
pub(crate) struct Join {
    /// Files of positions or games, compressed or not, or - for standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Files of positions or games whose operations are added
    #[arg(long = "with", value_name = "OTHER", required = true, num_args = 1.., value_hint = ValueHint::FilePath)]
    pub(crate) others: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<JoinOptions>,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Print no messages, except why the run failed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Everything about a comparison.
#[derive(Debug, clap::Args)]
#[command(long_about = DIFF_HELP, after_help = DIFF_AFTER_HELP)]
pub(crate) struct Diff {
    /// A file of positions or games, compressed or not, or - for standard input
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub(crate) a: PathBuf,

    /// The other one
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub(crate) b: PathBuf,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<JoinOptions, OfDiff>,

    /// Print no messages, except why the run failed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The options of `diff`: no records are written.
pub(crate) enum OfDiff {}

impl Subset for OfDiff {
    fn has(heading: &str, _: &str) -> bool {
        matches!(heading, "Reading" | "Running")
    }
}
