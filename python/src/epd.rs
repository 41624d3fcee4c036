//! Records of EPD, their operations and the positions of a list of moves as Python values.

use pgn2epd::epd::{Dialect, EpdDiagnostic, Line, OperandRef, ReadOptions, RecordRef, read_line};
use pgn2epd::game::Severity;
use pgn2epd::options::{Format, Keyword};
use pgn2epd_cli::ReportLine;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::problem::{self, invalid};

/// Normal form, line, FEN, dialect and problems.
type EpdFields<'py> = (String, String, String, &'static str, Vec<Bound<'py, PyAny>>);

/// Reads a line: the values of a `pgn2epd.epd.Record`.
#[pyfunction]
pub(crate) fn parse<'py>(
    py: Python<'py>,
    line: &str,
    dialect: Option<&str>,
    moves: bool,
) -> PyResult<EpdFields<'py>> {
    let unknown = |word, error| invalid(format!("dialect={word:?}: {error}"));
    let read = |word| Dialect::from_word(word).map_err(|error| unknown(word, error));
    let dialect = dialect.map(read).transpose()?;
    let line = line.trim_end_matches(['\r', '\n']);
    if line.contains('\n') {
        return Err(invalid("a record is one line; take text.splitlines()"));
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
        let finding = ReportLine::of_record(None, *column as u64, token, &fault.kind);
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
        Line::Variant(_) => Err(invalid("the record is of a variant of chess")),
        Line::Blank | Line::Comment | Line::Bad => Err(invalid("the line has no record")),
    }
}

pub(crate) fn operations_of<'py>(
    py: Python<'py>,
    record: &str,
    format: Format,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    if format == Format::Crafty
        && let Some(record) = self::record(record, Dialect::Crafty)
    {
        fill(&record, &dict)?;
        return Ok(dict);
    }
    // The fields are replaced, since the reader does not know the fields of variants.
    let fields = if format == Format::Fen { 6 } else { 4 };
    let Some(rest) = record.splitn(fields + 1, ' ').nth(fields) else { return Ok(dict) };
    let bare = format!("4k3/8/8/8/8/8/8/4K3 w - - {rest}");
    if let Some(record) = self::record(&bare, Dialect::Standard) {
        fill(&record, &dict)?;
    }
    Ok(dict)
}

fn record(text: &str, dialect: Dialect) -> Option<RecordRef<'_>> {
    let options = ReadOptions { dialect: Some(dialect), moves: false, ..ReadOptions::default() };
    match read_line(text, &options, &mut |_| {}) {
        Line::Record(record) => Some(record),
        _ => None,
    }
}

fn fill(record: &RecordRef<'_>, dict: &Bound<'_, PyDict>) -> PyResult<()> {
    for operation in record.operations() {
        let name = operation.name();
        let operand = match operation.opcode() {
            Some(opcode) => record.get(opcode).unwrap_or(OperandRef::Nothing),
            None => other(operation.operands()),
        };
        match operand {
            OperandRef::Nothing => dict.set_item(name, dict.py().None())?,
            OperandRef::Integer(value) => dict.set_item(name, value)?,
            OperandRef::Evaluation(value) => dict.set_item(name, value.get())?,
            OperandRef::Moves(moves) if name == "sm" => {
                dict.set_item(name, moves.collect::<Vec<_>>().join(" "))?;
            }
            OperandRef::Moves(moves) => {
                dict.set_item(name, PyList::new(dict.py(), moves.collect::<Vec<_>>())?)?;
            }
            OperandRef::Text(text) => dict.set_item(name, text)?,
            OperandRef::Texts(first, second) => dict.set_item(name, (first, second))?,
            OperandRef::Raw(text) => dict.set_item(name, text)?,
        }
    }
    Ok(())
}

/// The operand of an unknown opcode: a number, or a text without its quotes.
fn other(operands: &str) -> OperandRef<'_> {
    let inner = operands.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match (operands.parse(), inner) {
        _ if operands.is_empty() => OperandRef::Nothing,
        (Ok(number), _) => OperandRef::Integer(number),
        (_, Some(text)) if !text.contains('"') => OperandRef::Text(text.into()),
        _ => OperandRef::Raw(operands),
    }
}

/// The operations of a line of EPD that was read.
#[pyfunction]
pub(crate) fn operations<'py>(
    py: Python<'py>,
    line: &str,
    dialect: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    if let Some(record) = Dialect::from_word(dialect).ok().and_then(|dialect| record(line, dialect))
    {
        fill(&record, &dict)?;
    }
    Ok(dict)
}

/// The position after each of the moves, as four fields, like `epdlist` in Perl's Chess::PGN::EPD.
///
/// Moves are in any notation found in games: SAN, long algebraic, UCI, with figurines or marks.
/// `fen` is the position to start from, if it is not the standard starting position.
///
/// >>> pgn2epd.epdlist(["e4", "c5", "Nf3"])[-1]
/// 'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -'
///
/// A move that cannot be played raises a `PgnError`; its `index` is the index of the move.
#[pyfunction]
#[pyo3(signature = (moves, fen=None))]
pub(crate) fn epdlist(moves: &Bound<'_, PyAny>, fen: Option<&str>) -> PyResult<Vec<String>> {
    if moves.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("moves is a list: of a str take moves.split()"));
    }
    let texts: Vec<String> =
        moves.try_iter()?.map(|text| text?.extract()).collect::<PyResult<_>>()?;
    let positions = match fen {
        Some(fen) => pgn2epd::epdlist_from(fen, &texts),
        None => pgn2epd::epdlist(&texts),
    };
    positions.map_err(|error| problem::of_moves(moves.py(), &error))
}
