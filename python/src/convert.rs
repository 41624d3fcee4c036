//! Records into a file.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgn2epd::{Conversion, ConvertError, OnError, Options, Watch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tempfile::NamedTempFile;

use crate::input::{Input, Object, os_error};
use crate::options;
use crate::problem::{self, Listener, Problem};

/// How often a signal, Ctrl-C say, is looked for.
const SIGNALS: Duration = Duration::from_millis(100);

/// Writes the records of the games in `source` into `target`, as the program writes them with the same options.
///
/// `source` is as for `records`; `target` is a path or a binary file object. A file is replaced only once all is written; after
/// an exception it is as it was, but for the `PgnError` of `on_error="stop"`: what was written before the error stands.
///
/// >>> out = io.BytesIO()
/// >>> pgn2epd.convert(b"1. e4 e5 *", out, format="fen", last=True)
/// <Summary games=1 positions=1 errors=0 warnings=0>
/// >>> out.getvalue()
/// b'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\n'
///
/// Other threads of Python run meanwhile.
#[pyfunction]
#[pyo3(signature = (source, target, *, problems=None, **options))]
pub(crate) fn convert(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    problems: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Summary> {
    let options = options::read("convert", options)?;
    let (inputs, listener) = (Input::all(source)?, Listener::new(problems)?);
    if target.hasattr("write")? {
        let mut output = BufWriter::with_capacity(1 << 18, Object(target.clone().unbind()));
        return py
            .detach(|| write(inputs, &mut output, "the file object", &options, listener)?.end());
    }
    let path: PathBuf = target
        .extract()
        .map_err(|_| PyTypeError::new_err("records go to a path or a binary file object"))?;
    refuse_to_write_over(&inputs, &path)?;
    py.detach(|| {
        let mut output = Output::open(&path).map_err(|error| os_error(error, &path))?;
        let written = write(inputs, &mut output, &path.display().to_string(), &options, listener)?;
        output.finish().map_err(|error| os_error(error, &path))?;
        written.end()
    })
}

/// A conversion that is done.
struct Written {
    summary: pgn2epd::Summary,
    /// The error that ended it, if one was to.
    stopped_by: Option<Problem>,
}

impl Written {
    fn end(self) -> PyResult<Summary> {
        match self.stopped_by {
            Some(problem) => Err(Python::attach(|py| problem.to_error(py))),
            None => Ok(Summary(self.summary)),
        }
    }
}

fn write(
    inputs: Vec<Input>,
    output: &mut impl Write,
    target: &str,
    options: &Options,
    listener: Listener,
) -> PyResult<Written> {
    let raised = RefCell::new(None);
    let output = Interruptible { output, raised: &raised };
    let mut watcher = Watcher {
        file: String::new(),
        listener,
        stops: options.on_error == OnError::Stop,
        stopped_by: None,
        raised: &raised,
        looked: Instant::now(),
    };
    let mut conversion = Conversion::new(output, options);
    let mut outcome = Ok(());
    for input in inputs {
        outcome = write_input(input, &mut conversion, &mut watcher);
        if outcome.is_err() || conversion.is_over() {
            break;
        }
    }
    let outcome = outcome.and_then(|()| conversion.finish());
    let Watcher { mut listener, stopped_by, file, .. } = watcher;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    Python::attach(|py| listener.end(py))?;
    match outcome {
        Ok(summary) => Ok(Written { summary, stopped_by }),
        Err(error @ ConvertError::Write(_)) => Err(problem::failure(error, target)),
        Err(error) => Err(problem::failure(error, &file)),
    }
}

/// Converts an input: all its texts, if it is an archive.
fn write_input(
    input: Input,
    conversion: &mut Conversion<impl Write>,
    watcher: &mut Watcher<'_>,
) -> Result<(), ConvertError> {
    let name = input.name();
    name.clone_into(&mut watcher.file);
    let mut source = input.open().map_err(ConvertError::Read)?;
    while let Some(text) = source.next_text().map_err(ConvertError::Read)? {
        watcher.file = match text.name() {
            Some(member) => format!("{name}/{member}"),
            None => name.clone(),
        };
        conversion.name_input(&watcher.file);
        conversion.input(text, watcher)?;
        if conversion.is_over() {
            break;
        }
    }
    Ok(())
}

/// Tells of problems while others run, and looks for signals.
struct Watcher<'r> {
    file: String,
    listener: Listener,
    stops: bool,
    stopped_by: Option<Problem>,
    /// What Python code raised meanwhile: it ends the conversion.
    raised: &'r RefCell<Option<PyErr>>,
    looked: Instant,
}

