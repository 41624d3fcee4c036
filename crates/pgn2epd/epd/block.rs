//! A file in blocks of whole lines, and what comes of one.

use std::borrow::Cow;
use std::io::{self, Read};

use emit::{Fault, FaultKind, Line, PositionKey, misread, read_line, write_record_value};
use san::Buffer;

use super::check::{CheckCounts, CheckOptions, LineFault, Rewrite};

/// Large enough that a thread is worth its start, small enough for the cache.
const BLOCK: usize = 512 << 10;

/// A line that is longer is no record, and the file is none of records.
const LONGEST_LINE: usize = 64 << 20;

/// Whole lines of a file.
#[derive(Debug)]
pub(super) struct Block {
    bytes: Vec<u8>,
    first_line: u64,
}

/// Reads a stream in blocks.
#[derive(Debug)]
pub(super) struct Blocks<R> {
    input: R,
    /// The beginning of a line whose end is not read yet.
    carry: Vec<u8>,
    next_line: u64,
    at_end: bool,
    old: Vec<Vec<u8>>,
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(input: R) -> Self {
        Blocks { input, carry: Vec::new(), next_line: 1, at_end: false, old: Vec::new() }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Block>> {
        if self.at_end {
            return Ok(None);
        }
        let mut bytes = self.old.pop().unwrap_or_default();
        bytes.clear();
        bytes.append(&mut self.carry);
        let mut wanted = BLOCK;
        loop {
            let missing = wanted.saturating_sub(bytes.len()) as u64;
            let read = self.input.by_ref().take(missing).read_to_end(&mut bytes)?;
            if (read as u64) < missing {
                self.at_end = true;
                break;
            }
            if let Some(end) = memchr::memrchr(b'\n', &bytes) {
                self.carry.extend_from_slice(&bytes[end + 1..]);
                bytes.truncate(end + 1);
                break;
            }
            if bytes.len() >= LONGEST_LINE {
                let text = format!("line {} is longer than {LONGEST_LINE} bytes", self.next_line);
                return Err(io::Error::new(io::ErrorKind::InvalidData, text));
            }
            wanted = 2 * bytes.len();
        }
        let first_line = self.next_line;
        self.next_line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        Ok((!bytes.is_empty()).then_some(Block { bytes, first_line }))
    }

    /// Takes the memory of a block back.
    pub(super) fn recycle(&mut self, block: &mut Block) {
        self.old.push(std::mem::take(&mut block.bytes));
    }
}

/// What comes of a block.
#[derive(Debug, Default)]
pub(super) struct Checked {
    /// Errors and warnings are counted when they are told.
    pub(super) counts: CheckCounts,
    pub(super) faults: Vec<LineFault>,
    /// What is written, piece by piece, if that or the position of a piece is asked for.
    pub(super) items: Vec<Item>,
    out: Buffer,
    /// What every line has, and was kept once.
    kept_once: Vec<FaultKind>,
}

/// A piece of what is written: a record, or another line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// The position of a record.
    pub(super) key: Option<PositionKey>,
    /// Where the piece ends in the text.
    pub(super) end: usize,
}

impl Checked {
    /// What is written.
    pub(super) fn text(&self) -> &[u8] {
        self.out.as_bytes()
    }

    pub(super) fn of(block: &Block, options: &CheckOptions) -> Self {
        let mut checked = Checked::default();
        let mut faults = Vec::new();
        let whole = std::str::from_utf8(&block.bytes);
        let mut number = block.first_line;
        let mut start = 0;
        while start < block.bytes.len() {
            let rest = &block.bytes[start..];
            let len = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = match whole {
                Ok(text) => Cow::Borrowed(&text[start..start + len]),
                Err(_) => decoded(&rest[..len], &mut faults),
            };
            checked.line(&line, &rest[..len], options, &mut faults);
            if !faults.is_empty() {
                checked.tell(&line, number, &mut faults);
            }
            number += 1;
            start += len + 1;
        }
        checked
    }

    fn line(&mut self, line: &str, bytes: &[u8], options: &CheckOptions, faults: &mut Vec<Fault>) {
        let read = read_line(line, &options.read_options(), &mut |fault| faults.push(fault));
        if let Some(consumer) = options.consumer {
            misread(line, &read, consumer, &mut |fault| faults.push(fault));
        }
        match &read {
            Line::Blank => {}
            Line::Comment => self.counts.comments += 1,
            Line::Bad => self.counts.bad_lines += 1,
            Line::Record(_) => self.counts.records += 1,
        }
        let written = self.out.len();
        match (&options.rewrite, &read) {
            (None, _) | (_, Line::Bad) => {}
            (Some(Rewrite::AsTheyStand), _) => {
                self.out.extend(bytes);
                self.out.extend(b"\n");
            }
            (Some(Rewrite::Normal(form, style)), Line::Record(record)) => {
                write_record_value(&record.to_record(), *form, *style, &mut self.out);
                self.out.extend(b"\n");
            }
            (Some(Rewrite::Normal(..)), _) => {}
        }
        if options.unique || options.statistics {
            let key = match &read {
                Line::Record(record) => Some(PositionKey::new(record.position())),
                _ => None,
            };
            if key.is_some() || self.out.len() > written {
                self.items.push(Item { key, end: self.out.len() });
            }
        }
    }

    /// Keeps the faults of a line, from left to right.
    #[cold]
    fn tell(&mut self, line: &str, number: u64, faults: &mut Vec<Fault>) {
        faults.sort_by_key(|fault| fault.at.start);
        for fault in faults.drain(..) {
            if fault.kind.is_of_file() {
                if self.kept_once.contains(&fault.kind) {
                    continue;
                }
                self.kept_once.push(fault.kind.clone());
            }
            self.faults.push(LineFault {
                line: number,
                column: fault.column(line) as u64,
                text: shown(&line[fault.at.clone()]),
                kind: fault.kind,
            });
        }
    }
}

/// A line in a block that is not UTF-8: this one may be.
#[cold]
fn decoded<'l>(bytes: &'l [u8], faults: &mut Vec<Fault>) -> Cow<'l, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => {
            // Up to the first byte that is not UTF-8 all bytes are letters, or not far from it.
            let at = error.valid_up_to();
            let text = emit::text_of(bytes);
            let at = text.char_indices().nth(at).map_or(0, |(at, _)| at);
            faults.push(Fault { at: at..at, kind: FaultKind::Latin1 });
            Cow::Owned(text)
        }
    }
}

/// The part of a line that a fault is about, not too long.
fn shown(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
