//! The run of a command over a text: threads play games, or read lines, into what a consumer makes
//! of them, and the results are used in the order of the input.

mod batches;
pub(crate) mod games;
pub(crate) mod records;
#[cfg(feature = "book")]
mod rows;

use std::io;
use std::path::PathBuf;

use emit::Evals;
use training::ScoreUnit;

use crate::inputs::{InputText, TextKind};
use batches::run_entries;
use games::{Consumer, TextRun, run_games};
use records::run_records;
#[cfg(feature = "book")]
use rows::run_explorer;
#[cfg(feature = "arrow")]
use rows::run_tables;

pub(crate) struct Reading {
    pub(crate) score: ScoreUnit,
    pub(crate) evals: Evals,
    #[cfg_attr(not(feature = "book"), expect(dead_code, reason = "only binary files need one"))]
    pub(crate) folder: PathBuf,
}

/// Passes the positions of a text, with [its plan](crate::Options::plan_of), to a consumer.
pub(crate) fn run_source<C: Consumer>(
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
