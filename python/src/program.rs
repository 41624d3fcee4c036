//! The program: as `python -m pgn2epd`, and as the functions from files to files.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pgn2epd::Summary;
use pgn2epd::output::Output;
use pgn2epd_cli::{Host, ReportLine, summary_object};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::input::{Input, Object};
use crate::problem;

const INTERVAL: Duration = Duration::from_millis(100);

/// Runs the program with these arguments, and returns its exit status.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pgn2epd_cli::run(&arguments))
}

/// Returns the commands and their options, as JSON.
#[pyfunction]
pub(crate) fn definition() -> String {
    pgn2epd_cli::definition().to_string()
}

/// Runs the program with sources, each after the option that it is the value of, if any, and before
/// the other arguments. Standard output is written to `target`; `caller` receives the rest.
#[pyfunction]
pub(crate) fn call(
    py: Python<'_>,
    mut command: Vec<OsString>,
    sources: Vec<(OsString, Bound<'_, PyAny>)>,
    arguments: Vec<OsString>,
    target: Py<PyAny>,
    caller: Py<PyAny>,
) -> PyResult<()> {
    let mut objects = VecDeque::new();
    for (option, source) in &sources {
        for input in Input::all(source)? {
            let mut argument = option.clone();
            match input {
                // It must not look like an option.
                Input::Path(path) if path.as_os_str().as_encoded_bytes().starts_with(b"-") => {
                    argument.push(Path::new(".").join(path));
                }
                Input::Path(path) => argument.push(path),
                object => {
                    argument.push("-");
                    objects.push_back(object);
                }
            }
            command.push(argument);
        }
    }
    command.extend(arguments);
    let (began, objects) = (Instant::now(), Mutex::new(objects));
    let (looked, raised) = (Mutex::new(began), Mutex::default());
    let caller = Arc::new(Caller { objects, target, caller, began, looked, raised });
    py.detach(|| pgn2epd_cli::run_in(&command, caller.clone()));
    lock(&caller.raised).take().map_or(Ok(()), Err)
}

struct Caller {
    objects: Mutex<VecDeque<Input>>,
    target: Py<PyAny>,
    caller: Py<PyAny>,
    began: Instant,
    /// When signals were checked last.
    looked: Mutex<Instant>,
    raised: Mutex<Option<PyErr>>,
}

pub(crate) fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Caller {
    fn tell(&self, method: &str, arguments: &[&str]) {
        if lock(&self.raised).is_some() {
            return;
        }
        self.raise(Python::attach(|py| {
            self.caller.bind(py).call_method1(method, PyTuple::new(py, arguments)?).map(drop)
        }));
    }

    fn raise(&self, done: PyResult<()>) {
        if let Err(error) = done {
            lock(&self.raised).get_or_insert(error);
        }
    }
}

impl Host for Caller {
    fn stdin(&self) -> pgn2epd::input::Input {
        match lock(&self.objects).pop_front() {
            Some(object) => object.into_library(),
            None => pgn2epd::input::Input::reader("-", std::io::empty()),
        }
    }

    fn stdout(&self) -> Output {
        let target = Python::attach(|py| self.target.clone_ref(py));
        Output::to_writer("the file object", Object(target))
    }

    fn message(&self, text: &str) {
        self.tell("message", &[text]);
    }

    fn warning(&self, text: &str) {
        self.tell("warning", &[text]);
    }

    fn finding(&self, finding: &ReportLine<'_>, message: &str) -> bool {
        self.tell("finding", &[message, &problem::json_of(finding)]);
        true
    }

    /// An exception of a file object ends the run.
    fn unreadable(&self, error: &anyhow::Error) {
        self.raise(problem::raised(error).map_or(Ok(()), Err));
    }

    fn progress(&self, summary: &Summary) -> ControlFlow<()> {
        let mut looked = lock(&self.looked);
        let is_stopped = if looked.elapsed() < INTERVAL {
            lock(&self.raised).is_some()
        } else {
            *looked = Instant::now();
            let summary = summary_object(summary, self.began.elapsed());
            self.tell("progress", &[&summary.to_string()]);
            self.is_stopped()
        };
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_stopped(&self) -> bool {
        self.raise(Python::attach(|py| py.check_signals()));
        lock(&self.raised).is_some()
    }

    fn result(&self, result: serde_json::Value) {
        self.tell("result", &[&result.to_string()]);
    }

    fn failed(&self, error: &anyhow::Error, _: &str) {
        self.raise(Err(problem::failure(error)));
    }
}
