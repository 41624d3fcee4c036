//! Records into a file.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pgn2epd::input::{InputError, InputText};
use pgn2epd::options::{Keyword, OnError, PositionFile};
use pgn2epd::output::{Guard, OutputError, Refused};
use pgn2epd::output::{OutputFiles, OutputPath};
use pgn2epd::{Conversion, ConvertError, Observer, Options};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::input::{self, Input, Object, os_error};
use crate::options;
use crate::problem::{self, EngineProblem, Listener, Problem};

/// The interval between checks for signals such as Ctrl-C.
const SIGNALS: Duration = Duration::from_millis(100);

/// Writes the records of the games in `source` to `target`, like the program with the same options.
///
/// `source` is as for `records`; `target` is a path or a binary file object. A file is replaced
/// only on success and unchanged after an exception, except for the `PgnError` of
/// `on_error="stop"`, which keeps the records before the error.
///
/// Without `format`, the suffix of a path may select it, as for the program: .csv, .jsonl, .arrow
/// and .parquet, .vf, .binpack and .bullet, .fen. With `split` or `rows_per_file`,
/// `target` is the path of a folder.
///
/// >>> out = io.BytesIO()
/// >>> pgn2epd.convert(b"1. e4 e5 *", out, format="fen", last=True)
/// <Summary games=1 positions=1 errors=0 warnings=0>
/// >>> out.getvalue()
/// b'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\n'
///
/// With `progress=True` the numbers of games and positions are shown on standard error; a callable
/// is called with a `Summary` some ten times a second, and at the end.
///
/// Other Python threads can run during the conversion.
#[pyfunction]
#[pyo3(signature = (source, target, *, columns=None, problems=None, progress=None, **options))]
pub(crate) fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    problems: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Summary> {
    let columns = columns.map(|columns| ("columns", columns));
    let path: Option<PathBuf> = if target.hasattr("write")? { None } else { target.extract().ok() };
    let options = options::read_for(path.as_deref(), "convert", options, columns.as_slice())?;
    run(py, source, target, problems, progress, options)
}

