//! Records of EPD as Python values.

use pgn2epd::epd::{Dialect, EpdDiagnostic, Line, ReadOptions, read_line};
use pgn2epd::game::Severity;
use pgn2epd::options::{Keyword, UnknownKeyword};
use pgn2epd_cli::Finding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::problem;

/// Normal form, line, FEN, dialect and problems.
type Fields<'py> = (String, String, String, &'static str, Vec<Bound<'py, PyAny>>);

/// Reads a line: the values of a `pgn2epd.epd.Record`.
#[pyfunction]
pub(crate) fn parse<'py>(
    py: Python<'py>,
    line: &str,
    dialect: Option<&str>,
    moves: bool,
) -> PyResult<Fields<'py>> {
    let dialect = dialect.map(|word| word_of::<Dialect>("dialect", word)).transpose()?;
    let line = line.trim_end_matches(['\r', '\n']);
    if line.contains('\n') {
        return Err(PyValueError::new_err("a record is one line; take text.splitlines()"));
    }
    let mut faults = Vec::new();
    let options = ReadOptions { dialect, moves, ..ReadOptions::default() };
    let read = read_line(line, &options, &mut |fault| {
        faults.push((fault.column(line), line.get(fault.at.clone()).unwrap_or_default(), fault));
    });
    let is_error = |fault: &EpdDiagnostic| fault.kind.severity() == Severity::Error;
    let to_python = |(column, token, fault): &(usize, &str, EpdDiagnostic)| {
        let level = match fault.kind.severity() {
            Severity::Error => String::new(),
            severity => format!("{}: ", severity.as_str()),
        };
        let message = format!("column {column}: {level}{}", fault.kind);
        let finding = Finding::of_record(None, *column as u64, token, &fault.kind);
        problem::to_python(py, &finding, &message)
    };
    if let Some(fault) = faults.iter().find(|(.., fault)| is_error(fault)) {
        return Err(problem::error(py, to_python(fault)));
    }
    let problems = faults.iter().map(to_python).collect::<PyResult<_>>()?;
    match read {
        Line::Record(record) => {
            let (text, fen) = (record.to_record().to_string(), record.position().to_string());
            Ok((text, line.to_owned(), fen, record.dialect().word(), problems))
        }
        Line::Variant(_) => Err(PyValueError::new_err("the record is of a variant of chess")),
        Line::Blank | Line::Comment | Line::Bad => {
            Err(PyValueError::new_err("the line has no record"))
        }
    }
}

/// The value of an option that is a keyword.
pub(crate) fn word_of<T: Keyword>(name: &str, word: &str) -> PyResult<T> {
    T::from_word(word)
        .map_err(|error: UnknownKeyword| PyValueError::new_err(format!("{name}={word:?}: {error}")))
}
