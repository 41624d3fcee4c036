//! EPD records: four fields with legal en passant, and operations in the order of their opcodes
//! (EPD 4.1).
//!
//! * `c0 "games 12 white 5 draws 4 black 3"`: the counts; games without a result are included only
//!   in `games`;
//! * `c1 "elo 2512 years 1999-2024"`: the mean rating, the first and the last year, as far as
//!   known;
//! * `c2 "White - Black, file:57, elo 2790"`: the strongest game;
//! * `c9`: the engine that evaluated the positions, in the first record;
//! * `ce`: the evaluation that selected the position, at its source; other operations of an engine;
//! * `eco`, `v0`, …: the name of the position, or no operand if only the previous record has a
//!   name;
//! * `fmvn`, `hmvc`: the clocks at its source.

use epd::{OperationList, Operations, PackedOpcode, RankedRegisters, SingleRegister, legal_string};
use openings::Openings;
use san::Buffer;

use super::EpdOps;
use super::form::PieceForm;
use crate::partial::Header;
use crate::row::GameInfoRef;
use crate::select::{SelectedPosition, write_fields};
use crate::tally::Tally;

pub(super) struct Epd<'w> {
    pub(super) ops: EpdOps,
    pub(super) names: Option<&'w Openings>,
    pub(super) header: &'w Header,
    pub(super) engine: Option<String>,
}

/// The registers are those of a program that reads the book: null at a record without a name.
#[derive(Default)]
pub(super) struct Records {
    pub(super) text: Vec<u8>,
    line: Buffer,
    operations: OperationList,
    counts: RankedRegisters,
    engine: SingleRegister,
    eco: SingleRegister,
    name: RankedRegisters,
}

const C9: PackedOpcode = PackedOpcode::new("c9");
const CE: PackedOpcode = PackedOpcode::new("ce");
const ECO: PackedOpcode = PackedOpcode::new("eco");
const FMVN: PackedOpcode = PackedOpcode::new("fmvn");
const HMVC: PackedOpcode = PackedOpcode::new("hmvc");

impl Epd<'_> {
    fn operations(&self, selected: &SelectedPosition<'_>, records: &mut Records) {
        let Records { operations, counts: counts_held, eco: eco_held, name: name_held, .. } =
            records;
        let engine_held = &mut records.engine;
        operations.clear();
        let (counts, name) = match self.ops {
            EpdOps::None => return,
            EpdOps::Clocks => (None, None),
            EpdOps::Counts => {
                let total = &selected.total;
                let file = self.header.published_name(total.strongest.at.file).unwrap_or("?");
                let name = selected.name(self.names);
                (Some([counts(total), ratings(total), strongest(total, file)]), name)
            }
        };
        let counts = counts.as_ref().map(|texts| texts.each_ref().map(|text| legal_string(text)));
        let parts: Vec<_> = name.iter().flat_map(|name| name.parts()).map(legal_string).collect();
        let eco = name.as_ref().and_then(|name| name.eco()).map(legal_string);
        counts_held.update(
            b'c',
            0,
            0,
            |rank| counts.as_ref()?.get(rank).map(|text| &**text),
            operations,
        );
        eco_held.update(ECO, true, eco.as_deref(), operations);
        name_held.update(b'v', 0, 0, |rank| parts.get(rank).map(|part| &**part), operations);
        if self.ops == EpdOps::Counts {
            engine_held.update(C9, false, self.engine.as_deref(), operations);
            if let Some(centipawns) = selected.source.evaluation.get() {
                operations.number(CE, centipawns.into());
            }
            for (name, operands) in selected.operations.lines().filter_map(|o| o.split_once(' ')) {
                operations.moves(PackedOpcode::new(name), operands.split(' '));
            }
        }
        operations.number(FMVN, selected.fullmoves().into());
        operations.number(HMVC, selected.source.halfmoves.into());
        operations.sort();
    }
}

/// Returns the operand of `c2`, given the file of the strongest game.
pub(crate) fn strongest(total: &Tally<GameInfoRef<'_>>, file: &str) -> String {
    let strongest = &total.strongest;
    let players = strongest.info.players();
    let [white, black] = players.map(|name| if name.is_empty() { "?" } else { name });
    let elo = match strongest.elo_sum {
        0 => String::new(),
        sum => format!(", elo {}", sum / 2),
    };
    format!("{white} - {black}, {file}:{}{elo}", strongest.at.game)
}

/// Returns the operand of `c0`.
pub(crate) fn counts<I>(total: &Tally<I>) -> String {
    let Tally { games, white, draws, black, .. } = total;
    format!("games {games} white {white} draws {draws} black {black}")
}

/// Returns the operand of `c1`; empty if neither is known.
pub(crate) fn ratings<I>(total: &Tally<I>) -> String {
    let elo = total.mean_rating().map(|elo| format!("elo {}", elo as u64));
    let years = (total.last_year > 0)
        .then(|| format!("years {:04}-{:04}", total.first_year, total.last_year));
    [elo, years].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

impl PieceForm for Epd<'_> {
    type Piece = Records;

    fn follow(&self, before: &SelectedPosition<'_>, records: &mut Records) {
        self.operations(before, records);
    }

    fn write(&self, selected: &SelectedPosition<'_>, records: &mut Records) -> bool {
        self.operations(selected, records);
        let Records { text, line, operations, .. } = records;
        line.clear();
        write_fields(&selected.position(), line);
        operations.write_before(PackedOpcode::LAST, line, None);
        line.extend(b"\n");
        text.extend_from_slice(line.as_bytes());
        true
    }
}
