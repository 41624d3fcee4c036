//! Lines of JSON as rows of a table.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::LineFault;
use super::table::{Cell, ColumnNames, Role};

/// Reads an object: numbers and truth values as text, lists and objects as JSON.
pub(crate) fn object(line: &str) -> Result<Map<String, Value>, (usize, LineFault)> {
    parse(line)
}

/// Reads a line behind any blanks.
///
/// # Errors
///
/// Returns the place in the line, in bytes, and the fault.
pub(super) fn parse<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, (usize, LineFault)> {
    let text = line.trim_start_matches('\u{feff}').trim_start();
    serde_json::from_str(text).map_err(|error| {
        let at = line.len() - text.len() + error.column().saturating_sub(1);
        let reason = error.to_string();
        let reason = reason.split(" at line").next().unwrap_or_default();
        (at, LineFault::Json(reason.to_owned()))
    })
}

/// Returns the cells of an object whose columns have these names.
pub(crate) fn row<'r>(object: &'r Map<String, Value>, names: &'r ColumnNames) -> Vec<Cell<'r>> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let names: Vec<&str> = object.keys().map(|name| names.of(name)).collect();
    let texts: Vec<String> = object.values().map(text).collect();
    let roles = Role::of_row(&names, &texts);
    let cells = names.into_iter().zip(roles).zip(texts);
    cells.map(|((name, role), text)| Cell { name, role, text: Cow::Owned(text) }).collect()
}

/// Returns the place of the value of a name in a line that has it, in bytes.
pub(crate) fn place_of(line: &str, name: &str) -> usize {
    let key = Value::from(name).to_string();
    let Some(at) = line.find(&key).map(|at| at + key.len()) else { return 0 };
    let value = line[at..].trim_start_matches([' ', ':']);
    line.len() - value.len() + usize::from(value.starts_with('"'))
}
