//! Positions as an Arrow stream, through the PyCapsule interface.

use std::sync::{Arc, Mutex};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, FieldRef, SchemaRef};
use pgn2epd::Options;
use pgn2epd::options::Conflicts;
use pgn2epd::table::{Column, ColumnList, Fact};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::feed::Feed;
use crate::input::Input;
use crate::options;
use crate::problem::{self, invalid};
use crate::program::lock;

/// The positions of the games in `source` as a table that Arrow readers take batch by batch,
/// without a copy.
///
/// `pyarrow.table(t)`, `polars.DataFrame(t)`, `duckdb.sql("from t")` read it;
/// `pyarrow.RecordBatchReader.from_stream(t)` returns one batch at a time, in bounded memory. Games
/// are read on the first request.
///
/// `columns` are variables or names of tags, as in `--columns` of the program: `["fen", "move=uci",
/// "White"]`. The default is game, ply, fen, san, uci, turn, eval_cp, mate, depth, time, clock,
/// result, white_elo, black_elo, eco and opening.
///
/// >>> columns = ["ply", "uci", "White"]
/// >>> table = pyarrow.table(pgn2epd.to_arrow(b'[White "Anderssen"] 1. e4 e5 *', columns))
/// >>> table.to_pylist()[0]
/// {'ply': 0, 'uci': 'e2e4', 'White': 'Anderssen'}
///
/// With `rows="games"` there is a row for each game, with lists:
///
/// >>> pyarrow.table(pgn2epd.to_arrow(b"1. e4 e5 *", ["plies", "san"], rows="games")).to_pylist()
/// [{'plies': 2, 'san': ['e4', 'e5']}]
///
/// `source`, `problems` and the options are those of `records`; there is one row for each record
/// that the program would write. Arrow readers raise their own exceptions; `error` is the original
/// one.
#[pyfunction]
#[pyo3(signature = (source, columns=None, *, problems=None, **options))]
pub(crate) fn to_arrow(
    source: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    problems: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<ArrowTable> {
    // Rows of games are those of a table, and the default format is not one.
    let has = |name| options.map_or(Ok(false), |options| options.contains(name));
    let is_table = has("rows")? && !has("format")?;
    let fixed = if is_table { &[("format", "arrow")][..] } else { &[] };
    let options = table_options(source.py(), "to_arrow", columns, options, fixed)?;
    let columns = options.column_list();
    let listener = problem::listener(source.py(), problems, &options)?;
    let inputs = Input::all(source)?;
    refuse_numbers_in_ranges(&inputs, &columns)?;
    let run = Arc::new(Mutex::new(LastReading { was_read: false, error: None, summary: None }));
    let schema = pgn2epd::arrow::schema(&columns);
    Ok(ArrowTable { inputs, options, columns, listener, schema, run })
}

/// Refuses numbers that would be counted from the beginning of a range.
fn refuse_numbers_in_ranges(inputs: &[Input], columns: &ColumnList) -> PyResult<()> {
    let is_inside = |input: &Input| matches!(input, Input::Range(_, range) if range.start > 0);
    let is_number =
        |column: &&Column| [Some(Fact::Game), Some(Fact::Line)].contains(&column.fact());
    match columns.columns().iter().find(is_number) {
        Some(column) if inputs.iter().any(is_inside) => Err(invalid(format!(
            "{column} is a number in the whole file, and unknown in a range: file and offset tell games apart"
        ))),
        _ => Ok(()),
    }
}

/// `function` makes rows with these columns; `fixed` are options with a value not the user's.
pub(crate) fn table_options(
    py: Python<'_>,
    function: &str,
    columns: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
    fixed: &[(&str, &str)],
) -> PyResult<Options> {
    let columns = columns.map(comma_separated).transpose()?;
    let mut fixed = fixed.to_vec();
    // In a table the columns are an option.
    let is_table = fixed.iter().any(|(name, _)| *name == "format");
    fixed.extend(columns.as_deref().filter(|_| is_table).map(|columns| ("columns", columns)));
    let mut options = options::read(py, function, options, &fixed)?;
    options::refuse_several_files(&options)?;
    if options.conflicts == Conflicts::Mean {
        return Err(invalid("conflicts=\"mean\" is for convert: a row is of one game"));
    }
    if let Some(columns) = columns {
        let list = columns.parse::<ColumnList>();
        options.columns = Some(list.map_err(invalid)?);
    }
    Ok(options)
}

/// Returns names of columns as they are written on the command line.
fn comma_separated(columns: &Bound<'_, PyAny>) -> PyResult<String> {
    let names: Vec<String> =
        columns.extract().or_else(|_| columns.extract().map(|text| vec![text]))?;
    Ok(names.join(","))
}

/// Positions for Arrow readers: the value of `to_arrow`. It is computed each time it is read.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct ArrowTable {
    inputs: Vec<Input>,
    options: Options,
    columns: ColumnList,
    listener: Py<PyAny>,
    schema: SchemaRef,
    run: Arc<Mutex<LastReading>>,
}

