//! Books as text and as tables: EPD records, PGN, and rows.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use emit::COUNTS;
use epd::{OperationList, PackedOpcode, RankedRegisters, SingleRegister, legal_string};
use openings::{Name, Openings};
use san::{Buffer, Color, FenError, MoveCode, MoveText, Position};
use table::{Cell, ColumnType, ColumnValues, Field, ListText, Rows, Schema, TableFormat};

use super::{EpdOps, PieceForm, Style};
use crate::block::CountsEntry;
use crate::count_file::{CountedPosition, Header};
use crate::select::{SelectedPosition, fields, write_fields};
use crate::tally::{Game, Tally, UnknownResult};

// EPD records: four fields with legal en passant, and operations in the order of their opcodes
// (EPD 4.1).
//
// * `c0 "games 12 white 5 draws 4 black 3"`: the counts; games without a result are included only
//   in `games`;
// * `c1 "elo 2512 years 1999-2024"`: the mean rating, the first and the last year, as far as known;
// * `c2 "White - Black, file:57, elo 2790"`: the strongest game;
// * `c9`: the engine that evaluated the positions, in the first record;
// * `ce`: the evaluation that selected the position, at its source; other operations of an engine;
// * `eco`, `v0`, …: the name of the position, or no operand if only the previous record has a name;
// * `fmvn`, `hmvc`: the clocks at its source.

pub(super) struct Epd<'w> {
    pub(super) ops: EpdOps,
    pub(super) names: Option<&'w Openings>,
    pub(super) header: &'w Header,
    pub(super) engine: Option<String>,
}

