//! The program, as `python -m pgn2epd`.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the program with these arguments, and returns its exit status.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| pgn2epd_cli::run(&arguments))
}
