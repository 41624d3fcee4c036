//! The operations of a record as Python values.

use pgn2epd::epd::{Dialect, Line, OperandRef, ReadOptions, RecordRef, read_line};
use pgn2epd::options::{Format, Keyword};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

pub(crate) fn read<'py>(
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
