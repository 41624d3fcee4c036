//! The variables by whose values records are divided into folders.

use std::fmt;
use std::str::FromStr;

use emit::{Column, ColumnList, Fact, FactPlace};

use crate::value_error::ValueError;

/// The variables by whose values records are divided into folders, or `player`: both players of a
/// game.
///
/// ```
/// use pgn2epd::options::Partition;
///
/// let partition: Partition = "year,ECO".parse()?;
/// assert_eq!(partition.to_string(), "year,ECO");
///
/// let error = "board".parse::<Partition>().unwrap_err();
/// assert_eq!(error.to_string(), "board is only a column: records cannot be divided by it");
/// # Ok::<_, pgn2epd::options::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    list: ColumnList,
    is_by_player: bool,
}

impl Partition {
    /// Returns the columns with the values that decide.
    pub fn columns(&self) -> &[Column] {
        self.list.columns()
    }

    /// Returns the names of the variables in the names of folders.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let count = if self.is_by_player { 1 } else { usize::MAX };
        let player = self.is_by_player.then_some(Fact::Player.name());
        player.into_iter().chain(self.list.names()).take(count)
    }

    /// Whether a record is in the folders of both players.
    pub fn is_by_player(&self) -> bool {
        self.is_by_player
    }
}

impl FromStr for Partition {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let is_by_player = text == Fact::Player.name();
        let list = if is_by_player { "White,Black" } else { text };
        let list: ColumnList = list.parse().map_err(|error| ValueError::new(format!("{error}")))?;
        let is_wrong = |fact: &Fact| !fact.is_available_in(FactPlace::SortKey);
        match list.columns().iter().filter_map(Column::fact).find(is_wrong) {
            Some(fact) => Err(ValueError::new(format!(
                "{fact} is only a column: records cannot be divided by it"
            ))),
            None => Ok(Partition { list, is_by_player }),
        }
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_by_player { Fact::Player.fmt(f) } else { self.list.fmt(f) }
    }
}