/// Writes the positions of the games in `source` to `target` as a Parquet file: `convert` with
/// `format="parquet"`.
///
/// `columns` are those of `to_arrow`.
///
/// >>> file = io.BytesIO()
/// >>> pgn2epd.to_parquet(b"1. e4 e5 *", file, ["ply", "uci"])
/// <Summary games=1 positions=3 errors=0 warnings=0>
/// >>> pyarrow.parquet.read_table(file).to_pylist()[0]
/// {'ply': 0, 'uci': 'e2e4'}
#[pyfunction]
#[pyo3(signature = (source, target, columns=None, *, problems=None, progress=None, **options))]
pub(crate) fn to_parquet(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
    problems: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Summary> {
    let format = PyString::new(py, "parquet").into_any();
    let mut more = vec![("format", &format)];
    more.extend(columns.map(|columns| ("columns", columns)));
    let options = options::read("to_parquet", options, &more)?;
    run(py, source, target, problems, progress, options)
}

fn run(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    problems: Option<&Bound<'_, PyAny>>,
    progress: Option<&Bound<'_, PyAny>>,
    mut options: Options,
) -> PyResult<Summary> {
    let (inputs, listener) = (Input::all(source)?, Listener::new(problems)?);
    let progress = progress_of(progress)?;
    if target.hasattr("write")? {
        refuse_to_write_over(&inputs, options.reach.as_ref(), |guard| add_object(guard, target))?;
        options::refuse_several_files(&options, ", and need a path instead of a file object")?;
        let mut output = BufWriter::with_capacity(1 << 18, Object(target.clone().unbind()));
        return py.detach(|| {
            let raised = Raised::default();
            let output = raised.interrupt(&mut output);
            let conversion = Conversion::new(output, &options);
            write(inputs, conversion, "the file object", &options, (listener, progress), raised)?
                .end()
        });
    }
    let path: PathBuf = target
        .extract()
        .map_err(|_| PyTypeError::new_err("records go to a path or a binary file object"))?;
    let output = OutputPath::new(&path, &options);
    let output = output.map_err(|error| PyValueError::new_err(error.to_string()))?;
    refuse_to_write_over(&inputs, options.reach.as_ref(), |guard| {
        output.add_to(guard, "the target")
    })?;
    py.detach(|| {
        let mut outputs =
            OutputFiles::open(output, &options).map_err(|error| os_error_of(&error))?;
        outputs.set_compression(&mut options);
        let raised = Raised::default();
        let ending = raised.clone();
        let conversion = outputs.conversion(&options, move |output| ending.interrupt(output));
        let target = path.display().to_string();
        let written = write(inputs, conversion, &target, &options, (listener, progress), raised)?;
        let is_whole = written.stopped_by.is_none();
        let finished = match is_whole {
            // As in the program, nothing does not replace a file.
            _ if !written.summary.has_output => Ok(()),
            true => outputs.finish(),
            false => outputs.keep(),
        };
        finished.map_err(|error| os_error_of(&error))?;
        written.end()
    })
}

/// Returns what is called with the summary so far: `True` stands for a line on standard error.
pub(crate) fn progress_of(progress: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Py<PyAny>>> {
    let Some(progress) = progress else { return Ok(None) };
    if progress.is_callable() {
        return Ok(Some(progress.clone().unbind()));
    }
    match progress.extract::<bool>() {
        Ok(false) => Ok(None),
        Ok(true) => {
            let line = progress.py().import("pgn2epd._progress")?.getattr("Line")?.call0()?;
            Ok(Some(line.unbind()))
        }
        Err(_) => Err(PyTypeError::new_err("progress is a bool, a callable or None")),
    }
}

struct Written {
    summary: pgn2epd::Summary,
    /// The error of `on_error="stop"` that ended it.
    stopped_by: Option<Problem>,
}

impl Written {
    fn end(self) -> PyResult<Summary> {
        match self.stopped_by {
            Some(problem) => Err(Python::attach(|py| problem.to_error(py))),
            None => Ok(Summary::new(self.summary)),
        }
    }
}

fn write(
    inputs: Vec<Input>,
    mut conversion: Conversion<'_>,
    target: &str,
    options: &Options,
    (listener, progress): (Listener, Option<Py<PyAny>>),
    raised: Raised,
) -> PyResult<Written> {
    let mut watcher = Watcher::new(listener, raised);
    watcher.progress = progress;
    let outcome = read_all(inputs, options, &mut watcher, |text, watcher| {
        conversion.text(text, watcher)?;
        Ok(conversion.is_over())
    });
    let outcome = outcome.and_then(|()| conversion.finish());
    let (stopped_by, file) = watcher.close()?;
    match outcome {
        Ok(summary) => {
            let filter = options.filter.as_ref();
            Python::attach(|py| problem::warn_of_condition(py, filter, &summary))?;
            Ok(Written { summary, stopped_by })
        }
        Err(error @ ConvertError::Write(_)) => Err(problem::failure(error, target)),
        Err(error) => Err(problem::failure(error, &file)),
    }
}

/// Reads all inputs. `read` reads a text, and returns whether no other is needed.
pub(crate) fn read_all<E: From<ConvertError>>(
    inputs: Vec<Input>,
    options: &Options,
    watcher: &mut Watcher,
    mut read: impl FnMut(InputText<'_>, &mut Watcher) -> Result<bool, E>,
) -> Result<(), E> {
    watcher.stops = options.on_error == OnError::Stop;
    for text in input::opened(inputs).of_kind(options.input) {
        match text {
            Ok(text) => {
                watcher.begin(&text);
                if read(text, watcher)? {
                    break;
                }
            }
            Err(note) if note.is_note() => {}
            Err(InputError { name, error, .. }) => {
                watcher.file = name;
                return Err(ConvertError::Read(error).into());
            }
        }
    }
    Ok(())
}

pub(crate) fn os_error_of(error: &OutputError) -> PyErr {
    os_error(error.io_error(), Path::new(error.name()))
}

/// The exception of a Python callback or a signal, which ends the conversion.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn lock(&self) -> MutexGuard<'_, Option<PyErr>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the exception of a signal, and returns whether there is an exception.
    pub(crate) fn look(&self) -> bool {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *self.lock() = Some(error);
        }
        self.lock().is_some()
    }

    /// Returns an output that fails after an exception.
    pub(crate) fn interrupt<W>(&self, output: W) -> Interruptible<W> {
        Interruptible { output, raised: self.clone() }
    }
}

/// Reports problems and checks for signals during the conversion.
pub(crate) struct Watcher {
    pub(crate) file: String,
    listener: Listener,
    start: u64,
    pub(crate) stops: bool,
    stopped_by: Option<Problem>,
    raised: Raised,
    looked: Instant,
    /// Is called with the summary so far.
    pub(crate) progress: Option<Py<PyAny>>,
    /// The counts of the texts before, and of this one.
    done: pgn2epd::Summary,
    text: pgn2epd::Summary,
}

impl Watcher {
    /// Reports to `listener`, whose exception goes to `raised`.
    pub(crate) fn new(listener: Listener, raised: Raised) -> Self {
        let (file, stopped_by, looked) = (String::new(), None, Instant::now());
        let (done, text) = Default::default();
        Watcher {
            file,
            listener,
            start: 0,
            stops: false,
            stopped_by,
            raised,
            looked,
            progress: None,
            done,
            text,
        }
    }

    pub(crate) fn begin(&mut self, text: &InputText<'_>) {
        text.name().clone_into(&mut self.file);
        self.start = text.start();
        self.done += std::mem::take(&mut self.text);
    }

    /// Calls the callable for the progress. The line of `progress=True` is ended at the end.
    fn show_progress(&self, is_end: bool) {
        let Some(progress) = &self.progress else { return };
        let mut all = self.done;
        all += self.text;
        let called = Python::attach(|py| {
            progress.call1(py, (Summary::new(all),))?;
            match is_end && progress.bind(py).hasattr("_end")? {
                true => progress.call_method0(py, "_end").map(drop),
                false => Ok(()),
            }
        });
        if let Err(error) = called {
            self.raised.lock().get_or_insert(error);
        }
    }

    pub(crate) fn check(&self) -> PyResult<()> {
        self.raised.lock().take().map_or(Ok(()), Err)
    }

    pub(crate) fn end(mut self) -> PyResult<()> {
        Python::attach(|py| self.listener.end(py))
    }

    /// Ends the run with its progress; returns the error that stopped it, and the last file.
    pub(crate) fn close(mut self) -> PyResult<(Option<Problem>, String)> {
        self.show_progress(true);
        self.check()?;
        Python::attach(|py| self.listener.end(py))?;
        Ok((self.stopped_by, self.file))
    }

    pub(crate) fn tell(&mut self, problem: &EngineProblem) {
        let told =
            Python::attach(|py| self.listener.tell_as(py, problem.kind, || problem.to_python(py)));
        if let Err(error) = told {
            self.raised.lock().get_or_insert(error);
        }
    }
}

impl Observer for Watcher {
    fn problem(&mut self, problem: &pgn2epd::Problem) {
        if self.raised.lock().is_some() {
            return;
        }
        let (file, start, problem) = (self.file.clone(), self.start, problem.clone());
        let problem = Problem { file, start, problem };
        if self.stops && problem.is_error() {
            self.stopped_by = Some(problem);
        } else if let Err(error) = Python::attach(|py| self.listener.tell(py, &problem)) {
            *self.raised.lock() = Some(error);
        }
    }

    fn progress(&mut self, summary: &pgn2epd::Summary) {
        self.text = *summary;
        if self.looked.elapsed() >= SIGNALS {
            self.looked = Instant::now();
            self.raised.look();
            self.show_progress(false);
        }
    }
}

/// An output that fails after an exception.
pub(crate) struct Interruptible<W> {
    output: W,
    raised: Raised,
}

impl<W> Interruptible<W> {
    fn check(&self) -> io::Result<()> {
        match *self.raised.lock() {
            Some(_) => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
            None => Ok(()),
        }
    }
}

impl<W: Write> Write for Interruptible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.check()?;
        self.output.flush()
    }
}

