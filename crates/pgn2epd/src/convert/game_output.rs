//! Writes the games of chunks with the text between them.

use std::io;
use std::path::PathBuf;

use emit::ChunkEdges;

use super::deliver::{Deliver, Delivered};
use super::worker::ConvertedChunk;
use crate::summary::OutputCounts;

/// Passes games on, with the text between those of chunks, and an empty line between texts.
pub(crate) struct GameOutput<D> {
    output: D,
    /// Whether the last game of the text is written; `None` before the first one.
    last: Option<bool>,
    /// The text before the first game, up to a limit.
    preamble: Vec<u8>,
    limit: usize,
    /// Whether games of this text are written.
    has_begun: bool,
    /// The end of what was written.
    written: Vec<u8>,
}

impl<D: Deliver> GameOutput<D> {
    pub(crate) fn new(output: D, limit: usize) -> Self {
        let (preamble, written) = Default::default();
        GameOutput { output, last: None, preamble, limit, has_begun: false, written }
    }

    fn pass_on(&mut self, done: &mut ConvertedChunk, games: u64) -> io::Result<Delivered> {
        let text = done.output().0;
        if text.is_empty() && done.text.positions == 0 {
            return Ok(Delivered::default());
        }
        let separator = separator(&self.written).filter(|_| !self.has_begun);
        self.has_begun |= !text.is_empty();
        let end = &text[text.len().saturating_sub(4)..];
        if !end.is_empty() {
            self.written.extend_from_slice(end);
            self.written.drain(..self.written.len().saturating_sub(4));
        }
        let mut delivered = Delivered::default();
        if let Some(separator) = separator {
            delivered += self.output.take(&mut chunk_of(separator), games)?;
        }
        delivered += self.output.take(done, games)?;
        Ok(delivered)
    }
}

/// Returns what makes an empty line after a text, if it does not end with one.
fn separator(text: &[u8]) -> Option<&'static [u8]> {
    match text {
        [] | [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] | [.., b'\r', b'\r'] => None,
        [.., b'\r', b'\n'] => Some(b"\r\n"),
        [.., b'\n'] => Some(b"\n"),
        [.., b'\r'] => Some(b"\r"),
        _ => Some(b"\n\n"),
    }
}

fn chunk_of(text: &[u8]) -> ConvertedChunk {
    let mut chunk = ConvertedChunk::default();
    chunk.text.bytes.extend(text);
    chunk
}

impl<D: Deliver> Deliver for GameOutput<D> {
    fn take(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<Delivered> {
        let ChunkEdges { before, games } = std::mem::take(&mut done.edges);
        let before = match (self.last, games) {
            (Some(true), _) => before,
            (Some(false), _) => Vec::new(),
            (None, games) => {
                // A byte order mark is for the beginning of a file.
                let is_first = self.preamble.is_empty() && !self.written.is_empty();
                let mark = if is_first { "\u{feff}".as_bytes() } else { &[] };
                let before = before.strip_prefix(mark).unwrap_or(&before);
                let has_room = self.preamble.len() + before.len() <= self.limit;
                self.preamble.extend_from_slice(if has_room { before } else { &[] });
                match games {
                    Some((true, _)) => std::mem::take(&mut self.preamble),
                    _ => Vec::new(),
                }
            }
        };
        self.last = games.map(|(_, last)| last).or(self.last);
        let mut delivered = Delivered::default();
        if !before.is_empty() {
            delivered += self.pass_on(&mut chunk_of(&before), games_before)?;
        }
        delivered += self.pass_on(done, games_before)?;
        Ok(delivered)
    }

    fn end_input(&mut self) -> io::Result<Delivered> {
        (self.last, self.has_begun) = (None, false);
        self.preamble.clear();
        self.output.end_input()
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        self.output.take_rest()
    }

    fn has_output(&mut self) -> bool {
        self.output.has_output()
    }

    fn is_full(&self) -> bool {
        self.output.is_full()
    }

    fn counts(&mut self) -> Vec<(PathBuf, OutputCounts)> {
        self.output.counts()
    }
}
