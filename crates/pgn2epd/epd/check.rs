//! Files of records, checked and rewritten: blocks of lines on all cores, their answers in the order of the input.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::num::NonZeroUsize;

use emit::{
    Consumer, Dialect, FaultKind, Form, PositionKey, ReadOptions, Severity, Statistics,
    StatisticsReport,
};
use pgn::Source;
use san::FieldStyle;

use super::block::{Block, Blocks, Checked};
use crate::ConvertError;

/// How files of records are checked, and what is written of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// The dialect of all lines; `None` to tell it from each line.
    pub dialect: Option<Dialect>,
    /// Whether the moves in operands are played.
    pub moves: bool,
    /// A program whose misreadings are told too.
    pub consumer: Option<Consumer>,
    /// How records are written; `None` for not at all.
    pub rewrite: Option<Rewrite>,
    /// Whether only the first of equal positions is written: equal by the laws of chess, clocks aside.
    pub unique: bool,
    /// Whether positions are counted. It takes 48 bytes of memory for each.
    pub statistics: bool,
    /// Threads that work; `None` for as many as there are cores.
    pub jobs: Option<NonZeroUsize>,
}

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewrite {
    /// As they stand, with comments and empty lines.
    AsTheyStand,
    /// In their normal form, and nothing but records.
    Normal(Form, FieldStyle),
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            dialect: None,
            moves: true,
            consumer: None,
            rewrite: None,
            unique: false,
            statistics: false,
            jobs: None,
        }
    }
}

impl CheckOptions {
    pub(super) fn read_options(&self) -> ReadOptions {
        ReadOptions { dialect: self.dialect, moves: self.moves }
    }
}

/// Something wrong with a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The line, counted from 1.
    pub line: u64,
    /// The character of the line, counted from 1.
    pub column: u64,
    /// The text that shows it, shortened where it is long.
    pub text: String,
    /// What is wrong.
    pub kind: FaultKind,
}

impl std::fmt::Display for LineFault {
    /// `12:34: bm takes …`, with `warning: ` before the reason where it is one.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let level = if self.kind.severity() == Severity::Warning { "warning: " } else { "" };
        write!(f, "{}:{}: {level}{}", self.line, self.column, self.kind)
    }
}

/// What a check has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckCounts {
    /// Lines that hold a record.
    pub records: u64,
    /// Lines that should hold one and do not.
    pub bad_lines: u64,
    /// Comment lines.
    pub comments: u64,
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// Records that were not written because their position was written before.
    pub duplicates: u64,
}

impl std::ops::AddAssign for CheckCounts {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.bad_lines += other.bad_lines;
        self.comments += other.comments;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.duplicates += other.duplicates;
    }
}

/// Checks one file of records after the other.
///
/// ```
/// use pgn2epd::epd::{Checker, CheckOptions};
///
/// let records = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\n";
/// let mut checker = Checker::new(CheckOptions::default());
/// let mut said = Vec::new();
/// checker.check(records.as_bytes(), std::io::sink(), &mut |fault| said.push(fault.to_string()))?;
/// assert_eq!(said, ["1:32: e5: illegal: no pawn of White's can reach e5"]);
/// assert_eq!(checker.counts().errors, 1);
/// # Ok::<_, pgn2epd::ConvertError>(())
/// ```
#[derive(Debug)]
pub struct Checker {
    options: CheckOptions,
    counts: CheckCounts,
    statistics: Statistics,
    seen: HashSet<PositionKey>,
}

impl Checker {
    /// A checker that has seen nothing yet.
    pub fn new(options: CheckOptions) -> Self {
        Checker {
            options,
            counts: CheckCounts::default(),
            statistics: Statistics::default(),
            seen: HashSet::new(),
        }
    }

    /// Checks all lines of `input`, writes to `output` what the options say, and tells every fault in the order of the lines.
    ///
    /// What is the same on each line, as the dialect is, is told once. Memory does not grow with the input, but with
    /// [`CheckOptions::unique`] and [`CheckOptions::statistics`].
    ///
    /// # Errors
    ///
    /// If the input cannot be read or the output cannot be written.
    pub fn check(
        &mut self,
        input: impl Read,
        mut output: impl Write,
        tell: &mut dyn FnMut(&LineFault),
    ) -> Result<(), ConvertError> {
        let mut source = Source::new(input).map_err(ConvertError::Read)?;
        while let Some(text) = source.next_text().map_err(ConvertError::Read)? {
            self.check_text(text, &mut output, tell)?;
        }
        output.flush().map_err(ConvertError::Write)
    }

    fn check_text(
        &mut self,
        input: impl Read,
        output: &mut impl Write,
        tell: &mut dyn FnMut(&LineFault),
    ) -> Result<(), ConvertError> {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let jobs = self.options.jobs.unwrap_or_else(cores).get();
        let mut blocks = Blocks::new(input);
        let mut told = Vec::new();
        loop {
            let mut batch = Vec::with_capacity(jobs);
            let read = loop {
                match blocks.next() {
                    Ok(Some(block)) => batch.push(block),
                    Ok(None) => break Ok(true),
                    Err(error) => break Err(error),
                }
                if batch.len() == jobs {
                    break Ok(false);
                }
            };
            for (checked, block) in work(&self.options, &batch).iter().zip(&mut batch) {
                self.deliver(checked, output, &mut told, tell)?;
                blocks.recycle(block);
            }
            // What was read before an error is told first.
            if read.map_err(ConvertError::Read)? {
                return Ok(());
            }
        }
    }

    /// What all files up to now have come to.
    pub fn counts(&self) -> CheckCounts {
        self.counts
    }

    /// The statistics of all files up to now.
    pub fn statistics(&mut self) -> StatisticsReport {
        self.statistics.report()
    }

    fn deliver(
        &mut self,
        checked: &Checked,
        output: &mut impl Write,
        told: &mut Vec<FaultKind>,
        tell: &mut dyn FnMut(&LineFault),
    ) -> Result<(), ConvertError> {
        self.counts += checked.counts;
        for fault in &checked.faults {
            if fault.kind.is_of_file() {
                if told.contains(&fault.kind) {
                    continue;
                }
                told.push(fault.kind.clone());
            }
            match fault.kind.severity() {
                Severity::Error => self.counts.errors += 1,
                Severity::Warning | Severity::Note => self.counts.warnings += 1,
            }
            tell(fault);
        }
        if self.options.statistics {
            checked
                .items
                .iter()
                .filter_map(|item| item.key)
                .for_each(|key| self.statistics.add(key));
        }
        if !self.options.unique {
            return output.write_all(checked.text()).map_err(ConvertError::Write);
        }
        let mut start = 0;
        for item in &checked.items {
            let text = &checked.text()[start..item.end];
            start = item.end;
            match item.key {
                Some(key) if !self.seen.insert(key.of_position()) => self.counts.duplicates += 1,
                _ => output.write_all(text).map_err(ConvertError::Write)?,
            }
        }
        Ok(())
    }
}

/// Checks the blocks, each on a thread of its own if there are several.
fn work(options: &CheckOptions, blocks: &[Block]) -> Vec<Checked> {
    match blocks {
        [] => Vec::new(),
        [one] => vec![Checked::of(one, options)],
        _ => std::thread::scope(|scope| {
            let start = |block| scope.spawn(move || Checked::of(block, options));
            let threads: Vec<_> = blocks.iter().map(start).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Checked>| match thread.join() {
                Ok(checked) => checked,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            threads.into_iter().map(join).collect()
        }),
    }
}
