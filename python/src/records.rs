//! Records one by one.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;

use pgn2epd::options::{Format, Keyword};
use pgn2epd::table::{Column, Fact, Rows, Values};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::feed::{Feed, lock};
use crate::input::Input;
use crate::problem::{self, invalid};
use crate::{epd, options};

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

/// Rows of a default chunk would need tens of megabytes; a loop in Python is the slower part.
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
        return Err(invalid(
            "records have the formats epd, fen, perl and crafty; for labels take convert or to_arrow",
        ));
    }
    let listener = problem::listener(source.py(), problems, &options)?;
    let (inputs, format) = (Input::all(source)?, options.format);
    let feed = Feed::new(inputs, options, COLUMNS.to_vec(), listener);
    let place = RecordsPlace { feed, rows: Rows::default(), row: 0, game: None, format };
    Ok(Records { place: Mutex::new(place) })
}

/// The iterator that `records` returns.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Records {
    place: Mutex<RecordsPlace>,
}

struct RecordsPlace {
    feed: Feed,
    rows: Rows,
    row: usize,
    game: Option<(u64, u64, String, Py<PyAny>)>,
    format: Format,
}

/// The class of their games.
static GAME: PyOnceLock<Py<PyType>> = PyOnceLock::new();

#[pymethods]
impl Records {
    fn __repr__(&self) -> &'static str {
        "<Records>"
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Record>> {
        let mut place = lock(&self.place, "records")?;
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
        self.place.try_lock().ok().and_then(|place| place.feed.summary(py)).transpose()
    }
}

impl RecordsPlace {
    fn record(&mut self, py: Python<'_>, row: usize) -> PyResult<Record> {
        let game = self.game(py, row)?;
        let [record, fen, san, uci, ply, ..] = &self.rows.columns[..] else {
            return Err(invalid("a row has too few columns"));
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
    fn game(&mut self, py: Python<'_>, row: usize) -> PyResult<Py<PyAny>> {
        let [.., game, tags, file, line] = &self.rows.columns[..] else {
            return Err(invalid("a row has too few columns"));
        };
        let (number, line) = (number(game, row), number(line, row));
        let file = file.text(row).unwrap_or_default();
        if let Some((known, of_line, of_file, game)) = &self.game
            && (*known, *of_line, &**of_file) == (number, line, file)
        {
            return Ok(game.clone_ref(py));
        }
        let class = GAME.import(py, "pgn2epd._values", "Game")?;
        let game = class.call1((number, file, line, tags.text(row).unwrap_or_default()))?.unbind();
        self.game = Some((number, line, file.to_owned(), game.clone_ref(py)));
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
    game: Py<PyAny>,
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
        epd::operations_of(py, &self.text, self.format)
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
    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.values() == other.values() && self.game.bind(py).eq(&other.game)?)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.text, self.ply).hash(&mut hasher);
        hasher.finish()
    }

    /// For `pickle` and `copy`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, RecordState)> {
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
        game: Py<PyAny>,
        format: &str,
    ) -> PyResult<Self> {
        let format = Format::from_word(format).map_err(invalid)?;
        Ok(Record { text, fen, san, uci, ply, game, format })
    }
}

type RecordState = (String, String, Option<String>, Option<String>, u32, Py<PyAny>, &'static str);

impl Record {
    fn values(&self) -> (&String, &String, &Option<String>, &Option<String>, u32, Format) {
        (&self.text, &self.fen, &self.san, &self.uci, self.ply, self.format)
    }
}
