//! EPD records: four fields with legal en passant, and operations in the order of their opcodes (EPD 4.1).
//!
//! * `c0 "games 12 white 5 draws 4 black 3"`: the counts; games without a result are included only in `games`;
//! * `c1 "elo 2512 years 1999-2024"`: the mean rating, the first and the last year, as far as known;
//! * `c2 "White - Black, file:57, elo 2790"`: the strongest game;
//! * `ce`: the evaluation that selected the position, at its source;
//! * `eco`, `v0`, …: the name of the position, or no operand if only the previous record has a name;
//! * `fmvn`, `hmvc`: the clocks at its source.

use std::io::{BufWriter, Write};

use epd::{OperationWriter, RegisterKeeper, legal_string};
use openings::Openings;

use super::{BookWriter, EpdOps, Style};
use crate::error::BookError;
use crate::partial::Header;
use crate::select::{Chosen, fields};
use crate::tally::Tally;

pub(super) struct Epd<'w> {
    output: BufWriter<&'w mut dyn Write>,
    ops: EpdOps,
    names: Option<&'w Openings>,
    header: Header,
    /// Clears the registers at a record without a name.
    keeper: RegisterKeeper,
}

impl<'w> Epd<'w> {
    pub(super) fn new(output: &'w mut dyn Write, style: &'w Style<'_>, header: &Header) -> Self {
        let header = header.clone();
        let (output, keeper) = (BufWriter::new(output), RegisterKeeper::default());
        Epd { output, ops: style.ops, names: style.names, header, keeper }
    }

    /// Appends the operations, each preceded by a space.
    fn operations(&self, chosen: &Chosen, record: &mut Vec<u8>) {
        let mut string = |opcode: &str, operand: &str| {
            OperationWriter::new(opcode, record).string(&legal_string(operand)).end();
        };
        let name = match self.ops {
            EpdOps::None => return,
            EpdOps::Clocks => None,
            EpdOps::Counts => {
                string("c0", &counts(&chosen.total));
                string("c1", &ratings(&chosen.total));
                string("c2", &self.strongest(&chosen.total));
                self.names.and_then(|names| names.name(&chosen.position, chosen.source.ply))
            }
        };
        if let (EpdOps::Counts, Some(centipawns)) = (self.ops, chosen.source.evaluation.get()) {
            OperationWriter::new("ce", record).word(centipawns.to_string()).end();
        }
        if let Some(eco) = name.and_then(|name| name.eco()) {
            OperationWriter::new("eco", record).string(&legal_string(eco)).end();
        }
        let (fullmoves, halfmoves) = (chosen.position.fullmoves(), chosen.position.halfmoves());
        OperationWriter::new("fmvn", record).word(fullmoves.to_string()).end();
        OperationWriter::new("hmvc", record).word(halfmoves.to_string()).end();
        for (number, part) in name.iter().flat_map(|name| name.parts()).enumerate() {
            OperationWriter::new(format!("v{number}"), record).string(&legal_string(part)).end();
        }
    }

    fn strongest(&self, total: &Tally) -> String {
        let strongest = &total.strongest;
        let player = |name: &str| if name.is_empty() { "?" } else { name }.to_owned();
        let (white, black) = (player(&strongest.info.white), player(&strongest.info.black));
        let file = self.header.published_name(strongest.at.file).unwrap_or("?");
        let elo = match strongest.elo_sum {
            0 => String::new(),
            sum => format!(", elo {}", sum / 2),
        };
        format!("{white} - {black}, {file}:{}{elo}", strongest.at.game)
    }
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
    fn write(&mut self, chosen: &Chosen) -> Result<bool, BookError> {
        let fields = fields(&chosen.position);
        let mut record = fields.clone().into_bytes();
        self.operations(chosen, &mut record);
        let mut line = Vec::with_capacity(record.len() + 1);
        let record = String::from_utf8(record)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        self.keeper.begin();
        self.keeper.write(&record, fields.len(), &mut line);
        line.push(b'\n');
        self.output.write_all(&line).map_err(BookError::Write)?;
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> Result<(), BookError> {
        self.output.flush().map_err(BookError::Write)
    }
}
