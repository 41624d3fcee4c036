//! Arguments of the command that names games.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use pgn2epd::{NameForm, NameOptions};

use super::damage::DamageArgs;
use super::values::{Jobs, Size};

const NAME_HELP: &str = "\
Print the openings of games: ECO code, NIC code, name

Of each game the deepest position counts that has a name, whatever the order of the moves. By default these tags are printed, \
and an empty line behind each game; what is not known is ?.";

/// Everything about the naming of games.
#[derive(Debug, clap::Args)]
#[command(long_about = NAME_HELP)]
pub(crate) struct Name {
    /// Files of games, one after the other; none, or -, for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    /// Print a line for each game, with tabs between: number, ply of the deepest named position, plies of the game, ECO, NIC,
    /// name, players; - where nothing is known
    #[arg(long, conflicts_with = "write")]
    table: bool,

    /// Print the games as they are, but with the tags ECO, NIC and Opening put in or corrected
    #[arg(long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) openings: OpeningTables,

    /// Write to a file; it is replaced only once everything is written. With --write it may be one of the files that are read
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Threads that work [default: as many as there are cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,

    /// The largest game to read, in bytes, or with K, M or G; memory is bounded by it
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    max_game_bytes: Size,

    /// Bytes to work on at once; it changes nothing about the output
    #[arg(long, value_name = "SIZE", hide = true, default_value = "256K")]
    chunk_bytes: Size,

    /// Print no messages, except why the run failed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The name of the embedded table.
pub(crate) const DEFAULT_TABLE: &str = "default";

/// Which tables of openings are used.
#[derive(Debug, clap::Args)]
pub(crate) struct OpeningTables {
    /// An opening table in place of the built-in one; the option may be repeated, later tables override earlier ones
    ///
    /// The TSV of Lichess, EPD records, PGN with one line per game, .eco of SCID, or CSV of Perl's Chess::PGN::EPD; the format is detected from
    /// the content. "default" is the built-in table.
    #[arg(long = "openings", value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) tables: Vec<PathBuf>,
}

impl OpeningTables {
    /// Returns the tables that are files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.tables.iter().filter(|path| *path != Path::new(DEFAULT_TABLE))
    }
}

impl Name {
    /// Returns the options for the library, with the embedded table.
    pub(crate) fn options(&self) -> NameOptions {
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
