//! What was typed to name games.

use std::path::PathBuf;

use clap::ValueHint;
use pgn2epd::{NameForm, NameOptions};

use super::values::{Jobs, Size};

const NAME_HELP: &str = "\
Print the openings of games: ECO code, NIC code, name

Of each game the deepest position counts that has a name, whatever the order of the moves. By default these tags are printed, \
and an empty line behind each game; what is not known is ?.";

/// Everything about the naming of games.
#[derive(Debug, clap::Args)]
#[command(long_about = NAME_HELP)]
pub(in crate::cli) struct Name {
    /// Files of games, one after the other; none, or -, for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) files: Vec<PathBuf>,

    /// Print a line for each game, with tabs between: number, ply of the deepest named position, plies of the game, ECO, NIC,
    /// name, players; - where nothing is known
    #[arg(long, conflicts_with = "write")]
    table: bool,

    /// Print the games as they are, but with the tags ECO, NIC and Opening put in or corrected
    #[arg(long)]
    write: bool,

    #[command(flatten)]
    pub(in crate::cli) openings: OpeningTables,

    /// Write to a file, one of those that are read perhaps; it is replaced only when all has gone well
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) output: Option<PathBuf>,

    /// Threads that work [default: as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,

    /// The largest game to read, in bytes, or with K, M or G; memory is bounded by it
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    max_game_bytes: Size,

    /// Bytes to work on at once; it changes nothing about the output
    #[arg(long, value_name = "SIZE", hide = true, default_value = "256K")]
    chunk_bytes: Size,

    /// Say nothing but why the run failed, if it did
    #[arg(short, long)]
    pub(in crate::cli) quiet: bool,
}

/// Which tables of openings are used.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct OpeningTables {
    /// A table of openings in the place of the usual one; several lie one over the other
    ///
    /// The TSV of Lichess, EPD records, PGN with one line a game, .eco of SCID, CSV of Perl's Chess::PGN::EPD: which of them is
    /// seen from the text. What a later file says of a position counts. "default" is the table that comes with the program.
    #[arg(long = "openings", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(in crate::cli) tables: Vec<PathBuf>,
}

impl Name {
    /// What the library is to do; with the table that comes with the program.
    pub(in crate::cli) fn options(&self) -> NameOptions {
        NameOptions {
            openings: None,
            form: match (self.write, self.table) {
                (true, _) => NameForm::Pgn,
                (false, true) => NameForm::Table,
                (false, false) => NameForm::Tags,
            },
            jobs: self.jobs.map(|Jobs(jobs)| jobs),
            max_game_bytes: self.max_game_bytes.0,
            chunk_bytes: self.chunk_bytes.0,
        }
    }
}
