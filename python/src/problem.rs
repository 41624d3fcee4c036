//! Problems in games, reported to Python.

use std::error::Error;
use std::ffi::CString;
use std::path::Path;

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use pgn2epd::epd::{EpdDiagnosticKind, LineDiagnostic};
use pgn2epd::game::Severity;
use pgn2epd::options::Filter;
use pgn2epd::output::OutputError;
use pgn2epd::{ConvertError, EpdListError, Summary};

use crate::input::os_error;

/// For one kind of problem; a final warning has the numbers of the others.
const MOST_WARNINGS: u64 = 10;

pub(crate) struct Problem {
    pub(crate) file: String,
    /// The byte of the file at which its text begins.
    pub(crate) start: u64,
    pub(crate) problem: pgn2epd::Problem,
}

impl Problem {
    pub(crate) fn is_error(&self) -> bool {
        self.problem.severity() == Severity::Error
    }

    /// As `pgn2epd.Problem`.
    fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Problem { file, start, problem } = self;
        let is_whole = *start == 0;
        let fields = PyDict::new(py);
        fields.set_item("file", file)?;
        fields.set_item("line", is_whole.then_some(problem.place.line))?;
        fields.set_item("column", problem.place.column)?;
        fields.set_item("byte", start + problem.place.byte)?;
        fields.set_item("game", Some(problem.game).filter(|game| *game > 0 && is_whole))?;
        fields.set_item("white", problem.identity.white.as_deref())?;
        fields.set_item("black", problem.identity.black.as_deref())?;
        fields.set_item("site", problem.identity.site.as_deref())?;
        fields.set_item("round", problem.identity.round.as_deref())?;
        fields.set_item("move", problem.move_number.map(|number| number.to_string()))?;
        fields.set_item("token", &problem.token)?;
        fields.set_item("severity", problem.severity().as_str())?;
        fields.set_item("kind", problem.reason.kind())?;
        fields.set_item("reason", problem.reason.to_string())?;
        let from = if is_whole { String::new() } else { format!("@{start}") };
        fields.set_item("message", format!("{file}{from}:{problem}"))?;
        class(py, "Problem")?.call((), Some(&fields))
    }

    /// As `pgn2epd.PgnError`.
    pub(crate) fn to_error(&self, py: Python<'_>) -> PyErr {
        error(py, self.to_python(py))
    }
}

pub(crate) struct RecordProblem<'a> {
    /// The file and the line; `None` if the line comes from no file.
    place: Option<(&'a str, u64)>,
    column: u64,
    token: &'a str,
    kind: &'a EpdDiagnosticKind,
}

impl<'a> RecordProblem<'a> {
    pub(crate) fn of_record(column: usize, token: &'a str, kind: &'a EpdDiagnosticKind) -> Self {
        RecordProblem { place: None, column: column as u64, token, kind }
    }

    pub(crate) fn of_line(file: &'a str, fault: &'a LineDiagnostic) -> Self {
        let place = Some((file, fault.line));
        RecordProblem { place, column: fault.column, token: &fault.text, kind: &fault.kind }
    }

    /// As `pgn2epd.Problem`.
    pub(crate) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let RecordProblem { place, column, token, kind } = *self;
        let level = match kind.severity() {
            Severity::Error => "",
            Severity::Warning => "warning: ",
            Severity::Note => "note: ",
        };
        let fields = PyDict::new(py);
        if let Some((file, line)) = place {
            fields.set_item("file", file)?;
            fields.set_item("line", line)?;
            fields.set_item("message", format!("{file}:{line}:{column}: {level}{kind}"))?;
        } else {
            fields.set_item("message", format!("column {column}: {level}{kind}"))?;
        }
        fields.set_item("column", column)?;
        fields.set_item("token", token)?;
        fields.set_item("severity", kind.severity().as_str())?;
        fields.set_item("kind", kind.name())?;
        fields.set_item("reason", kind.to_string())?;
        class(py, "Problem")?.call((), Some(&fields))
    }
}

/// A problem of an engine, or of a test suite.
pub(crate) struct EngineProblem {
    pub(crate) kind: &'static str,
    pub(crate) severity: Severity,
    /// The number of its record; `None` if it has none.
    pub(crate) record: Option<u64>,
    pub(crate) reason: String,
    pub(crate) message: String,
}

