//! EPD records: four fields with legal en passant, and operations in the order of their opcodes (EPD 4.1).
//!
//! * `c0 "games 12 white 5 draws 4 black 3"`: what is counted; games without a result are in `games` alone;
//! * `c1 "elo 2512 years 1999-2024"`: the mean rating, the first and the last year, as far as they are known;
//! * `c2 "White - Black, file:57, elo 2790"`: the strongest game;
//! * `eco`, `v0`, …: the name of the position, if it has one;
//! * `fmvn`, `hmvc`: the clocks where it came from.

use std::io::{BufWriter, Write};

use emit::{Names, legal_string};

use super::{BookWriter, EpdOps, Style};
use crate::BookError;
use crate::partial::Header;
use crate::select::{Chosen, fields};
use crate::tally::Tally;

pub(super) struct Epd<'w> {
    output: BufWriter<&'w mut dyn Write>,
    ops: EpdOps,
    names: Option<&'w dyn Names>,
    files: Vec<String>,
}

impl<'w> Epd<'w> {
    pub(super) fn new(output: &'w mut dyn Write, style: &'w Style<'_>, header: &Header) -> Self {
        let files = header.files.clone();
        Epd { output: BufWriter::new(output), ops: style.ops, names: style.names, files }
    }

    /// The operations, each with a blank before it.
    fn operations(&self, chosen: &Chosen) -> String {
        let clocks =
            format!(" fmvn {}; hmvc {};", chosen.position.fullmoves(), chosen.position.halfmoves());
        match self.ops {
            EpdOps::None => String::new(),
            EpdOps::Clocks => clocks,
            EpdOps::Counts => {
                let names = self.names;
                let name = names.and_then(|n| n.name(&chosen.position, chosen.source.ply));
                let mut text = string("c0", &counts(&chosen.total));
                text += &string("c1", &ratings(&chosen.total));
                text += &string("c2", &self.strongest(&chosen.total));
                text +=
                    &name.and_then(|name| name.eco()).map_or(String::new(), |e| string("eco", e));
                text += &clocks;
                for (number, part) in name.iter().flat_map(|name| name.parts()).enumerate() {
                    text += &string(&format!("v{number}"), part);
                }
                text
            }
        }
    }

    fn strongest(&self, total: &Tally) -> String {
        let strongest = &total.strongest;
        let player = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
        let (white, black) = (player(&strongest.story.white), player(&strongest.story.black));
        let file = self.files.get(strongest.at.file as usize).map_or("?", |name| name);
        let elo = match strongest.elo_sum {
            0 => String::new(),
            sum => format!(", elo {}", sum / 2),
        };
        format!("{white} - {black}, {file}:{}{elo}", strongest.at.game)
    }
}

/// An operation with a string.
fn string(opcode: &str, operand: &str) -> String {
    format!(" {opcode} \"{}\";", legal_string(operand))
}

fn counts(total: &Tally) -> String {
    let Tally { games, white, draws, black, .. } = *total;
    format!("games {games} white {white} draws {draws} black {black}")
}

fn ratings(total: &Tally) -> String {
    let elo = total.mean_rating().map(|elo| format!("elo {}", elo as u64));
    let years = (total.last_year > 0)
        .then(|| format!("years {:04}-{:04}", total.first_year, total.last_year));
    [elo, years].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

impl BookWriter for Epd<'_> {
    fn write(&mut self, chosen: &Chosen) -> Result<(), BookError> {
        let line = format!("{}{}\n", fields(&chosen.position), self.operations(chosen));
        self.output.write_all(line.as_bytes()).map_err(BookError::Write)
    }

    fn finish(mut self: Box<Self>) -> Result<(), BookError> {
        self.output.flush().map_err(BookError::Write)
    }
}
