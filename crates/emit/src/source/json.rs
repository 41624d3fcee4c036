//! Lines of JSON as rows of a table.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::LineFault;
use super::table::{Cell, Role};

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
    let text = line.trim_start();
    serde_json::from_str(text).map_err(|error| {
        let at = line.len() - text.len() + error.column().saturating_sub(1);
        let reason = error.to_string();
        let reason = reason.split(" at line").next().unwrap_or_default();
        (at, LineFault::Json(reason.to_owned()))
    })
}

pub(crate) fn row(object: &Map<String, Value>) -> Vec<Cell<'_>> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let cell = |(name, value)| Cell { name, role: Role::of(name), text: Cow::Owned(text(value)) };
    object.iter().map(|(name, value)| cell((&**name, value))).collect()
}

/// Returns the place of the value of a name in a line that has it, in bytes.
pub(crate) fn place_of(line: &str, name: &str) -> usize {
    let key = Value::from(name).to_string();
    let Some(at) = line.find(&key).map(|at| at + key.len()) else { return 0 };
    let value = line[at..].trim_start_matches([' ', ':']);
    line.len() - value.len() + usize::from(value.starts_with('"'))
}
