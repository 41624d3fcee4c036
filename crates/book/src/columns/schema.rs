//! The columns of a partial result; documented for users in docs/books.md.

use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};

/// Container format of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnForm {
    /// Arrow's streaming format, with its end-of-stream marker.
    Stream,
    /// Parquet.
    Parquet,
}

/// Schema metadata key of the header of a partial result, as JSON. Tables without it can be merged too.
pub(super) const HEADER: &str = "pgn2epd.book";

/// The counts that are sums, in schema order.
pub(super) const SUMS: [&str; 6] = ["games", "white", "draws", "black", "rated", "rating_sum"];

/// The numbers of the first game, after its file name, and those of the strongest one, after its rating.
pub(super) const PLACE: [&str; 4] = ["game", "ply", "halfmoves", "fullmoves"];
pub(super) const EVALUATION: &str = "eval";
pub(super) const RESULT: [&str; 2] = ["outcome", "year"];
pub(super) const TEXTS: [&str; 3] = ["white", "black", "start"];

fn number(name: &str) -> Field {
    Field::new(name, DataType::Int64, false)
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

/// Location of a game, and the evaluation there if evaluations were requested.
fn place() -> impl Iterator<Item = Field> {
    let evaluation = Field::new(EVALUATION, DataType::Int64, true);
    [text("file")].into_iter().chain(PLACE.map(number)).chain([evaluation])
}

/// The fields of `first`, ordered so that the minimum is the first game.
pub(super) static FIRST: LazyLock<Fields> = LazyLock::new(|| place().collect());

/// The fields of `strongest`, ordered so that the minimum is the strongest game.
pub(super) static STRONGEST: LazyLock<Fields> = LazyLock::new(|| {
    let moves = Field::new("moves", DataType::Binary, true);
    let head = [number("minus_elo_sum")].into_iter().chain(place());
    head.chain(RESULT.map(number)).chain(TEXTS.map(text)).chain([moves]).collect()
});

/// One row per move of each position.
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
