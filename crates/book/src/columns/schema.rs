//! The columns of a partial result; documented for users in docs/books.md.

use table::{ColumnType, Field, Schema};

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
    Field::required(name, ColumnType::I64)
}

fn text(name: &str) -> Field {
    Field::required(name, ColumnType::Repeated)
}

/// Location of a game, and the evaluation there if evaluations were requested.
fn place() -> impl Iterator<Item = Field> {
    let evaluation = Field::new(EVALUATION, ColumnType::I64);
    [text("file")].into_iter().chain(PLACE.map(number)).chain([evaluation])
}

/// Returns the columns: one row per move of each position, with the header as a text.
pub(super) fn schema(header: &str) -> Schema {
    let head = [text("counted"), Field::required("key", ColumnType::Bytes), number("move")];
    let years = ["first_year", "last_year"].map(|name| Field::new(name, ColumnType::I64));
    // The minimum is the first game.
    let first = place().collect();
    // The minimum is the strongest game.
    let moves = Field::new("moves", ColumnType::Bytes);
    let strongest = [number("minus_elo_sum")].into_iter().chain(place());
    let strongest = strongest.chain(RESULT.map(number)).chain(TEXTS.map(text)).chain([moves]);
    let games = [
        Field::required("first", ColumnType::Struct(first)),
        Field::required("strongest", ColumnType::Struct(strongest.collect())),
    ];
    let fields = head.into_iter().chain(SUMS.map(number)).chain(years).chain(games);
    Schema {
        metadata: vec![(HEADER.to_owned(), header.to_owned())],
        has_small_offsets: true,
        ..Schema::new(fields)
    }
}
