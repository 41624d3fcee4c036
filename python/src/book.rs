//! Opening books.

use std::io::Write;
use std::path::{Path, PathBuf};

use pgn2epd::ConvertError;
use pgn2epd::analyse::{AnalyseError, AnalyseOptions, FailedPosition, book_has, use_cache};
use pgn2epd::book::{
    BookError, BookOptions, CountError, Counting, EngineWindow, Figures, Form, write_book,
    write_evaluated_book,
};
use pgn2epd::options::{Keyword, OnDamage};
use pgn2epd::output::Output;
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::analyse;
use crate::convert::{Raised, Watcher, os_error_of, refuse_to_write_over};
use crate::input::{self, Input};
use crate::options;
use crate::problem::{self, EngineProblem, Listener};

/// Counts the positions of games, selects some of them, and writes these to `target` as an opening
/// book.
///
/// >>> book = pgn2epd.book("fixtures/classics.pgn", "/tmp/book.epd", ply=(1, 4), min_games=2)
/// >>> book.positions, book.games
/// (3, 6)
///
/// `source` and `problems` are as for `records`; files of positions (EPD, FEN) are read too. The
/// suffix of `target` gives the format: .epd, .pgn, .bin (Polyglot), .explorer, .csv or .jsonl;
/// otherwise `format` does.
///
/// An empty book is not written, so it does not replace a file.
///
/// With `engine` a UCI engine selects the positions, as in `analyse`: a position that it does not
/// evaluate is a problem of the kind "engine", and not in the book; `cache` is the path of a file
/// that keeps evaluations.
///
/// The options are those of `pgn2epd book`; `help(pgn2epd.BookOptions)` describes them.
#[pyfunction]
#[pyo3(signature = (source, target, *, cache=None, problems=None, **options))]
pub(crate) fn book(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: PathBuf,
    cache: Option<PathBuf>,
    problems: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Book> {
    let raised = Raised::default();
    let (others, engine) = analyse::divide("book", options, |_, name| book_has(name))?;
    let options = read_options(others.as_ref(), &target)?;
    let engine = match &engine[..] {
        [] if cache.is_some() => return Err(PyValueError::new_err("cache is for an engine")),
        [] => None,
        engine => Some(analyse::engine("book", engine, &raised)?),
    };
    let inputs = Input::all(source)?;
    let listener = Listener::new(problems)?;
    refuse_to_write_over(&inputs, options.reach.as_ref(), |guard| {
        guard.output("the target", &target)?;
        cache.iter().try_for_each(|cache| guard.output("the cache", cache))
    })?;
    let failures = Watcher::new(listener.again(py), raised.clone());
    let figures = py.detach(|| {
        let mut output = Output::open(&target).map_err(|error| os_error_of(&error))?;
        let name = target.to_string_lossy();
        let run = Run { options, engine, cache, failures, raised, name: &name };
        let figures = run.write(inputs, &mut output, listener)?;
        if figures.total > 0 {
            output.finish().map_err(|error| os_error_of(&error))?;
        }
        PyResult::Ok(figures)
    })?;
    Ok(Book {
        positions: figures.total,
        white: figures.white,
        black: figures.black,
        min_ply: figures.min_depth,
        max_ply: figures.max_depth,
        games: figures.games,
        empty: figures.empty,
    })
}

/// Reads the options; the name of the output may select the format.
fn read_options(named: Option<&Bound<'_, PyDict>>, target: &Path) -> PyResult<BookOptions> {
    let values = options::texts_of::<BookOptions>("book", named, &[], &mut |_| {
        Err(PyTypeError::new_err("book() got an unexpected keyword argument 'openings'"))
    })?;
    let suffix = target.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
    let by_name = Form::suffixes().find(|(known, _)| *known == suffix);
    let is_stated = values.iter().any(|(name, _)| name == "format");
    let form = match by_name {
        _ if is_stated => None,
        Some((_, form)) => Some(("format", form.word())),
        None => {
            let text = format!("{suffix:?} is not a suffix of books: name the format");
            return Err(PyValueError::new_err(text));
        }
    };
    let read = BookOptions::from_names(options::pairs(&values).chain(form));
    let read = read.map_err(|error| options::exception::<BookOptions>("book", error))?;
    let is_built = read.format.unwrap_or_default().check_built();
    is_built.map(|()| read).map_err(|error| PyValueError::new_err(error.to_string()))
}

struct Run<'r> {
    options: BookOptions,
    engine: Option<AnalyseOptions>,
    cache: Option<PathBuf>,
    /// Reports what the engine does not evaluate.
    failures: Watcher,
    raised: Raised,
    /// The target in messages.
    name: &'r str,
}

