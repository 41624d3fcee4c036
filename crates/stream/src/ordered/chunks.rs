//! Cuts a stream into chunks of whole items, as far as possible without scanning it.

use std::io::{self, Read};
use std::sync::Arc;

use crate::chunk::start::ChunkCounts;
use crate::chunk::{NextInput, OwnedChunk};
use crate::read_at::{ReadAt, ReaderAt, fill};

use super::cutter::Cutter;
use super::lines::after_last_line;

/// Reads a stream into chunks of about `size` bytes, or determines them in a file.
pub(super) struct Chunks<'i> {
    input: ChunkInput<'i>,
    size: usize,
    /// Bytes read past the last cut.
    rest: Vec<u8>,
    /// The offset of the next chunk.
    byte: u64,
    is_within_line: bool,
    counts: Arc<ChunkCounts>,
    ended: bool,
}

pub(super) enum ChunkInput<'i> {
    Stream(&'i mut dyn Read),
    /// Workers read the chunks.
    File(Arc<dyn ReadAt>),
}

/// Number of bytes at the end of a chunk that are searched for a cut first.
const TAIL: usize = 2 << 10;

/// Lower bound on the chunk size, in bytes; smaller chunks have no use.
const SMALLEST: usize = 64;

impl<'i> Chunks<'i> {
    pub(super) fn new(input: ChunkInput<'i>, size: usize) -> Self {
        let (size, rest) = (size.max(SMALLEST), Vec::new());
        let counts = ChunkCounts::new();
        Chunks { input, size, rest, byte: 0, is_within_line: false, counts, ended: false }
    }

    /// The next chunk, in `buffer`; the last may be empty, to tell that the text ends.
    /// On a read error, the bytes before it, without the torn item, are the last chunk.
    pub(super) fn next<C: Cutter>(
        &mut self,
        mut buffer: Vec<u8>,
    ) -> (Option<OwnedChunk<C::Start>>, io::Result<()>) {
        if self.ended {
            return (None, Ok(()));
        }
        if let ChunkInput::File(file) = &self.input {
            // The workers read again what was read past the last cut.
            let cut = cut_in_file::<C>(&**file, self.byte, self.size, &mut self.rest);
            self.rest.clear();
            if let Some(cut) = cut {
                buffer.resize(cut.len, 0);
                let start = self.counts.next_start(self.byte, self.is_within_line);
                (self.byte, self.is_within_line) = (self.byte + cut.len as u64, cut.is_within_line);
                let (next_input, file) = (cut.next_input, Some(Arc::clone(file)));
                return (Some(OwnedChunk { start, next_input, bytes: buffer, file }), Ok(()));
            }
        }
        let mut len = self.rest.len();
        let mut wanted = self.size.saturating_sub(len).max(1);
        // Stale buffer contents are overwritten, not cleared: worth 2 % on 8moves_v3 (bench
        // `throughput`).
        grow(&mut buffer, len + wanted);
        buffer[..len].copy_from_slice(&self.rest);
        self.rest.clear();
        let (next_input, outcome) = loop {
            grow(&mut buffer, len + wanted);
            let room = &mut buffer[len..len + wanted];
            let (read, outcome) = match &mut self.input {
                ChunkInput::Stream(reader) => fill(reader, room),
                ChunkInput::File(file) => {
                    let offset = self.byte + len as u64;
                    fill(&mut ReaderAt { file: &**file, offset }, room)
                }
            };
            len += read;
            buffer.truncate(len);
            self.ended = outcome.is_err() || read < wanted;
            if self.ended {
                let next_input = if outcome.is_ok() { NextInput::End } else { NextInput::Fault };
                break (next_input, outcome);
            }
            if let Some((at, next_input)) = place_to_cut::<C>(&buffer) {
                self.rest.extend_from_slice(&buffer[at..]);
                buffer.truncate(at);
                break (next_input, outcome);
            }
            wanted = len;
        };
        let start = self.counts.next_start(self.byte, self.is_within_line);
        self.byte += buffer.len() as u64;
        self.is_within_line = ends_within_line(&buffer);
        (Some(OwnedChunk { start, next_input, bytes: buffer, file: None }), outcome)
    }
}

/// The end of a chunk that has not been read.
struct Cut<S> {
    len: usize,
    next_input: NextInput<S>,
    is_within_line: bool,
}

/// Ends a chunk of about `size` bytes before an item or after a line; reads only what it needs.
fn cut_in_file<C: Cutter>(
    file: &dyn ReadAt,
    start: u64,
    size: usize,
    buffer: &mut Vec<u8>,
) -> Option<Cut<C::Start>> {
    if start + size as u64 >= file.file_len() {
        return None;
    }
    let mut tail = TAIL.min(size);
    loop {
        let before = size - tail;
        buffer.resize(tail, 0);
        let (read, outcome) = fill(&mut ReaderAt { file, offset: start + before as u64 }, buffer);
        if read < tail || outcome.is_err() {
            return None;
        }
        let item = C::last_cut(buffer).map(|(at, item)| (at, NextInput::Item(item)));
        let line = || after_last_line(buffer).map(|at| (at, NextInput::Anything));
        if let Some((at, next_input)) = item.or_else(|| line().filter(|_| tail == size)) {
            let is_within_line = ends_within_line(&buffer[..at]);
            return Some(Cut { len: before + at, next_input, is_within_line });
        }
        if tail == size {
            return None;
        }
        tail = (4 * tail).min(size);
    }
}

fn ends_within_line(text: &[u8]) -> bool {
    !matches!(text.last(), Some(b'\n' | b'\r'))
}

fn grow(buffer: &mut Vec<u8>, len: usize) {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
}

/// Lines up to this length, in bytes, are not cut.
const LONGEST_LINE: usize = 1 << 20;

/// Where an item seems to begin, else after a line; in an overlong line at a space or anywhere.
fn place_to_cut<C: Cutter>(buffer: &[u8]) -> Option<(usize, NextInput<C::Start>)> {
    let item = C::last_cut(buffer).map(|(at, start)| (at, NextInput::Item(start)));
    let anything = |at: usize| (at, NextInput::Anything);
    item.or_else(|| after_last_line(buffer).map(anything)).or_else(|| {
        let before_return = buffer.strip_suffix(b"\r").map_or(buffer.len(), <[u8]>::len);
        let blank = || memchr::memrchr(b' ', buffer).map_or(before_return, |i| i + 1);
        (buffer.len() >= LONGEST_LINE).then(|| anything(blank()))
    })
}
