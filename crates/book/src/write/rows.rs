//! Books as tables: a row for each position, with its moves in a list; in CSV a row for each move
//! of each position.
//!
//! In CSV the rows of a position add up to its counts; `move` is missing for games that end in the
//! position.

use san::{MoveText, Position};
use table::{Cell, ColumnType, ColumnValues, Field, ListText, Rows, Schema, TableFormat};

use super::Style;
use super::form::PieceForm;
use crate::partial::Header;
use crate::row::GameInfoRef;
use crate::select::{SelectedPosition, fields};
use crate::tally::Tally;

pub(super) struct Table<'w> {
    format: TableFormat,
    schema: Schema,
    style: &'w Style<'w>,
    header: &'w Header,
}

fn counts() -> [Field; 19] {
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
        columns.extend(of_move.into_iter().chain(counts()));
        return Schema::new(columns);
    }
    if format.is_binary() {
        columns.push(Field::required("key", ColumnType::Bytes32));
        let clocks = ["ply", "halfmoves", "fullmoves"];
        columns.extend(clocks.map(|name| Field::required(name, ColumnType::I64)));
        columns.push(Field::new("eco", ColumnType::Repeated));
        columns.push(list("names", ColumnType::Repeated));
    }
    columns.extend(counts());
    let of_move = of_move.into_iter().chain(counts()).collect();
    columns.push(list("moves", ColumnType::Struct(of_move)));
    Schema { has_small_offsets: true, ..Schema::new(columns) }
}

impl<'w> Table<'w> {
    pub(super) fn new(format: TableFormat, style: &'w Style<'_>, header: &'w Header) -> Self {
        Table { format, schema: schema(format), style, header }
    }

    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    fn counts<'c>(&'c self, tally: &Tally<GameInfoRef<'c>>) -> [Cell<'c>; 19] {
        let whole = |number: u64| Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX));
        let year = |year: u16| Cell::integer((year > 0).then_some(year));
        // In CSV an empty text is written like a missing one.
        let text = |text: &'c str| match self.format {
            TableFormat::Csv if text.is_empty() => Cell::Missing,
            _ => Cell::Text(text.as_bytes()),
        };
        let file = |number| text(self.header.published_name(number).unwrap_or_default());
        let (first, strongest) = (&tally.first, &tally.strongest);
        let [strongest_white, strongest_black] = strongest.info.players();
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
            whole(first.game),
            whole(first.ply.into()),
            file(strongest.at.file),
            whole(strongest.at.game),
            whole(strongest.at.ply.into()),
            text(strongest_white),
            text(strongest_black),
            match strongest.elo_sum {
                0 => Cell::Missing,
                sum => Cell::Decimal(f64::from(sum) / 2.0),
            },
            text(strongest.outcome.as_str()),
            Cell::integer(first.evaluation.get()),
        ]
    }

    /// Calls `each` with the columns of each move: SAN and UCI, and its counts.
    fn moves(
        &self,
        position: &Position,
        selected: &SelectedPosition<'_>,
        mut each: impl FnMut([Cell<'_>; 2], [Cell<'_>; 19]),
    ) {
        for (code, tally) in &selected.moves {
            let next = code.find(position);
            let texts = [
                next.map(|next| san::san_of(position, next)),
                next.map(|next| position.uci_of(next)),
            ];
            let cells =
                texts.each_ref().map(|text| Cell::text(text.as_ref().map(MoveText::as_str)));
            each(cells, self.counts(tally));
        }
    }

    fn push(&self, selected: &SelectedPosition<'_>, rows: &mut Rows) {
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
            let key = selected.key.to_bytes();
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
        append(self.counts(&selected.total), &mut columns);
        if let Some(column) = columns.next() {
            self.moves(position, selected, |mv, counts| {
                column.list_items().push_struct(mv.into_iter().chain(counts));
            });
            column.end_list();
        }
        rows.end_row();
    }
}

/// Appends a value to each of the next columns.
fn append<'c>(
    cells: impl IntoIterator<Item = Cell<'c>>,
    columns: &mut std::slice::IterMut<'_, ColumnValues>,
) {
    cells.into_iter().zip(columns).for_each(|(cell, column)| column.push_cell(cell));
}

impl PieceForm for Table<'_> {
    type Piece = Rows;

    // The same for any number of threads, since the file depends on it.
    const SIZE: usize = 1024;

    fn begin(&self) -> Rows {
        Rows::new(self.schema.types(), Self::SIZE)
    }

    fn write(&self, selected: &SelectedPosition<'_>, rows: &mut Rows) -> bool {
        self.push(selected, rows);
        true
    }

    fn end(rows: &mut Rows) {
        rows.shrink();
    }
}
