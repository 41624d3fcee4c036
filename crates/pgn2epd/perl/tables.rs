use std::collections::HashMap;
use std::str::FromStr;

use openings::Openings;
use san::Position;

/// Which positions have which codes and names.
///
/// Those of [`Tables::default`] come with the library: ECO codes and names of openings, no NIC codes. A table of the module, one
/// CSV file a [`Code`], takes the place of one of them; it is asked as the module asks, for the very text of a position.
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
    /// A table for each [`Code`] that one was loaded for.
    loaded: [Option<HashMap<String, String>>; 3],
}

/// What a position is looked up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// That of the *Encyclopaedia of Chess Openings*.
    Eco,
    /// That of the *New In Chess* yearbooks.
    Nic,
    /// The name of the opening.
    Opening,
}

/// A name that is none of `ECO`, `NIC` and `Opening`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are the codes ECO, NIC and Opening, not {0:?}")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    /// Reads the module's key, as it spells it. The module calls every position `Unknown` by another one.
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

/// A table that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// It is no CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// A row has less than two columns.
    #[error("line {line}: a row is a code and a position")]
    Columns {
        /// Its line in the table, from 1.
        line: u64,
    },
}

impl Code {
    /// `ECO`, `NIC` or `Opening`, as the module has it: the name of the tag.
    pub fn name(self) -> &'static str {
        match self {
            Code::Eco => "ECO",
            Code::Nic => "NIC",
            Code::Opening => "Opening",
        }
    }
}

impl Tables {
    /// Reads a table, CSV of code and position, which takes the place of the one for that code. Of two rows for a position the
    /// later counts.
    ///
    /// # Errors
    ///
    /// If it is no such table.
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
            // The heading, which the module takes for a row.
            if (code, position) != ("CODE", "FEN") {
                codes.insert(position.to_owned(), code.to_owned());
            }
        }
        self.loaded[code as usize] = Some(codes);
        Ok(())
    }

    /// The code of a position.
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
