//! External sort of key/value pairs by the bytes of the key.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};

use crate::error::BookError;
use crate::run::{damaged, read_number, write_number};
use crate::temporary::Temporary;

/// Collects pairs of key and value, and returns them in key order.
#[derive(Debug)]
pub(crate) struct Sorter {
    memory: usize,
    temporary: Temporary,
    /// Concatenated keys and values.
    bytes: Vec<u8>,
    items: Vec<Item>,
    runs: Vec<File>,
}

/// Callback for a key and a value; returns whether it wants more.
type Take<'t> = dyn FnMut(&[u8], &[u8]) -> Result<bool, BookError> + 't;

#[derive(Clone, Copy, Debug)]
struct Item {
    start: usize,
    key: u32,
    value: u32,
}

/// Maximum number of runs merged at once; more are merged in several passes.
const MOST_RUNS: usize = 64;
const BUFFER: usize = 64 << 10;

impl Sorter {
    pub(crate) fn new(memory: usize, temporary: Temporary) -> Self {
        Sorter { memory, temporary, bytes: Vec::new(), items: Vec::new(), runs: Vec::new() }
    }

    pub(crate) fn push(&mut self, key: &[u8], value: &[u8]) -> Result<(), BookError> {
        let used = self.bytes.len() + self.items.len() * size_of::<Item>();
        if used + key.len() + value.len() > self.memory && !self.items.is_empty() {
            self.spill()?;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(key);
        self.bytes.extend_from_slice(value);
        self.items.push(Item { start, key: key.len() as u32, value: value.len() as u32 });
        Ok(())
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.items.sort_unstable_by_key(|item| {
            // Values break ties, so the order is deterministic.
            let whole = &bytes[item.start..item.start + (item.key + item.value) as usize];
            whole.split_at(item.key as usize)
        });
    }

    fn spill(&mut self) -> Result<(), BookError> {
        self.sort();
        let file = self.temporary.file()?;
        let write = |file: File| -> io::Result<File> {
            let mut out = BufWriter::with_capacity(BUFFER, file);
            for item in &self.items {
                let whole = &self.bytes[item.start..item.start + (item.key + item.value) as usize];
                write_pair(&whole[..item.key as usize], &whole[item.key as usize..], &mut out)?;
            }
            Ok(out.into_inner()?)
        };
        let run = write(file).map_err(|error| self.temporary.failed(error))?;
        self.bytes.clear();
        self.items.clear();
        self.runs.push(run);
        if self.runs.len() >= MOST_RUNS {
            let runs = std::mem::take(&mut self.runs);
            let merged = self.merge(runs)?;
            self.runs.push(merged);
        }
        Ok(())
    }

    fn merge(&self, runs: Vec<File>) -> Result<File, BookError> {
        let file = self.temporary.file()?;
        let merge = |file: File| -> io::Result<File> {
            let mut out = BufWriter::with_capacity(BUFFER, file);
            let mut merged = Merged::new(runs)?;
            while let Some((key, value)) = merged.next()? {
                write_pair(&key, &value, &mut out)?;
            }
            Ok(out.into_inner()?)
        };
        merge(file).map_err(|error| self.temporary.failed(error))
    }

    /// Calls `take` for all pairs, in order, until it returns `false`.
    pub(crate) fn drain(mut self, take: &mut Take<'_>) -> Result<(), BookError> {
        if self.runs.is_empty() {
            self.sort();
            for item in &self.items {
                let whole = &self.bytes[item.start..item.start + (item.key + item.value) as usize];
                let (key, value) = whole.split_at(item.key as usize);
                if !take(key, value)? {
                    break;
                }
            }
            return Ok(());
        }
        self.spill()?;
        (self.bytes, self.items) = (Vec::new(), Vec::new());
        let runs = std::mem::take(&mut self.runs);
        let failed = |error| self.temporary.failed(error);
        let mut merged = Merged::new(runs).map_err(failed)?;
        while let Some((key, value)) = merged.next().map_err(failed)? {
            if !take(&key, &value)? {
                break;
            }
        }
        Ok(())
    }
}

fn write_pair(key: &[u8], value: &[u8], out: &mut impl Write) -> io::Result<()> {
    let mut lengths = Vec::new();
    write_number(key.len() as u64 + 1, &mut lengths);
    write_number(value.len() as u64, &mut lengths);
    out.write_all(&lengths)?;
    out.write_all(key)?;
    out.write_all(value)
}

type Pair = (Vec<u8>, Vec<u8>);

/// Merges several sorted files.
struct Merged {
    runs: Vec<BufReader<File>>,
    heads: BinaryHeap<Reverse<(Pair, usize)>>,
}

impl Merged {
    fn new(files: Vec<File>) -> io::Result<Self> {
        let mut merged = Merged { runs: Vec::new(), heads: BinaryHeap::new() };
        for (run, mut file) in files.into_iter().enumerate() {
            file.rewind()?;
            merged.runs.push(BufReader::with_capacity(BUFFER, file));
            merged.advance(run)?;
        }
        Ok(merged)
    }

    fn advance(&mut self, run: usize) -> io::Result<()> {
        let input = &mut self.runs[run];
        if input.fill_buf()?.is_empty() {
            return Ok(());
        }
        let key = read_number(input)?.checked_sub(1).ok_or_else(damaged)?;
        let value = read_number(input)?;
        let mut read = |len: u64| {
            let mut bytes = vec![0; len as usize];
            io::Read::read_exact(input, &mut bytes).map(|()| bytes)
        };
        let value = (read(key)?, read(value)?);
        self.heads.push(Reverse((value, run)));
        Ok(())
    }

    fn next(&mut self) -> io::Result<Option<Pair>> {
        let Some(Reverse((value, run))) = self.heads.pop() else { return Ok(None) };
        self.advance(run)?;
        Ok(Some(value))
    }
}