impl Watch for Watcher<'_> {
    fn problem(&mut self, problem: &pgn2epd::Problem) {
        if self.raised.borrow().is_some() {
            return;
        }
        let problem = Problem { file: self.file.clone(), problem: problem.clone() };
        if self.stops && problem.is_error() {
            self.stopped_by = Some(problem);
        } else if let Err(error) = Python::attach(|py| self.listener.tell(py, &problem)) {
            self.raised.replace(Some(error));
        }
    }

    fn progress(&mut self, _: &pgn2epd::Summary) {
        if self.looked.elapsed() >= SIGNALS {
            self.looked = Instant::now();
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.raised.replace(Some(error));
            }
        }
    }
}

/// An output that takes nothing more once something was raised.
struct Interruptible<'r, W> {
    output: &'r mut W,
    raised: &'r RefCell<Option<PyErr>>,
}

impl<W: Write> Interruptible<'_, W> {
    fn check(&self) -> io::Result<()> {
        match *self.raised.borrow() {
            Some(_) => Err(io::Error::from(io::ErrorKind::BrokenPipe)),
            None => Ok(()),
        }
    }
}

impl<W: Write> Write for Interruptible<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.check()?;
        self.output.flush()
    }
}

/// A file that takes the place of the old one when all is well.
enum Output {
    /// A device or a pipe: it cannot be replaced.
    Direct(File),
    Replacing {
        temporary: NamedTempFile,
        target: PathBuf,
    },
}

impl Output {
    fn open(target: &Path) -> io::Result<Self> {
        let old = fs::metadata(target).ok();
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            return Ok(Output::Direct(File::options().write(true).open(target)?));
        }
        // Through a symbolic link the file is replaced, not the link.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // A better message than one with the name of the temporary file.
        fs::metadata(folder)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pgn2epd-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What any new file gets; the temporary one would be private.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(folder)?;
        if let Some(old) = old {
            fs::set_permissions(temporary.path(), old.permissions())?;
        }
        Ok(Output::Replacing { temporary, target })
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Output::Direct(_) => Ok(()),
            Output::Replacing { temporary, target } => Ok(temporary.persist(target).map(drop)?),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Direct(file) => file.write(bytes),
            Output::Replacing { temporary, .. } => temporary.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Direct(file) => file.flush(),
            Output::Replacing { temporary, .. } => temporary.flush(),
        }
    }
}

/// What is written is not what is read.
fn refuse_to_write_over(inputs: &[Input], target: &Path) -> PyResult<()> {
    let Ok(target) = fs::canonicalize(target) else { return Ok(()) };
    let is_target = |input: &Input| match input {
        Input::Path(path) => fs::canonicalize(path).is_ok_and(|path| path == target),
        _ => false,
    };
    if target.is_file() && inputs.iter().any(is_target) {
        let text = format!("the target would overwrite {}, which is to be read", target.display());
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// What was done, in figures.
#[pyclass(module = "pgn2epd", frozen)]
pub(crate) struct Summary(pub(crate) pgn2epd::Summary);

#[pymethods]
impl Summary {
    /// Games, with those that have an error.
    #[getter]
    fn games(&self) -> u64 {
        self.0.games
    }

    /// Games that have an error.
    #[getter]
    fn bad_games(&self) -> u64 {
        self.0.bad_games
    }

    /// Games of which `where` wanted no position, for what their tags say.
    #[getter]
    fn left_out(&self) -> u64 {
        self.0.left_out
    }

    /// Records.
    #[getter]
    fn positions(&self) -> u64 {
        self.0.positions
    }

    /// Positions without a record, since its form needs what is not known: a result, an evaluation, a move.
    #[getter]
    fn unlabelled(&self) -> u64 {
        self.0.unlabelled
    }

    /// Problems through which positions were lost.
    #[getter]
    fn errors(&self) -> u64 {
        self.0.errors
    }

    /// Problems through which nothing was lost.
    #[getter]
    fn warnings(&self) -> u64 {
        self.0.warnings
    }

    /// Departures from the standard that change nothing, where they are looked for.
    #[getter]
    fn notes(&self) -> u64 {
        self.0.notes
    }

    /// Bytes of PGN.
    #[getter]
    fn bytes_read(&self) -> u64 {
        self.0.bytes_read
    }

    fn __repr__(&self) -> String {
        let pgn2epd::Summary { games, positions, errors, warnings, .. } = self.0;
        format!("<Summary games={games} positions={positions} errors={errors} warnings={warnings}>")
    }
}
