//! Arrow and Parquet: one row per position, its moves in a list. Column names are those of [`super::jsonl`].

use std::io::Write;
use std::sync::{Arc, LazyLock};

use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use openings::Openings;
use serde::Serialize;

use super::row::{Played, Row};
use super::{BookWriter, Style};
use crate::columns::{ColumnForm, Columns};
use crate::error::BookError;
use crate::partial::Header;
use crate::select::{Chosen, fields};

pub(super) struct Table<'w> {
    columns: Columns<'w>,
    decoder: Decoder,
    rows: usize,
    header: Header,
    names: Option<&'w Openings>,
}

/// A row; field names are those of the schema.
#[derive(Serialize)]
struct Line<'l> {
    epd: &'l str,
    /// In hexadecimal, which the decoder expects for binary columns.
    key: String,
    ply: u32,
    halfmoves: u16,
    fullmoves: u16,
    eco: Option<&'l str>,
    names: Vec<&'l str>,
    #[serde(flatten)]
    total: Row<'l>,
    moves: Vec<Played<'l>>,
}

/// Columns of the counts of positions and of moves; the fields of [`Row`].
fn counts() -> impl Iterator<Item = Field> {
    let whole = |name: &str, can_miss| Field::new(name, DataType::Int64, can_miss);
    let text = |name: &str| Field::new(name, DataType::Utf8, false);
    [
        whole("games", false),
        whole("white", false),
        whole("draws", false),
        whole("black", false),
        whole("rated", false),
        whole("rating_sum", false),
        whole("first_year", true),
        whole("last_year", true),
        text("first_file"),
        whole("first_game", false),
        whole("first_ply", false),
        text("strongest_file"),
        whole("strongest_game", false),
        whole("strongest_ply", false),
        text("strongest_white"),
        text("strongest_black"),
        Field::new("strongest_elo", DataType::Float64, true),
        text("strongest_result"),
        whole("eval", true),
    ]
    .into_iter()
}

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = |name: &str, can_miss| Field::new(name, DataType::Utf8, can_miss);
    let whole = |name: &str| Field::new(name, DataType::Int64, false);
    let of_move: Fields =
        [text("move", true), text("uci", true)].into_iter().chain(counts()).collect();
    let moves = Field::new("item", DataType::Struct(of_move), false);
    let head = [
        text("epd", false),
        Field::new("key", DataType::FixedSizeBinary(32), false),
        whole("ply"),
        whole("halfmoves"),
        whole("fullmoves"),
        text("eco", true),
        Field::new_list("names", text("item", false), false),
    ];
    let fields = head.into_iter().chain(counts()).chain([Field::new_list("moves", moves, false)]);
    Arc::new(Schema::new(fields.collect::<Fields>()))
});

/// Number of rows per batch.
const ROWS: usize = 1024;

impl<'w> Table<'w> {
    pub(super) fn new(
        form: ColumnForm,
        output: &'w mut dyn Write,
        style: &'w Style<'_>,
        header: &Header,
    ) -> Result<Self, BookError> {
        let decoder = ReaderBuilder::new(SCHEMA.clone()).build_decoder().map_err(failed)?;
        let columns = Columns::new(form, &SCHEMA, output).map_err(BookError::Write)?;
        Ok(Table { columns, decoder, rows: 0, header: header.clone(), names: style.names })
    }

    fn flush(&mut self) -> Result<(), BookError> {
        self.rows = 0;
        match self.decoder.flush().map_err(failed)? {
            Some(batch) => self.columns.write(&batch).map_err(BookError::Write),
            None => Ok(()),
        }
    }
}

fn failed(error: arrow_schema::ArrowError) -> BookError {
    BookError::Write(std::io::Error::other(error))
}

impl BookWriter for Table<'_> {
    fn write(&mut self, chosen: &Chosen) -> Result<bool, BookError> {
        let name = self.names.and_then(|n| n.name(&chosen.position, chosen.source.ply));
        let key = san::PositionKey::of(&chosen.position).to_bytes();
        let line = Line {
            epd: &fields(&chosen.position),
            key: key.iter().map(|byte| format!("{byte:02x}")).collect(),
            ply: chosen.source.ply,
            halfmoves: chosen.source.halfmoves,
            fullmoves: chosen.source.fullmoves,
            eco: name.and_then(|name| name.eco()),
            names: name.iter().flat_map(|name| name.parts()).collect(),
            total: Row::of(&chosen.total, &self.header),
            moves: Played::all(chosen, &self.header),
        };
        self.decoder.serialize(&[line]).map_err(failed)?;
        self.rows += 1;
        if self.rows == ROWS {
            self.flush()?;
        }
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> Result<(), BookError> {
        self.flush()?;
        self.columns.finish(None).map_err(BookError::Write)
    }
}
