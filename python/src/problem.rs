//! Problems and errors, reported to Python.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::time::Duration;

use pgn2epd::analyse::{AnalyseError, EngineError};
use pgn2epd::book::BookError;
use pgn2epd::input::InputError;
use pgn2epd::options::{Filter, OnError};
use pgn2epd::output::OutputError;
use pgn2epd::{ConvertError, EpdListError, Options, Summary};
use pgn2epd_cli::{ReportLine, summary_object};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use serde_json::json;

use crate::input::os_error;

fn of_module<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("pgn2epd._problem")?.getattr(name)
}

/// The exception for an invalid value.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn json_of(finding: &ReportLine<'_>) -> String {
    serde_json::to_string(finding).unwrap_or_default()
}

/// A problem as `pgn2epd.Problem`.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    finding: &ReportLine<'_>,
    message: &str,
) -> PyResult<Bound<'py, PyAny>> {
    of_module(py, "problem")?.call1((message, json_of(finding)))
}

/// A move of a list that cannot be played, or an invalid start, as `pgn2epd.PgnError`.
pub(crate) fn of_moves(py: Python<'_>, refused: &EpdListError) -> PyErr {
    let fields = match refused {
        EpdListError::Move { index, number, token, reason } => json!({
            "severity": "error",
            "kind": "illegal-move",
            "index": index,
            "move": number.to_string(),
            "token": token,
            "reason": format!("illegal: {reason}"),
        }),
        error => json!({"severity": "error", "kind": "fen", "reason": error.to_string()}),
    };
    let told = (refused.to_string(), fields.to_string());
    error(py, of_module(py, "problem").and_then(|problem| problem.call1(told)))
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

/// The exception for a failed run. Exceptions of Python code are returned unchanged.
pub(crate) fn failure(error: &anyhow::Error) -> PyErr {
    if let Some(raised) = raised(error) {
        return raised;
    }
    if let Some(failed) = OutputError::find(&**error) {
        return os_error(&failed.source, Path::new(&failed.name));
    }
    let mut kind = "usage";
    for one in causes(error) {
        if let Some(InputError { name, error, .. }) = one.downcast_ref()
            && error.raw_os_error().is_some()
        {
            return os_error(error, Path::new(name));
        }
        if let Some(io_error) = one.downcast_ref::<io::Error>() {
            kind = "file";
            if let Some(code) = io_error.raw_os_error() {
                return PyOSError::new_err((code, format!("{error:#}")));
            }
        }
        match one.downcast_ref() {
            Some(AnalyseError::Conflict(_) | AnalyseError::Convert(_)) => {}
            Some(AnalyseError::Engine(_)) => return of_kind("engine", error),
            Some(_) => kind = "file",
            None if one.is::<EngineError>() => return of_kind("engine", error),
            None if one.is::<BookError>() => kind = "file",
            None if matches!(one.downcast_ref(), Some(ConvertError::Book(_))) => kind = "file",
            None => {}
        }
    }
    of_kind(kind, error)
}

/// The exception for an error of this kind, in terms of keyword arguments.
fn of_kind(kind: &str, error: &anyhow::Error) -> PyErr {
    Python::attach(|py| {
        let made =
            of_module(py, "failure").and_then(|make| make.call1((kind, format!("{error:#}"))));
        made.map_or_else(|failure| failure, PyErr::from_value)
    })
}

/// A `pgn2epd.Problem` as `pgn2epd.PgnError`.
pub(crate) fn error(py: Python<'_>, problem: PyResult<Bound<'_, PyAny>>) -> PyErr {
    let error = problem.and_then(|problem| of_module(py, "PgnError")?.call1((problem,)));
    error.map_or_else(|failure| failure, PyErr::from_value)
}

/// The receiver of problems: a list, a callable, or warnings.
pub(crate) fn listener(
    py: Python<'_>,
    problems: Option<&Bound<'_, PyAny>>,
    options: &Options,
) -> PyResult<Py<PyAny>> {
    let stops = options.on_error == OnError::Stop;
    of_module(py, "Listener")?.call1((problems, stops)).map(Bound::unbind)
}

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
