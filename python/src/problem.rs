//! Problems and errors, reported to Python.

use std::error::Error;
use std::io;
use std::path::Path;
use std::time::Duration;

use pgn2epd::analyse::{AnalyseError, EngineError};
use pgn2epd::book::{BookError, CountError};
use pgn2epd::input::InputError;
use pgn2epd::options::Filter;
use pgn2epd::output::OutputError;
use pgn2epd::{ConvertError, EpdListError, Summary};
use pgn2epd_cli::{Finding, summary_object};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::input::os_error;

/// A problem of a text that begins at a byte of a file.
pub(crate) struct Problem {
    pub(crate) file: String,
    pub(crate) start: u64,
    pub(crate) problem: pgn2epd::Problem,
}

/// A function or a class of the module that reports problems.
fn of_module<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("pgn2epd._problem")?.getattr(name)
}

pub(crate) fn json(finding: &Finding<'_>) -> String {
    serde_json::to_string(finding).unwrap_or_default()
}

/// A problem as `pgn2epd.Problem`.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    finding: &Finding<'_>,
    message: &str,
) -> PyResult<Bound<'py, PyAny>> {
    of_module(py, "problem")?.call1((message, json(finding)))
}

/// A move of a list that cannot be played, or an invalid start, as `pgn2epd.PgnError`.
pub(crate) fn of_moves(py: Python<'_>, refused: &EpdListError) -> PyErr {
    let make = || {
        let fields = PyDict::new(py);
        fields.set_item("message", refused.to_string())?;
        fields.set_item("severity", "error")?;
        match refused {
            EpdListError::Move { index, number, token, reason } => {
                fields.set_item("index", index)?;
                fields.set_item("move", number.to_string())?;
                fields.set_item("token", token)?;
                fields.set_item("kind", "illegal-move")?;
                fields.set_item("reason", format!("illegal: {reason}"))?;
            }
            error => {
                fields.set_item("kind", "fen")?;
                fields.set_item("reason", error.to_string())?;
            }
        }
        of_module(py, "Problem")?.call((), Some(&fields))
    };
    error(py, make())
}

/// The exception for a failed run. Exceptions of Python callbacks are returned unchanged.
pub(crate) fn failure(error: ConvertError, file: &str) -> PyErr {
    let (verb, error) = match error {
        ConvertError::Read(error) => ("read", error),
        ConvertError::Write(error) => ("write", error),
        // An option that does not fit the content of the file, which it names.
        error @ ConvertError::Source { .. } => return PyValueError::new_err(error.to_string()),
        error => return PyOSError::new_err(format!("{file}: {error}")),
    };
    error.downcast::<PyErr>().unwrap_or_else(|error| {
        let error = anyhow::Error::from(error);
        PyOSError::new_err(format!("cannot {verb} {file}: {error:#}"))
    })
}

/// An error and its causes, also those inside of others.
fn causes(error: &anyhow::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(&**error as &(dyn Error + 'static)), |&one| {
        if let Some(BookError::Evaluate(error)) = one.downcast_ref() {
            return Some(&**error);
        }
        let held = one.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        held.map_or_else(|| one.source(), |held| Some(held))
    })
}

/// The exception of Python code among the causes of an error.
pub(crate) fn raised(error: &anyhow::Error) -> Option<PyErr> {
    let raised = causes(error).find_map(|one| one.downcast_ref::<PyErr>())?;
    Some(Python::attach(|py| raised.clone_ref(py)))
}

/// The exception for an error of the program, or if it depends on the text, the kind of it.
pub(crate) fn of_run(error: &anyhow::Error) -> Result<PyErr, &'static str> {
    if let Some(raised) = raised(error) {
        return Ok(raised);
    }
    if let Some(failed) = OutputError::find(&**error) {
        return Ok(os_error(failed.io_error(), Path::new(failed.name())));
    }
    let mut kind = "usage";
    for one in causes(error) {
        if let Some(InputError { name, error, .. }) = one.downcast_ref()
            && error.raw_os_error().is_some()
        {
            return Ok(os_error(error, Path::new(name)));
        }
        if let Some(io_error) = one.downcast_ref::<io::Error>() {
            kind = "file";
            if let Some(code) = io_error.raw_os_error() {
                return Ok(PyOSError::new_err((code, format!("{error:#}"))));
            }
        }
        match one.downcast_ref() {
            Some(AnalyseError::Conflict(_) | AnalyseError::Convert(_)) => {}
            Some(AnalyseError::Engine(_)) => return Err("engine"),
            Some(_) => kind = "file",
            None if one.is::<EngineError>() => return Err("engine"),
            None if one.is::<BookError>() => kind = "file",
            None if matches!(one.downcast_ref(), Some(CountError::Book(_))) => kind = "file",
            None => {}
        }
    }
    Err(kind)
}

/// A `pgn2epd.Problem` as `pgn2epd.PgnError`.
pub(crate) fn error(py: Python<'_>, problem: PyResult<Bound<'_, PyAny>>) -> PyErr {
    let error = problem.and_then(|problem| of_module(py, "PgnError")?.call1((problem,)));
    error.map_or_else(|failure| failure, PyErr::from_value)
}

/// The receiver of problems: a list, a callable, or warnings.
pub(crate) struct Listener(Py<PyAny>);

impl Listener {
    /// With `stops` the first error is raised at the end.
    pub(crate) fn new(
        py: Python<'_>,
        problems: Option<&Bound<'_, PyAny>>,
        stops: bool,
    ) -> PyResult<Self> {
        of_module(py, "Listener")?.call1((problems, stops)).map(|one| Listener(one.unbind()))
    }

    /// A listener for another run.
    pub(crate) fn again(&self, py: Python<'_>) -> PyResult<Self> {
        self.0.call_method0(py, "again").map(Listener)
    }

    pub(crate) fn tell(&self, py: Python<'_>, problem: &Problem) -> PyResult<()> {
        let Problem { file, start, problem } = problem;
        let from = if *start == 0 { String::new() } else { format!("@{start}") };
        let finding = Finding::of(file, *start, problem);
        let told = (format!("{file}{from}:{problem}"), json(&finding));
        self.0.call_method1(py, "tell", told).map(drop)
    }

    pub(crate) fn end(&self, py: Python<'_>) -> PyResult<()> {
        self.0.call_method0(py, "end").map(drop)
    }
}

/// The counts of a run as `pgn2epd.Result`.
pub(crate) fn summary(py: Python<'_>, summary: &Summary) -> PyResult<Py<PyAny>> {
    let mut counts = summary_object(summary, Duration::ZERO);
    counts.as_object_mut().map(|counts| counts.remove("seconds"));
    of_module(py, "result")?.call1((counts.to_string(),)).map(Bound::unbind)
}

/// Warns about likely mistakes in a condition that matched nothing.
pub(crate) fn warn_of_condition(
    py: Python<'_>,
    filter: Option<&Filter>,
    summary: &Summary,
) -> PyResult<()> {
    let Some(filter) = filter.filter(|_| summary.games > 0 && summary.positions == 0) else {
        return Ok(());
    };
    let warn = of_module(py, "warn")?;
    let hints = filter.hints(summary.condition_tags, summary.records > 0);
    hints.iter().try_for_each(|hint| warn.call1((format!("where: {hint}"),)).map(drop))
}
