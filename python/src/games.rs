//! Games one by one, each with the values of its row in a table of games.

use std::sync::{Mutex, TryLockError};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pgn2epd::table::{Column, ColumnValues};
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::feed::Feed;
use crate::input::Input;
use crate::problem;
use crate::records::{Restored, tags_by_name};
use crate::table::table_options;
use crate::value::value;

/// The largest size of a chunk in bytes. The first game comes when its chunk has been read.
const CHUNK_BYTES: usize = 64 << 10;

/// An iterator over the games in `source`, each with the values that a row of `to_arrow(source,
/// columns, rows="games")` has.
///
/// >>> pgn = b'[White "A"] [WhiteElo "2500"] [TimeControl "300+3"] 1. f3 e5 2. g4 Qh4# 0-1'
/// >>> for game in pgn2epd.games(pgn):
/// ...     print(game.White, game.white_elo, game.increment, game.uci)
/// ...     print(game.result, game.termination, game.problem)
/// A 2500 3.0 ['f2f3', 'e7e5', 'g2g4', 'd8h4']
/// 0-1 checkmate None
///
/// `columns` are variables or names of tags, as in `--columns` of the program; variables of
/// positions are lists with a value for each position, `san`, `uci` and `time` with one for each
/// move. Only these are computed. The default is game, White, Black, date, result, termination,
/// white_elo, black_elo, base_time, increment, eco, opening, plies, uci, clock, eval_cp, mate and
/// problem.
///
/// >>> [game] = pgn2epd.games(b"1. e4 { [%clk 0:05:00] } e5 *", ["san", "clock"])
/// >>> dict(game)
/// {'san': ['e4', 'e5'], 'clock': [None, 300.0, None]}
///
/// `source`, `problems` and the options are those of `records`. Other threads read games ahead of
/// the loop, in bounded memory.
#[pyfunction]
#[pyo3(signature = (source, columns=None, *, problems=None, **options))]
pub(crate) fn games(
    source: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    problems: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Games> {
    let py = source.py();
    let fixed = [("rows", "games"), ("format", "arrow")];
    let mut options = table_options(py, "games", columns, options, &fixed)?;
    let listener = problem::listener(py, problems, &options)?;
    options.chunk_bytes = options.chunk_bytes.min(CHUNK_BYTES);
    let list = options.column_list();
    let names = list.names().map(|name| PyString::intern(py, name).unbind()).collect();
    let schema = pgn2epd::arrow::schema(&list);
    // The tags are the last column.
    let columns = list.columns().iter().cloned().chain([Column::Tags]).collect();
    let feed = Feed::new(Input::all(source)?, options, columns, listener);
    let place = Place { feed, names, schema, batch: None, row: 0 };
    Ok(Games { place: Mutex::new(place) })
}

/// The iterator that `games` returns.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Games {
    place: Mutex<Place>,
}

/// The state of the iteration.
struct Place {
    feed: Feed,
    names: Vec<Py<PyString>>,
    schema: SchemaRef,
    /// The rows, and the tags of each.
    batch: Option<(RecordBatch, ColumnValues)>,
    row: usize,
}

#[pymethods]
impl Games {
    fn __repr__(&self) -> &'static str {
        "<Games>"
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PlayedGame>> {
        let mut place = match self.place.try_lock() {
            Ok(place) => place,
            // Waiting here would hold the interpreter lock and block the other thread.
            Err(TryLockError::WouldBlock) => {
                return Err(PyValueError::new_err("another thread is reading these games"));
            }
            Err(TryLockError::Poisoned(place)) => place.into_inner(),
        };
        place.next(py)
    }

    /// The counts of the run once the iteration has ended, otherwise `None`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let summary = self.place.try_lock().ok().and_then(|place| place.feed.summary);
        summary.map(|summary| problem::summary(py, &summary)).transpose()
    }
}

impl Place {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<PlayedGame>> {
        loop {
            if let Some((batch, tags)) = &self.batch
                && self.row < batch.num_rows()
            {
                let row = self.row;
                self.row += 1;
                let values = PyDict::new(py);
                for (name, column) in self.names.iter().zip(batch.columns()) {
                    values.set_item(name, value(py, column, row)?)?;
                }
                let tags = tags.text(row).unwrap_or_default().to_owned();
                return Ok(Some(PlayedGame { values: values.unbind(), tags }));
            }
            let Some(mut rows) = self.feed.next_attached(py)? else { return Ok(None) };
            let tags = rows.columns.pop();
            let batch = pgn2epd::arrow::record_batch(rows, &self.schema)
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            (self.batch, self.row) = (tags.map(|tags| (batch, tags)), 0);
        }
    }
}

/// A game and the values of its row, as attributes and by name: `game.white_elo`,
/// `game["white_elo"]`, `dict(game)`. Games are equal if all values and tags are.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct PlayedGame {
    values: Py<PyDict>,
    /// Name, NUL, value, NUL, and so on.
    tags: String,
}

#[pymethods]
impl PlayedGame {
    /// All tags by name, as text; the first of several with the same name.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tags_by_name(py, &self.tags)
    }

    /// The names of the values.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.values.bind(py).call_method0("keys")
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let value = self.values.bind(py).get_item(name)?;
        value.ok_or_else(|| PyKeyError::new_err(name.clone().unbind()))
    }

    fn __contains__(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.values.bind(py).contains(name)
    }

    /// For names that are not attributes of the class.
    fn __getattr__<'py>(
        &self,
        py: Python<'py>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let values = self.values.bind(py);
        values.get_item(name)?.ok_or_else(|| {
            let names = values.keys().iter().map(|name| name.to_string()).collect::<Vec<_>>();
            let names = names.join(", ");
            PyAttributeError::new_err(format!(
                "the game has no {name}: name it in columns; it has {names}"
            ))
        })
    }

    fn __dir__<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<String>> {
        let mut names: Vec<String> = this.get_type().dir()?.extract()?;
        for name in this.get().values.bind(this.py()).keys() {
            names.push(name.extract()?);
        }
        Ok(names)
    }

    /// Values that are there, and how many the lists have.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut parts = Vec::new();
        for (name, value) in self.values.bind(py) {
            let value = match value.cast::<PyList>() {
                Ok(list) if list.iter().all(|value| value.is_none()) => continue,
                Ok(list) => format!("[{} values]", list.len()),
                Err(_) if value.is_none() => continue,
                Err(_) => value.repr()?.to_string(),
            };
            parts.push(format!("{}: {value}", name.repr()?));
        }
        Ok(format!("<PlayedGame {{{}}}>", parts.join(", ")))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.tags == other.tags && self.values.bind(py).eq(&other.values)?)
    }

    /// For `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Restored<'py, (Py<PyDict>, String)>> {
        let state = (self.values.clone_ref(py), self.tags.clone());
        Ok((py.get_type::<Self>().getattr("_restored")?, state))
    }

    #[staticmethod]
    fn _restored(values: Py<PyDict>, tags: String) -> Self {
        PlayedGame { values, tags }
    }
}