/// Refuses a target that is also an input, under any name.
pub(crate) fn refuse_to_write_over(
    inputs: &[Input],
    reach: Option<&PositionFile>,
    add_target: impl FnOnce(&mut Guard) -> Result<(), Refused>,
) -> PyResult<()> {
    let mut guard = Guard::default();
    reach.into_iter().for_each(|file| guard.input(file.path()));
    for mut input in inputs {
        while let Input::Range(file, _) = input {
            input = file;
        }
        match input {
            Input::Path(path) => guard.input(path),
            Input::Object(object) => {
                if let Some(path) = Python::attach(|py| descriptor(object.bind(py))) {
                    guard.input_called(&path, input.name());
                }
            }
            Input::Bytes(_) | Input::Range(..) => {}
        }
    }
    add_target(&mut guard).map_err(|refused| PyValueError::new_err(refused.to_string()))
}

pub(crate) fn add_object(guard: &mut Guard, target: &Bound<'_, PyAny>) -> Result<(), Refused> {
    match descriptor(target) {
        Some(path) => guard.output_called(&path, "the target"),
        None => Ok(()),
    }
}

/// The path of the file that a file object has open.
fn descriptor(object: &Bound<'_, PyAny>) -> Option<PathBuf> {
    let number: u32 = object.call_method0("fileno").ok()?.extract().ok()?;
    let path = PathBuf::from(format!("/dev/fd/{number}"));
    path.exists().then_some(path)
}

