//! What books are made from: counts of this run, or of the files of others, which are added up.

use std::fmt;
use std::path::Path;

use san::MoveCode;
use stream::ordered::Threads;

use crate::aggregate::Aggregate;
use crate::block::{BlockPosition, MoveCount, Row, key_of_sort_key, sort_key};
use crate::disk::{CountOrder, Disk, rank};
use crate::error::{BookError, ExplorerError};
use crate::explorer::{ExplorerFile, Header, NOT_DECODED, NOT_IN_ORDER, SectionRecord};
use crate::games::GameClass;
use crate::totals::{CounterRows, Totals};

/// An open partial result.
#[derive(Debug)]
pub struct Part {
    name: String,
    file: ExplorerFile,
}

impl Part {
    /// Opens a partial result.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a partial result.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        match ExplorerFile::open(path) {
            Ok(file) => Ok(Part { name, file }),
            Err(error) => Err(BookError::partial(&name, error)),
        }
    }

    /// Appends all counts to a file, with the numbers of the files in `places`.
    fn copy(&self, places: &[u32], order: &CountOrder, disk: &mut Disk) -> Result<(), BookError> {
        let failed = |error| BookError::partial(&self.name, error);
        let mut partition = 0;
        let mut reader = PartReader::default();
        for block in self.file.all_blocks().map_err(failed)? {
            let bytes = self.file.section(&block).map_err(failed)?;
            for mut position in ExplorerFile::positions(&block, &bytes).map_err(failed)? {
                reader.check(&block, &mut position, places).map_err(failed)?;
                let BlockPosition { key, counts, .. } = position;
                let of_last = std::mem::replace(&mut partition, order.partition_of(rank(key)));
                if of_last != partition {
                    disk.end_run(of_last);
                }
                for (next, class, tally) in counts {
                    disk.append(&Row { key, next, class, tally })?;
                }
            }
        }
        disk.end_run(partition);
        self.file.check_positions(reader.positions).map_err(failed)
    }
}

/// Checks the counts of a part, which other programs may have written.
#[derive(Default)]
struct PartReader {
    positions: u64,
    /// The position, the move and the class that were read last.
    last: Option<([u8; 32], MoveCode, Box<str>)>,
    /// The legal moves of the position.
    legal: Vec<MoveCode>,
}

impl PartReader {
    /// Sets the numbers of the files.
    fn check(
        &mut self,
        block: &SectionRecord,
        position: &mut BlockPosition<'_>,
        places: &[u32],
    ) -> Result<(), ExplorerError> {
        let key = sort_key(position.key);
        let place = |(code, class, _): &MoveCount<'_>| (key, *code, (*class).into());
        if self.last >= position.counts.first().map(place) {
            return Err(block.damaged(NOT_IN_ORDER));
        }
        if self.last.as_ref().is_none_or(|(last, ..)| *last != key) {
            self.positions += 1;
            let position = position.key.position(0, 1);
            let position = position
                .map_err(|error| block.damaged(format!("a position is not legal: {error}")))?;
            self.legal = position.legal_moves().into_iter().map(san::Move::code).collect();
        }
        self.last = position.counts.last().map(place);
        for (next, class, tally) in &mut position.counts {
            if !next.is_none() && !self.legal.contains(&next.without_pin()) {
                let next = next.0;
                let reason = format!("the move {next} is not legal in its position");
                return Err(block.damaged(reason));
            }
            let is_class = GameClass::of_text(class).is_some_and(|read| read.to_text() == **class);
            let latest = tally.latest.as_mut().map(|latest| &mut latest.at);
            let places_of = [&mut tally.first, &mut tally.strongest.at].into_iter().chain(latest);
            let is_placed = places_of.into_iter().all(|at| {
                let file = places.get(at.file as usize);
                at.file = file.copied().unwrap_or_default();
                file.is_some()
            });
            if !is_placed || !class.is_empty() && !is_class {
                return Err(block.damaged(NOT_DECODED));
            }
        }
        Ok(())
    }
}

/// The counts that a book is made from.
pub enum Source {
    /// Counts made in this run.
    Counted(Box<Aggregate>, Header),
    /// Partial results, and the threads that merge them.
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
            Source::Parts(parts, threads) => merged(&parts, threads, memory, folder),
        }
    }
}

/// Merges as if the games of all partial results had been counted together.
fn merged(
    parts: &[Part],
    threads: Threads,
    memory: usize,
    folder: &Path,
) -> Result<(Header, Totals), BookError> {
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
    let mut blocks = Vec::new();
    for Part { name, file } in parts {
        let of_part = file.all_blocks();
        blocks.extend(of_part.map_err(|error| BookError::partial(name, error))?);
    }
    let order = CountOrder::default();
    order.choose_partitions(blocks.len(), |number| key_of_sort_key(blocks[number].first));
    let mut disk = Disk::new(folder);
    for part in parts {
        let places: Vec<u32> = part.file.header().files.iter().map(place).collect();
        part.copy(&places, &order, &mut disk)?;
    }
    disk.flush()?;
    let rows = CounterRows::of_disk(disk);
    Ok((header, Totals::new(vec![rows], order, threads, memory)))
}
