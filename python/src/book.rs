//! Opening books.

use std::fmt::Display;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use pgn2epd::book::{
    BookError, BookOptions, Choice, CountError, Counting, EpdOps, EvaluationRange, EvaluationView,
    Figures, Form, Order, Queens, Style, UnknownResult, Weights, write_book,
};
use pgn2epd::output::Output;
use pgn2epd::{ConvertError, Filter, KeepOrSkip, Openings, Options};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::convert::{Raised, Watcher, os_error_of, refuse_to_write_over};
use crate::epd::word_of;
use crate::input::{self, Input};
use crate::problem::{self, Listener};

/// Counts the positions of games, selects some of them, and writes these to `target` as an opening book.
///
/// >>> book = pgn2epd.book("fixtures/classics.pgn", "/tmp/book.epd", ply=(1, 4), min_games=2)
/// >>> book.positions, book.games
/// (3, 6)
///
/// `source` and `problems` are as for `records`; files of positions (EPD, FEN) are read too. The suffix of `target` gives the format: .epd, .pgn,
/// .bin (Polyglot), .csv or .jsonl; otherwise `format` does.
///
/// An empty book is not written, so it does not replace a file.
///
/// The options are those of `pgn2epd book`. What is counted:
///
/// * `where`: a condition on games and positions, such as 'WhiteElo >= 2400';
/// * `ply`: a number of plies, or the first and the last as a tuple, either of which may be None; `last`: the last position of each game;
/// * `variations`: positions of variations, too; `once_per_game`: only the first position of a game that meets all other conditions;
/// * `queens`: "both" or "any"; `no_mate`, `no_check`; `pieces`: the least and the largest number of pieces;
/// * `eval`: the least and the largest evaluation in centipawns; `eval_view`: "mover" or "white";
/// * `on_error`: "keep", "skip" or "stop" for games that have an error.
///
/// What is selected: `min_games`; `min_score`, `max_score` and `max_draws`, shares from 0 to 1; `unknown_result`; `keep_strongest`; `finished`: "keep" or "skip"; `equal_turns`; `sample` and
/// `seed`; `order`: "input", "count", "key", "score" or "shuffle"; of a Polyglot book `min_move_games`, `min_move_score` and `weights`: "points" or
/// "uniform". `operations` is "counts", "clocks" or "none": those of a record of EPD.
///
/// `memory` limits the memory for counting, in bytes; what does not fit is written to the folder `temp_dir`. `jobs` is the number of threads.
#[pyfunction]
#[pyo3(signature = (source, target, *, problems=None, **options))]
pub(crate) fn book(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: PathBuf,
    problems: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Book> {
    let wanted = Wanted::read(options, &target)?;
    let inputs = Input::all(source)?;
    let listener = Listener::new(problems)?;
    refuse_to_write_over(&inputs, |guard| guard.output("the target", &target))?;
    let figures = py.detach(|| {
        let mut output = Output::open(&target).map_err(|error| os_error_of(&error))?;
        let figures = write(inputs, &mut output, &wanted, listener)?;
        if figures.total > 0 {
            output.finish().map_err(|error| os_error_of(&error))?;
        }
        PyResult::Ok(figures)
    })?;
    Ok(Book(figures))
}

/// The values of the keyword arguments.
struct Wanted {
    counted: BookOptions,
    choice: Choice,
    form: Form,
    operations: EpdOps,
}

impl Wanted {
    fn read(named: Option<&Bound<'_, PyDict>>, target: &std::path::Path) -> PyResult<Self> {
        let suffix = target.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
        let mut form = match suffix {
            "epd" | "txt" => Some(Form::Epd),
            "ndjson" => Some(Form::JsonLines),
            suffix => pgn2epd::Keyword::from_word(suffix).ok(),
        };
        let (mut counted, mut choice) = (BookOptions::default(), Choice::default());
        let (mut operations, mut unknown_result) = (EpdOps::Counts, None);
        let mut view = EvaluationView::default();
        for (name, value) in named.into_iter().flatten() {
            let name: String = name.extract()?;
            if value.is_none() {
                continue;
            }
            let word = || value.extract::<String>();
            match &*name {
                "format" => form = Some(word_of("format", &word()?)?),
                "where" => counted.filter = Some(filter(&word()?)?),
                "ply" => (counted.first_ply, counted.last_ply) = range(&value, 0, u32::MAX)?,
                "last" => counted.only_final = value.extract()?,
                "variations" => counted.variations = value.extract()?,
                "once_per_game" => counted.once_per_game = value.extract()?,
                "queens" => counted.queens = Some(word_of::<Queens>("queens", &word()?)?),
                "no_mate" => counted.no_mate = value.extract()?,
                "no_check" => counted.no_check = value.extract()?,
                "pieces" => counted.pieces = Some(range(&value, 0, u32::MAX)?),
                "eval" => {
                    let (least, most) = range(&value, i32::MIN, i32::MAX)?;
                    counted.eval = Some(EvaluationRange { least, most, view });
                }
                "eval_view" => view = word_of("eval_view", &word()?)?,
                "on_error" => counted.on_error = word_of("on_error", &word()?)?,
                "max_game_bytes" => counted.max_game_bytes = value.extract()?,
                "memory" => counted.memory = value.extract::<usize>()?.max(1 << 20),
                "temp_dir" => counted.temp_dir = value.extract()?,
                "jobs" => counted.jobs = Some(value.extract::<NonZeroUsize>()?),
                "min_games" => choice.min_games = value.extract()?,
                "min_score" => choice.min_score = Some(millionths(&name, &value)?),
                "max_score" => choice.max_score = Some(millionths(&name, &value)?),
                "max_draws" => choice.max_draws = Some(millionths(&name, &value)?),
                "unknown_result" => {
                    unknown_result = Some(word_of::<UnknownResult>("unknown_result", &word()?)?);
                }
                "keep_strongest" => choice.keep_strongest = value.extract()?,
                "finished" => {
                    let what = word_of::<KeepOrSkip>("finished", &word()?)?;
                    choice.skip_finished = what == KeepOrSkip::Skip;
                }
                "equal_turns" => choice.equal_turns = value.extract()?,
                "min_move_games" => choice.moves.min_games = value.extract()?,
                "min_move_score" => {
                    choice.moves.min_score = Some(millionths(&name, &value)?);
                }
                "weights" => choice.moves.weights = word_of::<Weights>("weights", &word()?)?,
                "sample" => choice.sample = Some(value.extract()?),
                "seed" => choice.seed = value.extract()?,
                "order" => choice.order = word_of::<Order>("order", &word()?)?,
                "operations" => {
                    operations = match &*word()? {
                        "counts" => EpdOps::Counts,
                        "clocks" => EpdOps::Clocks,
                        "none" => EpdOps::None,
                        _ => {
                            let text = "operations: choose from counts, clocks, none";
                            return Err(PyValueError::new_err(text));
                        }
                    }
                }
                _ => {
                    let text = format!("book() got an unexpected keyword argument '{name}'");
                    return Err(PyTypeError::new_err(text));
                }
            }
        }
        let form = form.ok_or_else(|| {
            let text = format!("{suffix:?} is not a suffix of books: name the format");
            PyValueError::new_err(text)
        })?;
        if !form.is_built() {
            return Err(PyValueError::new_err(BookError::NoColumns.to_string()));
        }
        if let Some(eval) = &mut counted.eval {
            eval.view = view;
        }
        counted.moves = form == Form::Pgn;
        choice.unknown_result = unknown_result.unwrap_or(match form {
            Form::Polyglot => UnknownResult::Draw,
            _ => UnknownResult::Skip,
        });
        Ok(Wanted { counted, choice, form, operations })
    }
}

fn filter(text: &str) -> PyResult<Filter> {
    // As an option it is reported with its name.
    let options = Options::from_names([("where", text)]);
    let options = options.map_err(|error| PyValueError::new_err(error.to_string()))?;
    options.filter.ok_or_else(|| PyValueError::new_err("where is empty"))
}

/// A number, or the least and the largest one.
fn range<T>(value: &Bound<'_, PyAny>, least: T, most: T) -> PyResult<(T, T)>
where
    T: for<'a, 'py> FromPyObject<'a, 'py> + Copy + PartialOrd + Display,
{
    if let Ok(number) = value.extract::<T>() {
        return Ok((number, number));
    }
    let bounds: (Option<T>, Option<T>) = value
        .extract()
        .map_err(|_| PyTypeError::new_err("a range is a number or a tuple of two"))?;
    let (first, last) = (bounds.0.unwrap_or(least), bounds.1.unwrap_or(most));
    if first > last {
        let text = format!("no number is both {first} or more and {last} or less");
        return Err(PyValueError::new_err(text));
    }
    Ok((first, last))
}

/// A share in millionths.
fn millionths(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let share: f64 = value.extract()?;
    if !(0.0..=1.0).contains(&share) {
        return Err(PyValueError::new_err(format!("{name} is a share from 0 to 1, not {share}")));
    }
    Ok((share * 1e6).round() as u64)
}

fn write(
    inputs: Vec<Input>,
    output: &mut dyn Write,
    wanted: &Wanted,
    listener: Listener,
) -> PyResult<Figures> {
    let mut names: Vec<String> = inputs.iter().map(Input::name).collect();
    let mut inputs = inputs;
    // Sorted by name, like the list in the book.
    inputs.sort_by_key(Input::name);
    names.sort();
    let mut counting = Counting::new(&wanted.counted, names);
    let mut watcher = Watcher::new(listener, Raised::default());
    for text in input::texts(inputs) {
        let text = text?;
        let file = text.name().to_owned();
        watcher.begin(&file);
        let counted = counting.text(text, &mut watcher);
        watcher.check()?;
        counted.map_err(|error| match error {
            CountError::Read(error) => problem::failure(ConvertError::Read(error), &file),
            CountError::Condition(_) => PyValueError::new_err(error.to_string()),
            error => PyOSError::new_err(error.to_string()),
        })?;
        if counting.is_over() {
            break;
        }
    }
    watcher.end()?;
    let style =
        Style { form: wanted.form, ops: wanted.operations, names: Some(Openings::embedded()) };
    let BookOptions { memory, temp_dir, .. } = &wanted.counted;
    write_book(counting.finish(), &wanted.choice, &style, *memory, temp_dir, output)
        .map_err(|error| PyOSError::new_err(error.to_string()))
}

/// The numbers of a book.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Book(Figures);

#[pymethods]
impl Book {
    /// Positions.
    #[getter]
    fn positions(&self) -> u64 {
        self.0.total
    }

    /// Positions with White to move.
    #[getter]
    fn white(&self) -> u64 {
        self.0.white
    }

    /// Positions with Black to move.
    #[getter]
    fn black(&self) -> u64 {
        self.0.black
    }

    /// The smallest number of plies before a position.
    #[getter]
    fn min_ply(&self) -> u32 {
        self.0.min_depth
    }

    /// The largest number of plies before a position.
    #[getter]
    fn max_ply(&self) -> u32 {
        self.0.max_depth
    }

    /// The games that reached a position, summed over all positions.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    /// Why the book is empty; `None` if it is not.
    #[getter]
    fn empty(&self) -> Option<String> {
        self.0.empty.as_ref().map(ToString::to_string)
    }

    fn __repr__(&self) -> String {
        format!("<Book positions={} games={}>", self.0.total, self.0.games)
    }
}
