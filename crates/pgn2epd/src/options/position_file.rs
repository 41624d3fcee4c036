//! A file of positions, as the value of an option.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emit::{Filter, GameContext, OpList, Ops, Plan, Ply, Problem, Select, Sink};
use san::{PositionKey, PositionSet};

use super::value::{OptionValue, ValueKind};
use super::values::ValueError;
use crate::games::run_text;
use crate::inputs::{Input, Inputs};
use crate::options::Options;
use crate::run::games::{Consumer, PlySource};
use crate::summary::{Summary, flow};

/// The positions of a file: all of a file of positions, and of games the last ones of their main
/// lines. They are held in memory, some 60 bytes each.
#[derive(Clone)]
pub struct PositionFile {
    path: PathBuf,
    positions: Arc<PositionSet>,
}

impl PositionFile {
    /// Reads a file of any [kind](crate::input::TextKind). Fails if the file cannot be read, and
    /// for the first error in it.
    pub fn read(path: &Path) -> Result<Self, ValueError> {
        let reason = |error: &dyn fmt::Display| ValueError::new(error.to_string());
        let options = Options::default();
        let mut positions = PositionSet::default();
        for text in Inputs::new([Input::file(path)]) {
            let text = text.map_err(|error| reason(&error.error))?;
            let has_positions = text.kind().has_positions();
            let select = Select { only_final: !has_positions, ..Select::default() };
            let plan = Plan { ops: Ops::NONE, select, ..Plan::default() };
            let plan = if has_positions { plan.of_records(OpList::NONE, &[]) } else { plan };
            let mut first = None;
            let mut take = |found: &mut FoundPositions, _: u64, _: &mut Summary| {
                positions.extend(found.keys.drain(..));
                first = first.take().or(found.problems.drain(..).find(Problem::is_error));
                flow(first.is_some())
            };
            let mut summary = Summary::default();
            let read =
                run_text(text, &options, &plan, &FindPositions, &mut summary, &mut (), &mut take);
            let _ = read.map_err(|error| reason(&error))?;
            first.map_or(Ok(()), |problem| Err(reason(&problem)))?;
        }
        if positions.is_empty() {
            return Err(reason(&"the file has no positions"));
        }
        Ok(PositionFile { path: path.to_owned(), positions: positions.into() })
    }

    /// Returns the file that was read.
    pub fn path(&self) -> &Path {
        &self.path
    }

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

struct FindPositions;

#[derive(Default)]
struct FoundPositions {
    keys: Vec<PositionKey>,
    problems: Vec<Problem>,
}

impl Consumer for FindPositions {
    type Result = FoundPositions;

    fn consume<G: PlySource>(&self, source: G, found: &mut FoundPositions) -> G::Read {
        let read;
        (*found, read) = source.play(FoundPositions::default());
        read
    }

    fn problems(found: &mut FoundPositions) -> impl Iterator<Item = &mut Problem> {
        found.problems.iter_mut()
    }
}

impl Sink for FoundPositions {
    fn ply(&mut self, ply: Ply<'_>, _: &GameContext<'_>) {
        self.keys.push(PositionKey::of(ply.position));
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
