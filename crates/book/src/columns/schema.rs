//! The columns of a partial result; docs/books.md describes them to those who compute with them.

use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

/// How columns stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnForm {
    /// Arrow's stream of batches, with its mark at the end.
    Stream,
    /// Parquet.
    Parquet,
}

/// Where the schema keeps the header of the partial result, as JSON. What comes without it can be merged all the same.
pub(super) const HEADER: &str = "pgn2epd.book";

/// The counts that are sums, in the order of the schema.
pub(super) const SUMS: [&str; 6] = ["games", "white", "draws", "black", "rated", "rating_sum"];

/// The numbers of the first game, behind the name of its file, and those of the strongest one, behind its rating.
pub(super) const PLACE: [&str; 4] = ["game", "ply", "halfmoves", "fullmoves"];
pub(super) const RESULT: [&str; 2] = ["outcome", "year"];
pub(super) const TEXTS: [&str; 3] = ["white", "black", "start"];

fn number(name: &str) -> Field {
    Field::new(name, DataType::Int64, false)
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

/// The fields of `first`: the least of two is the first.
pub(super) static FIRST: LazyLock<Fields> =
    LazyLock::new(|| [text("file")].into_iter().chain(PLACE.map(number)).collect());

/// The fields of `strongest`: the least of two, field by field, is the strongest.
pub(super) static STRONGEST: LazyLock<Fields> = LazyLock::new(|| {
    let head = [number("minus_elo_sum"), text("file")];
    let moves = Field::new("moves", DataType::Binary, true);
    let numbers = PLACE.into_iter().chain(RESULT).map(number);
    head.into_iter().chain(numbers).chain(TEXTS.map(text)).chain([moves]).collect()
});

/// A row for each move of each position.
pub(super) static PARTIAL: LazyLock<SchemaRef> = LazyLock::new(|| {
    let head = [text("counted"), Field::new("key", DataType::Binary, false), number("move")];
    let years = ["first_year", "last_year"].map(|name| Field::new(name, DataType::Int64, true));
    let games = [
        Field::new("first", DataType::Struct(FIRST.clone()), false),
        Field::new("strongest", DataType::Struct(STRONGEST.clone()), false),
    ];
    let fields = head.into_iter().chain(SUMS.map(number)).chain(years).chain(games);
    Arc::new(Schema::new(fields.collect::<Fields>()))
});
