//! Value parsers: those of the library, and some that only the program needs.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pgn2epd::options::Keyword;

pub(super) use pgn2epd::options::Size;

/// Parses the keywords of a type, which are listed in help, completions and messages.
pub(super) fn words<T: Keyword + Send + Sync>() -> impl TypedValueParser<Value = T> {
    let possible = |value: &T| match value.help() {
        "" => PossibleValue::new(value.word()),
        help => PossibleValue::new(value.word()).help(help),
    };
    PossibleValuesParser::new(T::ALL.iter().map(possible)).try_map(|word| T::from_word(&word))
}

/// A list of numbers and ranges: `3`, `1..5`, `8..`, `10,20,30`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers(Vec<NumberRange>);

/// The numbers from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberRange {
    pub(crate) first: u64,
    pub(crate) last: u64,
}

impl NumberRange {
    pub(crate) fn contains(self, number: u64) -> bool {
        (self.first..=self.last).contains(&number)
    }
}

impl Numbers {
    pub(crate) fn contains(&self, number: u64) -> bool {
        self.0.iter().any(|range| range.contains(number))
    }

    /// Returns the ranges in the order in which they were given.
    pub(crate) fn ranges(&self) -> &[NumberRange] {
        &self.0
    }

    /// Returns the greatest number; `u64::MAX` if a range is open.
    pub(crate) fn last(&self) -> u64 {
        self.0.iter().map(|range| range.last).max().unwrap_or(0)
    }

    pub(crate) fn is_single(&self) -> bool {
        matches!(&self.0[..], [NumberRange { first, last }] if first == last)
    }
}

impl fmt::Display for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NumberRange { first, last } if first == last => write!(f, "{first}"),
            NumberRange { first, last: u64::MAX } => write!(f, "{first}.."),
            NumberRange { first, last } => write!(f, "{first}..{last}"),
        }
    }
}

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let range = |text: &str| {
            let advice =
                || format!("{text:?} is neither a number nor a range, such as 1..5 or 8..");
            let number = |text: &str, default| match text {
                "" => Ok(default),
                digits => digits.parse().map_err(|_| advice()),
            };
            let (first, last) = match text.split_once("..") {
                Some(("", "")) => return Err(advice()),
                Some((first, last)) => {
                    (number(first, 0)?, number(last.trim_start_matches('='), u64::MAX)?)
                }
                None if text.is_empty() => return Err(advice()),
                None => (number(text, 0)?, number(text, 0)?),
            };
            match first > last {
                true => Err(format!("the range {text} is empty; write {last}..{first}")),
                false => Ok(NumberRange { first, last }),
            }
        };
        text.split(',').map(|part| range(part.trim())).collect::<Result<_, _>>().map(Numbers)
    }
}

pub(super) fn counted_from_one(text: &str) -> Result<Numbers, String> {
    let mut numbers: Numbers = text.parse()?;
    for range in &mut numbers.0 {
        if range.last == 0 {
            return Err("the first game has the number 1".to_owned());
        }
        range.first = range.first.max(1);
    }
    Ok(numbers)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) Range<u64>);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let advice = || {
            "write START:END in bytes, such as 0:268435456, or START: for the rest of the file"
                .to_owned()
        };
        let (start, end) = text.split_once(':').ok_or_else(advice)?;
        let start = start.parse().map_err(|_| advice())?;
        let end = if end.is_empty() { Ok(u64::MAX) } else { end.parse() };
        let end = end.map_err(|_| advice())?;
        if start > end {
            return Err(format!("the range ends before it begins; write {end}:{start}"));
        }
        Ok(Bytes(start..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_a_list_of_ranges() {
        let numbers = |text: &str| {
            let numbers = text.parse::<Numbers>().ok()?;
            Some(numbers.ranges().iter().map(NumberRange::to_string).collect::<Vec<_>>().join(" "))
        };
        for (text, expected) in [
            ("3", "3"),
            ("1..5", "1..5"),
            ("8..", "8.."),
            ("..5", "0..5"),
            ("10,20,30", "10 20 30"),
            ("7, 1..3", "7 1..3"),
            ("4..4", "4"),
        ] {
            assert_eq!(numbers(text).as_deref(), Some(expected), "{text}");
        }
        for wrong in ["", ",", "1,", "..", "5..1", "x", "-1", "1...3", "1-3"] {
            assert_eq!(numbers(wrong), None, "{wrong}");
        }
        let list: Numbers = "7,1..3".parse().unwrap();
        assert_eq!((0..9).filter(|n| list.contains(*n)).collect::<Vec<_>>(), [1, 2, 3, 7]);
        assert_eq!((list.last(), list.is_single()), (7, false));
        assert_eq!(counted_from_one("..2").unwrap().to_owned(), "1..2".parse().unwrap());
        assert!(counted_from_one("0").is_err());
    }

    #[test]
    fn ranges_may_have_an_open_end() {
        let bytes = |text: &str| text.parse().map(|Bytes(range)| range).ok();
        assert_eq!(bytes("0:100"), Some(0..100));
        assert_eq!(bytes("100:"), Some(100..u64::MAX));
        assert_eq!(bytes("7:7"), Some(7..7));
        for wrong in ["", ":", "7", ":7", "8:7", "a:b", "-1:2", "1:2:3"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }
}
