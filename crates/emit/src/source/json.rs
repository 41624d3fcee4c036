//! Lines of JSON as rows of a table.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

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

/// Returns the keys of the objects at the beginning of a text, of which the last may be incomplete.
pub fn keys_of_lines(text: &str) -> Arc<[Box<str>]> {
    let objects = text.lines().filter_map(|line| object(line).ok());
    let keys = objects.flat_map(|object| object.into_iter().map(|(key, _)| key));
    let keys: BTreeSet<Box<str>> = keys.map(String::into_boxed_str).collect();
    keys.into_iter().collect()
}

/// Returns the cells of an object whose columns have these names; `keys` are those of other lines.
pub(crate) fn row<'r>(
    object: &'r Map<String, Value>,
    keys: &'r [Box<str>],
    names_of: &'r ColumnNames,
) -> Vec<Cell<'r>> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let names: Vec<&str> = object.keys().map(|name| names_of.of(name)).collect();
    let texts: Vec<String> = object.values().map(text).collect();
    let keys: Vec<&str> = keys.iter().map(|name| names_of.of(name)).collect();
    let roles = Role::of_row(&names, &keys, &texts);
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
