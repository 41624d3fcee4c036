//! Records of two sources, brought together by position.
//!
//! One external sort puts the records of equal positions next to each other, those of the second
//! source first, so that their operations are known when a record of the first source gets them.
//! Another one restores the order of the first source.

mod known;
mod options;
mod records;

use std::fmt;
use std::io::{Read, Write};

use emit::Plan;
use epd::{RegisterKeeper, RegisterStyle, fields_len};
use stream::ordered::Threads;
use stream::spill::Sorter;

use crate::convert::{ConvertError, Run};
use crate::inputs::InputText;
use crate::observer::Observer;
use crate::options::Options;
use crate::summary::Summary;
use known::Known;
pub use options::JoinOptions;
pub use records::Side;
use records::{KEY_BYTES, Records, next};

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

/// Output is written in pieces of this size, in bytes.
const PIECE: usize = 64 << 10;

impl Join {
    /// Begins without records.
    pub fn new(options: &JoinOptions) -> Self {
        let reading = options.reading();
        let (plan, threads) = (reading.plan(), Threads::new(reading.workers()));
        let records = Records::new(options.sorter(&threads), options.memory / 8);
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
        self.records.side = side;
        let (plan, threads) = (self.plan.clone(), self.threads.clone());
        Run::new(Box::new(&mut self.records), &self.reading, plan, Vec::new(), threads)
    }

    /// Takes note that no further record of the first source will follow. Those of the second that
    /// follow need no memory if the first lacks their position; they are missing in [`Join::diff`].
    pub fn first_is_complete(&mut self) {
        self.records.drops_unmatched = true;
    }

    /// Writes the records of the first source with the operations of equal ones of the second. Each
    /// operation is that of the record with the greatest `acd` that has it, and otherwise that of
    /// the first source, or of the first record. Counters are not added.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file cannot be written.
    pub fn join(self, output: &mut dyn Write) -> Result<Joined, ConvertError> {
        let Join { options, threads, records, .. } = self;
        let mut restored = options.sorter(&threads);
        let mut counts = Joined::default();
        let (mut known, mut line) = (Known::default(), Vec::new());
        let mut position = [0; KEY_BYTES];
        let mut sorted = records.finish()?;
        while let Some((key, text)) = next(&mut sorted)? {
            if key.position != position {
                (position, known) = (key.position, Known::default());
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
        let mut lines = options.sorter(&threads);
        let mut counts = Differences::default();
        let mut both: [Known; 2] = Default::default();
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

    /// Counts a position, and adds its lines if the sources differ.
    fn add(&mut self, both: &[Known; 2], lines: &mut Sorter) -> Result<(), ConvertError> {
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
            output.write_all(&out)?;
            out.clear();
        }
    }
    Ok(output.write_all(&out).and_then(|()| output.flush())?)
}
