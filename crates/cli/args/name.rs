//! Arguments of the command that names games.

use std::path::{Path, PathBuf};

use clap::ValueHint;
use pgn2epd::openings::NameOptions;

use super::library_options::LibraryOptions;

const NAME_HELP: &str = "\
Print the openings of games: ECO code, NIC code, name

A game is named after its deepest named position, whatever the order of the moves. By default the tags ECO, NIC and Opening are \
printed, with an empty line after each game; unknown values are ?. `pgn2epd --games openings games.pgn -o named.pgn` writes the \
games with these tags.";

/// Everything about the naming of games.
#[derive(Debug, clap::Args)]
#[command(long_about = NAME_HELP)]
pub(crate) struct Name {
    /// PGN files, compressed or not, or - for standard input, the default
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    library: LibraryOptions<NameOptions>,

    #[command(flatten)]
    pub(crate) openings: OpeningTables,

    /// Write to a file, which is replaced when everything has been written
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Print no messages, except why the run failed
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The name of the embedded table.
pub(crate) const DEFAULT_TABLE: &str = "default";

/// The opening tables.
#[derive(Debug, clap::Args)]
pub(crate) struct OpeningTables {
    /// Use this opening table instead of the built-in one; may be repeated, later tables override
    /// earlier ones
    ///
    /// The TSV of Lichess, EPD, PGN with one line per game, .eco of SCID, or CSV of Perl's
    /// Chess::PGN::EPD, by content. "default" is the built-in table.
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
    ///
    /// # Errors
    ///
    /// Returns an error if options are in conflict.
    pub(crate) fn options(&self) -> anyhow::Result<NameOptions> {
        Ok(NameOptions::from_names(self.library.given())?)
    }
}
