//! What books are made from: the counts of this run, or those in count files, which are added up.

use std::fmt;
use std::path::Path;

use stream::ordered::Threads;

use crate::aggregate::Aggregate;
use crate::error::BookError;
use crate::explorer::{ExplorerFile, Header};
use crate::run::{Origin, Run};
use crate::totals::Totals;

/// An open count file that is merged: a partial result, or an explorer file of all positions.
#[derive(Debug)]
pub struct Part {
    name: String,
    file: ExplorerFile,
}

impl Part {
    /// Opens a count file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a count file.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        match ExplorerFile::open(path) {
            Ok(file) => Ok(Part { name, file }),
            Err(error) => Err(BookError::partial(&name, error)),
        }
    }
}

/// The counts that a book is made from.
pub enum Source {
    /// Counts made in this run.
    Counted(Box<Aggregate>, Header),
    /// Count files, and the threads that merge them.
    Parts(Vec<Part>, Threads),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Counted(_, header) => f.debug_tuple("Counted").field(header).finish(),
            Source::Parts(parts, _) => f.debug_tuple("Parts").field(parts).finish(),
        }
    }
}

impl Source {
    pub(crate) fn open(self, memory: usize, folder: &Path) -> Result<(Header, Totals), BookError> {
        match self {
            Source::Counted(aggregate, header) => Ok((header, aggregate.finish()?)),
            Source::Parts(parts, threads) => {
                let (header, runs) = merged(&parts)?;
                let (tables, folder) = (Vec::new(), folder.to_owned());
                Ok((header, Totals { tables, runs, threads, memory, folder }))
            }
        }
    }
}

/// Returns the counts of parts as if the games of all had been counted together.
fn merged(parts: &[Part]) -> Result<(Header, Vec<Run>), BookError> {
    let mut header = Header::default();
    for (number, Part { name, file }) in parts.iter().enumerate() {
        let Header { files, counted, grouped_by, moves, selected, .. } = file.header();
        if *selected {
            return Err(BookError::Selected(name.clone()));
        }
        if number == 0 {
            (header.counted, header.moves) = (counted.clone(), *moves);
            header.grouped_by = grouped_by.clone();
        } else if (&header.counted, header.moves) != (counted, *moves) {
            let (theirs, ours) = (counted.clone(), header.counted);
            return Err(BookError::Different { name: name.clone(), theirs, ours });
        }
        header.files.extend_from_slice(files);
    }
    header.files.sort();
    header.files.dedup();
    let place = |name: &String| header.files.binary_search(name).expect("it is in the list") as u32;
    let mut runs = Vec::new();
    for Part { name, file } in parts {
        let places = file.header().files.iter().map(place).collect();
        let (input, blocks) = file.all_blocks().map_err(|error| BookError::partial(name, error))?;
        runs.push(Run { input, blocks, origin: Origin::Part(name.clone(), places) });
    }
    Ok((header, runs))
}
