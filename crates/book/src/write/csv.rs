//! Comma-separated values (RFC 4180, but with LF line ends): one line per move of each position.
//!
//! The lines of a position add up to its counts; `move` is empty for games that end in the position.

use std::io::Write;

use super::BookWriter;
use super::row::Row;
use crate::error::BookError;
use crate::partial::Header;
use crate::select::{Chosen, fields};

pub(super) struct Csv<'w> {
    writer: csv::Writer<&'w mut dyn Write>,
    header: Header,
}

const COLUMNS: [&str; 22] = [
    "epd",
    "move",
    "uci",
    "games",
    "white",
    "draws",
    "black",
    "rated",
    "rating_sum",
    "first_year",
    "last_year",
    "first_file",
    "first_game",
    "first_ply",
    "strongest_file",
    "strongest_game",
    "strongest_ply",
    "strongest_white",
    "strongest_black",
    "strongest_elo",
    "strongest_result",
    "eval",
];

impl<'w> Csv<'w> {
    pub(super) fn new(output: &'w mut dyn Write, header: &Header) -> Result<Self, BookError> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(output);
        writer.write_record(COLUMNS).map_err(failed)?;
        Ok(Csv { writer, header: header.clone() })
    }
}

fn failed(error: csv::Error) -> BookError {
    BookError::Write(error.into())
}

impl BookWriter for Csv<'_> {
    fn write(&mut self, chosen: &Chosen) -> Result<bool, BookError> {
        let epd = fields(&chosen.position);
        for (code, tally) in &chosen.moves {
            let next = code.find(&chosen.position);
            let san = next.map(|next| san::san_of(&chosen.position, next));
            let uci = next.map(|next| chosen.position.uci_of(next));
            let san = san.as_ref().map_or("", |san| san.as_str());
            let uci = uci.as_ref().map_or("", |uci| uci.as_str());
            let row = (&epd, san, uci, Row::of(tally, &self.header));
            self.writer.serialize(row).map_err(failed)?;
        }
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> Result<(), BookError> {
        self.writer.flush().map_err(BookError::Write)
    }
}
