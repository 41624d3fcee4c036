//! Problems in games, reported to Python.

use std::ffi::CString;
use std::path::Path;

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use pgn2epd::output::OutputError;
use pgn2epd::{ConvertError, EpdListError, Filter, Severity, Summary};

use crate::input::os_error;

/// The number of problems that become warnings. A final warning has the number of the others.
const MOST_WARNINGS: u64 = 100;

/// A problem and its file.
pub(crate) struct Problem {
    pub(crate) file: String,
    pub(crate) problem: pgn2epd::Problem,
}

impl Problem {
    pub(crate) fn is_error(&self) -> bool {
        self.problem.severity() == Severity::Error
    }

    /// As `pgn2epd.Problem`.
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Problem { file, problem } = self;
        let fields = PyDict::new(py);
        fields.set_item("file", file)?;
        fields.set_item("line", problem.place.line)?;
        fields.set_item("column", problem.place.column)?;
        fields.set_item("byte", problem.place.byte)?;
        fields.set_item("game", Some(problem.game).filter(|game| *game > 0))?;
        fields.set_item("white", problem.identity.white.as_deref())?;
        fields.set_item("black", problem.identity.black.as_deref())?;
        fields.set_item("site", problem.identity.site.as_deref())?;
        fields.set_item("round", problem.identity.round.as_deref())?;
        fields.set_item("move", problem.move_number.map(|number| number.to_string()))?;
        fields.set_item("token", &problem.token)?;
        fields.set_item("severity", problem.severity().as_str())?;
        fields.set_item("kind", problem.reason.kind())?;
        fields.set_item("reason", problem.reason.to_string())?;
        fields.set_item("message", format!("{file}:{problem}"))?;
        class(py, "Problem")?.call((), Some(&fields))
    }

    /// As `pgn2epd.PgnError`.
    pub(crate) fn to_error(&self, py: Python<'_>) -> PyErr {
        let error = self.to_python(py).and_then(|problem| class(py, "PgnError")?.call1((problem,)));
        error.map_or_else(|failure| failure, PyErr::from_value)
    }
}

/// A move of a list that cannot be played, or an invalid start, as `pgn2epd.PgnError`.
pub(crate) fn of_moves(py: Python<'_>, error: &EpdListError) -> PyErr {
    let make = || {
        let fields = PyDict::new(py);
        fields.set_item("message", error.to_string())?;
        fields.set_item("severity", "error")?;
        match error {
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
        let problem = class(py, "Problem")?.call((), Some(&fields))?;
        class(py, "PgnError")?.call1((problem,))
    };
    make().map_or_else(|failure: PyErr| failure, PyErr::from_value)
}

/// The exception for a failed run. Exceptions of Python callbacks are returned unchanged.
pub(crate) fn failure(error: ConvertError, file: &str) -> PyErr {
    let (verb, error) = match error {
        ConvertError::Read(error) => ("read", error),
        ConvertError::Write(error) => ("write", error),
        error => return PyOSError::new_err(format!("{file}: {error}")),
    };
    match error.downcast::<PyErr>() {
        Ok(raised) => raised,
        Err(error) => {
            if let Some(failed) = OutputError::find(&error) {
                return os_error(failed.io_error(), Path::new(file));
            }
            let mut text = format!("cannot {verb} {file}: {error}");
            let mut cause = std::error::Error::source(&error);
            while let Some(error) = cause {
                text += &format!(": {error}");
                cause = error.source();
            }
            PyOSError::new_err(text)
        }
    }
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("pgn2epd")?.getattr(name)
}

/// The receiver of problems.
pub(crate) enum Listener {
    List(Py<PyList>),
    Callable(Py<PyAny>),
    /// Python warnings.
    Warnings {
        shown: u64,
        hidden: u64,
    },
}

impl Listener {
    /// The receiver given by the argument `problems`.
    pub(crate) fn new(problems: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(problems) = problems else {
            return Ok(Listener::Warnings { shown: 0, hidden: 0 });
        };
        if let Ok(list) = problems.cast::<PyList>() {
            return Ok(Listener::List(list.clone().unbind()));
        }
        if problems.is_callable() {
            return Ok(Listener::Callable(problems.clone().unbind()));
        }
        Err(PyTypeError::new_err("problems is a list, a callable or None"))
    }

    pub(crate) fn again(&self, py: Python<'_>) -> Self {
        match self {
            Listener::List(list) => Listener::List(list.clone_ref(py)),
            Listener::Callable(callable) => Listener::Callable(callable.clone_ref(py)),
            Listener::Warnings { .. } => Listener::Warnings { shown: 0, hidden: 0 },
        }
    }

    pub(crate) fn tell(&mut self, py: Python<'_>, problem: &Problem) -> PyResult<()> {
        match self {
            Listener::List(list) => list.bind(py).append(problem.to_python(py)?),
            Listener::Callable(callable) => callable.call1(py, (problem.to_python(py)?,)).map(drop),
            Listener::Warnings { shown, .. } if *shown < MOST_WARNINGS => {
                *shown += 1;
                warn(py, &format!("{}:{}", problem.file, problem.problem))
            }
            Listener::Warnings { hidden, .. } => {
                *hidden += 1;
                Ok(())
            }
        }
    }

    /// Ends the run.
    pub(crate) fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        match self {
            Listener::Warnings { hidden, .. } if *hidden > 0 => {
                let text = format!("{} more problems: give problems=[] to have them all", *hidden);
                *hidden = 0;
                warn(py, &text)
            }
            _ => Ok(()),
        }
    }
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
    filter
        .hints(summary.condition_tags)
        .iter()
        .try_for_each(|hint| warn(py, &format!("where: {hint}")))
}

fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let text = CString::new(text.replace('\0', "\u{fffd}"))?;
    PyErr::warn(py, &class(py, "PgnWarning")?, &text, 1)
}
