//! The distribution of records among files.

use std::collections::HashMap;
use std::path::PathBuf;

use super::RecordPlace;
use super::marks::Marks;
use crate::options::{Options, RowKind};

/// The index of the file for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Routed {
    pub(crate) file: usize,
    /// A file that is complete, since no further records are for it.
    pub(crate) ended: Option<usize>,
}

/// Distributes records among files.
///
/// An output is a part of a split, or in a folder a part of a split in a partition.
#[derive(Debug)]
pub(crate) struct FileRoutes {
    division: Division,
    /// The names of the parts, or an empty one.
    parts: Vec<String>,
    /// The partitions by their folders, in the order of their first games.
    partitions: HashMap<String, usize>,
    folders: Vec<String>,
    /// The last record of each output.
    last: Vec<Option<LastRecord>>,
    /// In a folder, the names of the files so far.
    names: Vec<PathBuf>,
    suffix: String,
}

/// How the records of an output are divided.
#[derive(Debug)]
enum Division {
    /// In turn: games, or records if these are shuffled.
    Shards { count: usize, has_whole_games: bool },
    /// One file after the other, each with this number of positions, or of games if these are the rows.
    Files { rows: u64, has_games: bool },
}

#[derive(Clone, Copy, Debug)]
struct LastRecord {
    file: usize,
    game: u64,
    /// The number of rows in the file.
    rows: u64,
    /// The number of the file among those of the output.
    number: u64,
}

impl FileRoutes {
    pub(crate) fn new(options: &Options) -> Self {
        let (count, has_whole_games) = (options.shard_count(), !options.shuffle);
        let division = if options.has_folder() {
            let rows = options.rows_per_file.map_or(u64::MAX, u64::from);
            Division::Files { rows, has_games: options.rows == RowKind::Games }
        } else {
            Division::Shards { count, has_whole_games }
        };
        let parts = options.split.iter().flat_map(|split| split.names()).map(str::to_owned);
        let mut parts: Vec<String> = parts.collect();
        if parts.is_empty() {
            parts.push(String::new());
        }
        FileRoutes {
            division,
            parts,
            partitions: HashMap::new(),
            folders: Vec::new(),
            last: Vec::new(),
            names: Vec::new(),
            suffix: options.suffix(),
        }
    }

    /// Replaces the partitions of the games of a chunk, which have numbers of their own, by outputs.
    pub(crate) fn resolve(&mut self, marks: &mut Marks) {
        let folders: Vec<usize> = marks.folders().map(|folder| self.partition(folder)).collect();
        marks.divide(|partition| folders[partition] * self.parts.len());
    }

    /// Returns the number of a partition.
    fn partition(&mut self, folder: &str) -> usize {
        if let Some(number) = self.partitions.get(folder) {
            return *number;
        }
        let number = self.folders.len();
        self.partitions.insert(folder.to_owned(), number);
        self.folders.push(folder.to_owned());
        number
    }

    /// Whether each output has one file, with its number.
    pub(crate) fn has_one_file_each(&self) -> bool {
        matches!(self.division, Division::Shards { count: 1, .. })
    }

    /// Returns the file for the next record.
    #[inline]
    pub(crate) fn file(&mut self, place: RecordPlace) -> Routed {
        if self.has_one_file_each() {
            return Routed { file: place.output, ended: None };
        }
        self.one_of_files(place)
    }

    fn one_of_files(&mut self, place: RecordPlace) -> Routed {
        if self.last.len() <= place.output {
            self.last.resize(place.output + 1, None);
        }
        let last = self.last[place.output];
        let (file, ended) = match self.division {
            Division::Shards { count, has_whole_games } => {
                let first = place.output * count;
                let file = match last {
                    Some(last) if last.game == place.game && has_whole_games => last.file,
                    Some(last) => first + (last.file - first + 1) % count,
                    None => first,
                };
                (file, None)
            }
            Division::Files { rows, .. } => match last {
                Some(last) if last.rows < rows => (last.file, None),
                last => (self.names.len(), last.map(|last| last.file)),
            },
        };
        let is_same = last.is_some_and(|last| last.file == file);
        let before = last.filter(|_| is_same).map_or(0, |last| last.rows);
        let number = match last {
            Some(last) if is_same => last.number,
            Some(last) => last.number + 1,
            None => 0,
        };
        if matches!(self.division, Division::Files { .. }) && file == self.names.len() {
            self.names.push(self.name(place.output, number));
        }
        let has_games = matches!(self.division, Division::Files { has_games: true, .. });
        let rows = before + if has_games { 1 } else { place.positions };
        self.last[place.output] = Some(LastRecord { file, game: place.game, rows, number });
        Routed { file, ended }
    }

    /// Returns the names of the files in the folder, in the order of their first records.
    pub(crate) fn names(&self) -> &[PathBuf] {
        &self.names
    }

    fn name(&self, output: usize, number: u64) -> PathBuf {
        let part = &self.parts[output % self.parts.len()];
        let folder = self.folders.get(output / self.parts.len());
        let file = format!("part-{number:05}.{}", self.suffix);
        [&**part, folder.map_or("", |folder| folder), &file].iter().collect()
    }
}
