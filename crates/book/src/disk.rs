//! Rows in a temporary file: each spill writes one run per partition.

use std::cmp::Ordering;
use std::io::{self, BufRead};
use std::path::Path;

use stream::spill::{Extent, Merge, Record, Run, RunFile};

use crate::count_order::{CountOrder, PARTITIONS, sort_key};
use crate::encoding::damaged;
use crate::row::{self, Counted, Row, write_row};
use crate::sorted::Blocks;

#[derive(Debug)]
pub(crate) struct Disk {
    file: RunFile,
    runs: Vec<Vec<Extent>>,
}

impl Disk {
    /// Creates no file yet in `folder`.
    pub(crate) fn new(folder: &Path) -> Self {
        Disk { file: RunFile::new(folder), runs: (0..PARTITIONS).map(|_| Vec::new()).collect() }
    }

    /// Writes the rows of a partition; the last part is buffered until [`Disk::flush`].
    pub(crate) fn write<'s>(
        &mut self,
        partition: usize,
        sorted: impl Iterator<Item = Row<'s>>,
    ) -> io::Result<()> {
        for row in sorted {
            self.append(&row)?;
        }
        self.end_run(partition);
        Ok(())
    }

    /// Writes the next row of a partition, in order.
    pub(crate) fn append(&mut self, row: &Row<'_>) -> io::Result<()> {
        self.file.append(|out| row.write(out))
    }

    pub(crate) fn end_run(&mut self, partition: usize) {
        self.runs[partition].extend(self.file.end_run());
    }

    pub(crate) fn damaged(&self) -> io::Error {
        self.file.damaged()
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    /// Returns the size of the rows of a partition, in bytes.
    pub(crate) fn len(&self, partition: usize) -> u64 {
        self.runs[partition].iter().map(Extent::len).sum()
    }

    pub(crate) fn read(&self, partition: usize, blocks: &mut Blocks) -> io::Result<()> {
        self.runs[partition].iter().try_for_each(|run| self.file.read(*run, blocks.begin()))
    }

    /// Returns the counts of a partition that is too large for memory.
    pub(crate) fn merge(
        &mut self,
        partition: usize,
        order: &CountOrder,
    ) -> io::Result<Run<'static, Counted>> {
        let runs = std::mem::take(&mut self.runs[partition]);
        Ok(match order {
            CountOrder::Hash => Box::new(self.file.merge(runs)?),
            CountOrder::Position(_) => {
                let merge = self.file.merge::<ByPosition>(runs)?;
                Box::new(merge.map(|counted| counted.map(|ByPosition(counted)| counted)))
            }
        })
    }
}

/// In a temporary file, counts are rows.
impl Record for Counted {
    fn rank(&self) -> u64 {
        self.key.stable_hash()
    }

    fn compare(&self, other: &Self) -> Ordering {
        (self.key, self.next, &self.class).cmp(&(other.key, other.next, &other.class))
    }

    fn has_same_key(&self, other: &Self) -> bool {
        self.compare(other).is_eq()
    }

    fn add(&mut self, other: Self) {
        self.tally += other.tally;
    }

    fn write(&self, out: &mut Vec<u8>) {
        let Counted { key, next, class, tally } = self;
        write_row(*key, *next, class, tally, out);
    }

    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        if input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut bytes = vec![0; row::HEAD];
        input.read_exact(&mut bytes)?;
        bytes.resize(row::len(&bytes), 0);
        input.read_exact(&mut bytes[row::HEAD..])?;
        let row = Row::read(&bytes).ok_or_else(damaged)?;
        row.counted().map(Some).ok_or_else(damaged)
    }
}

/// Counters have positions of the same partitions only in the order of explorer files.
pub(crate) fn merged<'r>(mut runs: Vec<Run<'r, Counted>>) -> io::Result<Run<'r, Counted>> {
    if runs.len() == 1
        && let Some(run) = runs.pop()
    {
        return Ok(run);
    }
    let run = |run: Run<'r, Counted>| -> Run<'r, ByPosition> {
        Box::new(run.map(|counted| counted.map(ByPosition)))
    };
    let merge = Merge::new(runs.into_iter().map(run).collect())?;
    Ok(Box::new(merge.map(|counted| counted.map(|ByPosition(counted)| counted))))
}

struct ByPosition(Counted);

impl Record for ByPosition {
    fn rank(&self) -> u64 {
        u64::from_be_bytes(*sort_key(self.0.key).first_chunk().expect("a key has 32 bytes"))
    }

    fn compare(&self, other: &Self) -> Ordering {
        let (ByPosition(counted), ByPosition(other)) = (self, other);
        sort_key(counted.key).cmp(&sort_key(other.key)).then_with(|| counted.compare(other))
    }

    fn has_same_key(&self, other: &Self) -> bool {
        self.0.has_same_key(&other.0)
    }

    fn add(&mut self, other: Self) {
        self.0.add(other.0);
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        Ok(<Counted as Record>::read(input)?.map(ByPosition))
    }
}
