//! The columns of a table with their names, and the order of rows by the values in them.

use std::fmt;
use std::str::FromStr;

use table::{ColumnType, ColumnValues, Field, ListText, Schema, Values};

use crate::facts::{
    Fact, FactKind, FactPlace, KNOWN_TAGS, OF_RECORD, REPEATED, UnknownField, Variable,
    WITH_SPACES, is_close, is_tag_name,
};
use crate::game::{date, decimal};

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
    /// The values of a fact at the positions of a game, see [`of_games`](Column::of_games).
    List(Fact),
    /// A tag or the operands of an operation; missing if it [is unknown](pgn::is_unknown).
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
                let text = if fact.has(WITH_SPACES) { ListText::Json } else { ListText::Words };
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
        FactKind::Text if fact.has(REPEATED) => ColumnType::Repeated,
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
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum ColumnListError {
    #[error("name one column at least, such as fen")]
    Empty,
    #[error("the column {0:?} occurs twice")]
    Twice(String),
    #[error("{0:?} is not a name of a column: letters, digits and underscores")]
    Name(String),
    /// A column is a tag whose name is almost that of a common one: it would be empty.
    #[error("no tag is called {name}; did you mean {known}?")]
    Tag { name: String, known: &'static str },
    #[error(transparent)]
    Unknown(#[from] UnknownField),
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

    /// Parses columns. Fails if there is none, if one is unknown or a tag whose name is almost that
    /// of a common one, or if two have the same name.
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

/// The variables that records are sorted by, as in `--sort`: names of columns, separated by commas,
/// each with `-` before it if high values come first.
///
/// Numbers and dates compare as such, text by its bytes; false is less than true. The value of a
/// tag, or of an operation of records, is a number if it is written as one, or as a date in a tag
/// such as `Date`, and text otherwise; numbers are less than text. Missing values, and those of
/// tags that [are unknown](pgn::is_unknown), come last in either direction.
///
/// ```
/// use emit::{Column, Fact, SortOrder};
///
/// let order: SortOrder = "-WhiteElo,ply".parse()?;
/// assert_eq!(order.columns(), [Column::Tag("WhiteElo".to_owned()), Column::Fact(Fact::Ply)]);
/// assert_eq!(order.to_string(), "-WhiteElo,ply");
///
/// let error = "board".parse::<SortOrder>().unwrap_err();
/// assert_eq!(error.to_string(), "board is not available in sort keys, only in columns");
/// # Ok::<_, emit::ColumnListError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortOrder {
    columns: Vec<Column>,
    is_reversed: Vec<bool>,
}

impl SortOrder {
    /// Returns the columns with the values that decide.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Appends the sort key of a row, given the values of the [columns](SortOrder::columns). The
    /// order of rows is that of the bytes of their keys.
    pub fn write_key(&self, values: &[ColumnValues], row: usize, key: &mut Vec<u8>) {
        for ((column, values), is_reversed) in
            self.columns.iter().zip(values).zip(&self.is_reversed)
        {
            key.push(u8::from(!values.is_valid(row)));
            let start = key.len();
            if values.is_valid(row) {
                write_value(column, values, row, key);
            }
            if *is_reversed {
                key[start..].iter_mut().for_each(|byte| *byte = !*byte);
            }
        }
    }
}

/// Appends a value as bytes whose order is that of the values; none begins with another's.
fn write_value(column: &Column, values: &ColumnValues, row: usize, key: &mut Vec<u8>) {
    match &values.values {
        Values::Bool(values) => key.push(values[row].into()),
        Values::I32(values) | Values::Date(values) => write_integer(values[row].into(), key),
        Values::I64(values) => write_integer(values[row], key),
        Values::U64(values) => key.extend(values[row].to_be_bytes()),
        Values::F64(values) => write_decimal(values[row], key),
        _ => {
            let text = values.text_bytes(row).unwrap_or_default();
            if let Column::Tag(name) = column {
                let number = match date(text) {
                    [year, month, day] if name.ends_with("Date") && year > 0 => {
                        Some((10_000 * year + 100 * month + day).into())
                    }
                    _ => decimal(text),
                };
                key.push(u8::from(number.is_none()));
                if let Some(number) = number {
                    return write_decimal(number, key);
                }
            }
            // Its end is less than every other text.
            text.iter().for_each(|byte| match byte {
                0 => key.extend([0, 1]),
                byte => key.push(*byte),
            });
            key.extend([0, 0]);
        }
    }
}

fn write_integer(number: i64, key: &mut Vec<u8>) {
    key.extend((number ^ i64::MIN).to_be_bytes());
}

fn write_decimal(number: f64, key: &mut Vec<u8>) {
    // -0 is 0.
    let bits = (number + 0.0).to_bits().cast_signed();
    // The bits of a negative number rise with its amount.
    write_integer(if bits < 0 { bits ^ i64::MAX } else { bits }, key);
}

impl FromStr for SortOrder {
    type Err = ColumnListError;

    fn from_str(text: &str) -> Result<Self, ColumnListError> {
        let mut order = SortOrder { columns: Vec::new(), is_reversed: Vec::new() };
        for text in text.split(',').map(str::trim) {
            let (name, is_reversed) =
                text.strip_prefix('-').map_or((text, false), |name| (name, true));
            let column = Column::from(Variable::named(name, FactPlace::SortKey)?);
            column.check_tag(name)?;
            if order.columns.contains(&column) {
                return Err(ColumnListError::Twice(name.to_owned()));
            }
            order.columns.push(column);
            order.is_reversed.push(is_reversed);
        }
        Ok(order)
    }
}

impl fmt::Display for SortOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (column, is_reversed)) in self.columns.iter().zip(&self.is_reversed).enumerate()
        {
            let comma = if index > 0 { "," } else { "" };
            write!(f, "{comma}{}{column}", if *is_reversed { "-" } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use table::{Cell, ColumnType};

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

    /// The keys of values in a column, in their order and reversed.
    fn keys(name: &str, column_type: &ColumnType, cells: &[Cell<'_>]) -> [Vec<Vec<u8>>; 2] {
        let mut values = ColumnValues::new(column_type, 0, None);
        cells.iter().for_each(|cell| values.push_cell(*cell));
        [name.to_owned(), format!("-{name}")].map(|order| {
            let order: SortOrder = order.parse().unwrap();
            let key = |row| {
                let mut key = Vec::new();
                order.write_key(std::slice::from_ref(&values), row, &mut key);
                key
            };
            (0..cells.len()).map(key).collect()
        })
    }

    #[test]
    fn the_order_of_keys_is_that_of_the_values() {
        let text = |texts: &[&'static str]| -> Vec<Cell<'static>> {
            texts.iter().map(|text| Cell::Text(text.as_bytes())).collect()
        };
        let tags = [
            "-1e300", "-2.5", "-1", "-0.5", "0", "0.5", "2", "10", "10.5", "1999", "100000",
            "1e300", "", "\0", "\0\0", "\0a", "1-0", "A", "A\0", "A\0\0", "A\0a", "AA", "a",
            "\u{e9}",
        ];
        // Not dates: the parts of the last ones are out of range.
        let dates = [
            "7", "1999", "1999.12", "1999.12.31", "20000101", "2000.02.??", "2000.2.3",
            "31.12.1999", "x",
        ];
        let decimals =
            [f64::NEG_INFINITY, -1.5, -f64::MIN_POSITIVE, 0.0, 1e-300, 1.0, 1.5, f64::INFINITY];
        let integers = [i64::MIN, -256, -1, 0, 1, 255, 256, i64::MAX];
        let cases = [
            ("Round", ColumnType::Repeated, text(&tags)),
            ("EventDate", ColumnType::Repeated, text(&dates)),
            ("comment", ColumnType::Text, text(&["", "\0", "10", "2", "A", "a"])),
            ("elo", ColumnType::F64, decimals.map(Cell::Decimal).to_vec()),
            ("nodes", ColumnType::I64, integers.map(Cell::Integer).to_vec()),
            ("eval", ColumnType::I32, [-32767, -1, 0, 1, 32767].map(Cell::Integer).to_vec()),
        ];
        for (name, column_type, mut cells) in cases {
            cells.push(Cell::Missing);
            let [keys, reversed] = keys(name, &column_type, &cells);
            assert!(keys.is_sorted_by(|a, b| a < b), "{name}: {keys:?}");
            let (missing, others) = reversed.split_last().unwrap();
            assert!(others.is_sorted_by(|a, b| a > b) && others[0] < *missing, "{name}");
        }
        for equal in [["0", "-0"], ["10", "010.0"]] {
            let [keys, _] = keys("Round", &ColumnType::Repeated, &text(&equal));
            assert_eq!(keys[0], keys[1], "{equal:?}");
        }
    }
}