struct LastReading {
    was_read: bool,
    error: Option<PyErr>,
    summary: Option<pgn2epd::Summary>,
}

#[pymethods]
impl ArrowTable {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.columns.names().collect()
    }

    /// The exception that ended the last reading, if any.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<PyErr> {
        lock(&self.run).error.as_ref().map(|error| error.clone_ref(py))
    }

    /// The counts of the run once all rows were read, otherwise `None`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        lock(&self.run).summary.map(|summary| problem::summary(py, &summary)).transpose()
    }

    /// The columns and their types, for the PyCapsule interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema).map_err(invalid)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, for the PyCapsule interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows other types than requested; the reader casts.
        let _ = requested_schema;
        let stream = BatchStream {
            waiting: Some(WaitingRun {
                inputs: self.inputs.iter().map(|input| input.again(py)).collect(),
                options: self.options.clone(),
                columns: self.columns.columns().to_vec(),
                listener: self.listener.call_method0(py, "again")?,
            }),
            feed: None,
            schema: Arc::clone(&self.schema),
            run: Arc::clone(&self.run),
        };
        PyCapsule::new_with_value(
            py,
            FFI_ArrowArrayStream::new(Box::new(stream)),
            c"arrow_array_stream",
        )
    }

    /// pandas reads rows of Python objects from what it does not know.
    fn __iter__(&self) -> PyResult<Bound<'_, PyAny>> {
        Err(PyTypeError::new_err(
            "a table is not a sequence of rows: read it with pandas.DataFrame.from_arrow(table), polars.DataFrame(table), pyarrow.table(table) or DuckDB",
        ))
    }

    /// The columns and their types, for notebooks.
    fn _repr_html_(&self) -> String {
        let row = |(name, field): (&str, &FieldRef)| {
            let name = name.replace('&', "&amp;").replace('<', "&lt;");
            format!("<tr><td>{name}</td><td>{}</td></tr>", field.data_type())
        };
        let rows = self.columns().into_iter().zip(self.schema.fields()).map(row);
        let head = "<tr><th>column</th><th>type</th></tr>";
        format!("<table><thead>{head}</thead><tbody>{}</tbody></table>", rows.collect::<String>())
    }

    fn __repr__(&self) -> String {
        format!("<ArrowTable of {}>", self.columns().join(", "))
    }
}

struct WaitingRun {
    inputs: Vec<Input>,
    options: Options,
    columns: Vec<Column>,
    listener: Py<PyAny>,
}

/// The run starts with the first row: many readers request a stream only to see its columns.
struct BatchStream {
    waiting: Option<WaitingRun>,
    feed: Option<Feed>,
    schema: SchemaRef,
    run: Arc<Mutex<LastReading>>,
}

impl Iterator for BatchStream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(waiting) = self.waiting.take() {
            match self.begin(waiting) {
                Ok(feed) => self.feed = Some(feed),
                Err(error) => return Some(Err(self.failed(error))),
            }
        }
        let feed = self.feed.as_mut()?;
        match feed.next() {
            Ok(Some(rows)) => Some(pgn2epd::arrow::record_batch(rows, &self.schema)),
            Ok(None) => {
                lock(&self.run).summary = feed.summary;
                self.feed = None;
                None
            }
            Err(error) => {
                self.feed = None;
                Some(Err(self.failed(error)))
            }
        }
    }
}

impl RecordBatchReader for BatchStream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl BatchStream {
    fn begin(&self, waiting: WaitingRun) -> PyResult<Feed> {
        let WaitingRun { inputs, options, columns, listener } = waiting;
        let mut run = lock(&self.run);
        if run.was_read && !inputs.iter().all(Input::is_lasting) {
            return Err(invalid("a file object can be read once"));
        }
        *run = LastReading { was_read: true, error: None, summary: None };
        Ok(Feed::new(inputs, options, columns, listener))
    }

    /// Keeps the exception: the interface only transmits its text.
    fn failed(&self, error: PyErr) -> ArrowError {
        let text = error.to_string();
        lock(&self.run).error = Some(error);
        ArrowError::ExternalError(text.into())
    }
}
