//! Leaves out the records of games that are equal to another one.
//!
//! Records wait in the order of the input, in memory and then in a temporary file, while the games
//! are sorted three times: by their keys, which brings equal ones together; by their group, the
//! preferred one first; and those that are left out by their number.

use std::io;
use std::path::{Path, PathBuf};

use stream::ordered::Threads;
use stream::spill::number::write_number;
use stream::spill::sorter::{SortedPairs, Sorter};

use crate::batch::Batch;
use crate::compared_game::{DuplicateGame, GamePlace};
use crate::equal::GamePreference;
use crate::record::{Place, Records, read_stored};
use crate::waiting::WaitingRecords;

/// The number of a game comes after whether it is damaged and its rank, with the preferred one
/// first.
const NUMBER: usize = size_of::<u8>() + size_of::<u32>();
const PLACE: usize = NUMBER + size_of::<u64>();
const NUMBER_IS_WHOLE: &str = "a number has eight bytes";

/// Games that are compared, and their records.
#[derive(Debug)]
pub(crate) struct UniqueGames {
    keep: GamePreference,
    /// The memory of each of the two sorters that are used at the same time.
    memory: usize,
    folder: PathBuf,
    threads: Threads,
    games: Sorter,
    records: WaitingRecords,
}

impl UniqueGames {
    /// Compares games in about `memory` bytes.
    pub(crate) fn new(
        keep: GamePreference,
        memory: usize,
        folder: &Path,
        threads: &Threads,
    ) -> Self {
        let records = WaitingRecords::new(memory / 4, folder);
        // Buffers grow to twice their size.
        let memory = memory / 8;
        let games = Sorter::new(memory, folder).with_threads(threads.clone());
        let (folder, threads) = (folder.to_owned(), threads.clone());
        UniqueGames { keep, memory, folder, threads, games, records }
    }

    /// Adds the games of a chunk that have records, given the number of games before it.
    pub(crate) fn add(&mut self, records: &Records, before: u64) -> io::Result<()> {
        let mut value = Vec::new();
        for same in records.list.chunk_by(|one, other| one.game == other.game) {
            let index = same[0].game;
            let Some(Some(game)) = records.compared.get(index as usize) else { continue };
            let number = before + u64::from(index);
            let is_last = self.keep == GamePreference::Last;
            value.clear();
            value.push(game.is_damaged.into());
            value.extend((!game.rank).to_be_bytes());
            value.extend(if is_last { !number } else { number }.to_be_bytes());
            write_place(&game.place, &mut value);
            self.games.push(&game.key, &value)?;
        }
        Ok(())
    }

    /// Adds the next records.
    pub(crate) fn store(&mut self, batch: Batch) -> io::Result<()> {
        self.records.push(batch)
    }

    fn sorter(&self) -> Sorter {
        Sorter::new(self.memory, &self.folder).with_threads(self.threads.clone())
    }

    /// Returns the number of a game.
    fn number(&self, value: &[u8]) -> u64 {
        let number = u64::from_be_bytes(*value[NUMBER..].first_chunk().expect(NUMBER_IS_WHOLE));
        if self.keep == GamePreference::Last { !number } else { number }
    }

    /// Returns the games that are equal to others by the number of their group.
    fn groups(&mut self) -> io::Result<Sorter> {
        let empty = self.sorter();
        let mut sorted = std::mem::replace(&mut self.games, empty).finish()?;
        let (mut groups, mut group) = (self.sorter(), 0_u64);
        let mut last: Option<(Vec<u8>, Vec<u8>)> = None;
        let mut is_alone = true;
        while let Some((key, value)) = sorted.next()? {
            match &mut last {
                // What begins with a key follows it.
                Some((last_key, last_value)) if key.starts_with(last_key) => {
                    if is_alone {
                        groups.push(&group.to_be_bytes(), last_value)?;
                    }
                    groups.push(&group.to_be_bytes(), value)?;
                    is_alone = false;
                }
                _ => (group, is_alone) = (group + 1, true),
            }
            let (last_key, last_value) = last.get_or_insert_default();
            key.clone_into(last_key);
            value.clone_into(last_value);
        }
        Ok(groups)
    }

    /// Returns the games that are left out by their number, each with its place and that of the one
    /// that is kept.
    fn omitted(&self, groups: Sorter) -> io::Result<SortedPairs> {
        let (mut sorted, mut omitted) = (groups.finish()?, self.sorter());
        let (mut last, mut kept, mut places) = (Vec::new(), Vec::new(), Vec::new());
        while let Some((group, value)) = sorted.next()? {
            if group != last {
                group.clone_into(&mut last);
                value[PLACE..].clone_into(&mut kept);
                continue;
            }
            places.clear();
            places.extend_from_slice(&value[PLACE..]);
            places.extend_from_slice(&kept);
            omitted.push(&self.number(value).to_be_bytes(), &places)?;
        }
        omitted.finish()
    }

    /// Passes on the records of the games that are kept, in their order; `on_duplicate` receives
    /// the others, in theirs. Returns how many these are.
    pub(crate) fn finish(
        mut self,
        on_duplicate: &mut dyn FnMut(&DuplicateGame),
        pass: &mut dyn FnMut(Batch) -> io::Result<()>,
    ) -> io::Result<u64> {
        let groups = self.groups()?;
        let sorted = self.omitted(groups)?;
        let mut omitted = OmittedGames { sorted, on_duplicate, number: None, count: 0 };
        omitted.advance()?;
        self.records.finish(&mut |mut batch| {
            let mut advanced = Ok(());
            batch.retain(|stored| {
                let (Place { game, .. }, _) = Place::read(stored);
                while advanced.is_ok() && omitted.number.is_some_and(|number| number < game) {
                    advanced = omitted.advance();
                }
                omitted.number != Some(game)
            });
            advanced.and_then(|()| pass(batch))
        })?;
        Ok(omitted.count)
    }
}

/// The games that are left out, in their order.
struct OmittedGames<'r> {
    sorted: SortedPairs,
    on_duplicate: &'r mut dyn FnMut(&DuplicateGame),
    /// The number of the next one.
    number: Option<u64>,
    count: u64,
}

impl OmittedGames<'_> {
    fn advance(&mut self) -> io::Result<()> {
        self.number = None;
        if let Some((number, mut places)) = self.sorted.next()? {
            self.number = Some(u64::from_be_bytes(*number.first_chunk().expect(NUMBER_IS_WHOLE)));
            self.count += 1;
            let omitted = read_place(&mut places);
            (self.on_duplicate)(&DuplicateGame { omitted, kept: read_place(&mut places) });
        }
        Ok(())
    }
}

fn write_place(place: &GamePlace, out: &mut Vec<u8>) {
    let numbers = [place.line, place.game, place.file.len() as u64];
    numbers.into_iter().for_each(|number| write_number(number, out));
    out.extend_from_slice(place.file.as_bytes());
}

fn read_place(stored: &mut &[u8]) -> GamePlace {
    let [line, game, len] = [(); 3].map(|()| read_stored(stored));
    let (file, rest) = stored.split_at(len as usize);
    *stored = rest;
    GamePlace { file: String::from_utf8_lossy(file).into(), line, game }
}