/// The registers are those of a program that reads the book: null at a record without a name.
#[derive(Default)]
pub(super) struct EpdRecords {
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
    fn operations(&self, selected: &SelectedPosition, records: &mut EpdRecords) {
        let EpdRecords { operations, counts: counts_held, eco: eco_held, name: name_held, .. } =
            records;
        let engine_held = &mut records.engine;
        operations.clear();
        let (counts, name) = match self.ops {
            EpdOps::None => return,
            EpdOps::Clocks => (None, None),
            EpdOps::Counts => {
                let total = &selected.entry.total;
                let game = selected.entry.game(total.strongest);
                let file = self.header.published_name(game.file).unwrap_or("?");
                let name = selected.name(self.names);
                (Some([counts(total), ratings(total), notable(game, file)]), name)
            }
        };
        let counts = counts.as_ref().map(|texts| texts.each_ref().map(|text| legal_string(text)));
        let parts: Vec<_> = name.iter().flat_map(|name| name.parts()).map(legal_string).collect();
        let eco = name.as_ref().and_then(|name| name.eco()).map(legal_string);
        let c = |rank| PackedOpcode::ranked(b'c', rank);
        let count = |rank| counts.as_ref()?.get(rank).map(|text: &Cow<'_, str>| &**text);
        counts_held.update(c, 0, 0, count, operations);
        eco_held.update(|_| ECO, 0, 0, |_| eco.as_deref(), operations);
        let v = |rank| PackedOpcode::ranked(b'v', rank);
        name_held.update(v, 0, 0, |rank| parts.get(rank).map(|part| &**part), operations);
        if self.ops == EpdOps::Counts {
            engine_held.update(|_| C9, 0, 1, |_| self.engine.as_deref(), operations);
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

/// Returns the operand of `c2`, given the strongest game and its file.
fn notable(game: &Game, file: &str) -> String {
    let [white, black] =
        [&game.white, &game.black].map(|name| if name.is_empty() { "?" } else { name });
    let elo = match game.elo_sum {
        0 => String::new(),
        sum => format!(", elo {}", sum / 2),
    };
    format!("{white} - {black}, {file}:{}{elo}", game.number)
}

/// Returns the operand of `c0`.
fn counts(total: &Tally) -> String {
    let Tally { games, white, draws, black, .. } = total;
    format!("games {games} white {white} draws {draws} black {black}")
}

/// Returns the operand of `c1`; empty if neither is known.
fn ratings(total: &Tally) -> String {
    let elo = total.mean_rating().map(|elo| format!("elo {}", elo as u64));
    let years = (total.last_year > 0)
        .then(|| format!("years {:04}-{:04}", total.first_year, total.last_year));
    [elo, years].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

impl PieceForm for Epd<'_> {
    type Piece = EpdRecords;

    fn follow(&self, before: &SelectedPosition, records: &mut EpdRecords) {
        self.operations(before, records);
    }

    fn write(&self, selected: &SelectedPosition, records: &mut EpdRecords) -> bool {
        self.operations(selected, records);
        let EpdRecords { text, line, operations, .. } = records;
        line.clear();
        write_fields(&selected.position(), line);
        operations.write_before(PackedOpcode::LAST, line);
        line.extend(b"\n");
        text.extend_from_slice(line.as_bytes());
        true
    }
}

/// One game per position, from its start to the position, its moves on one line.
pub(super) struct Pgn {
    /// Whether each position represents a single game, whose players and result are written.
    pub(super) with_game: bool,
}

/// Returns the numbered SAN moves to the position and the start position, if the moves lead there.
fn movetext(game: &Game, plies: u16, target: &Position) -> Option<(String, Position)> {
    let start = match &*game.start {
        "" => Position::default(),
        fen => {
            let mut setup = san::Setup::from_fen(fen.as_bytes()).ok()?;
            setup.repair();
            setup.position().ok()?
        }
    };
    let moves = game.moves.get(..plies.into())?;
    let mut position = start.clone();
    let mut text = String::new();
    for (ply, code) in moves.iter().enumerate() {
        let next = MoveCode(*code).find(&position)?;
        match position.turn() {
            Color::White => text += &format!("{}. ", position.fullmoves()),
            Color::Black if ply == 0 => text += &format!("{}... ", position.fullmoves()),
            Color::Black => {}
        }
        text += san::san_of(&position, next).as_str();
        text.push(' ');
        position.play_unchecked(next);
    }
    (san::PositionKey::of(&position) == san::PositionKey::of(target)).then_some((text, start))
}

fn tag(name: &str, value: &str, text: &mut String) {
    let value = if value.is_empty() { "?" } else { value };
    let value = pgn::escaped(value).replace(char::is_control, " ");
    writeln!(text, "[{name} \"{value}\"]").expect("memory takes it");
}

impl PieceForm for Pgn {
    type Piece = String;

    fn write(&self, selected: &SelectedPosition, text: &mut String) -> bool {
        let at = selected.entry.total.strongest;
        let game = selected.entry.game(at);
        // Without moves, the game starts at the position itself.
        let position = selected.position();
        let (moves, start) =
            movetext(game, at.ply, &position).unwrap_or_else(|| (String::new(), position));
        let (white, black, result) = match self.with_game {
            true => (&*game.white, &*game.black, game.outcome.as_str()),
            false => ("?", "?", "*"),
        };
        let date = match game.year {
            year @ 1.. if self.with_game => format!("{year:04}.??.??"),
            _ => "????.??.??".to_owned(),
        };
        for (name, value) in [
            ("Event", "?"),
            ("Site", "?"),
            ("Date", &*date),
            ("Round", "?"),
            ("White", white),
            ("Black", black),
            ("Result", result),
        ] {
            tag(name, value, text);
        }
        if start != Position::default() {
            tag("FEN", &start.to_string(), text);
            tag("SetUp", "1", text);
        }
        *text += &format!("\n{moves}{result}\n\n");
        true
    }
}

/// A row for each position, with its moves in a list; in CSV a row for each move, which add up to
/// the counts of the position; `move` is missing for games that end in it.
pub(super) struct TableForm<'w> {
    format: TableFormat,
    pub(super) schema: Schema,
    style: &'w Style<'w>,
    header: &'w Header,
}

fn cells_of_counts() -> [Field; 19] {
    let whole = |name| Field::required(name, ColumnType::I64);
    let text = |name| Field::required(name, ColumnType::Repeated);
    let optional = |name| Field::new(name, ColumnType::I64);
    [
        whole("games"),
        whole("white"),
        whole("draws"),
        whole("black"),
        whole("rated"),
        whole("rating_sum"),
        optional("first_year"),
        optional("last_year"),
        text("first_file"),
        whole("first_game"),
        whole("first_ply"),
        text("strongest_file"),
        whole("strongest_game"),
        whole("strongest_ply"),
        text("strongest_white"),
        text("strongest_black"),
        // The mean rating of its players.
        Field::new("strongest_elo", ColumnType::Decimal),
        text("strongest_result"),
        // The evaluation at the first occurrence, from the side to move's point of view.
        optional("eval"),
    ]
}

fn schema(format: TableFormat) -> Schema {
    let of_move = ["move", "uci"].map(|name| Field::new(name, ColumnType::Repeated));
    let list = |name, item| {
        let item = Box::new(Field::required("item", item));
        Field::required(name, ColumnType::List(item, ListText::Json))
    };
    let mut columns = vec![Field::required("epd", ColumnType::Text)];
    if format == TableFormat::Csv {
        columns.extend(of_move.into_iter().chain(cells_of_counts()));
        return Schema::new(columns);
    }
    if format.is_binary() {
        columns.push(Field::required("key", ColumnType::Bytes32));
        let clocks = ["ply", "halfmoves", "fullmoves"];
        columns.extend(clocks.map(|name| Field::required(name, ColumnType::I64)));
        columns.push(Field::new("eco", ColumnType::Repeated));
        columns.push(list("names", ColumnType::Repeated));
    }
    columns.extend(cells_of_counts());
    let of_move = of_move.into_iter().chain(cells_of_counts()).collect();
    columns.push(list("moves", ColumnType::Struct(of_move)));
    Schema { has_small_offsets: true, ..Schema::new(columns) }
}

impl<'w> TableForm<'w> {
    pub(super) fn new(format: TableFormat, style: &'w Style<'_>, header: &'w Header) -> Self {
        TableForm { format, schema: schema(format), style, header }
    }

    fn cells_of_counts<'c>(&'c self, tally: &Tally, games: &'c [Arc<Game>]) -> [Cell<'c>; 19] {
        let whole = |number: u64| Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        let year = |year: u16| Cell::integer((year > 0).then_some(year));
        // In CSV an empty text is written like a missing one.
        let text = |text: &'c str| match self.format {
            TableFormat::Csv if text.is_empty() => Cell::Missing,
            _ => Cell::Text(text.as_bytes()),
        };
        let file = |number| text(self.header.published_name(number).unwrap_or_default());
        let (first, strongest) = (tally.first.of(games), tally.strongest.of(games));
        [
            whole(tally.games),
            whole(tally.white),
            whole(tally.draws),
            whole(tally.black),
            whole(tally.rated),
            whole(tally.rating_sum),
            year(tally.first_year),
            year(tally.last_year),
            file(first.file),
            whole(first.number),
            whole(tally.first.ply.into()),
            file(strongest.file),
            whole(strongest.number),
            whole(tally.strongest.ply.into()),
            text(&strongest.white),
            text(&strongest.black),
            match strongest.elo_sum {
                0 => Cell::Missing,
                sum => Cell::Decimal(f64::from(sum) / 2.0),
            },
            text(strongest.outcome.as_str()),
            Cell::integer(tally.first.evaluation.get()),
        ]
    }

    /// Calls `each` with the columns of each move: SAN and UCI, and its counts.
    fn moves(
        &self,
        position: &Position,
        selected: &SelectedPosition,
        mut each: impl FnMut([Cell<'_>; 2], [Cell<'_>; 19]),
    ) {
        for (code, tally) in &selected.moves(false) {
            let next = code.find(position);
            let texts = [
                next.map(|next| san::san_of(position, next)),
                next.map(|next| position.uci_of(next)),
            ];
            let cells =
                texts.each_ref().map(|text| Cell::text(text.as_ref().map(MoveText::as_str)));
            each(cells, self.cells_of_counts(tally, &selected.entry.games));
        }
    }

    fn push(&self, selected: &SelectedPosition, rows: &mut Rows) {
        let position = &selected.position();
        let epd = fields(position);
        let epd = Cell::text(Some(&epd));
        if self.format == TableFormat::Csv {
            return self.moves(position, selected, |mv, counts| {
                rows.push_row([epd].into_iter().chain(mv).chain(counts));
            });
        }
        let mut columns = rows.columns.iter_mut();
        append([epd], &mut columns);
        if self.format.is_binary() {
            let name = selected.name(self.style.names);
            let source = &selected.source;
            let key = selected.entry.key.to_bytes();
            let head = [
                Cell::Bytes32(&key),
                Cell::Integer(source.ply.into()),
                Cell::Integer(source.halfmoves.into()),
                Cell::Integer(source.fullmoves.into()),
                Cell::text(name.and_then(|name| name.eco())),
            ];
            append(head, &mut columns);
            if let Some(column) = columns.next() {
                let parts = name.iter().flat_map(|name| name.parts());
                parts.for_each(|part| column.list_items().push_text(Some(part.as_bytes())));
                column.end_list();
            }
        }
        let CountsEntry { total, games, .. } = &selected.entry;
        append(self.cells_of_counts(total, games), &mut columns);
        if let Some(column) = columns.next() {
            self.moves(position, selected, |mv, counts| {
                column.list_items().push_struct(mv.into_iter().chain(counts));
            });
            column.end_list();
        }
        rows.end_row();
    }
}

fn append<'c>(
    cells: impl IntoIterator<Item = Cell<'c>>,
    columns: &mut std::slice::IterMut<'_, ColumnValues>,
) {
    cells.into_iter().zip(columns).for_each(|(cell, column)| column.push_cell(cell));
}

