//! The entries of a table in the order of runs: partition by partition.

use std::ops::Range;

use super::Table;
use crate::games::Games;
use crate::partition::{PARTITIONS, partition_of};
use crate::row::Row;

/// The entries of each partition.
#[derive(Debug, Default)]
pub(crate) struct Partitions {
    entries: Vec<u32>,
    /// The end of each.
    ends: Vec<usize>,
}

impl Partitions {
    /// Finds the entries of each partition.
    pub(crate) fn of(table: &Table) -> Self {
        let partition = |index| partition_of(table.entry(index).key.stable_hash());
        let mut ends = vec![0; PARTITIONS];
        (0..table.len()).for_each(|index| ends[partition(index)] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut entries = vec![0; table.len()];
        for index in 0..table.len() {
            let at = &mut ends[partition(index)];
            entries[*at] = index as u32;
            *at += 1;
        }
        Partitions { entries, ends }
    }

    fn range(&self, partition: usize) -> Range<usize> {
        let start = partition.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends.get(partition).copied().unwrap_or(0)
    }

    /// Returns the number of entries of a partition.
    pub(crate) fn len(&self, partition: usize) -> usize {
        self.range(partition).len()
    }
}

/// The rows of a partition in order: those of equal moves are added up, and positions with too few
/// games are skipped.
pub(crate) struct SortedRows<'t> {
    table: &'t Table,
    games: &'t Games,
    /// For each entry the hash of its position, and its index.
    items: Vec<(u64, u32)>,
    least_games: u64,
    at: usize,
    /// The end of the position that is being read.
    end: usize,
}

impl<'t> SortedRows<'t> {
    pub(crate) fn new(
        table: &'t Table,
        games: &'t Games,
        partitions: &Partitions,
        partition: usize,
        least_games: u64,
    ) -> Self {
        let item = |index: &u32| (table.entry(*index as usize).key.stable_hash(), *index);
        let mut items: Vec<_> =
            partitions.entries[partitions.range(partition)].iter().map(item).collect();
        items.sort_unstable_by(|(hash, index), (other_hash, other)| {
            let order = |index: u32| {
                let entry = table.entry(index as usize);
                (entry.key, entry.next, games.class(entry.class.into()), index)
            };
            hash.cmp(other_hash).then_with(|| order(*index).cmp(&order(*other)))
        });
        SortedRows { table, games, items, least_games, at: 0, end: 0 }
    }

    /// Finds the end of the next position that has enough games.
    fn next_position(&mut self) -> Option<()> {
        while self.at == self.end {
            let (hash, first) = *self.items.get(self.at)?;
            let key = self.table.entry(first as usize).key;
            let mut games = 0_u64;
            while let Some((other, index)) = self.items.get(self.end) {
                let entry = self.table.entry(*index as usize);
                if *other != hash || entry.key != key {
                    break;
                }
                games += u64::from(entry.games);
                self.end += 1;
            }
            if games < self.least_games {
                self.at = self.end;
            }
        }
        Some(())
    }
}

impl<'t> Iterator for SortedRows<'t> {
    type Item = Row<'t>;

    fn next(&mut self) -> Option<Row<'t>> {
        self.next_position()?;
        let row = |(_, index): &(u64, u32)| self.table.row(*index as usize, self.games);
        let mut rows = self.items[self.at..self.end].iter().map(row).peekable();
        let mut sum = rows.next()?;
        self.at += 1;
        while let Some(row) = rows.next_if(|row| (row.next, row.class) == (sum.next, sum.class)) {
            sum.merge(&row);
            self.at += 1;
        }
        Some(sum)
    }
}
