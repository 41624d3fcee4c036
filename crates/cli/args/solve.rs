//! Arguments of the command that solves test suites.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use pgn2epd::Options;
use pgn2epd::analyse::{AnalyseOptions, solution_has};

use super::convert::Messages;
use super::library_options::{LibraryOptions, Subset};

const EXAMPLES: &str = "\
Examples:
  pgn2epd solve suite.epd --engine stockfish --nodes 100000
  pgn2epd solve suite.epd --engine stockfish --engine 'lc0 --backend=blas' --movetime 1000 --format markdown
  pgn2epd solve suite.epd --engine ./engine --nodes 10000 --quiet --fail-below 20 -o result.json --format json";

const AFTER_HELP: &str = "Exit status: 0 success; 1 an engine failed at a position, an error in a record, a result below --fail-below, or nothing to solve; 2 wrong arguments, or a file or an engine that cannot be used.";

/// Let UCI engines solve test suites: best moves, moves to avoid, mates, points
///
/// A position is solved by one of the moves of bm, by a move that am does not have, by the move
/// with the most points, or, if the record only has dm, by a mate. Engines are asked one after the
/// other.
#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, after_help = AFTER_HELP)]
pub(crate) struct Solve {
    /// Files of positions, compressed or not, or - for standard input
    #[arg(value_name = "SUITE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: LibraryOptions<AnalyseOptions, OfSolve>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<Options, OfSolve>,

    /// What the result is written as
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "text",
        help_heading = "Result"
    )]
    pub(crate) format: SuiteFormat,

    /// Exit status 1 if an engine solves fewer positions, or, in a suite with points, has fewer
    /// points
    #[arg(long, value_name = "N", help_heading = "Result")]
    pub(crate) fail_below: Option<u64>,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", help_heading = "Result", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuiteFormat {
    /// The totals of each engine, then what each played where one was wrong
    Text,
    /// The same as tables of Markdown
    Markdown,
    /// All positions of each engine
    Json,
    /// A row for each engine and position
    Csv,
}

/// The options of `solve`: those of `analyse` that choose positions, engines and limits.
pub(crate) enum OfSolve {}

impl Subset for OfSolve {
    fn has(heading: &str, name: &str) -> bool {
        solution_has(heading, name)
    }
}
