//! Books as text.

use std::io::Write;

use super::form::PieceForm;
use super::{BookWriter, Form, Style, epd, pgn};
use crate::error::BookError;
use crate::partial::Header;
use crate::pieces::PieceSizes;
use crate::select::Selection;

/// What the text of a position depends on, besides the position before it.
pub(super) struct Text<'w> {
    pub(super) selection: &'w Selection,
    pub(super) style: &'w Style<'w>,
    pub(super) header: &'w Header,
}

/// Number of positions in a piece, and of pieces for each thread.
const PIECE: usize = 256;
const PIECES: usize = 8;

impl PieceForm for Text<'_> {
    type Piece = Vec<u8>;

    fn sizes(&self, threads: usize) -> PieceSizes {
        // The beginning of a piece is written twice, which one thread avoids.
        match threads {
            1 => PieceSizes { positions: PIECE * PIECES, pieces: 1 },
            _ => PieceSizes { positions: PIECE, pieces: PIECES * threads },
        }
    }

    fn depends_on_last(&self) -> bool {
        true
    }

    fn leave_out(text: &mut Vec<u8>, beginning: &Vec<u8>) {
        text.drain(..beginning.len());
    }

    fn writer<'p>(&'p self, text: &'p mut Vec<u8>) -> Result<Box<dyn BookWriter + 'p>, BookError> {
        let Text { selection, style, header } = self;
        let text: &mut dyn Write = text;
        Ok(match style.form {
            Form::Pgn => Box::new(pgn::Pgn::new(text, selection.best_rated)),
            _ => Box::new(epd::Epd::new(text, style, header)),
        })
    }
}
