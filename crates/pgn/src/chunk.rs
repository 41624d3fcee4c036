//! A stream cut into chunks of whole games, as far as one can see without scanning it.

use std::io::{self, Read};

use crate::boundary::{self, Follow};
use crate::{Place, Scanner};

/// A piece of a text that begins where a game begins, or between games.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) start: Place,
    pub(crate) follow: Follow,
}

impl<'a> Chunk<'a> {
    /// A whole text as one chunk.
    pub fn whole(bytes: &'a [u8]) -> Self {
        Chunk { bytes, start: Place::default(), follow: Follow::End }
    }

    /// The bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// A scanner over the games. Its [`Scanner::is_cut`] tells when the last of them is not whole.
    pub fn scanner(&self) -> Scanner<'a> {
        Scanner::before(self.bytes, self.follow)
    }

    /// The place in the file of the byte `at` of this chunk. It counts lines: not for the hot path.
    pub fn place(&self, at: usize) -> Place {
        self.start.after(&self.bytes[..at])
    }
}

/// A chunk that owns its bytes, to be sent to a worker.
#[derive(Debug)]
pub(crate) struct OwnedChunk {
    pub(crate) bytes: Vec<u8>,
    pub(crate) start: Place,
    pub(crate) follow: Follow,
}

impl OwnedChunk {
    pub(crate) fn borrow(&self) -> Chunk<'_> {
        Chunk { bytes: &self.bytes, start: self.start, follow: self.follow }
    }
}

/// Reads a stream into chunks of about `size` bytes.
pub(crate) struct Chunks<R> {
    reader: R,
    size: usize,
    /// What was read behind the last cut.
    rest: Vec<u8>,
    start: Place,
    ended: bool,
}

/// Smaller chunks serve nobody.
const SMALLEST: usize = 64;

impl<R: Read> Chunks<R> {
    pub(crate) fn new(reader: R, size: usize) -> Self {
        Chunks {
            reader,
            size: size.max(SMALLEST),
            rest: Vec::new(),
            start: Place::default(),
            ended: false,
        }
    }

    /// The next chunk, in `buffer`; `None` behind the last one, which may be empty: something must say that the text ends.
    ///
    /// On an error of the stream, what was read before it is the last chunk, and the error comes beside it. A game that it
    /// tears is none.
    pub(crate) fn next(&mut self, mut buffer: Vec<u8>) -> (Option<OwnedChunk>, io::Result<()>) {
        if self.ended {
            return (None, Ok(()));
        }
        let mut len = self.rest.len();
        let mut wanted = self.size.saturating_sub(len).max(1);
        // What is left in the buffer from its last use is overwritten, not cleared: worth 2 % on 8moves_v3 (bench `throughput`).
        grow(&mut buffer, len + wanted);
        buffer[..len].copy_from_slice(&self.rest);
        self.rest.clear();
        let (follow, outcome) = loop {
            grow(&mut buffer, len + wanted);
            let (read, outcome) = fill(&mut self.reader, &mut buffer[len..len + wanted]);
            len += read;
            buffer.truncate(len);
            self.ended = outcome.is_err() || read < wanted;
            if self.ended {
                let follow = if outcome.is_ok() { Follow::End } else { Follow::Fault };
                break (follow, outcome);
            }
            if let Some((at, follow)) = place_to_cut(&buffer) {
                self.rest.extend_from_slice(&buffer[at..]);
                buffer.truncate(at);
                break (follow, outcome);
            }
            wanted = len;
        };
        let chunk = OwnedChunk { start: self.start, follow, bytes: buffer };
        if !self.ended {
            self.start = self.start.after(&chunk.bytes);
        }
        (Some(chunk), outcome)
    }
}

fn grow(buffer: &mut Vec<u8>, len: usize) {
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
}

/// Reads until the room is full, or the stream ends or fails.
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

/// Where a buffer is cut: where a game seems to begin, or else behind a line; only a line without end is cut at a blank,
/// or anywhere.
fn place_to_cut(buffer: &[u8]) -> Option<(usize, Follow)> {
    let game = boundary::last_cut(buffer);
    let anything = |at: usize| (at, Follow::Anything);
    game.or_else(|| behind_last_line(buffer).map(anything)).or_else(|| {
        let before_return = buffer.strip_suffix(b"\r").map_or(buffer.len(), <[u8]>::len);
        let blank = || memchr::memrchr(b' ', buffer).map_or(before_return, |i| i + 1);
        (buffer.len() >= LONGEST_LINE).then(|| anything(blank()))
    })
}

/// Behind the last line end, whose CR LF must not be torn apart.
fn behind_last_line(buffer: &[u8]) -> Option<usize> {
    match buffer {
        [.., b'\n'] => Some(buffer.len()),
        [but_last @ .., _] => memchr::memrchr2(b'\n', b'\r', but_last).map(|i| i + 1),
        [] => None,
    }
}
