//! Arguments that name tables of openings.

use std::path::{Path, PathBuf};

use clap::ValueHint;

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