/// The counts of a run.
#[pyclass(module = "pgn2epd", frozen, get_all)]
pub(crate) struct Summary {
    /// Games, including those with errors.
    games: u64,
    /// Games with errors.
    bad_games: u64,
    /// Games excluded by `where`, according to their tags.
    left_out: u64,
    /// Records.
    positions: u64,
    /// Positions that were not written because an equal one was written before, with `unique`.
    duplicates: u64,
    /// Positions that were not written because the format needs a result, an evaluation or a move
    /// that the game lacks.
    unlabelled: u64,
    /// Positions and games that the options omit, by the words of `omit` and the names of other
    /// options.
    omitted: HashMap<&'static str, u64>,
    /// Problems that lost positions.
    errors: u64,
    /// Problems without loss.
    warnings: u64,
    /// Harmless departures from the standard, with `notes` or `strict`.
    notes: u64,
    /// Bytes of PGN.
    bytes_read: u64,
}

impl Summary {
    pub(crate) fn new(summary: pgn2epd::Summary) -> Self {
        let omitted = summary.omitted.all().map(|(omission, count)| (omission.word(), count));
        Summary {
            omitted: omitted.collect(),
            games: summary.games,
            bad_games: summary.bad_games,
            left_out: summary.left_out,
            positions: summary.positions,
            duplicates: summary.duplicates,
            unlabelled: summary.unlabelled,
            errors: summary.errors,
            warnings: summary.warnings,
            notes: summary.notes,
            bytes_read: summary.bytes_read,
        }
    }
}

#[pymethods]
impl Summary {
    /// The counts that are not 0, for notebooks.
    fn _repr_html_(&self) -> String {
        let counts = [
            ("games", self.games),
            ("games with errors", self.bad_games),
            ("games left out", self.left_out),
            ("positions", self.positions),
            ("duplicates", self.duplicates),
            ("positions without a label", self.unlabelled),
            ("positions omitted", self.omitted.values().sum()),
            ("errors", self.errors),
            ("warnings", self.warnings),
            ("notes", self.notes),
            ("bytes read", self.bytes_read),
        ];
        let is_shown = |(name, count): &(&str, u64)| {
            *count > 0 || matches!(*name, "games" | "positions" | "errors")
        };
        let row = |(name, count)| format!("<tr><td>{name}</td><td>{count}</td></tr>");
        let rows = counts.into_iter().filter(is_shown).map(row);
        format!("<table><tbody>{}</tbody></table>", rows.collect::<String>())
    }

    fn __repr__(&self) -> String {
        let Summary { games, positions, errors, warnings, .. } = self;
        format!("<Summary games={games} positions={positions} errors={errors} warnings={warnings}>")
    }
}
