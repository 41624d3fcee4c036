//! Records of two sources, brought together by position.
//!
//! One external sort puts the records of equal positions next to each other, those of the second
//! source first, so that their operations are known when a record of the first source gets them.
//! Another one restores the order of the first source.

mod known;
mod options;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read, Write};

use emit::Plan;
use epd::{RegisterKeeper, RegisterStyle, fields_len};
use san::PositionKey;
use stream::ordered::Threads;
use stream::spill::sorter::{SortedPairs, Sorter};

use crate::convert::deliver::{Deliver, Delivered};
use crate::convert::worker::ConvertedChunk;
use crate::convert::{ConvertError, Run};
use crate::inputs::InputText;
use crate::observer::Observer;
use crate::options::Options;
pub use crate::options::keywords::Prefer;
use crate::summary::Summary;
use known::Known;
pub use options::JoinOptions;

/// One of two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first: its records are joined.
    First,
    /// The second.
    Second,
}

/// Records of two sources with the same positions, which are [joined](Join::join) or
/// [compared](Join::diff) in bounded memory.
///
/// Positions are equal as with [`Options::unique`]: the counters make no difference, and the en
/// passant square only if a capture is legal.
///
/// ```
/// use pgn2epd::join::{Join, JoinOptions, Side};
///
/// let suite = &b"4k3/8/8/8/8/8/4P3/4K3 w - - id \"pawn\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"other\";"[..];
/// let evaluations = &b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ce 250; id \"?\";"[..];
/// let mut join = Join::new(&JoinOptions::default());
/// join.input(Side::First, suite, &mut ())?;
/// join.first_is_complete();
/// join.input(Side::Second, evaluations, &mut ())?;
/// let mut joined = Vec::new();
/// assert_eq!(join.join(&mut joined)?.matched, 1);
/// assert_eq!(
///     String::from_utf8(joined)?,
///     "4k3/8/8/8/8/8/4P3/4K3 w - - ce 250; id \"pawn\";\n4k3/8/8/8/8/8/3P4/4K3 w - - id \"other\";\n",
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct Join {
    options: JoinOptions,
    /// How records are made of both sources.
    reading: Options,
    plan: Plan,
    threads: Threads,
    records: Records,
}

/// What became of the records of the first source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// Records whose position the second source has.
    pub matched: u64,
    /// Records whose position it lacks.
    pub unmatched: u64,
}

/// How the positions of two sources differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Positions that only the first source has.
    pub only_first: u64,
    /// Positions that only the second source has.
    pub only_second: u64,
    /// Positions that both have with different operations.
    pub different: u64,
    /// Positions that both have with the same operations.
    pub same: u64,
}

impl Differences {
    /// Whether there are any.
    pub fn are_any(&self) -> bool {
        self.only_first + self.only_second + self.different > 0
    }
}

/// Output is written in pieces of this size, in bytes.
const PIECE: usize = 64 << 10;

impl Join {
    /// Begins without records.
    pub fn new(options: &JoinOptions) -> Self {
        let reading = options.reading();
        let (plan, threads) = (reading.plan(), Threads::new(reading.workers()));
        let records = Records {
            sorter: sorter(options, &threads),
            counts: [0; 2],
            of_first: PositionFilter::new(options.memory / 8),
            drops_unmatched: false,
            key: Vec::new(),
        };
        Join { options: options.clone(), reading, plan, threads, records }
    }

    /// Adds the records of an input; `observer` receives problems and progress.
    ///
    /// # Errors
    ///
    /// The same as [`convert`](crate::convert()).
    pub fn input(
        &mut self,
        side: Side,
        input: impl Read,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        self.run(side).input(input, observer)
    }

    /// Adds the records of a text, like [`Join::input`].
    ///
    /// # Errors
    ///
    /// The same as [`Conversion::text`](crate::Conversion::text).
    pub fn text(
        &mut self,
        side: Side,
        text: InputText<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        self.run(side).text(text, observer)
    }

