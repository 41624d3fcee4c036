//! Records of two sources, brought together by position.
//!
//! One external sort puts the records of equal positions next to each other, those of the second
//! source first, so that their operations are known when a record of the first source gets them.
//! Another one restores the order of the first source.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use dataset::{Preference, RecordChunk};
use emit::Plan;
use epd::{
    Opcode, OperationRef, OperationWriter, RegisterKeeper, RegisterStyle, Rules, divided,
    fields_len,
};
use san::PositionKey;
use stream::ordered::Threads;
use stream::spill::{SortedPairs, Sorter};

use crate::convert::worker::{ConvertedChunk, Deliver, Delivered};
use crate::convert::{Conversion, ConvertError};
use crate::options::option_spec::{OptionSet, options};
use crate::options::{OnDamage, Options};

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
/// join.side(Side::First).input(suite, &mut ())?;
/// join.first_is_complete();
/// join.side(Side::Second).input(evaluations, &mut ())?;
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
    reading: Options,
    plan: Plan,
    threads: Threads,
    records: SourceRecords,
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

const PIECE: usize = 64 << 10;

impl Join {
    /// Begins without records.
    pub fn new(options: &JoinOptions) -> Self {
        let reading = options.reading();
        let (plan, threads) = (reading.plan(), Threads::new(reading.workers()));
        let (side, sorter) = (Side::First, options.sorter(&threads));
        let of_first = HashFilter(vec![0; (options.memory / 8).max(1)]);
        let records = SourceRecords { side, drops_unmatched: false, sorter, of_first, count: 0 };
        Join { options: options.clone(), reading, plan, threads, records }
    }

    /// Returns the conversion of an input that adds its records to those of a source.
    pub fn side(&mut self, side: Side) -> Conversion<'_> {
        self.records.side = side;
        let (plan, threads) = (self.plan.clone(), self.threads.clone());
        let output = Box::new(&mut self.records);
        Conversion::delivering(output, &self.reading, plan, Vec::new(), threads)
    }

    /// Takes note that no further record of the first source will follow. Those of the second that
    /// follow need no memory if the first lacks their position; they are missing in [`Join::diff`].
    pub fn first_is_complete(&mut self) {
        self.records.drops_unmatched = true;
    }

    /// Writes the records of the first source with the operations of equal ones of the second. Each
    /// operation is that of the record with the greatest `acd` that has it, and otherwise that of
    /// the first source, or of the first record. Counters are not added. Fails if the output or a
    /// temporary file cannot be written.
    pub fn join(self, output: &mut dyn Write) -> Result<Joined, ConvertError> {
        let Join { options, threads, records, .. } = self;
        let mut restored = options.sorter(&threads);
        let mut counts = Joined::default();
        let (mut known, mut line) = (MergedOperations::default(), Vec::new());
        let mut position = [0; KEY_BYTES];
        let mut sorted = records.finish()?;
        while let Some((key, text)) = next(&mut sorted)? {
            if key.position != position {
                (position, known) = (key.position, MergedOperations::default());
            }
            if key.side == Side::Second {
                known.add(&text, key.number, key.depth);
                continue;
            }
            let is_matched = known.first().is_some();
            *if is_matched { &mut counts.matched } else { &mut counts.unmatched } += 1;
            line.clear();
            match is_matched {
                true if options.only_unmatched => continue,
                false if options.only_matched => continue,
                true => known.write_with(&text, key.depth, &mut line),
                false => line.extend_from_slice(text.as_bytes()),
            }
            restored.push(&key.number.to_be_bytes(), &line)?;
        }
        drop(sorted);
        let is_minimal = options.registers == RegisterStyle::Delta;
        let mut keeper = RegisterKeeper::of_full_records(is_minimal);
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
    /// operations of all of them. Positions that the first source lacks come last. Fails if the
    /// output or a temporary file cannot be written.
    pub fn diff(self, output: &mut dyn Write) -> Result<Differences, ConvertError> {
        let Join { options, threads, records, .. } = self;
        let mut lines = options.sorter(&threads);
        let mut counts = Differences::default();
        let mut both: [MergedOperations; 2] = Default::default();
        let mut position = [0; KEY_BYTES];
        let mut sorted = records.finish()?;
        while let Some((key, text)) = next(&mut sorted)? {
            if key.position != position {
                counts.add(&both, &mut lines)?;
                (position, both) = (key.position, Default::default());
            }
            both[key.side as usize].add(&text, key.number, 0);
        }
        counts.add(&both, &mut lines)?;
        drop(sorted);
        write_restored(lines, output, |lines, out| out.extend_from_slice(lines.as_bytes()))?;
        Ok(counts)
    }
}