impl Run<'_> {
    fn write(
        mut self,
        inputs: Vec<Input>,
        output: &mut dyn Write,
        listener: Listener,
    ) -> PyResult<Figures> {
        let failed = |error| analyse::exception(error, self.name, self.name);
        let start = |engine| EngineWindow::start(&mut self.options, engine);
        let mut window = self.engine.as_ref().map(start).transpose().map_err(failed)?;
        if let (Some(window), Some(path)) = (&mut window, &self.cache) {
            let used = use_cache(path, |cache, additions| window.use_cache(cache, additions));
            used.map_err(failed)?;
        }
        let watcher = Watcher::new(listener, self.raised.clone());
        let counting = Counting::new(&self.options, names(&inputs)).only_for_book(&self.options);
        let counting = counted(counting, inputs, &self.options, watcher)?;
        let written = match &mut window {
            None => write_book(counting.finish(), &self.options, output),
            Some(window) => {
                window.on_failure(|FailedPosition { fen, error, .. }| {
                    let message = format!("{fen}: {error}");
                    self.failures.tell(&EngineProblem::failed(None, error.to_string(), message));
                });
                write_evaluated_book(counting.finish(), &self.options, window, output)
            }
        };
        drop(window);
        self.failures.check()?;
        self.failures.end()?;
        written.map_err(|error| match error {
            BookError::Evaluate(error) => match error.downcast::<AnalyseError>() {
                Ok(error) => analyse::exception(*error, self.name, self.name),
                Err(error) => PyOSError::new_err(error.to_string()),
            },
            error => PyOSError::new_err(error.to_string()),
        })
    }
}

fn names(inputs: &[Input]) -> Vec<String> {
    inputs.iter().map(Input::name).collect()
}

fn counted(
    mut counting: Counting,
    inputs: Vec<Input>,
    options: &BookOptions,
    mut watcher: Watcher,
) -> PyResult<Counting> {
    let mut inputs = inputs;
    // Sorted by name, like the list in the book.
    inputs.sort_by_key(Input::name);
    let inputs = input::opened(inputs).of_kind(options.input);
    for text in input::texts(inputs) {
        let text = text?;
        let file = text.name().to_owned();
        watcher.begin(&text);
        let counted = counting.text(text, &mut watcher);
        watcher.check()?;
        match counted {
            Ok(_) => {}
            Err(CountError::Read(error)) => {
                let is_raised = error.get_ref().is_some_and(|error| error.is::<PyErr>());
                let failure = problem::failure(ConvertError::Read(error), &file);
                if options.on_damage == OnDamage::Stop || is_raised {
                    return Err(failure);
                }
                Python::attach(|py| problem::warn(py, &failure.value(py).to_string()))?;
            }
            Err(error @ CountError::Source { .. }) => {
                return Err(PyValueError::new_err(error.to_string()));
            }
            Err(error) => return Err(PyOSError::new_err(error.to_string())),
        }
        if counting.is_over() {
            break;
        }
    }
    watcher.close()?;
    Ok(counting)
}

/// The numbers of a book.
#[pyclass(module = "pgn2epd", frozen, get_all)]
pub(crate) struct Book {
    /// Positions.
    positions: u64,
    /// Positions with White to move.
    white: u64,
    /// Positions with Black to move.
    black: u64,
    /// The smallest number of plies before a position.
    min_ply: u32,
    /// The largest number of plies before a position.
    max_ply: u32,
    /// The games that reached a position, summed over all positions.
    games: u64,
    /// Why the book is empty; `None` if it is not.
    empty: Option<String>,
}

#[pymethods]
impl Book {
    fn __repr__(&self) -> String {
        format!("<Book positions={} games={}>", self.positions, self.games)
    }
}
