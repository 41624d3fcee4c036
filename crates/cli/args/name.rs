//! Arguments of the command that names games.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use pgn2epd::{NameForm, NameOptions};

use super::damage::DamageArgs;
use super::values::{Jobs, Size};

const NAME_HELP: &str = "\
Print the openings of games: ECO code, NIC code, name

A game is named after its deepest named position, whatever the order of the moves. By default the tags ECO, NIC and Opening are \
printed, with an empty line after each game; unknown values are ?.";

/// Everything about the naming of games.
#[derive(Debug, clap::Args)]
#[command(long_about = NAME_HELP)]
pub(crate) struct Name {
    /// PGN files, compressed or not, or - for standard input, the default
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Print a line for each game, separated by tabs: number, ply of the deepest named position, plies of the game, ECO, NIC,
    /// name, players; unknown values are -
    #[arg(long, conflicts_with = "write")]
    table: bool,

    /// Print the games unchanged, except for the tags ECO, NIC and Opening, which are inserted or corrected
    #[arg(long)]
    pub(crate) write: bool,

    #[command(flatten)]
    pub(crate) openings: OpeningTables,

    /// Write to a file, which is replaced when everything has been written; with --write it may be one of the inputs
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) damage: DamageArgs,

    /// Number of threads [default: the number of cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<Jobs>,

    /// Maximum size of a game in bytes, or with K, M or G; it bounds memory
    #[arg(long, value_name = "SIZE", default_value = "64M")]
    max_game_bytes: Size,

    /// Size of a chunk in bytes; it does not affect the output
    #[arg(long, value_name = "SIZE", hide = true, default_value = "256K")]
    chunk_bytes: Size,

    /// Print no messages, except why the run failed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The name of the embedded table.
pub(crate) const DEFAULT_TABLE: &str = "default";

/// The opening tables.
#[derive(Debug, clap::Args)]
pub(crate) struct OpeningTables {
    /// Use this opening table instead of the built-in one; may be repeated, later tables override earlier ones
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
