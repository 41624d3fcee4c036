//! Cuts a stream into chunks of whole items, as far as possible without scanning it.

use std::io::{self, Read};
use std::sync::Arc;

use crate::chunk::start::LineCounts;
use crate::chunk::{NextInput, OwnedChunk};
use crate::place::Place;

use super::cutter::Cutter;
use super::lines::after_last_line;

/// Reads a stream into chunks of about `size` bytes.
pub(super) struct Chunks<R> {
    reader: R,
    size: usize,
    /// Bytes read past the last cut.
    rest: Vec<u8>,
    /// The offset of the next chunk.
    byte: u64,
    is_within_line: bool,
    counts: Arc<LineCounts>,
    ended: bool,
}

/// Lower bound on the chunk size, in bytes; smaller chunks have no use.
const SMALLEST: usize = 64;

impl<R: Read> Chunks<R> {
    pub(super) fn new(reader: R, size: usize, start: Place) -> Self {
        let (byte, is_within_line) = (start.byte, start.column > 1);
        let (size, rest, counts) = (size.max(SMALLEST), Vec::new(), LineCounts::new(start));
        Chunks { reader, size, rest, byte, is_within_line, counts, ended: false }
    }

    /// Returns the next chunk, in `buffer`, or `None` after the last one. The last chunk may be empty: it carries the
    /// information that the text ends.
    ///
    /// On a read error, the bytes read before it form the last chunk, returned beside the error. An item torn by the
    /// error is dropped.
    pub(super) fn next<C: Cutter>(
        &mut self,
        mut buffer: Vec<u8>,
    ) -> (Option<OwnedChunk<C::Start>>, io::Result<()>) {
        if self.ended {
            return (None, Ok(()));
        }
        let mut len = self.rest.len();
        let mut wanted = self.size.saturating_sub(len).max(1);
        // Stale buffer contents are overwritten, not cleared: worth 2 % on 8moves_v3 (bench `throughput`).
        grow(&mut buffer, len + wanted);
        buffer[..len].copy_from_slice(&self.rest);
        self.rest.clear();
        let (next_input, outcome) = loop {
            grow(&mut buffer, len + wanted);
            let (read, outcome) = fill(&mut self.reader, &mut buffer[len..len + wanted]);
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
        self.is_within_line = !matches!(buffer.last(), Some(b'\n' | b'\r'));
        (Some(OwnedChunk { start, next_input, bytes: buffer }), outcome)
    }
}

fn grow(buffer: &mut Vec<u8>, len: usize) {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
}

/// Reads until the buffer is full, or the stream ends or fails.
fn fill(reader: &mut impl Read, room: &mut [u8]) -> (usize, io::Result<()>) {
    let mut read = 0;
    while read < room.len() {
        match reader.read(&mut room[read..]) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return (read, Err(error)),
        }
    }
    (read, Ok(()))
}

/// Lines up to this length, in bytes, are not cut.
const LONGEST_LINE: usize = 1 << 20;

/// Chooses where to cut a buffer: where an item seems to begin, otherwise after a line; only an overlong line is cut at a
/// space, or anywhere.
fn place_to_cut<C: Cutter>(buffer: &[u8]) -> Option<(usize, NextInput<C::Start>)> {
    let item = C::last_cut(buffer).map(|(at, start)| (at, NextInput::Item(start)));
    let anything = |at: usize| (at, NextInput::Anything);
    item.or_else(|| after_last_line(buffer).map(anything)).or_else(|| {
        let before_return = buffer.strip_suffix(b"\r").map_or(buffer.len(), <[u8]>::len);
        let blank = || memchr::memrchr(b' ', buffer).map_or(before_return, |i| i + 1);
        (buffer.len() >= LONGEST_LINE).then(|| anything(blank()))
    })
}
