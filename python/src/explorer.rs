//! Explorer files.

use std::path::PathBuf;

use pgn2epd::Position;
use pgn2epd::book::count_file::{CountFile, CountFileError};
use pgn2epd::book::{Game, GameClass, MoveCode, Occurrence, Tally};
use pgn2epd::chess::{PositionKey, san_of};
use pgn2epd::input::input_name;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::problem::invalid;

/// The positions of an explorer file, which `book` writes, with their counts.
///
/// >>> book = pgn2epd.book("fixtures/classics.pgn", "/tmp/classics.explorer")
/// >>> explorer = pgn2epd.Explorer("/tmp/classics.explorer")
/// >>> found = explorer.find("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")
/// >>> found["games"], [(move["san"], move["games"]) for move in found["moves"]]
/// (3, [('e4', 2), ('d4', 1)])
///
/// If games were counted in classes (`group_by`), `classes` has the counts of each move in each
/// class.
///
/// `find` returns `None` for a position that the file does not have. A file that cannot be read or
/// is damaged raises an `OSError`, text that is not a position a `ValueError`.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Explorer {
    file: CountFile,
    path: PathBuf,
}

#[pymethods]
impl Explorer {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        match CountFile::open(&path) {
            Ok(file) => Ok(Explorer { file, path }),
            Err(CountFileError::Read(error)) => Err(error.into()),
            Err(error) => Err(PyOSError::new_err(format!("{}: {error}", input_name(&path)))),
        }
    }

    /// Number of positions.
    #[getter]
    fn positions(&self) -> u64 {
        self.file.header().positions
    }

    /// Names of the files of the games.
    #[getter]
    fn files(&self) -> Vec<String> {
        self.file.header().files.clone()
    }

    /// The classes of games that are counted separately, as in `group_by`; empty if all are counted
    /// together.
    #[getter]
    fn grouped_by(&self) -> &str {
        &self.file.header().grouped_by
    }

    /// Returns the counts of a position, of its moves, most played first, and the notable games.
    fn find<'p>(&self, py: Python<'p>, fen: &str) -> PyResult<Option<Bound<'p, PyDict>>> {
        let position = Position::from_fen(fen).map_err(invalid)?;
        let found = py.detach(|| self.file.find(PositionKey::of(&position)));
        let found = found
            .map_err(|error| PyOSError::new_err(format!("{}: {error}", input_name(&self.path))))?;
        let Some(mut entry) = found else { return Ok(None) };
        let dict = self.counts(py, &entry.total)?;
        dict.set_item("eco", &entry.eco)?;
        dict.set_item("opening", &entry.opening)?;
        let [moves, games, classes] = [(); 3].map(|()| PyList::empty(py));
        entry.moves.sort_by_key(|(code, tally)| (std::cmp::Reverse(tally.games), *code));
        for (code, tally) in &entry.moves {
            let row = self.counts(py, tally)?;
            set_move(&row, &position, *code)?;
            moves.append(row)?;
        }
        for (code, at) in entry.notable_games() {
            let row = self.game(py, entry.game(at), at)?;
            set_move(&row, &position, code)?;
            games.append(row)?;
        }
        for (code, class, tally) in entry.classes() {
            let row = self.counts(py, tally)?;
            set_move(&row, &position, code)?;
            set_class(&row, class)?;
            classes.append(row)?;
        }
        dict.set_item("moves", moves)?;
        dict.set_item("notable_games", games)?;
        dict.set_item("classes", classes)?;
        Ok(Some(dict))
    }

    fn __len__(&self) -> usize {
        self.file.header().positions as usize
    }

    fn __repr__(&self) -> String {
        format!("<Explorer {:?} positions={}>", self.path, self.positions())
    }
}

impl Explorer {
    fn counts<'p>(&self, py: Python<'p>, tally: &Tally) -> PyResult<Bound<'p, PyDict>> {
        let dict = PyDict::new(py);
        let counts = [tally.games, tally.white, tally.draws, tally.black];
        for (name, count) in ["games", "white", "draws", "black"].into_iter().zip(counts) {
            dict.set_item(name, count)?;
        }
        dict.set_item("rating", tally.mean_rating())?;
        dict.set_item("first_year", known(tally.first_year))?;
        dict.set_item("last_year", known(tally.last_year))?;
        Ok(dict)
    }

    fn game<'p>(&self, py: Python<'p>, game: &Game, at: Occurrence) -> PyResult<Bound<'p, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("white", &*game.white)?;
        dict.set_item("black", &*game.black)?;
        dict.set_item("rating", known(game.elo_sum).map(|sum| f64::from(sum) / 2.0))?;
        dict.set_item("year", known(game.year))?;
        dict.set_item("result", game.outcome.as_str())?;
        dict.set_item("file", self.file.header().files.get(game.file as usize))?;
        dict.set_item("game", game.number)?;
        dict.set_item("ply", at.ply)?;
        Ok(dict)
    }
}

fn set_class(row: &Bound<'_, PyDict>, class: &GameClass) -> PyResult<()> {
    let GameClass { rating, speed, year, month, white, black, .. } = class;
    row.set_item("band", rating)?;
    row.set_item("speed", speed.map(|speed| speed.to_string()))?;
    row.set_item("year", year)?;
    for (name, text) in [("month", month), ("white_player", white), ("black_player", black)] {
        row.set_item(name, text)?;
    }
    Ok(())
}

/// Returns a number of which 0 stands for an unknown one.
fn known(number: u16) -> Option<u16> {
    (number > 0).then_some(number)
}

/// Sets the move; `None` for games that ended in the position.
fn set_move(row: &Bound<'_, PyDict>, position: &Position, code: MoveCode) -> PyResult<()> {
    let played = code.find(position);
    row.set_item("san", played.map(|played| san_of(position, played).to_string()))?;
    row.set_item("uci", played.map(|played| position.uci_of(played).to_string()))
}
