//! Codes and names of positions, in the order of the module.

use std::collections::HashMap;
use std::str::FromStr;

use openings::Openings;
use san::Position;

use super::board::Board;
use crate::epdlist::EpdListError;

/// Codes and names by position.
///
/// [`Tables::default`] contains the embedded ECO codes and opening names, and no NIC codes. A table
/// of the module, a CSV file for one [`Code`], replaces one of them; like in the module, it is
/// looked up by the exact text of a position.
///
/// ```
/// use pgn2epd::perl::{Code, Tables, epdlist};
///
/// let mut tables = Tables::default();
/// tables.load(Code::Nic, "\"CODE\",\"FEN\"\n\"KP 1\",\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3\"\n")?;
/// let mut positions = epdlist(["e4", "e5"])?;
/// positions.reverse();
/// assert_eq!(tables.epdcode(Code::Nic, &positions), "KP 1");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// The loaded table for each [`Code`].
    loaded: [Option<HashMap<String, String>>; 3],
}

/// The kind of value that is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The code of the *Encyclopaedia of Chess Openings*.
    Eco,
    /// The code of the *New In Chess* yearbooks.
    Nic,
    /// The name of the opening.
    Opening,
}

/// A name other than `ECO`, `NIC` and `Opening`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown code {0:?}; the codes are ECO, NIC and Opening")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    /// Parses the key of the module, in its spelling. For any other key the module returns
    /// `Unknown`.
    ///
    /// ```
    /// use pgn2epd::perl::Code;
    ///
    /// assert_eq!("NIC".parse(), Ok(Code::Nic));
    /// assert!("eco".parse::<Code>().is_err());
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownCode> {
        let all = [Code::Eco, Code::Nic, Code::Opening];
        let named = all.into_iter().find(|code| code.name() == name);
        named.ok_or_else(|| UnknownCode(name.to_owned()))
    }
}

/// An error in a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The table is not valid CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// A row has fewer than two columns.
    #[error("line {line}: a row is a code and a position")]
    Columns {
        /// The line in the table, counted from 1.
        line: u64,
    },
}

impl Code {
    /// Returns `ECO`, `NIC` or `Opening`, the spelling of the module and the name of the tag.
    pub fn name(self) -> &'static str {
        match self {
            Code::Eco => "ECO",
            Code::Nic => "NIC",
            Code::Opening => "Opening",
        }
    }
}

impl Tables {
    /// Loads a table, CSV of code and position, which replaces the one for `code`. The last row for
    /// a position is used.
    ///
    /// # Errors
    ///
    /// Returns an error if the table is invalid.
    pub fn load(&mut self, code: Code, table: &str) -> Result<(), TableError> {
        let mut codes = HashMap::new();
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(table.as_bytes());
        for row in reader.records() {
            let row = row?;
            let (Some(code), Some(position)) = (row.get(0), row.get(1)) else {
                return Err(TableError::Columns {
                    line: row.position().map_or(0, csv::Position::line),
                });
            };
            // The heading, which the module reads as a row.
            if (code, position) != ("CODE", "FEN") {
                codes.insert(position.to_owned(), code.to_owned());
            }
        }
        self.loaded[code as usize] = Some(codes);
        Ok(())
    }

    pub(super) fn code(&self, code: Code, epd: &str) -> Option<&str> {
        if let Some(codes) = &self.loaded[code as usize] {
            return codes.get(epd).map(|code| &**code).filter(|code| !code.is_empty());
        }
        let position = Position::from_fen(epd).ok()?;
        let name = Openings::embedded().classify(&position)?;
        match code {
            Code::Eco => name.eco(),
            Code::Nic => name.nic(),
            Code::Opening => name.opening(),
        }
    }
}

/// Returns the code of the first position that has one in the embedded tables, or `Unknown`.
///
/// As in the module, the positions of a game are in reverse order.
///
/// ```
/// use pgn2epd::perl::{Code, epdcode, epdlist};
///
/// let mut positions = epdlist(["e4", "c5", "Nf3", "a6", "a3"])?;
/// positions.reverse();
/// assert_eq!(epdcode(Code::Eco, &positions), "B28");
/// assert_eq!(epdcode(Code::Eco, [""; 0]), "Unknown");
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdcode<I>(code: Code, epds: I) -> String
where
    I: IntoIterator<Item: AsRef<str>>,
{
    Tables::default().epdcode(code, epds)
}

impl Tables {
    /// Returns the code of the first position that has one, or `Unknown`.
    pub fn epdcode<I>(&self, code: Code, epds: I) -> String
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let found =
            epds.into_iter().find_map(|epd| self.code(code, epd.as_ref()).map(str::to_owned));
        found.unwrap_or_else(|| "Unknown".to_owned())
    }
}

/// The values that [`epdtaxonomy`] returns.
///
/// The module returns a result only if `all` is set; here each field has an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Taxonomy {
    /// All values.
    pub all: bool,
    /// The ECO code.
    pub eco: bool,
    /// The NIC code.
    pub nic: bool,
    /// The name of the opening.
    pub opening: bool,
    /// Whether values are PGN tag pairs, `[ECO "B90"]`, instead of plain text.
    pub astags: bool,
}

/// Returns the codes and the name of a game from the embedded tables: `epdTaxonomy`. Unknown values
/// are `Unknown`.
///
/// # Errors
///
/// Returns an error if a move is illegal.
///
/// ```
/// use pgn2epd::perl::{Taxonomy, epdtaxonomy};
///
/// let tags = epdtaxonomy(["e4", "e5", "f4"], Taxonomy { eco: true, opening: true, astags: true, ..Taxonomy::default() })?;
/// assert_eq!(tags, [r#"[ECO "C30"]"#, r#"[Opening "King's Gambit"]"#]);
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdtaxonomy<I>(moves: I, options: Taxonomy) -> Result<Vec<String>, EpdListError>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    Tables::default().epdtaxonomy(moves, options)
}

impl Tables {
    /// Returns the codes and the name of a game.
    ///
    /// # Errors
    ///
    /// Returns an error if a move is illegal.
    pub fn epdtaxonomy<I>(&self, moves: I, options: Taxonomy) -> Result<Vec<String>, EpdListError>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let positions = Board::default().epdlist(moves)?;
        let Taxonomy { all, eco, nic, opening, astags } = options;
        let asked = [(Code::Eco, eco), (Code::Nic, nic), (Code::Opening, opening)];
        let answer = |(code, _): (Code, bool)| {
            let value = self.epdcode(code, positions.iter().rev());
            if astags { tag(code, &value) } else { value }
        };
        Ok(asked.into_iter().filter(|(_, is_asked)| all || *is_asked).map(answer).collect())
    }
}

/// Formats a tag pair (PGN standard 8.1), escaping quotes and backslashes.
fn tag(code: Code, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{} \"{value}\"]", code.name())
}
