//! Leaves out the records of games that are equal to another one.
//!
//! Records wait in the order of the input, in memory and then in a temporary file, while the games
//! are sorted three times: by their keys, which brings equal ones together; by their group, the
//! preferred one first; and those that are left out by their number.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stream::ordered::Threads;
use stream::spill::number::write_number;
use stream::spill::sorter::{SortedPairs, Sorter};

use crate::batch::Batch;
use crate::equal::GamePreference;
use crate::record::{Place, Records, read_stored};
use crate::waiting::WaitingRecords;

/// A game that is compared with others.
#[derive(Clone, Debug)]
pub struct ComparedGame {
    /// Games are equal if the key of one is the beginning of that of another.
    pub key: Vec<u8>,
    /// Whether it has an error; a game without one is preferred.
    pub is_damaged: bool,
    /// What it is preferred by; the highest is best.
    pub rank: u32,
    /// Where it is.
    pub place: GamePlace,
}

/// Where a game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePlace {
    /// The name of the file.
    pub file: Arc<str>,
    /// The line at which it begins, from 1.
    pub line: u64,
    /// Its number in the file, from 1.
    pub game: u64,
}

/// A game that is left out because of an equal one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DuplicateGame {
    /// The game that is left out.
    pub omitted: GamePlace,
    /// The game that is kept.
    pub kept: GamePlace,
}

impl GamePlace {
    fn write(&self, out: &mut Vec<u8>) {
        let numbers = [self.line, self.game, self.file.len() as u64];
        numbers.into_iter().for_each(|number| write_number(number, out));
        out.extend_from_slice(self.file.as_bytes());
    }

    fn read(stored: &mut &[u8]) -> Self {
        let [line, game, len] = [(); 3].map(|()| read_stored(stored));
        let (file, rest) = stored.split_at(len as usize);
        *stored = rest;
        GamePlace { file: String::from_utf8_lossy(file).into(), line, game }
    }
}

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
            game.place.write(&mut value);
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
            let omitted = GamePlace::read(&mut places);
            (self.on_duplicate)(&DuplicateGame { omitted, kept: GamePlace::read(&mut places) });
        }
        Ok(())
    }
}
