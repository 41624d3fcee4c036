//! The division of a data set among folders.

use std::fmt;
use std::str::FromStr;

use emit::{Column, ColumnList, Fact, Rows, draw_text};

use crate::value_error::ValueError;

/// The columns by whose values games are divided among folders: `year=1851`.
///
/// ```
/// use pgn2epd::PartitionBy;
///
/// let by: PartitionBy = "year,result".parse()?;
/// assert_eq!(by.columns().names().collect::<Vec<_>>(), ["year", "result"]);
///
/// let error = "fen".parse::<PartitionBy>().unwrap_err();
/// assert_eq!(error.to_string(), "fen is not the same in a whole game, and known before its moves; use tags, year, result and the like");
/// # Ok::<_, pgn2epd::ValueError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionBy(ColumnList);

/// The longest name of a folder on most systems, in bytes.
const LONGEST_NAME: usize = 255;

/// The name of the folder of games without a value, as Hive and all of its successors call it.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

impl PartitionBy {
    /// Returns the columns and their names in the folders.
    pub fn columns(&self) -> &ColumnList {
        &self.0
    }

    /// Returns the folder of a game with these values: `year=1851/result=1-0`.
    pub(crate) fn folder(&self, values: &Rows) -> String {
        let mut folder = String::new();
        for (name, column) in self.0.names().zip(&values.columns) {
            if !folder.is_empty() {
                folder.push('/');
            }
            folder.push_str(name);
            folder.push('=');
            match column.cell_text(0) {
                Some(value) => {
                    push_escaped(&value, LONGEST_NAME.saturating_sub(name.len() + 1), &mut folder);
                }
                None => folder.push_str(NO_VALUE),
            }
        }
        folder
    }
}

/// Appends a value as readers of such folders expect it: with `%` and two hexadecimal digits for every byte that is not an
/// unreserved character of RFC 3986. A value with more than `most` bytes is cut, and ends with a hash of all of it.
fn push_escaped(value: &str, most: usize, folder: &mut String) {
    let start = folder.len();
    let hash = format!("~{:016x}", draw_text(0, value.as_bytes()));
    let mut cut = start;
    for letter in value.chars() {
        for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                folder.push(char::from(byte));
            } else {
                folder.push_str(&format!("%{byte:02X}"));
            }
        }
        if folder.len() - start + hash.len() <= most {
            cut = folder.len();
        }
    }
    if folder.len() - start > most {
        folder.truncate(cut);
        folder.push_str(&hash);
    }
}

/// Returns whether a column has one value for a game, which its tags and its result determine.
fn is_known(column: &Column) -> bool {
    use Fact::{BaseTime, BlackElo, Date, Elo, File, Increment, Result, WhiteElo, Year};
    match column {
        Column::Tag(_) => true,
        Column::Fact(fact) => {
            matches!(fact, BaseTime | BlackElo | Date | Elo | File | Increment | Result)
                || matches!(fact, WhiteElo | Year)
        }
        Column::List(_) | Column::Tags => false,
    }
}

impl FromStr for PartitionBy {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let list: ColumnList = text
            .parse()
            .map_err(|error: emit::ColumnListError| ValueError::new(error.to_string()))?;
        if let Some(column) = list.columns().iter().find(|column| !is_known(column)) {
            return Err(ValueError::new(format!(
                "{column} is not the same in a whole game, and known before its moves; use tags, year, result and the like"
            )));
        }
        Ok(PartitionBy(list))
    }
}

impl fmt::Display for PartitionBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use emit::{GameValues, Plan};
    use pgn::Scanner;

    use super::*;

    #[test]
    fn the_folder_of_a_game_has_its_values_escaped() {
        let cases = [
            ("year,result", "[Date \"1851.06.21\"]", "year=1851/result=1-0"),
            (
                "result,y=year",
                "[Result \"1/2-1/2\"]",
                "result=1%2F2-1%2F2/y=__HIVE_DEFAULT_PARTITION__",
            ),
            ("White", "[White \"M\u{fc}ller, A\"]", "White=M%C3%BCller%2C%20A"),
            ("White", "[White \"?\"]", "White=__HIVE_DEFAULT_PARTITION__"),
            ("White", "[White \"a/..\"]", "White=a%2F.."),
            ("elo", "[WhiteElo \"2000\"][BlackElo \"2001\"]", "elo=2000.5"),
        ];
        for (by, tags, expected) in cases {
            let by: PartitionBy = by.parse().unwrap();
            let text = format!("{tags}\n\n1. e4 1-0");
            let mut scanner = Scanner::new(text.as_bytes());
            scanner.next_game();
            let plan = Plan::default();
            let mut values = GameValues::new(by.columns().columns(), &plan);
            values.begin(scanner.tags());
            let row = values.end(Some(pgn::Outcome::WhiteWins));
            assert_eq!(by.folder(row), expected, "{by} {tags}");
        }
    }

    #[test]
    fn long_values_are_cut_and_stay_different() {
        let name = |value: &str| {
            let mut name = "White=".to_owned();
            push_escaped(value, LONGEST_NAME - name.len(), &mut name);
            name
        };
        for letter in ["a", "\u{434}", "\u{4e2d}", "\u{1f600}"] {
            let escaped = name(letter).len() - "White=".len();
            let fits = letter.repeat((LONGEST_NAME - "White=".len()) / escaped);
            assert!(!name(&fits).contains('~') && name(&fits).len() <= LONGEST_NAME);
            let [one, other] = ["a", "b"].map(|end| name(&format!("{fits}{fits}{end}")));
            assert_ne!(one, other);
            for name in [one, other] {
                let (start, hash) = name.split_once('~').unwrap();
                assert!(name.len() <= LONGEST_NAME && hash.len() == 16, "{name}");
                // Whole letters.
                assert_eq!((start.len() - "White=".len()) % escaped, 0, "{name}");
                assert!(name.len() + escaped > LONGEST_NAME, "{name}");
            }
        }
    }

    #[test]
    fn columns_that_differ_within_a_game_are_refused() {
        for text in ["fen", "ply", "opening", "game", "plies", "year,san", "", "yaer"] {
            assert!(text.parse::<PartitionBy>().is_err(), "{text}");
        }
    }
}