    fn run(&mut self, side: Side) -> Run<'_> {
        let collector = Collector { side, records: &mut self.records };
        let (plan, threads) = (self.plan.clone(), self.threads.clone());
        Run::new(Box::new(collector), &self.reading, plan, Vec::new(), threads)
    }

    /// Takes note that no further record of the first source will follow. Those of the second that
    /// follow need no memory if the first lacks their position; they are missing in [`Join::diff`].
    pub fn first_is_complete(&mut self) {
        self.records.drops_unmatched = true;
    }

    /// Writes the records of the first source with the operations of equal ones of the second: of
    /// several, each operation is that of the first one that has it, or of the deepest, with
    /// [`Prefer::Deepest`]. Counters are not added.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file cannot be written.
    pub fn join(self, output: &mut dyn Write) -> Result<Joined, ConvertError> {
        let Join { options, threads, records, .. } = self;
        let mut restored = sorter(&options, &threads);
        let mut counts = Joined::default();
        let mut known = Known::default();
        let mut position = [0; KEY_BYTES];
        let mut line = Vec::new();
        let mut sorted = records.finish()?;
        while let Some((key, text)) = next(&mut sorted)? {
            if key.position != position {
                (position, known) = (key.position, Known::default());
            }
            if key.side == Side::Second {
                known.add(&text, key.depth);
                continue;
            }
            let is_matched = known.has_records();
            *if is_matched { &mut counts.matched } else { &mut counts.unmatched } += 1;
            if options.only_matched && !is_matched || options.only_unmatched && is_matched {
                continue;
            }
            let number = key.number.to_be_bytes();
            if !is_matched {
                restored.push(&number, text.as_bytes())?;
                continue;
            }
            line.clear();
            known.write_with(&text, |depth| options.prefer.replaces(key.depth, depth), &mut line);
            restored.push(&number, &line)?;
        }
        drop(sorted);
        let is_minimal = options.registers == RegisterStyle::Delta;
        let mut keeper = RegisterKeeper::of_full_records(Vec::new(), is_minimal);
        write_restored(restored, output, |record, out| {
            keeper.begin();
            keeper.write(record, fields_len(record), out);
            out.push(b'\n');
        })?;
        Ok(counts)
    }

    /// Writes how the positions of the sources and what is known of them differ: `< RECORD` if only
    /// the first has it, `> RECORD` if only the second does, and both with the operations that
    /// differ. Counters make no difference; equal records of a source count as one, with the
    /// operations of all of them. Positions that the first source lacks come last.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file cannot be written.
    pub fn diff(self, output: &mut dyn Write) -> Result<Differences, ConvertError> {
        let Join { options, threads, records, .. } = self;
        let mut restored = sorter(&options, &threads);
        let mut counts = Differences::default();
        let mut sorted = records.finish()?;
        let mut pair = Pair::default();
        let mut position = [0; KEY_BYTES];
        while let Some((key, text)) = next(&mut sorted)? {
            if key.position != position {
                pair.compare(&mut counts, &mut restored)?;
                (position, pair) = (key.position, Pair::default());
            }
            let (known, number) = match key.side {
                Side::First => (&mut pair.first, &mut pair.numbers.0),
                Side::Second => (&mut pair.second, &mut pair.numbers.1),
            };
            if !known.has_records() {
                *number = key.number;
            }
            known.add(&text, key.depth);
        }
        pair.compare(&mut counts, &mut restored)?;
        drop(sorted);
        write_restored(restored, output, |lines, out| out.extend_from_slice(lines.as_bytes()))?;
        Ok(counts)
    }
}

impl fmt::Debug for Join {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join").field("options", &self.options).finish_non_exhaustive()
    }
}

/// What the sources know of a position, and the numbers of their first records with it.
#[derive(Debug, Default)]
struct Pair {
    first: Known,
    second: Known,
    numbers: (u64, u64),
}

impl Pair {
    /// Counts the position, and adds its lines, if the sources differ.
    fn compare(&self, counts: &mut Differences, lines: &mut Sorter) -> Result<(), ConvertError> {
        let Pair { first, second, numbers: (number, of_second) } = self;
        let mut text = Vec::new();
        let (count, is_first) = match (first.has_records(), second.has_records()) {
            (false, false) => return Ok(()),
            (true, false) => (&mut counts.only_first, true),
            (false, true) => (&mut counts.only_second, false),
            (true, true) if first.has_all_of(second) && second.has_all_of(first) => {
                counts.same += 1;
                return Ok(());
            }
            (true, true) => (&mut counts.different, true),
        };
        *count += 1;
        first.write_other_than(second, b"<", &mut text);
        second.write_other_than(first, b">", &mut text);
        let mut key = vec![u8::from(!is_first)];
        key.extend(if is_first { number } else { of_second }.to_be_bytes());
        Ok(lines.push(&key, &text)?)
    }
}

/// Returns a sort in a quarter of the memory: two of them may exist at the same time, and buffers
/// grow to twice their size.
fn sorter(options: &JoinOptions, threads: &Threads) -> Sorter {
    let folder = options.temp_dir.clone().unwrap_or_else(std::env::temp_dir);
    Sorter::new(options.memory / 4, &folder).with_threads(threads.clone())
}

