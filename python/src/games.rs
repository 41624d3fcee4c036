//! Games one by one, each with the values of its row in a table of games.

use std::sync::Mutex;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch, downcast_dictionary_array};
use arrow_schema::{DataType, SchemaRef};
use pgn2epd::table::{Column, ColumnValues};
use pyo3::BoundObject;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyType};

use crate::feed::{Feed, lock};
use crate::input::Input;
use crate::problem;
use crate::table::table_options;

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
    let place = GamesPlace { feed, names, schema, batch: None, row: 0 };
    Ok(Games { place: Mutex::new(place) })
}

/// The iterator that `games` returns.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Games {
    place: Mutex<GamesPlace>,
}

struct GamesPlace {
    feed: Feed,
    names: Vec<Py<PyString>>,
    schema: SchemaRef,
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

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        lock(&self.place, "games")?.next(py)
    }

    /// The counts of the run once the iteration has ended, otherwise `None`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.place.try_lock().ok().and_then(|place| place.feed.summary(py)).transpose()
    }
}

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

impl GamesPlace {
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
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
                let tags = tags.text(row).unwrap_or_default();
                let class = CLASS.import(py, "pgn2epd._values", "PlayedGame")?;
                return class.call1((values, tags)).map(Some);
            }
            let Some(mut rows) = self.feed.next_attached(py)? else { return Ok(None) };
            let tags = rows.columns.pop();
            let batch = pgn2epd::arrow::record_batch(rows, &self.schema)
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            (self.batch, self.row) = (tags.map(|tags| (batch, tags)), 0);
        }
    }
}

/// 1970-01-01 as `datetime.date.fromordinal` counts days, from the first day of the year 1.
const EPOCH: i32 = 719_163;

/// `None` if it is missing; else a number, a text, a date, bytes or a list of these.
fn value<'py>(py: Python<'py>, array: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::UInt8 => number::<UInt8Type>(py, array, row)?,
        DataType::UInt16 => number::<UInt16Type>(py, array, row)?,
        DataType::UInt32 => number::<UInt32Type>(py, array, row)?,
        DataType::UInt64 => number::<UInt64Type>(py, array, row)?,
        DataType::Int8 => number::<Int8Type>(py, array, row)?,
        DataType::Int16 => number::<Int16Type>(py, array, row)?,
        DataType::Int32 => number::<Int32Type>(py, array, row)?,
        DataType::Int64 => number::<Int64Type>(py, array, row)?,
        DataType::Float32 => number::<Float32Type>(py, array, row)?,
        DataType::Float64 => number::<Float64Type>(py, array, row)?,
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_pyobject(py)?.into_any(),
        DataType::FixedSizeBinary(_) => {
            PyBytes::new(py, array.as_fixed_size_binary().value(row)).into_any()
        }
        DataType::Date32 => date(py, array.as_primitive::<Date32Type>().value(row))?,
        DataType::LargeList(_) => list(py, &array.as_list::<i64>().value(row))?,
        DataType::FixedSizeList(..) => list(py, &array.as_fixed_size_list().value(row))?,
        DataType::Dictionary(..) => downcast_dictionary_array!(
            array => match array.key(row) {
                Some(key) => value(py, array.values(), key)?,
                None => py.None().into_bound(py),
            },
            other => return Err(unexpected(other))
        ),
        other => return Err(unexpected(other)),
    })
}

fn number<'py, T: ArrowPrimitiveType>(
    py: Python<'py>,
    array: &dyn Array,
    row: usize,
) -> PyResult<Bound<'py, PyAny>>
where
    T::Native: IntoPyObject<'py>,
{
    let number = array.as_primitive::<T>().value(row);
    Ok(number.into_pyobject(py).map_err(Into::into)?.into_any().into_bound())
}

fn list<'py>(py: Python<'py>, items: &dyn Array) -> PyResult<Bound<'py, PyAny>> {
    let items = (0..items.len()).map(|index| value(py, items, index));
    Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// Returns a `datetime.date`.
fn date(py: Python<'_>, days: i32) -> PyResult<Bound<'_, PyAny>> {
    static DATE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    DATE.import(py, "datetime", "date")?.call_method1("fromordinal", (days + EPOCH,))
}

fn unexpected(data_type: &DataType) -> PyErr {
    PyTypeError::new_err(format!("values of the type {data_type} are only for to_arrow"))
}
