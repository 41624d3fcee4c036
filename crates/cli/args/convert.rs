//! Arguments for converting games.

use std::path::PathBuf;

use clap::{ValueEnum, ValueHint};
use pgn2epd::Options;

use super::library_options::{LibraryOptions, on_command_line};
use super::opening_tables::OpeningTables;
use super::values::Bytes;

/// Everything about a conversion.
#[derive(Debug, clap::Args)]
pub(crate) struct Convert {
    /// Files of games, positions or training data, or - for standard input, the default
    ///
    /// They may be compressed (gzip, bzip2, zstd, xz) or archives (zip, 7z).
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) library: LibraryOptions<Options>,

    #[command(flatten, next_help_heading = "Records")]
    pub(crate) openings: OpeningTables,

    #[command(flatten)]
    pub(crate) run: Run,

    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Run {
    /// Write to a file, which is replaced when everything has been written
    ///
    /// Unless --format is given, the suffixes .csv, .jsonl and .ndjson, .arrow and .arrows, and
    /// .parquet select a table, .vf, .binpack and .bullet the formats viriformat, binpack and
    /// bulletformat, and .fen without --preset the format fen.
    #[arg(short, long, display_order = 0, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,

    /// Write a description of the outputs to a file, as JSON, with which a data set can be
    /// reproduced and checked
    ///
    /// Inputs and outputs with their sizes and SHA-256, the options, the version of the program,
    /// the numbers of games and positions, and how many were omitted for which reason.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) manifest: Option<PathBuf>,

    /// Only the games that begin in this range of bytes, as `pgn2epd splits` prints and explains
    #[arg(long, value_name = "START:END", hide_short_help = true)]
    pub(crate) range: Option<Bytes>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Messages {
    /// Write every problem to a file as a line of JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, hide_short_help = true)]
    pub(crate) report: Option<PathBuf>,

    /// Print a summary at the end: games, positions, errors, bytes, seconds
    #[arg(long, value_name = "FORM", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "text", hide_short_help = true)]
    pub(crate) summary: Option<SummaryForm>,

    /// Print no messages, except why the run failed
    #[arg(short, long, conflicts_with = "progress", hide_short_help = true)]
    pub(crate) quiet: bool,

    /// Show a progress bar [default: on a terminal, unless the records are written there too]
    #[arg(long, hide_short_help = true)]
    pub(crate) progress: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SummaryForm {
    /// A line of text
    Text,
    /// A JSON object
    Json,
}

impl Convert {
    /// Returns the options for the library.
    ///
    /// # Errors
    ///
    /// Returns an error if options are in conflict.
    pub(crate) fn options(&self) -> anyhow::Result<Options> {
        let options = match self.run.output.as_deref() {
            Some(output) => Options::from_names_for(self.library.given(), output),
            None => Options::from_names(self.library.given()),
        };
        options.map_err(on_command_line)
    }
}

#[cfg(test)]
mod tests;
