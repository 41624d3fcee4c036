//! Columns of a table.

use std::fmt;
use std::str::FromStr;

use table::{ColumnType, Field, ListText};

use crate::facts::{Fact, FactKind, FactPlace, OF_RECORD, UnknownField, Variable, is_tag_name};

/// A column of a table: a fact or the value of a tag.
///
/// ```
/// use emit::{Column, Fact};
///
/// assert_eq!("fen".parse(), Ok(Column::Fact(Fact::Fen)));
/// assert_eq!("WhiteElo".parse(), Ok(Column::Tag("WhiteElo".to_owned())));
///
/// // An operation of records, or a column of a table that is read; the second also if it is a
/// // fact.
/// assert_eq!("rating".parse(), Ok(Column::Tag("rating".to_owned())));
/// assert_eq!("record.eval".parse(), Ok(Column::Tag("eval".to_owned())));
///
/// let error = "eval-cp".parse::<Column>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown variable eval-cp; did you mean eval_cp?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// A fact.
    Fact(Fact),
    /// The values of a fact at the positions of a game, as a list. Not parsed from text, see
    /// [`of_games`](Column::of_games).
    List(Fact),
    /// The value of a tag, or the operands of an operation of records; missing if it [is
    /// unknown](pgn::is_unknown).
    Tag(String),
    /// All tag pairs of the game: name, NUL, value, NUL and so on. Cannot be parsed from text.
    Tags,
}

impl Column {
    /// Returns the name.
    pub fn name(&self) -> &str {
        match self {
            Column::Fact(fact) | Column::List(fact) => fact.name(),
            Column::Tag(name) => name,
            Column::Tags => "tags",
        }
    }
}

impl Column {
    /// Returns the column of a table with a row for each game: a list, unless the fact [has one
    /// value for a game](Fact::is_of_game).
    ///
    /// ```
    /// use emit::{Column, Fact};
    ///
    /// assert_eq!(Column::Fact(Fact::San).of_games(), Column::List(Fact::San));
    /// assert_eq!(Column::Fact(Fact::Plies).of_games(), Column::Fact(Fact::Plies));
    /// ```
    #[must_use]
    pub fn of_games(self) -> Self {
        match self {
            Column::Fact(fact) if !fact.is_of_game() => Column::List(fact),
            column => column,
        }
    }

    /// Returns the type of the values.
    pub fn column_type(&self) -> ColumnType {
        match self {
            Column::Fact(fact) => type_of(*fact),
            Column::List(fact) => {
                let text = if fact.has_spaces() { ListText::Json } else { ListText::Words };
                ColumnType::List(
                    Box::new(field(fact.name(), type_of(*fact), fact.may_be_missing())),
                    text,
                )
            }
            Column::Tag(_) | Column::Tags => ColumnType::Repeated,
        }
    }

    pub(super) fn field(&self, name: &str) -> Field {
        let may_be_missing = match self {
            Column::Fact(fact) => fact.may_be_missing(),
            Column::List(_) => false,
            Column::Tag(_) | Column::Tags => true,
        };
        field(name, self.column_type(), may_be_missing)
    }

    /// Returns the name of the operation of records, if it is one.
    pub fn operation(&self) -> Option<&str> {
        self.tag().filter(|name| !is_tag_name(name))
    }

    /// Returns the name of the tag, or of the operation of records, if it is one.
    pub fn tag(&self) -> Option<&str> {
        match self {
            Column::Tag(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the fact, if it is not a tag.
    pub fn fact(&self) -> Option<Fact> {
        match self {
            Column::Fact(fact) | Column::List(fact) => Some(*fact),
            Column::Tag(_) | Column::Tags => None,
        }
    }
}

fn field(name: &str, column_type: ColumnType, may_be_missing: bool) -> Field {
    Field { name: name.to_owned(), column_type, may_be_missing }
}

fn type_of(fact: Fact) -> ColumnType {
    match fact.kind() {
        FactKind::Truth => ColumnType::Bool,
        FactKind::Number => ColumnType::I64,
        FactKind::SmallNumber | FactKind::Signed => ColumnType::I32,
        FactKind::Key => ColumnType::U64,
        FactKind::Decimal => ColumnType::F64,
        FactKind::Date => ColumnType::Date,
        FactKind::Packed => ColumnType::Bytes32,
        FactKind::Board => ColumnType::U8x64,
        FactKind::Bitboards => ColumnType::U64x12,
        FactKind::Text if fact.repeats() => ColumnType::Repeated,
        FactKind::Text => ColumnType::Text,
        FactKind::Texts => {
            let text = Box::new(field(fact.name(), ColumnType::Text, false));
            ColumnType::List(text, ListText::Words)
        }
    }
}

impl FromStr for Column {
    type Err = UnknownField;

    fn from_str(text: &str) -> Result<Self, UnknownField> {
        let is_of_games = Fact::named(text, FactPlace::GameColumn).is_ok();
        let place = if is_of_games { FactPlace::GameColumn } else { FactPlace::Column };
        Variable::named(text, place).map(Column::from)
    }
}

impl From<Variable> for Column {
    fn from(variable: Variable) -> Self {
        match variable {
            Variable::Tag(name) => Column::Tag(name),
            Variable::Fact(fact) => Column::Fact(fact),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // So that it is read again as what it is.
        let is_plain = self.tag().is_none_or(|tag| {
            Fact::all().all(|fact| fact.name() != tag) && self.check_tag(tag).is_ok()
        });
        f.write_str(if is_plain { "" } else { OF_RECORD })?;
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fact_is_a_column_of_its_name() {
        for fact in Fact::all() {
            let places = [FactPlace::Column, FactPlace::GameColumn];
            let is_column = places.iter().any(|place| fact.is_available_in(*place));
            let found = fact.name().parse().ok();
            assert_eq!(found, is_column.then_some(Column::Fact(fact)), "{fact}");
        }
        assert!("White Elo".parse::<Column>().is_err());
        assert!("".parse::<Column>().is_err());
    }
}