impl PieceForm for TableForm<'_> {
    type Piece = Rows;

    // The same for any number of threads, since the file depends on it.
    const SIZE: usize = 1024;

    fn begin(&self) -> Rows {
        Rows::new(self.schema.types(), Self::SIZE)
    }

    fn write(&self, selected: &SelectedPosition, rows: &mut Rows) -> bool {
        self.push(selected, rows);
        true
    }

    fn end(rows: &mut Rows) {
        rows.shrink();
    }
}

/// Returns the columns of [`CountedPosition::row`]: the record and the counts.
pub fn columns() -> impl Iterator<Item = &'static str> {
    ["record"].into_iter().chain(COUNTS)
}

impl CountedPosition {
    /// Returns the cells of these [`columns`]: the record of a book with the counts, and these as
    /// numbers; empty if unknown. Fails if the position is not legal: the file is damaged.
    pub fn row(&self, header: &Header) -> Result<[String; 9], FenError> {
        let CountedPosition { total, eco, opening, .. } = self;
        let Tally { first, first_year, last_year, .. } = total;
        let (halfmoves, fullmoves) = (first.halfmoves, first.fullmoves.max(1));
        let position = self.key.position(halfmoves.into(), fullmoves.into())?;
        let game = self.game(total.strongest);
        let file = header.files.get(game.file as usize).map_or("?", |name| name);
        let name = Name::new(eco.as_deref(), None, opening.as_deref().unwrap_or_default());
        let comment = |opcode: &str, text: &str| match &*legal_string(text) {
            "" => String::new(),
            text => format!(" {opcode} \"{text}\";"),
        };
        let operations = [
            comment("c0", &counts(total)),
            comment("c1", &ratings(total)),
            comment("c2", &notable(game, file)),
            name.eco_operation().to_owned(),
            format!(" fmvn {fullmoves}; hmvc {halfmoves};"),
            name.part_operations(0).to_owned(),
        ];
        let year = |year: u16| if year > 0 { year.to_string() } else { String::new() };
        let score = total.score_millionths(UnknownResult::Skip);
        Ok([
            fields(&position) + &operations.concat(),
            total.games.to_string(),
            total.white.to_string(),
            total.draws.to_string(),
            total.black.to_string(),
            score.map_or(String::new(), |score| (score as f64 / 1e6).to_string()),
            total.mean_rating().map_or(String::new(), |rating| format!("{rating:.0}")),
            year(*first_year),
            year(*last_year),
        ])
    }
}
