//! JSON lines: one object per position, with its moves.

use std::io::{BufWriter, Write};

use serde::Serialize;

use super::BookWriter;
use super::row::{Played, Row};
use crate::error::BookError;
use crate::partial::Header;
use crate::select::{Chosen, fields};

pub(super) struct JsonLines<'w> {
    output: BufWriter<&'w mut dyn Write>,
    header: Header,
}

#[derive(Serialize)]
struct Line<'l> {
    epd: &'l str,
    #[serde(flatten)]
    total: Row<'l>,
    moves: Vec<Played<'l>>,
}

impl<'w> JsonLines<'w> {
    pub(super) fn new(output: &'w mut dyn Write, header: &Header) -> Self {
        JsonLines { output: BufWriter::new(output), header: header.clone() }
    }
}

impl BookWriter for JsonLines<'_> {
    fn write(&mut self, chosen: &Chosen) -> Result<bool, BookError> {
        let line = Line {
            epd: &fields(&chosen.position),
            total: Row::of(&chosen.total, &self.header),
            moves: Played::all(chosen, &self.header),
        };
        let mut text = serde_json::to_vec(&line).map_err(|error| BookError::Write(error.into()))?;
        text.push(b'\n');
        self.output.write_all(&text).map_err(BookError::Write)?;
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> Result<(), BookError> {
        self.output.flush().map_err(BookError::Write)
    }
}
