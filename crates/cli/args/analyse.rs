//! Arguments of the command that evaluates positions.

use std::path::PathBuf;

use clap::ValueHint;
use pgn2epd::Options;
use pgn2epd::analyse::{AnalyseOptions, analysis_has};

use super::convert::Messages;
use super::library_options::{LibraryOptions, Subset};

const EXAMPLES: &str = "\
Examples:
  pgn2epd analyse --engine stockfish --nodes 100000 suite.epd -o evaluated.epd
  pgn2epd analyse --engine stockfish --option Hash=256 --depth 20 --last --unique games.pgn -o ends.epd
  pgn2epd analyse --engine 'lc0 --backend=blas' --nodes 800 --multipv 3 --bm within:20 suite.epd
  pgn2epd analyse --engine stockfish --nodes 100000 suite.epd -o evaluated.epd --resume";

const AFTER_HELP: &str = "Exit status: 0 success; 1 errors in games, positions that the engine does not evaluate, or nothing to write; 2 wrong arguments, or a file or an engine that cannot be used.";

/// Evaluate positions with a UCI engine
///
/// Each position is written in its place with what the engine says of it: ce, dm, acd, acn, pv, pm.
/// Positions are selected as by the converter. Several processes search one position each; an
/// engine that crashes, hangs, or answers an illegal move is started again and asked once more.
///
/// With -o FILE, records are written to FILE.partial while they are made, and FILE is replaced at
/// the end. A run that was interrupted goes on with --resume and the same arguments.
#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES, after_help = AFTER_HELP)]
pub(crate) struct Analyse {
    /// Files of positions or games, compressed or not, or - for standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: LibraryOptions<AnalyseOptions, OfEngine>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<Options, OfAnalyse>,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", help_heading = "Running", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) kept: Kept,

    /// Go on with a run that was interrupted: its records are kept, and compared with the input
    ///
    /// If only FILE exists, without FILE.partial, its records are kept.
    #[arg(long, requires = "output", help_heading = "Running")]
    pub(crate) resume: bool,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

/// Evaluations that are kept.
#[derive(Debug, clap::Args)]
pub(crate) struct Kept {
    /// Take evaluations from a file that is made in the first run, and add those of other positions
    ///
    /// They are those of the same engine, limits and options. The file is read into memory.
    #[arg(long, value_name = "FILE", requires = "engine", help_heading = "Running", value_hint = ValueHint::FilePath)]
    pub(crate) cache: Option<PathBuf>,
}

/// The options of `analyse`: results are written to one file.
pub(crate) enum OfAnalyse {}

impl Subset for OfAnalyse {
    fn has(_: &str, name: &str) -> bool {
        analysis_has(name)
    }
}

/// The options of the engine: it selects no positions.
pub(crate) enum OfEngine {}

impl Subset for OfEngine {
    fn has(_: &str, name: &str) -> bool {
        name != "draws"
    }
}
