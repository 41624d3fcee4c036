//! Text in pieces, which several threads write.
//!
//! A record may depend on the one before it, as registers of EPD do. So the writer of a piece begins with the last record of
//! the piece before it, whose text is then left out.

use std::io::Write;
use std::ops::Range;

use stream::ordered::Threads;

use super::{BookWriter, Figures, Form, Style, csv, epd, jsonl, pgn};
use crate::error::BookError;
use crate::partial::Header;
use crate::select::{Choice, Chosen};
use crate::temporary::Temporary;

/// What the text of a position depends on, besides the position before it.
#[derive(Clone, Copy)]
pub(super) struct TextStyle<'w> {
    pub(super) choice: &'w Choice,
    pub(super) style: &'w Style<'w>,
    pub(super) header: &'w Header,
    pub(super) temporary: &'w Temporary,
}

/// Writes positions as text, some thousand at once.
pub(super) struct Pieces<'w> {
    style: TextStyle<'w>,
    threads: Threads,
    output: &'w mut dyn Write,
    positions: Encoded,
    /// Whether the first position has been written.
    is_begun: bool,
    figures: Figures,
    has_moves: bool,
}

/// Encoded positions, and the end of each.
#[derive(Default)]
struct Encoded {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// Number of positions in a piece, and of pieces for each thread.
const PIECE: usize = 256;
const PIECES: usize = 8;

/// Maximum size of the encoded positions of all pieces, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// The text of a piece, and its statistics.
struct Written {
    text: Vec<u8>,
    figures: Figures,
    has_moves: bool,
}

impl<'w> Pieces<'w> {
    pub(super) fn new(style: TextStyle<'w>, threads: Threads, output: &'w mut dyn Write) -> Self {
        Pieces {
            style,
            threads,
            output,
            positions: Encoded::default(),
            is_begun: false,
            figures: Figures::default(),
            has_moves: false,
        }
    }

    /// Adds an encoded position.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Result<(), BookError> {
        let Encoded { bytes: all, ends } = &mut self.positions;
        all.extend_from_slice(bytes);
        ends.push(all.len());
        let is_full = ends.len() > PIECE * PIECES * self.threads.count() || all.len() > MOST_BYTES;
        if is_full { self.flush() } else { Ok(()) }
    }

    /// Writes the rest, and returns the statistics of all positions and whether one has moves.
    pub(super) fn finish(mut self) -> Result<(Figures, bool), BookError> {
        self.flush()?;
        self.output.flush().map_err(BookError::Write)?;
        Ok((self.figures, self.has_moves))
    }

    fn flush(&mut self) -> Result<(), BookError> {
        let Pieces { style, positions, .. } = self;
        let count = positions.ends.len();
        let piece = if self.threads.count() == 1 { count.max(1) } else { PIECE };
        // A book without positions may have a first line.
        let (first, last) = if self.is_begun { (1, count) } else { (0, count.max(1)) };
        let starts = (first..last).step_by(piece);
        let pieces = starts.map(|start| start..(start + piece).min(count)).collect();
        let written = self.threads.map(pieces, |piece| style.piece(positions, piece));
        for written in written.map_err(BookError::Write)? {
            let Written { text, figures, has_moves } = written?;
            self.output.write_all(&text).map_err(BookError::Write)?;
            self.figures.add(&figures);
            self.has_moves |= has_moves;
        }
        self.is_begun = true;
        self.positions.keep_last();
        Ok(())
    }
}

impl Encoded {
    fn get(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[number]]
    }

    /// Removes all positions except the last one.
    fn keep_last(&mut self) {
        let Some(last) = self.ends.len().checked_sub(1) else { return };
        let len = self.get(last).len();
        self.bytes.drain(..self.bytes.len() - len);
        self.ends = vec![len];
    }
}

impl<'w> TextStyle<'w> {
    /// Writes some of the positions; the one before them has been written.
    fn piece(self, positions: &Encoded, piece: Range<usize>) -> Result<Written, BookError> {
        let Some(before) = piece.start.checked_sub(1) else {
            return self.write(positions, piece.clone(), piece.start);
        };
        let repeated = self.write(positions, before..piece.start, piece.start)?;
        let mut written = self.write(positions, before..piece.end, piece.start)?;
        written.text.drain(..repeated.text.len());
        Ok(written)
    }

    /// Writes some of the positions, of which those from number `counted` on appear in the statistics.
    fn write(
        self,
        positions: &Encoded,
        range: Range<usize>,
        counted: usize,
    ) -> Result<Written, BookError> {
        let (mut text, mut figures, mut has_moves) = (Vec::new(), Figures::default(), false);
        let mut writer = self.writer(&mut text)?;
        for number in range {
            let chosen: Chosen = self.choice.chosen(positions.get(number), self.temporary)?;
            writer.write(&chosen)?;
            if number >= counted {
                has_moves |= chosen.moves.iter().any(|(code, _)| !code.is_none());
                figures.count(&chosen);
            }
        }
        writer.finish()?;
        Ok(Written { text, figures, has_moves })
    }

    fn writer<'t>(self, text: &'t mut dyn Write) -> Result<Box<dyn BookWriter + 't>, BookError>
    where
        'w: 't,
    {
        let TextStyle { choice, style, header, .. } = self;
        Ok(match style.form {
            Form::Epd => Box::new(epd::Epd::new(text, style, header)),
            Form::Pgn => Box::new(pgn::Pgn::new(text, choice.keep_strongest)),
            Form::Csv => Box::new(csv::Csv::new(text, header)?),
            _ => Box::new(jsonl::JsonLines::new(text, header)),
        })
    }
}
