//! The openings of games.

use pgn2epd::openings::{NameOptions, name_text};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{Raised, Watcher};
use crate::input::{self, Input};
use crate::options;
use crate::problem::{self, Listener};

/// The opening of each game, by the deepest position that has a name. `convert` with
/// `games="openings"` writes the games with these names as their tags ECO, NIC and Opening.
///
/// >>> [game] = pgn2epd.name(b'[White "Anderssen"] 1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 *')
/// >>> game.eco, game.name
/// ('C33', "King's Gambit Accepted: Bishop's Gambit, Bryan Countergambit")
///
/// `source` and `problems` are as for `records`; `openings` are opening tables instead of the
/// built-in one, which is "default"; `jobs` is the number of threads.
#[pyfunction]
#[pyo3(signature = (source, *, problems=None, **options))]
pub(crate) fn name(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    problems: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<NamedGame>> {
    let mut tables = Vec::new();
    let values = options::texts_of::<NameOptions>("name", options, &[], &mut |value| {
        tables = options::paths(value)?;
        Ok(())
    })?;
    let options = NameOptions::from_names(options::pairs(&values));
    let options = options.map_err(|error| options::exception::<NameOptions>("name", error))?;
    let openings = (!tables.is_empty()).then(|| options::openings(&tables)).transpose()?;
    let inputs = Input::all(source)?;
    let table = options.openings(openings).table(true);
    let listener = Listener::new(problems)?;
    let mut games = Vec::new();
    let rows = py.detach(|| {
        let mut rows = Vec::new();
        run(inputs, &mut rows, &table, listener).map(|ends| (rows, ends))
    });
    let (rows, ends) = rows?;
    let mut begin = 0;
    for (file, end) in ends {
        let rows = String::from_utf8_lossy(&rows[begin..end]);
        games.extend(rows.lines().filter_map(|row| NamedGame::of_row(&file, row)));
        begin = end;
    }
    Ok(games)
}

/// Writes the names of all games; returns the files, and where the output of each ends.
fn run(
    inputs: Vec<Input>,
    output: &mut Vec<u8>,
    options: &NameOptions,
    listener: Listener,
) -> PyResult<Vec<(String, usize)>> {
    let mut watcher = Watcher::new(listener, Raised::default());
    let mut ends = Vec::new();
    for text in input::texts(input::opened(inputs)) {
        let text = text?;
        let file = text.name().to_owned();
        watcher.begin(&text);
        let named = name_text(text, &mut *output, options, &mut watcher);
        watcher.check()?;
        named.map_err(|error| problem::failure(error, &file))?;
        ends.push((file, output.len()));
    }
    watcher.end()?;
    Ok(ends)
}

/// A game and its opening.
#[pyclass(module = "pgn2epd", frozen, get_all, eq)]
#[derive(PartialEq)]
pub(crate) struct NamedGame {
    /// The file.
    file: String,
    /// The number of the game in its file, counted from 1.
    number: u64,
    /// The number of plies before the deepest position with a name; `None` if there is none.
    ply: Option<u32>,
    /// The plies of the game.
    plies: u32,
    /// The ECO code.
    eco: Option<String>,
    /// The NIC code.
    nic: Option<String>,
    /// The name.
    name: Option<String>,
    /// The tag White.
    white: Option<String>,
    /// The tag Black.
    black: Option<String>,
}

impl NamedGame {
    /// Reads a row of a table.
    fn of_row(file: &str, row: &str) -> Option<Self> {
        let mut fields = row.split('\t');
        let mut field = || Some(fields.next()?).filter(|field| *field != "-").map(str::to_owned);
        Some(NamedGame {
            file: file.to_owned(),
            number: field()?.parse().ok()?,
            ply: field().and_then(|ply| ply.parse().ok()),
            plies: field()?.parse().ok()?,
            eco: field(),
            nic: field(),
            name: field(),
            white: field(),
            black: field(),
        })
    }
}

#[pymethods]
impl NamedGame {
    fn __repr__(&self) -> String {
        let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        format!("<NamedGame {} {} {}>", self.number, shown(&self.eco), shown(&self.name))
    }
}
