//! Lines as the items of a text.

use crate::chunk::{Chunk, NextInput};

use super::cutter::{ChunkEnd, Cutter};

/// Cuts a text between lines. A line ends with LF, CRLF or a bare CR; the last line needs no end.
#[derive(Clone, Copy, Debug)]
pub enum LineCutter {}

impl Cutter for LineCutter {
    type Start = ();
    type State = ();
    type Skipped = ();

    fn last_cut(bytes: &[u8]) -> Option<(usize, ())> {
        after_last_line(bytes).map(|at| (at, ()))
    }

    fn end_of_first(chunk: Chunk<'_, ()>) -> ChunkEnd<()> {
        let (lines, _) = whole_lines(chunk);
        end_at(chunk, after_first_line(lines).unwrap_or(lines.len()))
    }

    fn begin_skip(_: Chunk<'_, ()>, (): ()) {}

    fn resume_skip((): (), chunk: Chunk<'_, ()>) -> (usize, Option<()>) {
        match after_first_line(chunk.bytes()) {
            Some(at) => (at, None),
            None => (chunk.bytes().len(), Some(())),
        }
    }
}

/// Returns the whole lines of a chunk, and where they end. A line truncated by a read error is not
/// whole.
///
/// ```
/// use stream::chunk::Chunk;
/// use stream::ordered::whole_lines;
///
/// let (lines, end) = whole_lines(Chunk::whole(b"one\ntwo"));
/// assert_eq!((lines, end.up_to), (&b"one\ntwo"[..], 7));
/// ```
pub fn whole_lines(chunk: Chunk<'_, ()>) -> (&[u8], ChunkEnd<()>) {
    let bytes = chunk.bytes();
    let up_to = match chunk.next_input() {
        NextInput::End | NextInput::Item(()) => bytes.len(),
        NextInput::Anything | NextInput::Fault => after_last_line(bytes).unwrap_or(0),
    };
    (&bytes[..up_to], end_at(chunk, up_to))
}

fn end_at(chunk: Chunk<'_, ()>, up_to: usize) -> ChunkEnd<()> {
    let item_start = (up_to < chunk.bytes().len()).then_some(up_to);
    ChunkEnd { up_to, rest_start: up_to, item_start, state: () }
}

fn after_first_line(bytes: &[u8]) -> Option<usize> {
    let end = memchr::memchr2(b'\n', b'\r', bytes)?;
    Some(if bytes[end..].starts_with(b"\r\n") { end + 2 } else { end + 1 })
}

/// A final CR does not count: its LF may not have been read yet.
pub(super) fn after_last_line(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [.., b'\n'] => Some(bytes.len()),
        [but_last @ .., _] => memchr::memrchr2(b'\n', b'\r', but_last).map(|i| i + 1),
        [] => None,
    }
}
