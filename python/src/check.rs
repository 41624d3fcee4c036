//! Files of positions: checked, repaired, counted.

use std::io::{self, Write};
use std::path::PathBuf;

use pgn2epd::OptionError;
use pgn2epd::epd::{CheckCounts, CheckOptions, Checker, LineDiagnostic, RejectedLine};
use pgn2epd::options::OptionConflict;
use pgn2epd::output::Output;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{os_error_of, refuse_to_write_over};
use crate::input::{self, Input};
use crate::options;
use crate::problem::{self, RecordProblem};

/// Checks files of positions (EPD, FEN): grammar, fields, operations, moves. With `target` the
/// records are written in their normal form.
///
/// >>> report = pgn2epd.check(b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;")
/// >>> print(report.problems[0])
/// <bytes>:1:32: e5: illegal: no white pawn can reach e5
/// >>> report
/// <CheckReport records=1 errors=1 warnings=0 notes=0>
///
/// `source` is as for `records`. The options are those of `pgn2epd check`;
/// `help(pgn2epd.CheckOptions)` describes them.
#[pyfunction]
#[pyo3(signature = (source, target=None, **options))]
pub(crate) fn check(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: Option<PathBuf>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<CheckReport> {
    let values = options::texts_of::<CheckOptions>("check", options, &[], &mut |_| {
        Err(PyTypeError::new_err("check() got an unexpected keyword argument 'openings'"))
    })?;
    // A target is for records in their normal form.
    let fix = target.is_some().then_some(("fix", "true"));
    let options = CheckOptions::from_names(options::pairs(&values).chain(fix));
    let options = options.map_err(|error| match error {
        OptionError::OptionConflict(OptionConflict::Needs(name, ["fix"])) => {
            PyValueError::new_err(format!("{name} is for a target"))
        }
        error => options::exception::<CheckOptions>("check", error),
    })?;
    let stats = options.statistics;
    let inputs = Input::all(source)?;
    if let Some(path) = &target {
        refuse_to_write_over(&inputs, None, |guard| guard.output("the target", path))?;
    }
    let mut checker = Checker::new(options);
    let (faults, rejected) = py.detach(|| match &target {
        None => run(&mut checker, inputs, &mut io::sink()),
        Some(path) => {
            let mut output = Output::open(path).map_err(|error| os_error_of(&error))?;
            let found = run(&mut checker, inputs, &mut output)?;
            output.finish().map_err(|error| os_error_of(&error))?;
            Ok(found)
        }
    })?;
    let problems = PyList::empty(py);
    for (file, fault) in &faults {
        problems.append(RecordProblem::of_line(file, fault).to_python(py)?)?;
    }
    let statistics = stats.then(|| statistics(py, &mut checker)).transpose()?;
    let CheckCounts { records, bad_lines, errors, warnings, notes, .. } = checker.counts();
    let problems = problems.unbind();
    Ok(CheckReport { records, bad_lines, errors, warnings, notes, problems, rejected, statistics })
}

type Fault = (String, LineDiagnostic);

/// A line that cannot be repaired: its file, its number, its text.
type Rejected = (String, u64, String);

fn run(
    checker: &mut Checker,
    inputs: Vec<Input>,
    output: &mut dyn Write,
) -> PyResult<(Vec<Fault>, Vec<Rejected>)> {
    let (mut faults, mut rejected) = (Vec::new(), Vec::new());
    for text in input::texts(input::opened(inputs)) {
        let text = text?;
        let name = text.name().to_owned();
        let mut tell = |fault: &LineDiagnostic| faults.push((name.clone(), fault.clone()));
        let mut reject = |line: &RejectedLine<'_>| {
            let bytes = String::from_utf8_lossy(line.bytes).into_owned();
            rejected.push((name.clone(), line.line, bytes));
            Ok(())
        };
        checker
            .text(text, &mut *output, &mut tell, &mut reject)
            .map_err(|error| problem::failure(error, &name))?;
    }
    Ok((faults, rejected))
}

fn statistics(py: Python<'_>, checker: &mut Checker) -> PyResult<Py<PyDict>> {
    let report = checker.statistics();
    let counts = PyDict::new(py);
    for (name, count) in [
        ("positions", report.positions),
        ("white_to_move", report.white),
        ("unique_with_clocks", report.with_clocks),
        ("unique_without_clocks", report.without_clocks),
        ("unique_without_superfluous_ep", report.without_superfluous),
        ("unique_board_side_castling", report.with_castling),
        ("unique_board_side", report.with_side),
        ("unique_board", report.boards),
        ("superfluous_ep", report.superfluous),
    ] {
        counts.set_item(name, count)?;
    }
    Ok(counts.unbind())
}

/// The problems of files of positions, and their counts.
#[pyclass(module = "pgn2epd", frozen, get_all)]
pub(crate) struct CheckReport {
    /// Lines with a record.
    records: u64,
    /// Lines that should have a record but do not.
    bad_lines: u64,
    /// Errors.
    errors: u64,
    /// Warnings.
    warnings: u64,
    /// Notes.
    notes: u64,
    /// The problems, as `Problem` objects.
    problems: Py<PyList>,
    /// The lines that were not written to the target because they do not have exactly one reading:
    /// file, line number, text.
    rejected: Vec<Rejected>,
    /// With `stats`, the numbers of positions and of different positions.
    statistics: Option<Py<PyDict>>,
}

#[pymethods]
impl CheckReport {
    fn __repr__(&self) -> String {
        let CheckReport { records, errors, warnings, notes, .. } = self;
        format!("<CheckReport records={records} errors={errors} warnings={warnings} notes={notes}>")
    }
}