impl EngineProblem {
    pub(crate) fn failed(record: Option<u64>, reason: String, message: String) -> Self {
        EngineProblem { kind: "engine", severity: Severity::Error, record, reason, message }
    }

    /// As `pgn2epd.Problem`.
    pub(crate) fn to_python<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let fields = PyDict::new(py);
        fields.set_item("line", self.record)?;
        fields.set_item("severity", self.severity.as_str())?;
        fields.set_item("kind", self.kind)?;
        fields.set_item("reason", &self.reason)?;
        fields.set_item("message", &self.message)?;
        class(py, "Problem")?.call((), Some(&fields))
    }
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
        class(py, "Problem")?.call((), Some(&fields))
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
    match error.downcast::<PyErr>() {
        Ok(raised) => raised,
        Err(error) => {
            if let Some(failed) = OutputError::find(&error) {
                return os_error(failed.io_error(), Path::new(failed.name()));
            }
            PyOSError::new_err(format!("cannot {verb} {file}: {}", with_causes(&error)))
        }
    }
}

pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}

/// A `pgn2epd.Problem` as `pgn2epd.PgnError`.
pub(crate) fn error(py: Python<'_>, problem: PyResult<Bound<'_, PyAny>>) -> PyErr {
    let error = problem.and_then(|problem| class(py, "PgnError")?.call1((problem,)));
    error.map_or_else(|failure| failure, PyErr::from_value)
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("pgn2epd")?.getattr(name)
}

/// The number of problems of each kind, in the order in which they were first seen.
#[derive(Default)]
pub(crate) struct Counts(Vec<(&'static str, u64)>);

impl Counts {
    /// Counts a problem, and returns how many of this kind there are.
    fn count(&mut self, kind: &'static str) -> u64 {
        if let Some((_, count)) = self.0.iter_mut().find(|(known, _)| *known == kind) {
            *count += 1;
            return *count;
        }
        self.0.push((kind, 1));
        1
    }

    /// The problems without a warning of their own, such as `150 more problems (illegal-move 150)`.
    fn take_hidden(&mut self) -> Option<String> {
        let counts = std::mem::take(&mut self.0).into_iter();
        let hidden: Vec<(&str, u64)> = counts
            .filter(|(_, count)| *count > MOST_WARNINGS)
            .map(|(kind, count)| (kind, count - MOST_WARNINGS))
            .collect();
        let all: u64 = hidden.iter().map(|(_, count)| count).sum();
        let each: Vec<String> =
            hidden.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let s = if all == 1 { "" } else { "s" };
        (all > 0).then(|| {
            format!("{all} more problem{s} ({}): problems=[] collects them all", each.join(", "))
        })
    }
}

pub(crate) enum Listener {
    List(Py<PyList>),
    Callable(Py<PyAny>),
    /// Python warnings.
    Warnings(Counts),
}

impl Listener {
    pub(crate) fn new(problems: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(problems) = problems else {
            return Ok(Listener::Warnings(Counts::default()));
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
            Listener::Warnings(_) => Listener::Warnings(Counts::default()),
        }
    }

    pub(crate) fn tell(&mut self, py: Python<'_>, problem: &Problem) -> PyResult<()> {
        self.tell_as(py, problem.problem.reason.kind(), || problem.to_python(py))
    }

    pub(crate) fn tell_as<'py>(
        &mut self,
        py: Python<'py>,
        kind: &'static str,
        problem: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        match self {
            Listener::List(list) => list.bind(py).append(problem()?),
            Listener::Callable(callable) => callable.call1(py, (problem()?,)).map(drop),
            Listener::Warnings(counts) => match counts.count(kind) {
                ..=MOST_WARNINGS => warn(py, problem()?.str()?.to_str()?),
                _ => Ok(()),
            },
        }
    }

    pub(crate) fn end(&mut self, py: Python<'_>) -> PyResult<()> {
        let Listener::Warnings(counts) = self else { return Ok(()) };
        counts.take_hidden().map_or(Ok(()), |text| warn(py, &text))
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
        .hints(summary.condition_tags, summary.records > 0)
        .iter()
        .try_for_each(|hint| warn(py, &format!("where: {hint}")))
}

pub(crate) fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let text = CString::new(text.replace('\0', "\u{fffd}"))?;
    PyErr::warn(py, &class(py, "PgnWarning")?, &text, 1)
}
