//! The columns of a partial result; documented for users in docs/books.md.

use table::{ColumnType, Field, Schema};

/// Schema metadata key of the header of a partial result, as JSON. Tables without it can be merged
/// too.
pub(super) const HEADER: &str = "pgn2epd.book";

/// The evaluation at a place, which older files do not have.
pub(super) const EVALUATION: &str = "eval";

/// The class of the games, which is missing if all games are counted together.
pub(super) const CLASS: &str = "class";

fn number(name: &str) -> Field {
    Field::required(name, ColumnType::I64)
}

fn text(name: &str) -> Field {
    Field::required(name, ColumnType::Repeated)
}

/// Location of a game, and the evaluation there if evaluations were requested.
fn place() -> impl Iterator<Item = Field> {
    let evaluation = Field::new(EVALUATION, ColumnType::I64);
    let numbers = ["game", "ply", "halfmoves", "fullmoves"].map(number);
    [text("file")].into_iter().chain(numbers).chain([evaluation])
}

/// Returns the columns: one row per move and class of each position, with the header as a text.
pub(super) fn schema(header: &str) -> Schema {
    let head = [text("counted"), Field::required("key", ColumnType::Bytes), number("move")];
    let class = Field::new(CLASS, ColumnType::Repeated);
    let years = ["first_year", "last_year"].map(|name| Field::new(name, ColumnType::I64));
    // The minimum is the first game.
    let first = place().collect();
    let info = || {
        let moves = Field::new("moves", ColumnType::Bytes);
        ["white", "black", "start"].map(text).into_iter().chain([moves])
    };
    // The minimum is the strongest game.
    let strongest = [number("minus_elo_sum")].into_iter().chain(place());
    let strongest = strongest.chain(["outcome", "year"].map(number)).chain(info());
    // The maximum is the most recent game.
    let latest = [number("year")].into_iter().chain(place());
    let latest = latest.chain(["elo_sum", "outcome"].map(number)).chain(info());
    let games = [
        Field::required("first", ColumnType::Struct(first)),
        Field::required("strongest", ColumnType::Struct(strongest.collect())),
        Field::required("latest", ColumnType::Struct(latest.collect())),
    ];
    let sums = ["games", "white", "draws", "black", "rated", "rating_sum"].map(number);
    let fields = head.into_iter().chain([class]).chain(sums).chain(years).chain(games);
    Schema {
        metadata: vec![(HEADER.to_owned(), header.to_owned())],
        has_small_offsets: true,
        ..Schema::new(fields)
    }
}
