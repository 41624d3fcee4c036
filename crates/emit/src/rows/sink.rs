//! The sink that fills rows beside the records.

use pgn::{Outcome, Place, TagPair};
use san::{Buffer, Color, write_fen, write_fields};

use super::{Column, ColumnValues, Rows, Values};
use crate::analysis::Analysis;
use crate::naming::Naming;
use crate::problem::text_of;
use crate::remark::commands;
use crate::{Format, Ops, Plan, Ply, Problem, Sink, TextSink, VariantPly};

/// A sink that writes the records of positions, all but those that cannot be written.
pub trait RecordText: Sink {
    /// All that was written.
    fn text(&self) -> &[u8];
}

impl RecordText for TextSink<'_> {
    fn text(&self) -> &[u8] {
        self.written_text()
    }
}

/// Hands everything on to a sink of records, and makes a row for each record that is written.
///
/// Numbers of games are those in the chunk: [`Rows::add_games`] makes them those of the file.
#[derive(Debug)]
pub struct RowSink<'t, S> {
    records: S,
    columns: &'t [Column],
    plan: &'t Plan,
    rows: &'t mut Rows,
    /// How many rows there were before the current game.
    mark: usize,
    game: u64,
    line: u64,
    naming: Option<Naming<'t>>,
    /// Of each column the text that is that of the whole game.
    of_game: Vec<Option<String>>,
    scratch: Buffer,
}

impl<'t, S: RecordText> RowSink<'t, S> {
    /// Makes rows of `columns`, behind those that `rows` has, which must have the same columns.
    pub fn new(records: S, columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let is_named = |column: &Column| matches!(column, Column::Eco | Column::Opening);
        RowSink {
            records,
            columns,
            plan,
            mark: rows.len,
            rows,
            game: 0,
            line: 0,
            naming: columns.iter().any(is_named).then(|| Naming::of(&plan.names, plan.variations)),
            of_game: vec![None; columns.len()],
            scratch: Buffer::default(),
        }
    }

    /// Makes the row of the record that begins at this byte of the text, if there is one.
    #[inline(always)]
    fn row(&mut self, start: usize, value: impl Fn(&Column, &mut Cell<'_>)) {
        let text = self.records.text();
        if text.len() == start {
            return;
        }
        let record = text[start..].strip_suffix(b"\n").unwrap_or(&text[start..]);
        let row = self.rows.len;
        for (index, column) in self.columns.iter().enumerate() {
            let values = &mut self.rows.columns[index];
            let mut cell = Cell { values, row, scratch: &mut self.scratch };
            match column {
                Column::Game => cell.u64(Some(self.game)),
                Column::Line => cell.u64(Some(self.line)),
                Column::Tag(_) | Column::Tags => {
                    cell.text(self.of_game[index].as_deref().map(str::as_bytes));
                }
                Column::File => cell.text(Some(self.plan.file.as_bytes())),
                Column::Eco => {
                    let opening = self.naming.as_ref().and_then(|naming| naming.opening().eco());
                    cell.text(opening.map(str::as_bytes));
                }
                Column::Opening => {
                    let name = self.naming.as_ref().and_then(|naming| naming.opening().name);
                    cell.text(name.and_then(|name| name.opening()).map(str::as_bytes));
                }
                _ if is_record(column, self.plan) => cell.text(Some(record)),
                _ => value(column, &mut cell),
            }
        }
        self.rows.len += 1;
    }
}

/// Whether a record is written as the column has it.
#[inline(always)]
fn is_record(column: &Column, plan: &Plan) -> bool {
    let is_bare = plan.ops == Ops::NONE && plan.templates.is_empty() && !plan.variations;
    match column {
        Column::Record => true,
        Column::Fen => is_bare && plan.format == Format::Fen,
        Column::Epd => is_bare && plan.format == Format::Epd,
        _ => false,
    }
}

impl<S: RecordText> Sink for RowSink<'_, S> {
    fn number(&mut self, game: u64, place: Place) {
        self.line = place.line;
        self.records.number(game, place);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.mark = self.rows.len;
        self.game += 1;
        for (column, text) in self.columns.iter().zip(&mut self.of_game) {
            *text = match column {
                Column::Tag(name) => value_of(tags, name),
                Column::Tags => Some(all(tags)),
                _ => None,
            };
        }
        if let Some(naming) = &mut self.naming {
            naming.begin(tags);
        }
        self.records.begin(tags);
    }

    fn leave_out(&mut self) {
        self.game += 1;
        self.records.leave_out();
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        if let Some(naming) = &mut self.naming {
            naming.follow(&ply);
        }
        let start = self.records.text().len();
        self.records.ply(ply);
        let plan = self.plan;
        self.row(start, |column, cell| fact(column, &ply, plan, cell));
    }

    fn pass(&mut self, ply: Ply<'_>) {
        if let Some(naming) = &mut self.naming {
            naming.follow(&ply);
        }
        self.records.pass(ply);
    }

    fn takes_variants(&self) -> bool {
        self.records.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let start = self.records.text().len();
        self.records.variant(ply);
        let plan = self.plan;
        self.row(start, |column, cell| fact_of_variant(column, &ply, plan, cell));
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.records.end(outcome);
    }

    fn undo(&mut self) {
        self.rows.truncate(self.mark);
        self.records.undo();
    }