impl fmt::Debug for Join {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Differences {
    /// Whether there are any.
    pub fn are_any(&self) -> bool {
        self.only_first + self.only_second + self.different > 0
    }

    fn add(
        &mut self,
        both: &[MergedOperations; 2],
        lines: &mut Sorter,
    ) -> Result<(), ConvertError> {
        let [first, second] = both;
        let (count, number) = match (first.first(), second.first()) {
            (None, None) => return Ok(()),
            (Some(number), None) => (&mut self.only_first, number),
            (None, Some(number)) => (&mut self.only_second, number),
            (Some(_), Some(_)) if first.has_same(second) => {
                self.same += 1;
                return Ok(());
            }
            (Some(number), Some(_)) => (&mut self.different, number),
        };
        *count += 1;
        let mut text = Vec::new();
        first.write_other_than(second, b"<", &mut text);
        second.write_other_than(first, b">", &mut text);
        Ok(lines.push(&number.to_be_bytes(), &text)?)
    }
}

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
            output.write_all(&out)?;
            out.clear();
        }
    }
    Ok(output.write_all(&out).and_then(|()| output.flush())?)
}

options! {
    /// Options for joining and comparing two sources.
    ///
    /// ```
    /// use pgn2epd::join::JoinOptions;
    ///
    /// let options = JoinOptions::from_names([("only-matched", "true")])?;
    /// assert!(options.only_matched);
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct JoinOptions {
        "Records": {
            /// Only records whose position is in the other files.
            only_matched: bool = false, not_with(&["only-unmatched"]);

            /// Only records whose position is not in the other files.
            only_unmatched: bool = false;

            /// How to write the registers c0-c9, v0-v9, eco and nic.
            registers: RegisterStyle = RegisterStyle::Delta, value("HOW");
        }
        "Reading": {
            rules: Rules = Rules::Detected, name("variant"), shared();

            /// Report every departure from the standard as an error; the records are still read.
            strict: bool = false;
        }
        "Running": {
            jobs: Option<NonZeroUsize> = None, shared();

            /// Maximum memory for records; others are in --temp-dir
            memory: usize = 1 << 30, value("SIZE");

            temp_dir: Option<PathBuf> = None, shared();
            on_damage: OnDamage = OnDamage::Stop, shared();
            chunk_bytes: usize = 256 << 10, shared();
        }
    }
}

impl OptionSet for JoinOptions {}

impl JoinOptions {
    /// As for `unique`, so that workers note positions and depths; each record has all registers.
    fn reading(&self) -> Options {
        let registers = match self.registers {
            RegisterStyle::Off => RegisterStyle::Off,
            _ => RegisterStyle::Full,
        };
        Options {
            unique: Some(Preference::Deepest),
            registers: Some(registers),
            rules: self.rules,
            strict: self.strict,
            jobs: self.jobs,
            chunk_bytes: self.chunk_bytes,
            temp_dir: self.temp_dir.clone(),
            ..Options::default()
        }
    }

    /// A quarter of the memory: two may exist at once, and buffers grow to twice their size.
    fn sorter(&self, threads: &Threads) -> Sorter {
        let folder = self.reading().temporary_folder();
        Sorter::new(self.memory / 4, &folder, threads)
    }
}

/// One of two sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first: its records are joined.
    First,
    /// The second.
    Second,
}

struct SourceRecords {
    side: Side,
    /// Whether records of the second source go if the first certainly lacks their position.
    drops_unmatched: bool,
    sorter: Sorter,
    of_first: HashFilter,
    count: u64,
}

const KEY_BYTES: usize = size_of::<PositionKey>();

/// What records are sorted by: position, side (second first) and number; and their depth.
struct Key {
    position: [u8; KEY_BYTES],
    side: Side,
    number: u64,
    depth: u32,
}

impl Key {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.position);
        out.push(u8::from(self.side == Side::First));
        out.extend(self.number.to_be_bytes());
        out.extend(self.depth.to_be_bytes());
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let (position, bytes) = bytes.split_first_chunk()?;
        let (side, bytes) = bytes.split_first()?;
        let (number, bytes) = bytes.split_first_chunk()?;
        Some(Key {
            position: *position,
            side: if *side == 0 { Side::Second } else { Side::First },
            number: u64::from_be_bytes(*number),
            depth: u32::from_be_bytes(*bytes.first_chunk()?),
        })
    }
}

