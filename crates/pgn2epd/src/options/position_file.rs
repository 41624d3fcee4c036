//! A file of positions, as the value of an option.

use std::fmt;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emit::Filter;
use san::{PositionKey, PositionSet};

use super::value::{OptionValue, ValueKind};
use super::{Options, ValueError};
use crate::inputs::{Input, Inputs};
use crate::played_games::{plan_of_values, play_text};
use crate::summary::Summary;

/// The positions of a file: all of a file of positions, and of games the last ones of their main
/// lines. They are held in memory, some 60 bytes each.
#[derive(Clone)]
pub struct PositionFile {
    path: PathBuf,
    positions: Arc<PositionSet>,
}

impl PositionFile {
    /// Reads a file of any [kind](crate::input::TextKind).
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, and for the first error in it.
    pub fn read(path: &Path) -> Result<Self, ValueError> {
        let mut positions = PositionSet::default();
        for text in Inputs::new([Input::file(path)]) {
            let text = text.map_err(|error| ValueError::new(error.error.to_string()))?;
            let options = Options::default().only_final(!text.kind().has_positions());
            let (plan, mut summary) = (plan_of_values(&options), Summary::default());
            let mut error = None;
            let read = play_text(text, &options, &plan, &mut summary, &mut |played, _| {
                let mut problems = played.problems.filter(|problem| problem.is_error());
                for game in played.games {
                    error = error.take().or(game.problems.into_iter().find(|p| p.is_error()));
                    let keys = game.positions.iter().map(|played| &played.position);
                    positions.extend(keys.map(PositionKey::of));
                }
                error = error.take().or_else(|| problems.next());
                if error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let _ = read.map_err(|error| ValueError::new(error.to_string()))?;
            if let Some(problem) = error {
                return Err(ValueError::new(problem.to_string()));
            }
        }
        if positions.is_empty() {
            return Err(ValueError::new("the file has no positions".to_owned()));
        }
        Ok(PositionFile { path: path.to_owned(), positions: positions.into() })
    }

    /// Returns the file that was read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds to a condition that one of the positions has occurred.
    pub(crate) fn and_filter(this: Option<&Self>, filter: Option<Filter>) -> Option<Filter> {
        match this {
            None => filter,
            Some(file) => Some(Filter::reaching(filter, file.positions.clone())),
        }
    }
}

impl fmt::Debug for PositionFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PositionFile").field(&self.path).finish()
    }
}

impl OptionValue for PositionFile {
    const KIND: ValueKind = ValueKind::File;

    fn parse(text: &str) -> Result<Self, String> {
        PositionFile::read(Path::new(text)).map_err(|error| error.to_string())
    }

    fn text(&self) -> Option<String> {
        Some(self.path.to_string_lossy().into_owned())
    }
}