/// Writes the values of a sort in their order, each changed by `write`.
fn write_restored(
    restored: Sorter,
    output: &mut dyn Write,
    mut write: impl FnMut(&str, &mut Vec<u8>),
) -> Result<(), ConvertError> {
    let mut restored = restored.finish()?;
    let mut out = Vec::new();
    while let Some((_, text)) = restored.next()? {
        write(&String::from_utf8_lossy(text), &mut out);
        if out.len() >= PIECE {
            output.write_all(&out).map_err(ConvertError::Write)?;
            out.clear();
        }
    }
    output.write_all(&out).and_then(|()| output.flush()).map_err(ConvertError::Write)
}

/// The records of both sources, while they are read.
struct Records {
    sorter: Sorter,
    /// The numbers of records of each side.
    counts: [u64; 2],
    of_first: PositionFilter,
    /// Whether records of the second source are dropped if the first certainly lacks their
    /// position.
    drops_unmatched: bool,
    /// The key that is added.
    key: Vec<u8>,
}

/// The size of the key of a position, in bytes.
const KEY_BYTES: usize = size_of::<PositionKey>();

/// What records are sorted by: position, side, with the second before the first, falling depth if
/// it matters, number.
struct Key {
    position: [u8; KEY_BYTES],
    side: Side,
    depth: u32,
    number: u64,
}

impl Key {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.position);
        out.push(u8::from(self.side == Side::First));
        out.extend((!self.depth).to_be_bytes());
        out.extend(self.number.to_be_bytes());
    }

    /// Reads a key that was [written](Key::write).
    fn read(bytes: &[u8]) -> Option<Self> {
        let (position, bytes) = bytes.split_first_chunk()?;
        let (side, bytes) = bytes.split_first()?;
        let (depth, bytes) = bytes.split_first_chunk()?;
        Some(Key {
            position: *position,
            side: if *side == 0 { Side::Second } else { Side::First },
            depth: !u32::from_be_bytes(*depth),
            number: u64::from_be_bytes(*bytes.first_chunk()?),
        })
    }
}

/// Returns the next record and its key.
fn next(sorted: &mut SortedPairs) -> Result<Option<(Key, Cow<'_, str>)>, ConvertError> {
    let Some((key, text)) = sorted.next()? else { return Ok(None) };
    Ok(Some((Key::read(key).expect("keys are whole"), String::from_utf8_lossy(text))))
}

impl Records {
    fn push(&mut self, side: Side, key: PositionKey, depth: u32, text: &[u8]) -> io::Result<()> {
        match side {
            Side::First => self.of_first.add(key),
            Side::Second if self.drops_unmatched && !self.of_first.may_have(key) => return Ok(()),
            Side::Second => {}
        }
        let number = &mut self.counts[side as usize];
        *number += 1;
        self.key.clear();
        Key { position: key.to_bytes(), side, depth, number: *number }.write(&mut self.key);
        self.sorter.push(&self.key, text.trim_ascii_end()).map_err(io::Error::other)
    }

    fn finish(self) -> Result<SortedPairs, ConvertError> {
        let Records { sorter, of_first, .. } = self;
        drop(of_first);
        Ok(sorter.finish()?)
    }
}

/// Tells which positions are certainly not in a set: one bit is set for the hash of each.
struct PositionFilter(Vec<u8>);

impl PositionFilter {
    /// Uses this number of bytes, which take memory when they are set.
    fn new(bytes: usize) -> Self {
        PositionFilter(vec![0; bytes.max(1)])
    }

    fn place(&self, key: PositionKey) -> (usize, u8) {
        let hash = key.stable_hash();
        ((hash >> 3) as usize % self.0.len(), 1 << (hash & 7))
    }

    fn add(&mut self, key: PositionKey) {
        let (byte, bit) = self.place(key);
        self.0[byte] |= bit;
    }

    fn may_have(&self, key: PositionKey) -> bool {
        let (byte, bit) = self.place(key);
        self.0[byte] & bit != 0
    }
}

/// Receives the records of one side.
struct Collector<'r> {
    side: Side,
    records: &'r mut Records,
}

impl Deliver for Collector<'_> {
    fn take(&mut self, done: &mut ConvertedChunk, _: u64) -> io::Result<Delivered> {
        let (text, _) = done.output();
        let records = &done.index.records;
        for (index, key) in records.keys.iter().enumerate() {
            let depth = records.ranks.get(index).copied().unwrap_or_default();
            self.records.push(self.side, *key, depth, &text[done.index.range(index)])?;
        }
        Ok(Delivered { positions: records.keys.len() as u64, ..Delivered::default() })
    }
}
