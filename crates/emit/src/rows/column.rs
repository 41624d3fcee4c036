//! What can be told of a position in a column.

use std::fmt;
use std::str::FromStr;

/// What a column tells of each position: a fact, or the value of a tag.
///
/// ```
/// use emit::Column;
///
/// assert_eq!("fen".parse(), Ok(Column::Fen));
/// assert_eq!("WhiteElo".parse(), Ok(Column::Tag("WhiteElo".to_owned())));
///
/// let error = "elo".parse::<Column>().unwrap_err();
/// assert!(error.to_string().starts_with("there is no column \"elo\": choose of clock, eco, epd, "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// The seconds left to the player who has just moved: a number, or nothing.
    Clock,
    /// The ECO code of the opening so far.
    Eco,
    /// The four fields.
    Epd,
    /// What an engine thought of the position, in centipawns from the view of the side to move, mates as `ce` has them
    /// (EPD 5.6): a number, or nothing.
    Eval,
    /// The six fields.
    Fen,
    /// The name of the file.
    File,
    /// The number of the game in its file, counted from 1.
    Game,
    /// Polyglot's key: a number; nothing for other kinds of chess.
    Key,
    /// The line of the file on which the game begins.
    Line,
    /// The fullmove number.
    Move,
    /// The name of the opening so far.
    Opening,
    /// How many plies were played before.
    Ply,
    /// The record as it is written, without its line end.
    Record,
    /// The move played from the position; nothing at the end of the game.
    San,
    /// The value of a tag; nothing where the game has none, or only `?`.
    Tag(String),
    /// All tag pairs of the game: name, NUL, value, NUL and so on. No text names this column.
    Tags,
    /// `w` or `b`.
    Turn,
    /// The move played from the position, as engines write it; nothing for other kinds of chess.
    Uci,
}

/// A text that names no column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no column {name:?}: choose of {facts}, or the name of a tag, with its capital letter", facts = facts())]
pub struct ColumnError {
    /// The text.
    pub name: String,
}

impl Column {
    /// All facts, in the order of their names.
    pub const FACTS: [Column; 16] = [
        Column::Clock,
        Column::Eco,
        Column::Epd,
        Column::Eval,
        Column::Fen,
        Column::File,
        Column::Game,
        Column::Key,
        Column::Line,
        Column::Move,
        Column::Opening,
        Column::Ply,
        Column::Record,
        Column::San,
        Column::Turn,
        Column::Uci,
    ];

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Column::Clock => "clock",
            Column::Eco => "eco",
            Column::Epd => "epd",
            Column::Eval => "eval",
            Column::Fen => "fen",
            Column::File => "file",
            Column::Game => "game",
            Column::Key => "key",
            Column::Line => "line",
            Column::Move => "move",
            Column::Opening => "opening",
            Column::Ply => "ply",
            Column::Record => "record",
            Column::San => "san",
            Column::Tag(name) => name,
            Column::Tags => "tags",
            Column::Turn => "turn",
            Column::Uci => "uci",
        }
    }
}

impl FromStr for Column {
    type Err = ColumnError;

    fn from_str(text: &str) -> Result<Self, ColumnError> {
        let is_tag = text.starts_with(|c: char| c.is_ascii_uppercase())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match Column::FACTS.iter().find(|column| column.name() == text) {
            Some(column) => Ok(column.clone()),
            None if is_tag => Ok(Column::Tag(text.to_owned())),
            None => Err(ColumnError { name: text.to_owned() }),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

fn facts() -> String {
    Column::FACTS.each_ref().map(Column::name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fact_is_read_by_its_name() {
        for fact in Column::FACTS {
            assert_eq!(fact.name().parse(), Ok(fact));
        }
        assert!("White Elo".parse::<Column>().is_err());
        assert!("".parse::<Column>().is_err());
    }
}
