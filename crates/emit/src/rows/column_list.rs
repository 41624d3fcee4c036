//! The columns of a table and their names.

use std::fmt;
use std::str::FromStr;

use table::Schema;

use super::column::Column;
use crate::facts::{Fact, KNOWN_TAGS, UnknownField, is_close, is_tag_name};

/// The columns of a table, each with its name: that of the column, or another one.
///
/// ```
/// use emit::{Column, ColumnList, Fact};
///
/// let list: ColumnList = "fen,move=uci,WhiteElo".parse()?;
/// assert_eq!(list.names().collect::<Vec<_>>(), ["fen", "move", "WhiteElo"]);
/// assert_eq!(list.columns()[1], Column::Fact(Fact::Uci));
/// assert_eq!(list.to_string(), "fen,move=uci,WhiteElo");
///
/// let error = "fen,open-ing".parse::<ColumnList>().unwrap_err().to_string();
/// assert!(error.starts_with("unknown variable open-ing; did you mean opening or Opening?"));
/// # Ok::<_, emit::ColumnListError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnList {
    columns: Vec<Column>,
    names: Vec<String>,
}

/// An error in a list of columns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnListError {
    /// The list is empty.
    #[error("name one column at least, such as fen")]
    Empty,
    /// Two columns have the same name.
    #[error("the column {0:?} occurs twice")]
    Twice(String),
    /// A column is given a name that is not one.
    #[error("{0:?} is not a name of a column: letters, digits and underscores")]
    Name(String),
    /// A column is a tag whose name is almost that of a common one: it would be empty.
    #[error("no tag is called {name}; did you mean {known}?")]
    Tag {
        /// The name.
        name: String,
        /// The common name.
        known: &'static str,
    },
    /// A column is neither a fact nor a tag.
    #[error(transparent)]
    Unknown(#[from] UnknownField),
}

impl Column {
    /// Refuses a tag whose name, as it is `written`, is almost that of a common one.
    pub(super) fn check_tag(&self, written: &str) -> Result<(), ColumnListError> {
        let Column::Tag(name) = self else { return Ok(()) };
        match KNOWN_TAGS.into_iter().find(|known| is_close(known, written)) {
            Some(known) if is_tag_name(name) => {
                Err(ColumnListError::Tag { name: name.clone(), known })
            }
            _ => Ok(()),
        }
    }
}

impl ColumnList {
    /// The columns of a table if none are given.
    pub const DEFAULT: [Fact; 16] = [
        Fact::Game,
        Fact::Ply,
        Fact::Fen,
        Fact::San,
        Fact::Uci,
        Fact::Turn,
        Fact::EvalCp,
        Fact::Mate,
        Fact::Depth,
        Fact::Time,
        Fact::Clock,
        Fact::Result,
        Fact::WhiteElo,
        Fact::BlackElo,
        Fact::Eco,
        Fact::Opening,
    ];

    /// Returns the columns of a table with a row for each game if none are given.
    pub fn default_of_games() -> Self {
        let names = "game,White,Black,date,result,termination,white_elo,black_elo,base_time,increment,\
                     eco,opening,plies,uci,clock,eval_cp,mate,problem";
        // A test parses them.
        names.parse().unwrap_or_default()
    }

    /// Returns the columns for a table with a row for each game, see [`Column::of_games`].
    #[must_use]
    pub fn of_games(mut self) -> Self {
        self.columns = self.columns.into_iter().map(Column::of_games).collect();
        self
    }

    /// Parses columns.
    ///
    /// # Errors
    ///
    /// If there is none, if one is unknown or a tag whose name is almost that of a common one, or
    /// if two have the same name.
    pub fn parse<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Self, ColumnListError> {
        let mut list = ColumnList { columns: Vec::new(), names: Vec::new() };
        for text in texts {
            let (name, column) = match text.split_once('=') {
                Some((name, column)) => (Some(name.trim()), column.trim()),
                None => (None, text.trim()),
            };
            let written = column;
            let column: Column = written.parse()?;
            column.check_tag(written)?;
            let name = name.unwrap_or(column.name()).to_owned();
            let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(is_letter) {
                return Err(ColumnListError::Name(name));
            }
            if list.names.contains(&name) {
                return Err(ColumnListError::Twice(name));
            }
            list.columns.push(column);
            list.names.push(name);
        }
        if list.columns.is_empty() { Err(ColumnListError::Empty) } else { Ok(list) }
    }

    /// Returns the columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the names and types.
    pub fn schema(&self) -> Schema {
        Schema::new(self.names().zip(&self.columns).map(|(name, column)| column.field(name)))
    }

    /// Returns the names, in the same order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.names.iter().map(String::as_str)
    }
}

impl Default for ColumnList {
    fn default() -> Self {
        ColumnList {
            columns: Self::DEFAULT.into_iter().map(Column::Fact).collect(),
            names: Self::DEFAULT.into_iter().map(|fact| fact.name().to_owned()).collect(),
        }
    }
}

impl FromStr for ColumnList {
    type Err = ColumnListError;

    fn from_str(text: &str) -> Result<Self, ColumnListError> {
        ColumnList::parse(text.split(','))
    }
}

impl fmt::Display for ColumnList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, column)) in self.names.iter().zip(&self.columns).enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            if name != column.name() {
                write!(f, "{name}=")?;
            }
            write!(f, "{column}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_is_written() {
        let default = ColumnList::default();
        for text in [
            "ply",
            "fen,cp=white_cp,White,w=White",
            "record.line,record.Eco,rating,x=record.fen",
            &default.to_string(),
        ] {
            assert_eq!(text.parse::<ColumnList>().unwrap().to_string(), text);
        }
        assert_eq!(default.to_string().parse(), Ok(default));
        let of_games = ColumnList::default_of_games();
        assert_eq!(of_games.names().next_back(), Some("problem"));
        assert_eq!(of_games.to_string().parse(), Ok(of_games));
    }

    #[test]
    fn a_wrong_list_is_refused_with_the_reason() {
        let cases = [
            ("", "unknown variable ; available: "),
            ("fen,,ply", "unknown variable ; available: "),
            ("fen,ply,fen", "the column \"fen\" occurs twice"),
            ("x=fen,x=ply", "the column \"x\" occurs twice"),
            ("x y=fen", "\"x y\" is not a name of a column"),
            ("=fen", "\"\" is not a name of a column"),
            ("ev-al", "unknown variable ev-al; did you mean eval?"),
            ("record.", "unknown variable record.; did you mean record?"),
            ("record.x,x", "the column \"x\" occurs twice"),
            ("WhitElo", "no tag is called WhitElo; did you mean WhiteElo?"),
            ("elo=BlackELO", "no tag is called BlackELO; did you mean BlackElo?"),
        ];
        for (text, expected) in cases {
            let error = text.parse::<ColumnList>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert_eq!(ColumnList::parse([]), Err(ColumnListError::Empty));
    }
}
