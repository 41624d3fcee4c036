//! JSON lines: an object for each position, with its moves.

use std::io::{BufWriter, Write};

use serde::Serialize;

use super::BookWriter;
use super::row::Row;
use crate::partial::Header;
use crate::select::{Chosen, fields};
use crate::tally::Tally;
use crate::{BookError, MoveCode};

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

#[derive(Serialize)]
struct Played<'l> {
    /// In SAN; nothing for games that end there.
    #[serde(rename = "move")]
    san: Option<String>,
    uci: Option<String>,
    #[serde(flatten)]
    row: Row<'l>,
}

impl<'w> JsonLines<'w> {
    pub(super) fn new(output: &'w mut dyn Write, header: &Header) -> Self {
        JsonLines { output: BufWriter::new(output), header: header.clone() }
    }

    fn played<'l>(&'l self, chosen: &Chosen, code: MoveCode, tally: &'l Tally) -> Played<'l> {
        let next = code.find(&chosen.position);
        Played {
            san: next.map(|next| san::san_of(&chosen.position, next).to_string()),
            uci: next.map(|next| san::uci_of(next).to_string()),
            row: Row::of(tally, &self.header),
        }
    }
}

impl BookWriter for JsonLines<'_> {
    fn write(&mut self, chosen: &Chosen) -> Result<(), BookError> {
        let moves = chosen.moves.iter();
        let line = Line {
            epd: &fields(&chosen.position),
            total: Row::of(&chosen.total, &self.header),
            moves: moves.map(|(code, tally)| self.played(chosen, *code, tally)).collect(),
        };
        let mut text = serde_json::to_vec(&line).map_err(|error| BookError::Write(error.into()))?;
        text.push(b'\n');
        self.output.write_all(&text).map_err(BookError::Write)
    }

    fn finish(mut self: Box<Self>) -> Result<(), BookError> {
        self.output.flush().map_err(BookError::Write)
    }
}
