//! Leaves out the records of games that are equal to another one.
//!
//! Records wait in the order of the input, in memory and then in a temporary file, while the games
//! are sorted twice: by their keys, which brings equal ones together, and those that are left out by
//! their number.

use std::io;
use std::mem;
use std::path::Path;

use stream::ordered::Threads;
use stream::spill::{Extent, RunFile, SortedPairs, Sorter, write_number};

use crate::chunk::Batch;
use crate::record::{Place, Records, read_stored};

/// Offset of a game's number; before it, whether it is damaged and its rank, preferred first.
const NUMBER: usize = size_of::<u8>() + size_of::<u32>();

#[derive(Debug)]
pub(crate) struct UniqueGames {
    games: Sorter,
    /// The numbers of those that are left out.
    omitted: Sorter,
    records: WaitingRecords,
}

impl UniqueGames {
    /// Compares games in about `memory` bytes.
    pub(crate) fn new(memory: usize, folder: &Path, threads: &Threads) -> Self {
        // Buffers grow to twice their size.
        let sorter = || Sorter::new(memory / 8, folder).with_threads(threads.clone());
        let records = WaitingRecords::new(memory / 4, folder);
        UniqueGames { games: sorter(), omitted: sorter(), records }
    }

    /// Adds the games of a chunk that have records, given the number of games before it.
    pub(crate) fn add(&mut self, records: &Records, before: u64) -> io::Result<()> {
        let mut value = Vec::new();
        for same in records.list.chunk_by(|one, other| one.game == other.game) {
            let index = same[0].game;
            let Some(Some(game)) = records.compared.get(index as usize) else { continue };
            value.clear();
            value.push(game.is_damaged.into());
            value.extend((!game.rank).to_be_bytes());
            value.extend((before + u64::from(index)).to_be_bytes());
            self.games.push(&game.key, &value)?;
        }
        Ok(())
    }

    pub(crate) fn store(&mut self, batch: Batch) -> io::Result<()> {
        self.records.push(batch)
    }

    /// Passes on the records of the games kept, in order; returns how many games are left out.
    pub(crate) fn finish(
        mut self,
        pass: &mut dyn FnMut(Batch) -> io::Result<()>,
    ) -> io::Result<u64> {
        let (mut sorted, mut count) = (self.games.finish()?, 0);
        let (mut last, mut best): (Vec<u8>, Vec<u8>) = Default::default();
        while let Some((key, value)) = sorted.next()? {
            // What begins with a key follows it.
            if best.is_empty() || !key.starts_with(&last) {
                value.clone_into(&mut best);
            } else {
                let mut worse = value.to_vec();
                if worse < best {
                    mem::swap(&mut worse, &mut best);
                }
                self.omitted.push(&worse[NUMBER..], &[])?;
                count += 1;
            }
            key.clone_into(&mut last);
        }
        let mut omitted = self.omitted.finish()?;
        let mut next = next_number(&mut omitted)?;
        self.records.finish(&mut |mut batch| {
            let mut advanced = Ok(());
            batch.retain(|stored| {
                let (Place { game, .. }, _) = Place::read(stored);
                while advanced.is_ok() && next.is_some_and(|number| number < game) {
                    advanced = next_number(&mut omitted).map(|number| next = number);
                }
                next != Some(game)
            });
            advanced.and_then(|()| pass(batch))
        })?;
        Ok(count)
    }
}

fn next_number(omitted: &mut SortedPairs) -> io::Result<Option<u64>> {
    let number = omitted.next()?.and_then(|(number, _)| number.first_chunk());
    Ok(number.map(|number| u64::from_be_bytes(*number)))
}

/// Approximate size of the records that are read at once, in bytes.
const READ: usize = 256 << 10;

/// Records in their order: the first ones in memory, the others in a temporary file.
#[derive(Debug)]
pub(crate) struct WaitingRecords {
    /// The memory that is left, in bytes.
    room: usize,
    held: Vec<Batch>,
    file: RunFile,
    extents: Vec<Extent>,
    /// The size of the current run of the file.
    size: usize,
}

impl WaitingRecords {
    /// Keeps records in `memory` bytes, and others in a file in `folder`.
    pub(crate) fn new(memory: usize, folder: &Path) -> Self {
        let (held, extents) = Default::default();
        WaitingRecords { room: memory, held, file: RunFile::new(folder), extents, size: 0 }
    }

    pub(crate) fn push(&mut self, batch: Batch) -> io::Result<()> {
        if let Some(room) = self.room.checked_sub(batch.memory()) {
            self.room = room;
            self.held.push(batch);
            return Ok(());
        }
        self.room = 0;
        for stored in batch.stored() {
            self.file.append(|out| {
                write_number(stored.len() as u64, out);
                out.extend_from_slice(stored);
            })?;
            self.size += stored.len();
            if self.size >= READ {
                self.extents.extend(self.file.end_run());
                self.size = 0;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(
        mut self,
        pass: &mut dyn FnMut(Batch) -> io::Result<()>,
    ) -> io::Result<()> {
        self.held.into_iter().try_for_each(&mut *pass)?;
        self.extents.extend(self.file.end_run());
        self.file.flush()?;
        let mut bytes = Vec::new();
        for extent in self.extents {
            bytes.clear();
            self.file.read(extent, &mut bytes)?;
            let (mut rest, mut batch) = (&*bytes, Batch::default());
            while !rest.is_empty() {
                let len = read_stored(&mut rest) as usize;
                let (stored, after) = rest.split_at(len);
                batch.push(|out| out.extend_from_slice(stored));
                rest = after;
            }
            pass(batch)?;
        }
        Ok(())
    }
}
