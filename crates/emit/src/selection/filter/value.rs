//! The values of a condition, and how they are compared.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::lex::Compare;
use crate::facts::{date, decimal};

pub(super) enum Value<'v> {
    Missing,
    Bool(bool),
    Number(f64),
    /// The value of a tag; compared as a number if it parses as one.
    Tag(&'v str),
    Text(Cow<'v, str>),
    /// Year, month and day; 0 for a missing part.
    Date([u32; 3]),
}

pub(super) fn number(value: &Value<'_>) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Tag(value) => decimal(value.as_bytes()),
        _ => None,
    }
}

pub(super) fn holds(a: &Value<'_>, compare: Compare, b: &Value<'_>) -> bool {
    if compare == Compare::Contains {
        return text(a).zip(text(b)).is_some_and(|(a, b)| contains(a.as_bytes(), b.as_bytes()));
    }
    compares(order(a, b), compare)
}

pub(super) fn compares(order: Option<Ordering>, compare: Compare) -> bool {
    match compare {
        Compare::Equal => order == Some(Ordering::Equal),
        Compare::Unequal => order != Some(Ordering::Equal),
        Compare::Less => order == Some(Ordering::Less),
        Compare::LessOrEqual => order.is_some_and(Ordering::is_le),
        Compare::More => order == Some(Ordering::Greater),
        Compare::MoreOrEqual => order.is_some_and(Ordering::is_ge),
        Compare::Contains => false,
    }
}

/// Compares two values; `None` if they cannot be compared.
fn order(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    match (a, b) {
        (Value::Text(_), _) | (_, Value::Text(_)) => Some(text(a)?.cmp(text(b)?)),
        (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
        (Value::Tag(value), Value::Number(b)) => decimal(value.as_bytes())?.partial_cmp(b),
        (Value::Number(a), Value::Tag(value)) => a.partial_cmp(&decimal(value.as_bytes())?),
        (Value::Tag(a), Value::Tag(b)) => match (decimal(a.as_bytes()), decimal(b.as_bytes())) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => a.partial_cmp(b),
        },
        (Value::Date(a), Value::Date(b)) => {
            let known = |date: &[u32; 3]| date.iter().take_while(|part| **part > 0).count();
            // Compare to the lower precision; parts missing from either date are unknown.
            let parts = known(a).min(known(b));
            (parts > 0).then(|| a[..parts].cmp(&b[..parts]))
        }
        _ => None,
    }
}

fn text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    match value {
        Value::Tag(value) => Some(value),
        Value::Text(text) => Some(text),
        _ => None,
    }
}

pub(super) fn dated(value: Value<'_>) -> Value<'_> {
    match value {
        Value::Number(year) if year.fract() == 0.0 && (1.0..=9999.0).contains(&year) => {
            Value::Date([year as u32, 0, 0])
        }
        Value::Tag(_) | Value::Text(_) => {
            Value::Date(date(text(&value).unwrap_or_default().as_bytes()))
        }
        other => other,
    }
}

/// Whether a text contains a part, ignoring case.
pub(super) fn contains(text: &[u8], part: &[u8]) -> bool {
    if !(text.is_ascii() && part.is_ascii()) {
        return folded(text).contains(&folded(part));
    }
    let Some(first) = part.first() else { return true };
    let (lower, upper) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    let is_part = |at: usize| {
        text.get(at..at + part.len()).is_some_and(|text| text.eq_ignore_ascii_case(part))
    };
    memchr::memchr2_iter(lower, upper, text).any(is_part)
}

/// Returns the text without differences of case: upper case first, which makes `SS` of `ß`.
fn folded(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}
