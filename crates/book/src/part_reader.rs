//! The counts of a part in our own format, which are read and checked in advance on other threads.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use san::{MoveCode, PositionKey};
use stream::ordered::{SerialQueue, Threads};
use stream::read_at::ExtentReader;
use stream::spill::merge::Run;

use crate::encoding::damaged;
use crate::error::BookError;
use crate::plausible::Plausibility;
use crate::row::Counted;
use crate::run::RunReader;

/// Size of the checksum, in bytes.
pub(crate) const CHECKSUM: u64 = 4;

/// The bytes of a partial result in our own format, of which the checksum is computed while they
/// are read.
pub(crate) struct Summed {
    input: ExtentReader,
    crc: crc32fast::Hasher,
    expected: [u8; CHECKSUM as usize],
}

/// The counts of a partial result, after its header.
pub(crate) type Counts = BufReader<Summed>;

impl Summed {
    pub(crate) fn counts(input: ExtentReader, expected: [u8; CHECKSUM as usize]) -> Counts {
        let summed = Summed { input, crc: crc32fast::Hasher::new(), expected };
        BufReader::with_capacity(64 << 10, summed)
    }
}

impl Read for Summed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.crc.update(&buffer[..read]);
        Ok(read)
    }
}

/// Verifies that all counts were read, and their checksum.
fn finish(counts: &mut Counts) -> io::Result<()> {
    if !counts.fill_buf()?.is_empty() {
        return refused(
            "other bytes follow its end: pass files that were joined separately".into(),
        );
    }
    let Summed { crc, expected, .. } = counts.get_ref();
    match crc.clone().finalize().to_le_bytes() == *expected {
        true => Ok(()),
        false => refused("it is damaged: its checksum does not match".into()),
    }
}

pub(crate) fn refused<T>(reason: String) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidData, reason))
}

/// Reads the counts of a part, and checks that they are in order and plausible.
pub(crate) struct PartReader {
    name: String,
    reader: RunReader<Counts>,
    plausibility: Plausibility,
    /// The place of the last count in the order of a run.
    last: Option<(u64, PositionKey, MoveCode, Box<str>)>,
    is_over: bool,
}

/// About how many bytes a count takes in memory.
const COUNT: usize = 400;

/// Minimum and maximum number of counts that are read at once; the maximum fits in a cache near the
/// core.
const LEAST: usize = 16;
const MOST: usize = 256;

/// How many times counts are read in advance.
const IN_ADVANCE: usize = 3;

impl PartReader {
    pub(crate) fn new(name: String, reader: RunReader<Counts>) -> Self {
        let plausibility = Plausibility::default();
        PartReader { name, reader, plausibility, last: None, is_over: false }
    }

    /// Reads some counts, at most this number; none at the end.
    fn read(&mut self, most: usize) -> io::Result<Vec<Counted>> {
        let mut counts = Vec::with_capacity(most);
        while counts.len() < most && !self.is_over {
            let next = self.next();
            let next =
                next.map_err(|error| io::Error::other(BookError::partial(&self.name, &error)))?;
            self.is_over = next.is_none();
            counts.extend(next);
        }
        Ok(counts)
    }

    fn next(&mut self) -> io::Result<Option<Counted>> {
        let Some(counted) = self.reader.read()? else {
            finish(self.reader.input())?;
            return Ok(None);
        };
        self.plausibility
            .check(&counted)
            .map_err(|reason| io::Error::new(io::ErrorKind::InvalidData, reason))?;
        let Counted { key, next, class, .. } = &counted;
        let place = Some((key.stable_hash(), *key, *next, class.clone()));
        if place <= self.last {
            return Err(damaged());
        }
        self.last = place;
        Ok(Some(counted))
    }
}

/// Returns the counts of each part, some of which are read in advance by other threads, in about
/// `memory` bytes for all.
pub(crate) fn read_in_advance(
    parts: Vec<PartReader>,
    threads: &Threads,
    memory: usize,
) -> Vec<Run<'static, Counted>> {
    // One thread would only need memory for it.
    let (most, in_advance) = match threads.count() {
        1 => (LEAST, 0),
        _ => {
            let share = memory / parts.len().max(1);
            ((share / COUNT / (1 + IN_ADVANCE)).clamp(LEAST, MOST), IN_ADVANCE)
        }
    };
    let queue = |part| SerialQueue::new(part, threads.clone());
    let parts: Arc<[_]> = parts.into_iter().map(queue).collect();
    let run = |number: usize| -> Run<'static, Counted> {
        let parts = Arc::clone(&parts);
        let mut given = VecDeque::new();
        let mut counts = Vec::new().into_iter();
        let mut next = move || -> io::Result<Option<Counted>> {
            if let Some(counted) = counts.next() {
                return Ok(Some(counted));
            }
            while given.len() <= in_advance {
                let (sender, receiver) = sync_channel(1);
                // The result is dropped if the run ended early.
                let read = move |part: &mut PartReader| drop(sender.send(part.read(most)));
                parts[number].push(read)?;
                given.push_back(receiver);
            }
            let Some(first) = given.pop_front() else { return Ok(None) };
            counts = received(&first, &parts, number)??.into_iter();
            Ok(counts.next())
        };
        Box::new(std::iter::from_fn(move || next().transpose()))
    };
    (0..parts.len()).map(run).collect()
}

/// Waits for a result of a part, and reads from it and then from other parts meanwhile.
fn received<T>(
    result: &Receiver<T>,
    parts: &[SerialQueue<PartReader>],
    number: usize,
) -> io::Result<T> {
    for part in parts[number..].iter().chain(&parts[..number]) {
        if let Ok(result) = result.try_recv() {
            return Ok(result);
        }
        part.run_waiting();
    }
    result.recv().map_err(io::Error::other)
}
