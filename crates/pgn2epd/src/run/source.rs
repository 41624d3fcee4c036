//! A run over a text, whatever it contains.

use std::io;
use std::path::PathBuf;

use emit::Evals;
use training::ScoreUnit;

use super::entries::run_entries;
#[cfg(feature = "book")]
use super::explorer::run_explorer;
use super::games::{TextRun, run_games};
use super::records::{RecordConsumer, run_records};
#[cfg(feature = "arrow")]
use super::tables::run_tables;
use crate::inputs::{InputText, TextKind};

/// How the positions of a text are read.
pub(crate) struct Reading {
    /// The unit of scores in training data.
    pub(crate) score: ScoreUnit,
    pub(crate) evals: Evals,
    /// The folder for temporary files.
    #[cfg_attr(not(feature = "book"), expect(dead_code, reason = "only binary files need one"))]
    pub(crate) folder: PathBuf,
}

/// Passes the positions of a text, with [its plan](crate::text_plan::plan_of), to a consumer.
///
/// # Errors
///
/// Returns an error if the text cannot be read. The positions before it have been delivered.
pub(crate) fn run_source<C: RecordConsumer>(
    text: InputText<'_>,
    reading: &Reading,
    run: TextRun<'_, C>,
) -> io::Result<()> {
    match text.kind() {
        TextKind::Training(_) | TextKind::Plain => run_entries(text, reading.score, run),
        #[cfg(feature = "arrow")]
        TextKind::Columns => run_tables(text, &reading.folder, run),
        #[cfg(not(feature = "arrow"))]
        TextKind::Columns => Err(io::Error::new(io::ErrorKind::Unsupported, table::NOT_BUILT)),
        #[cfg(feature = "book")]
        TextKind::Explorer => run_explorer(text, &reading.folder, run),
        kind if kind.has_positions() => run_records(text, reading.evals, run),
        _ => run_games(text, run),
    }
}
