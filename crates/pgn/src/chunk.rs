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

impl<R: Read> Chunks<R> {
    pub(crate) fn new(reader: R, size: usize) -> Self {
        Chunks {
            reader,
            size: size.max(1),
            rest: Vec::new(),
            start: Place::default(),
            ended: false,
        }
    }

    /// The next chunk, in `buffer`; `None` behind the last one, which may be empty: something must say that the text ends.
    ///
    /// On an error of the stream, what was read before it is the last chunk, and the error comes beside it.
    pub(crate) fn next(&mut self, mut buffer: Vec<u8>) -> (Option<OwnedChunk>, io::Result<()>) {
        if self.ended {
            return (None, Ok(()));
        }
        buffer.clear();
        buffer.append(&mut self.rest);
        let wanted = self.size.saturating_sub(buffer.len()).max(1) as u64;
        let outcome = (&mut self.reader).take(wanted).read_to_end(&mut buffer);
        self.ended = !matches!(outcome, Ok(read) if read as u64 == wanted);
        let follow = if self.ended { Follow::End } else { self.cut(&mut buffer) };
        let chunk = OwnedChunk { start: self.start, follow, bytes: buffer };
        if !self.ended {
            let bytes = &chunk.bytes;
            self.start.byte += bytes.len() as u64;
            self.start.line += crate::span::count_lines(bytes);
        }
        (Some(chunk), outcome.map(|_| ()))
    }

    /// Cuts the buffer where a game seems to begin, or else at a line end, or at a blank, or anywhere.
    fn cut(&mut self, buffer: &mut Vec<u8>) -> Follow {
        let (at, follow) = boundary::last_cut(buffer).unwrap_or_else(|| {
            let line = memchr::memrchr(b'\n', buffer);
            let blank = || memchr::memrchr(b' ', buffer);
            // CR LF must stay together, for the count of lines.
            let anywhere = || buffer.strip_suffix(b"\r").map_or(buffer.len(), <[u8]>::len);
            let at = line.or_else(blank).map_or_else(anywhere, |i| i + 1);
            (if at == 0 { buffer.len() } else { at }, Follow::Anything)
        });
        self.rest.extend_from_slice(&buffer[at..]);
        buffer.truncate(at);
        follow
    }
}
