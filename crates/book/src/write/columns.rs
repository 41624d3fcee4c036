//! Arrow and Parquet: one row per position, its moves in a list. Column names are those of [`super::jsonl`].

use std::sync::{Arc, LazyLock};

use arrow_json::ReaderBuilder;
use arrow_json::reader::Decoder;
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use serde::Serialize;

use super::form::PieceForm;
use super::row::{Played, Row};
use super::{BookWriter, Style};
use crate::columns::{BatchEncoder, ColumnForm, EncodedBatch};
use crate::error::BookError;
use crate::partial::Header;
use crate::pieces::PieceSizes;
use crate::select::{Chosen, fields};

/// A table, of which batches are encoded.
pub(super) struct Table<'w> {
    encoder: BatchEncoder,
    style: &'w Style<'w>,
    header: &'w Header,
}

/// Writer of a batch.
struct Batch<'p> {
    table: &'p Table<'p>,
    decoder: Decoder,
    encoded: &'p mut Option<EncodedBatch>,
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

/// Number of rows per batch, and of batches that are encoded at once. Where a row group may end depends on both, so they are the same
/// for any number of threads.
const ROWS: usize = 1024;
const BATCHES: usize = 16;

impl<'w> Table<'w> {
    pub(super) fn new(form: ColumnForm, style: &'w Style<'_>, header: &'w Header) -> Self {
        Table { encoder: BatchEncoder::new(form, SCHEMA.clone()), style, header }
    }

    pub(super) fn encoder(&self) -> &BatchEncoder {
        &self.encoder
    }
}

impl PieceForm for Table<'_> {
    /// A batch; none without positions.
    type Piece = Option<EncodedBatch>;

    fn sizes(&self, _threads: usize) -> PieceSizes {
        PieceSizes { positions: ROWS, pieces: BATCHES }
    }

    fn writer<'p>(
        &'p self,
        encoded: &'p mut Option<EncodedBatch>,
    ) -> Result<Box<dyn BookWriter + 'p>, BookError> {
        let schema = self.encoder.schema().clone();
        let decoder = ReaderBuilder::new(schema).with_batch_size(ROWS).build_decoder();
        Ok(Box::new(Batch { table: self, decoder: decoder.map_err(failed)?, encoded }))
    }
}

fn failed(error: arrow_schema::ArrowError) -> BookError {
    BookError::Write(std::io::Error::other(error))
}

impl BookWriter for Batch<'_> {
    fn write(&mut self, chosen: &Chosen) -> Result<bool, BookError> {
        let Table { style, header, .. } = self.table;
        let name = style.names.and_then(|names| names.name(&chosen.position, chosen.source.ply));
        let key = san::PositionKey::of(&chosen.position).to_bytes();
        let line = Line {
            epd: &fields(&chosen.position),
            key: key.iter().map(|byte| format!("{byte:02x}")).collect(),
            ply: chosen.source.ply,
            halfmoves: chosen.source.halfmoves,
            fullmoves: chosen.source.fullmoves,
            eco: name.and_then(|name| name.eco()),
            names: name.iter().flat_map(|name| name.parts()).collect(),
            total: Row::of(&chosen.total, header),
            moves: Played::all(chosen, header),
        };
        self.decoder.serialize(&[line]).map_err(failed)?;
        Ok(true)
    }

    fn finish(mut self: Box<Self>) -> Result<(), BookError> {
        let batch = self.decoder.flush().map_err(failed)?;
        let encoded = batch.map(|batch| self.table.encoder.encode(&batch)).transpose();
        *self.encoded = encoded.map_err(BookError::Write)?;
        Ok(())
    }
}