    fn problem(&mut self, problem: Problem) {
        self.records.problem(problem);
    }
}

/// What is known of a position of chess.
#[inline(always)]
fn fact(column: &Column, ply: &Ply<'_>, plan: &Plan, cell: &mut Cell<'_>) {
    let position = ply.position;
    match column {
        Column::Ply => cell.u32(ply.number),
        Column::Fen => cell.line(|line| write_fen(position, plan.fields, line)),
        Column::Epd => cell.line(|line| write_fields(position, plan.fields, line)),
        Column::San => match ply.next {
            Some(next) => cell.text(Some(san::san_of(position, next).as_bytes())),
            None => cell.text(None),
        },
        Column::Uci => match ply.next {
            Some(next) => cell.text(Some(san::uci_of(next).as_str().as_bytes())),
            None => cell.text(None),
        },
        Column::Key => cell.u64(Some(position.key())),
        Column::Turn => cell.text(Some(letter(position.turn()))),
        Column::Move => cell.u32(position.fullmoves()),
        Column::Eval => cell.i32(Analysis::evaluation(ply).map(|value| value.get())),
        Column::Clock => {
            let clock = commands(ply.comments, position.turn()).clock;
            cell.f64(clock.map(|clock| clock.as_millis() as f64 / 1000.0));
        }
        _ => cell.nothing(),
    }
}

/// What is known of a position of another kind of chess.
#[cold]
fn fact_of_variant(column: &Column, ply: &VariantPly<'_>, plan: &Plan, cell: &mut Cell<'_>) {
    let position = ply.position;
    match column {
        Column::Ply => cell.u32(ply.number),
        Column::Fen => {
            let (halfmoves, fullmoves) = (position.halfmoves(), position.fullmoves());
            let text = format!("{} {halfmoves} {fullmoves}", position.fields(plan.fields));
            cell.text(Some(text.as_bytes()));
        }
        Column::Epd => cell.text(Some(position.fields(plan.fields).as_bytes())),
        Column::San => cell.text(ply.next.map(str::as_bytes)),
        Column::Turn => cell.text(Some(letter(position.turn()))),
        Column::Move => cell.u32(position.fullmoves()),
        _ => cell.nothing(),
    }
}

fn letter(turn: Color) -> &'static [u8] {
    if turn == Color::White { b"w" } else { b"b" }
}

/// The value of a tag, if it says something.
fn value_of(tags: &[TagPair<'_>], name: &str) -> Option<String> {
    let tag = tags.iter().find(|tag| tag.name() == name.as_bytes())?;
    let value = text_of(&tag.value());
    let value = value.trim();
    (!matches!(value, "" | "?")).then(|| value.to_owned())
}

fn all(tags: &[TagPair<'_>]) -> String {
    let mut text = String::new();
    for tag in tags {
        for part in [text_of(tag.name()), text_of(&tag.value())] {
            text.extend(
                part.chars().map(|c| if c == '\0' { char::REPLACEMENT_CHARACTER } else { c }),
            );
            text.push('\0');
        }
    }
    text
}

/// Where a value goes.
struct Cell<'r> {
    values: &'r mut ColumnValues,
    row: usize,
    scratch: &'r mut Buffer,
}

impl Cell<'_> {
    #[inline(always)]
    fn text(&mut self, text: Option<&[u8]>) {
        if let Values::Text { bytes, offsets } = &mut self.values.values {
            bytes.extend_from_slice(text.unwrap_or_default());
            offsets.push(bytes.len() as i64);
            self.values.note(self.row, text.is_some());
        }
    }

    #[inline(always)]
    fn line(&mut self, write: impl FnOnce(&mut san::Line<'_>)) {
        self.scratch.clear();
        let mut line = self.scratch.line();
        write(&mut line);
        line.finish();
        if let Values::Text { bytes, offsets } = &mut self.values.values {
            bytes.extend_from_slice(self.scratch.as_bytes());
            offsets.push(bytes.len() as i64);
            self.values.note(self.row, true);
        }
    }

    #[inline(always)]
    fn u64(&mut self, value: Option<u64>) {
        if let Values::U64(values) = &mut self.values.values {
            values.push(value.unwrap_or_default());
            self.values.note(self.row, value.is_some());
        }
    }

    #[inline(always)]
    fn u32(&mut self, value: u32) {
        if let Values::U32(values) = &mut self.values.values {
            values.push(value);
            self.values.note(self.row, true);
        }
    }

    fn i32(&mut self, value: Option<i32>) {
        if let Values::I32(values) = &mut self.values.values {
            values.push(value.unwrap_or_default());
            self.values.note(self.row, value.is_some());
        }
    }

    fn f64(&mut self, value: Option<f64>) {
        if let Values::F64(values) = &mut self.values.values {
            values.push(value.unwrap_or_default());
            self.values.note(self.row, value.is_some());
        }
    }

    /// There is no value.
    fn nothing(&mut self) {
        match &mut self.values.values {
            Values::U64(values) => values.push(0),
            Values::U32(values) => values.push(0),
            Values::I32(values) => values.push(0),
            Values::F64(values) => values.push(0.0),
            Values::Text { bytes, offsets } => offsets.push(bytes.len() as i64),
        }
        self.values.note(self.row, false);
    }
}
