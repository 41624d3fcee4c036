//! The entries of a table in the order of runs: partition by partition.

use std::ops::Range;

use super::Table;
use super::entry::Entry;
use crate::count_order::{CountOrder, PARTITIONS};
use crate::games::Games;
use crate::row::Row;

#[derive(Debug)]
pub(crate) struct Partitions {
    order: CountOrder,
    /// The indexes of the entries.
    entries: Vec<u32>,
    ends: Vec<usize>,
}

/// The rank of an entry, and its index.
type Item = (u128, u32);

/// Number of entries that are read together.
const FETCHED: usize = 32;

impl Partitions {
    pub(crate) fn of(table: &Table, order: &CountOrder) -> Self {
        let key = |index| table.entry(index).key;
        order.choose_partitions(table.len(), key);
        let partition = |index| order.partition_of(order.rank(key(index))) as u8;
        let partitions: Vec<u8> = (0..table.len()).map(partition).collect();
        let mut ends = vec![0; PARTITIONS];
        partitions.iter().for_each(|partition| ends[usize::from(*partition)] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut entries = vec![0; table.len()];
        for (index, partition) in (0..).zip(partitions) {
            let at = &mut ends[usize::from(partition)];
            entries[*at] = index;
            *at += 1;
        }
        Partitions { order: order.clone(), entries, ends }
    }

    fn range(&self, partition: usize) -> Range<usize> {
        let start = partition.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends.get(partition).copied().unwrap_or(0)
    }

    pub(crate) fn len(&self, partition: usize) -> usize {
        self.range(partition).len()
    }
}

/// Rows of equal moves are added up; positions with too few games are skipped.
pub(crate) struct SortedRows<'t> {
    table: &'t Table,
    games: &'t Games,
    items: Vec<Item>,
    least_games: u64,
    at: usize,
    /// The end of the position that is being read.
    end: usize,
    /// The items before this one have been prefetched.
    fetched: usize,
}

impl<'t> SortedRows<'t> {
    pub(crate) fn new(
        table: &'t Table,
        games: &'t Games,
        partitions: &Partitions,
        partition: usize,
        least_games: u64,
    ) -> Self {
        let rank = |index: &u32| partitions.order.rank(table.entry(*index as usize).key);
        let entries = &partitions.entries[partitions.range(partition)];
        let mut items: Vec<Item> = entries.iter().map(|index| (rank(index), *index)).collect();
        items.sort_unstable_by(|(rank, index), (other_rank, other)| {
            let order = |index: u32| {
                let Entry { key, next, class, .. } = *table.entry(index as usize);
                (key, next, games.class(class.into()), index)
            };
            rank.cmp(other_rank).then_with(|| order(*index).cmp(&order(*other)))
        });
        SortedRows { table, games, items, least_games, at: 0, end: 0, fetched: 0 }
    }

    /// A loop without other work, so that the processor overlaps the cache misses.
    #[inline]
    fn fetch(&mut self) {
        if self.end < self.fetched {
            return;
        }
        let items = &self.items[self.end..];
        let items = &items[..items.len().min(FETCHED)];
        let words = items.iter().map(|(_, index)| self.table.word_of(*index as usize));
        std::hint::black_box(words.fold(0, |all, word| all | word));
        let games = items.iter().filter_map(|(_, index)| self.table.strongest(*index as usize));
        self.games.fetch(games);
        self.fetched = self.end + items.len();
    }

    /// Finds the end of the next position that has enough games.
    fn next_position(&mut self) -> Option<()> {
        while self.at == self.end {
            self.fetch();
            let (rank, first) = *self.items.get(self.at)?;
            let key = self.table.entry(first as usize).key;
            let mut games = 0_u64;
            while let Some((other, index)) = self.items.get(self.end) {
                let entry = self.table.entry(*index as usize);
                if *other != rank || entry.key != key {
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
        let row = |(_, index): &Item| self.table.row(*index as usize, self.games);
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
