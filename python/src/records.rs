//! Records one by one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, TryLockError};

use pgn2epd::options::{Format, Keyword};
use pgn2epd::table::{Column, Fact, Rows, Values};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::feed::Feed;
use crate::input::Input;
use crate::{operations, options, problem};

/// The columns of each record, in this order.
const COLUMNS: [Column; 9] = [
    Column::Fact(Fact::Record),
    Column::Fact(Fact::Fen),
    Column::Fact(Fact::San),
    Column::Fact(Fact::Uci),
    Column::Fact(Fact::Ply),
    Column::Fact(Fact::Game),
    Column::Tags,
    Column::Fact(Fact::File),
    Column::Fact(Fact::Line),
];

/// At most, in bytes: the rows of a default chunk would need tens of megabytes.
/// Small chunks suffice: a loop in Python takes longer for a record than the library.
const CHUNK_BYTES: usize = 4 << 10;

/// An iterator over the records of the games in `source`, like those of the program with the same
/// options.
///
/// `source` is a path, a pattern such as `games/*.pgn`, bytes, a memoryview, a binary file object,
/// or a list of these. Other threads read games ahead of the loop, in bounded memory.
///
/// >>> for record in pgn2epd.records(b"1. e4 e5 *"):
/// ...     print(record.ply, record.epd, record.move)
/// 0 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - e4
/// 1 rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 e5
/// 2 rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 None
///
/// Options are those of the command line, with `_` instead of `-`; `help(pgn2epd.Options)` explains
/// each of them:
///
/// >>> [record] = pgn2epd.records(b"1. e4 e5 *", last=True, add="id={ply} plies", registers="off")
/// >>> record.operations
/// {'fmvn': 2, 'hmvc': 0, 'id': '2 plies'}
///
/// A record contains all of its registers (`c0`, `eco`, `v0` and so on); with `registers="delta"`,
/// the default of the program, only those that changed since the previous record.
///
/// Problems in games go to `problems`, a list or a function, as `Problem` objects; otherwise they
/// become warnings (`PgnWarning`). With `on_error="stop"` the first error raises a `PgnError`,
/// after the records before it.
#[pyfunction]
#[pyo3(signature = (source, *, problems=None, **options))]
pub(crate) fn records(
    source: &Bound<'_, PyAny>,
    problems: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Records> {
    let mut options = options::read(source.py(), "records", options, &[])?;
    options::refuse_several_files(&options)?;
    options.chunk_bytes = options.chunk_bytes.min(CHUNK_BYTES);
    if let Format::Label(_) = options.format {
        return Err(PyValueError::new_err(
            "records have the formats epd, fen, perl and crafty; for labels take convert or to_arrow",
        ));
    }
    let listener = problem::listener(source.py(), problems, &options)?;
    let (inputs, format) = (Input::all(source)?, options.format);
    let feed = Feed::new(inputs, options, COLUMNS.to_vec(), listener);
    let place = Place { feed, rows: Rows::default(), row: 0, game: None, format };
    Ok(Records { place: Mutex::new(place) })
}

/// The iterator that `records` returns.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Records {
    place: Mutex<Place>,
}

/// The state of the iteration.
struct Place {
    feed: Feed,
    rows: Rows,
    row: usize,
    game: Option<Py<Game>>,
    format: Format,
}

#[pymethods]
impl Records {
    fn __repr__(&self) -> &'static str {
        "<Records>"
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Record>> {
        let mut place = match self.place.try_lock() {
            Ok(place) => place,
            // Waiting here would hold the interpreter lock and block the other thread.
            Err(TryLockError::WouldBlock) => {
                return Err(PyValueError::new_err("another thread is reading these records"));
            }
            Err(TryLockError::Poisoned(place)) => place.into_inner(),
        };
        while place.row >= place.rows.len() {
            let Some(rows) = place.feed.next_attached(py)? else { return Ok(None) };
            (place.rows, place.row) = (rows, 0);
        }
        let row = place.row;
        place.row += 1;
        place.record(py, row).map(Some)
    }

    /// The counts of the run once the iteration has ended, otherwise `None`.
    #[getter]
    fn summary(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let summary = self.place.try_lock().ok().and_then(|place| place.feed.summary);
        summary.map(|summary| problem::summary(py, &summary)).transpose()
    }
}

impl Place {
    fn record(&mut self, py: Python<'_>, row: usize) -> PyResult<Record> {
        let game = self.game(py, row)?;
        let [record, fen, san, uci, ply, ..] = &self.rows.columns[..] else {
            return Err(PyValueError::new_err("a row has too few columns"));
        };
        let text = |column: &pgn2epd::table::ColumnValues| column.text(row).map(str::to_owned);
        Ok(Record {
            text: text(record).unwrap_or_default(),
            fen: text(fen).unwrap_or_default(),
            san: text(san),
            uci: text(uci),
            ply: number(ply, row) as u32,
            game,
            format: self.format,
        })
    }