fn next(sorted: &mut SortedPairs) -> Result<Option<(Key, Cow<'_, str>)>, ConvertError> {
    let Some((key, text)) = sorted.next()? else { return Ok(None) };
    Ok(Some((Key::read(key).expect("keys are whole"), String::from_utf8_lossy(text))))
}

impl SourceRecords {
    fn finish(self) -> Result<SortedPairs, ConvertError> {
        drop(self.of_first);
        Ok(self.sorter.finish()?)
    }
}

impl Deliver for &mut SourceRecords {
    fn take(&mut self, done: &mut ConvertedChunk, _: u64) -> io::Result<Delivered> {
        let RecordChunk { batch, keys, ranks, .. } = &done.index.chunk;
        let mut bytes = Vec::new();
        for (index, key) in keys.iter().enumerate() {
            match self.side {
                Side::First => self.of_first.add(*key),
                Side::Second if self.drops_unmatched && !self.of_first.may_have(*key) => continue,
                Side::Second => {}
            }
            let depth = ranks.get(index).copied().unwrap_or_default();
            let (side, number) = (self.side, self.count);
            self.count += 1;
            bytes.clear();
            Key { position: key.to_bytes(), side, depth, number }.write(&mut bytes);
            let record = batch.contents(&batch.records[index]).trim_ascii_end();
            self.sorter.push(&bytes, record)?;
        }
        Ok(Delivered { positions: keys.len() as u64, ..Delivered::default() })
    }

    fn has_output(&self) -> bool {
        self.count > 0
    }
}

/// Tells what is certainly not in a set: a bit per hash; bytes take memory once they are set.
struct HashFilter(Vec<u8>);

impl HashFilter {
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

/// Operations of equal records: each from the deepest that has it, of equally deep the first.
/// Counters belong to a game, and a register without a value says nothing.
#[derive(Debug, Default)]
struct MergedOperations {
    first: Option<(u64, String)>,
    operations: BTreeMap<String, (String, u32)>,
}

fn is_null(operation: &OperationRef<'_>) -> bool {
    let is_register = operation.opcode().and_then(Opcode::register).is_some();
    is_register && operation.operands().is_empty()
}

impl MergedOperations {
    fn add(&mut self, record: &str, number: u64, depth: u32) {
        let (fields, operations) = divided(record);
        self.first.get_or_insert_with(|| (number, fields.to_owned()));
        for operation in operations {
            let is_counter = matches!(operation.opcode(), Some(Opcode::Fmvn | Opcode::Hmvc));
            let name = operation.name();
            let is_known = self.operations.get(name).is_some_and(|(_, known)| *known >= depth);
            if !is_counter && !is_null(&operation) && !is_known {
                self.operations.insert(name.to_owned(), (operation.operands().to_owned(), depth));
            }
        }
    }

    fn first(&self) -> Option<u64> {
        self.first.as_ref().map(|(number, _)| *number)
    }

    fn write_with(&self, record: &str, depth: u32, out: &mut Vec<u8>) {
        let (fields, own) = divided(record);
        let known = self.operations.iter();
        let mut all: BTreeMap<&str, &str> =
            known.map(|(name, (operands, _))| (&**name, &**operands)).collect();
        for operation in own {
            let is_better = |(_, other): &(String, u32)| *other > depth || is_null(&operation);
            if !self.operations.get(operation.name()).is_some_and(is_better) {
                all.insert(operation.name(), operation.operands());
            }
        }
        out.extend_from_slice(fields.as_bytes());
        all.into_iter().for_each(|(name, operands)| write(name, operands, out));
    }

    fn has_same(&self, other: &MergedOperations) -> bool {
        let len = self.operations.len();
        len == other.operations.len() && self.other_than(other).next().is_none()
    }

    fn other_than(&self, other: &MergedOperations) -> impl Iterator<Item = (&str, &str)> {
        let known = self.operations.iter().map(|(name, (operands, _))| (&**name, &**operands));
        known.filter(|(name, operands)| {
            other.operations.get(*name).is_none_or(|(others, _)| others != operands)
        })
    }

    fn write_other_than(&self, other: &MergedOperations, mark: &[u8], out: &mut Vec<u8>) {
        let Some((_, fields)) = &self.first else { return };
        out.extend_from_slice(mark);
        out.push(b' ');
        out.extend_from_slice(fields.as_bytes());
        self.other_than(other).for_each(|(name, operands)| write(name, operands, out));
        out.push(b'\n');
    }
}

fn write(name: &str, operands: &str, out: &mut Vec<u8>) {
    let writer = OperationWriter::new(name, out);
    if operands.is_empty() { writer.end() } else { writer.word(operands).end() }
}
