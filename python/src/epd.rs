//! Records of EPD as Python objects.

use pgn2epd::epd::{Dialect, EpdDiagnostic, Line, ReadOptions, read_line};
use pgn2epd::game::Severity;
use pgn2epd::options::{Keyword, UnknownKeyword};
use pgn2epd_cli::Finding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::{diagram, operations, problem};

/// Reads a line of EPD or FEN, in any dialect.
///
/// >>> line = '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";'
/// >>> record = pgn2epd.epd.parse(line)
/// >>> record.operations
/// {'bm': ['Qd1+'], 'id': 'BK.01'}
/// >>> record.fen
/// '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1'
///
/// `dialect` is epd, fen, crafty, perl, perft, label, pgn-extract, scid or python-chess; without it
/// the dialect is detected. With `moves=False` the moves in operands are not played.
///
/// The first error, such as an illegal position or move, raises a `PgnError`; `record.problems` are
/// the warnings and notes.
#[pyfunction]
#[pyo3(signature = (line, *, dialect=None, moves=true))]
pub(crate) fn parse(
    py: Python<'_>,
    line: &str,
    dialect: Option<&str>,
    moves: bool,
) -> PyResult<EpdRecord> {
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
    let problems = faults.iter().map(|fault| to_python(fault).map(Bound::unbind));
    let problems = problems.collect::<PyResult<_>>()?;
    match read {
        Line::Record(record) => Ok(EpdRecord {
            text: record.to_record().to_string(),
            line: line.to_owned(),
            fen: record.position().to_string(),
            dialect: record.dialect(),
            problems,
        }),
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

/// A position with its operations. `str(record)` is its normal form, the form of the standard.
#[pyclass(module = "pgn2epd.epd", name = "Record", frozen)]
pub(crate) struct EpdRecord {
    text: String,
    line: String,
    /// The six fields, with the clocks of `hmvc` and `fmvn`.
    #[pyo3(get)]
    fen: String,
    dialect: Dialect,
    /// Warnings and notes about the line.
    #[pyo3(get)]
    problems: Vec<Py<PyAny>>,
}

#[pymethods]
impl EpdRecord {
    /// The four fields: placement, side to move, castling rights, en passant square.
    #[getter]
    fn fields(&self) -> (&str, &str, &str, &str) {
        let mut fields = self.fen.split(' ');
        let mut next = || fields.next().unwrap_or_default();
        (next(), next(), next(), next())
    }

    /// The four fields as one text.
    #[getter]
    fn epd(&self) -> &str {
        self.fen.rsplitn(3, ' ').last().unwrap_or_default()
    }

    /// The dialect of the line: epd, fen, crafty and so on.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.dialect.word()
    }

    /// The operations by opcode, in the order of the line: a number as `int`, moves as a list, two
    /// texts as a tuple, a missing operand as `None`, anything else as `str`.
    #[getter]
    fn operations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        if let Some(record) = operations::line(&self.line, self.dialect) {
            operations::fill(&record, &dict)?;
        }
        Ok(dict)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Record {}>", self.text)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text.as_str().into_pyobject(py)?.hash()
    }

    /// For `pickle` and `copy`.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, &'static str))> {
        let again = py.get_type::<Self>().getattr("_restored")?;
        Ok((again, (self.line.clone(), self.dialect.word())))
    }

    #[staticmethod]
    fn _restored(py: Python<'_>, line: &str, dialect: &str) -> PyResult<Self> {
        parse(py, line, Some(dialect), false)
    }

    /// The diagram for notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        diagram::svg(&self.line)
    }
}