    /// The game of a row: the same object for all of its records.
    fn game(&mut self, py: Python<'_>, row: usize) -> PyResult<Py<Game>> {
        let [.., game, tags, file, line] = &self.rows.columns[..] else {
            return Err(PyValueError::new_err("a row has too few columns"));
        };
        let (number, line) = (number(game, row), number(line, row));
        let file = file.text(row).unwrap_or_default();
        if let Some(game) = &self.game {
            let known = game.get();
            if known.number == number && known.line == line && *known.file == *file {
                return Ok(game.clone_ref(py));
            }
        }
        let tags = tags.text(row).unwrap_or_default().into();
        let game = Py::new(py, Game { number, line, file: file.into(), tags })?;
        self.game = Some(game.clone_ref(py));
        Ok(game)
    }
}

fn number(column: &pgn2epd::table::ColumnValues, row: usize) -> u64 {
    match &column.values {
        Values::I64(values) => values[row] as u64,
        Values::I32(values) => values[row] as u64,
        _ => 0,
    }
}

/// A position of a game, its operations, and the move played from it. `str(record)` is the record
/// as the program writes it.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Record {
    text: String,
    /// The six fields.
    #[pyo3(get)]
    fen: String,
    san: Option<String>,
    /// The move played, in UCI notation.
    #[pyo3(get)]
    uci: Option<String>,
    /// The number of plies played before; 0 at the start.
    #[pyo3(get)]
    ply: u32,
    /// The game of the record.
    #[pyo3(get)]
    game: Py<Game>,
    format: Format,
}

#[pymethods]
impl Record {
    /// The move played, in SAN; `None` at the end of the game.
    #[getter(r#move)]
    fn played(&self) -> Option<&str> {
        self.san.as_deref()
    }

    /// The four fields: placement, side to move, castling rights, en passant square.
    #[getter]
    fn fields(&self) -> (&str, &str, &str, &str) {
        let mut fields = self.fen.split(' ');
        let mut next = || fields.next().unwrap_or_default();
        (next(), next(), next(), next())
    }

    /// The four fields as one text.
    #[getter]
    fn epd(&self) -> &str {
        self.fen.rsplitn(3, ' ').last().unwrap_or_default()
    }

    /// The operations by opcode, in the order of the record: a number as `int`, moves as a list,
    /// two texts as a tuple, a missing operand as `None`, anything else as `str`.
    #[getter]
    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        operations::read(py, &self.text, self.format)
    }

    /// The diagram for notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        crate::diagram::svg(&self.text)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Record {}>", self.text)
    }

    /// Records are equal if they have the same text, the same move and equal games.
    fn __eq__(&self, other: &Self) -> bool {
        self.values() == other.values() && self.game.get() == other.game.get()
    }

    fn __hash__(&self) -> u64 {
        hash(&(&self.text, self.ply))
    }

    /// For `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Restored<'py, RecordState>> {
        let (text, fen, san, uci, ply, format) = self.values();
        let owned = |text: &Option<String>| text.clone();
        let game = self.game.clone_ref(py);
        let state = (text.clone(), fen.clone(), owned(san), owned(uci), ply, game, format.word());
        Ok((py.get_type::<Self>().getattr("_restored")?, state))
    }

    #[staticmethod]
    fn _restored(
        text: String,
        fen: String,
        san: Option<String>,
        uci: Option<String>,
        ply: u32,
        game: Py<Game>,
        format: &str,
    ) -> PyResult<Self> {
        let format =
            Format::from_word(format).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Record { text, fen, san, uci, ply, game, format })
    }
}

/// A function and its arguments, as `pickle` wants them.
pub(crate) type Restored<'py, State> = (Bound<'py, PyAny>, State);

type RecordState = (String, String, Option<String>, Option<String>, u32, Py<Game>, &'static str);

impl Record {
    /// All values but the game.
    fn values(&self) -> (&String, &String, &Option<String>, &Option<String>, u32, Format) {
        (&self.text, &self.fen, &self.san, &self.uci, self.ply, self.format)
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// A game: its tags and its location. Games are equal if all of these are.
#[pyclass(module = "pgn2epd", frozen, eq, hash)]
#[derive(PartialEq, Hash)]
pub(crate) struct Game {
    /// Its number in the file, counted from 1.
    #[pyo3(get)]
    number: u64,
    /// The file.
    #[pyo3(get)]
    file: String,
    /// The line of the file on which it begins.
    #[pyo3(get)]
    line: u64,
    /// Name, NUL, value, NUL, and so on.
    tags: String,
}

#[pymethods]
impl Game {
    /// The tags by name; the first of several with the same name.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tags_by_name(py, &self.tags)
    }

    fn __repr__(&self) -> String {
        format!("<Game {} of {}>", self.number, self.file)
    }

    /// For `pickle` and `copy`.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<Restored<'py, (u64, String, u64, String)>> {
        let state = (self.number, self.file.clone(), self.line, self.tags.clone());
        Ok((py.get_type::<Self>().getattr("_restored")?, state))
    }

    #[staticmethod]
    fn _restored(number: u64, file: String, line: u64, tags: String) -> Self {
        Game { number, file, line, tags }
    }
}

/// Reads name, NUL, value, NUL, and so on; of several tags with the same name, the first.
pub(crate) fn tags_by_name<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    let tags = PyDict::new(py);
    let mut parts = text.split('\0');
    while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
        if !tags.contains(name)? {
            tags.set_item(name, value)?;
        }
    }
    Ok(tags)
}
