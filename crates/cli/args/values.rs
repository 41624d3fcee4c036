//! Value parsers: those of the library, and some that only the program needs.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pgn2epd::Keyword;

pub(crate) use pgn2epd::Plies;
pub(super) use pgn2epd::{Jobs, Size};

/// Returns the parser for the keywords of a type, which are listed in help, completions and
/// messages.
pub(super) fn words<T: Keyword + Send + Sync>() -> impl TypedValueParser<Value = T> {
    words_but(&[])
}

/// Returns the same parser without the keywords of some values.
pub(super) fn words_but<T: Keyword + Send + Sync>(
    left_out: &[T],
) -> impl TypedValueParser<Value = T> + use<T> {
    let possible = |value: &T| match value.help() {
        "" => PossibleValue::new(value.word()),
        help => PossibleValue::new(value.word()).help(help),
    };
    let values = T::ALL.iter().filter(|value| !left_out.contains(value)).map(possible);
    PossibleValuesParser::new(values).try_map(|word| T::from_word(&word))
}

/// Evaluations from one to another, both included, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Evaluations {
    pub(super) least: i32,
    pub(super) most: i32,
}

impl FromStr for Evaluations {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let advice =
            "expected MIN..MAX, MIN.. or ..MAX in centipawns (90..119) or in pawns (0.90..1.19)";
        let (least, most) = text.split_once("..").ok_or(advice)?;
        let has_point = |bound: &&str| bound.contains('.');
        let mut given = [least, most].into_iter().filter(|bound| !bound.is_empty());
        let in_pawns = [least, most].iter().any(has_point);
        if in_pawns && !given.all(|bound| has_point(&bound)) {
            return Err("one bound is in pawns and the other in centipawns".to_owned());
        }
        let number = |text: &str, default| match text {
            "" => Some(default),
            pawns if in_pawns => centipawns(pawns),
            digits => digits.parse().ok(),
        };
        let least = number(least, i32::MIN).ok_or(advice)?;
        let most = number(most, i32::MAX).ok_or(advice)?;
        if least > most {
            return Err(format!("no evaluation is both {least} or more and {most} or less"));
        }
        Ok(Evaluations { least, most })
    }
}

/// Converts pawns with one or two decimals to centipawns: `-0.9` is -90.
fn centipawns(text: &str) -> Option<i32> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (pawns, decimals) = unsigned.split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(pawns) || !is_number(decimals) || decimals.len() > 2 {
        return None;
    }
    let size: i32 = format!("{pawns}{decimals:0<2}").parse().ok()?;
    Some(if text.starts_with('-') { -size } else { size })
}

/// A share of points or games, in millionths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share(pub(super) u64);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Share((share * 1e6).round() as u64)),
            _ => Err("write a share from 0 to 1, such as 0.55".to_owned()),
        }
    }
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

    /// Whether there is only one number.
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

/// Parses numbers that are counted from 1.
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

/// A range of bytes.
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
    fn evaluations_are_in_centipawns_or_in_pawns_and_never_in_both() {
        let range = |text: &str| text.parse().map(|Evaluations { least, most }| (least, most)).ok();
        for (text, expected) in [
            ("90..119", (90, 119)),
            ("-20..20", (-20, 20)),
            ("..-20", (i32::MIN, -20)),
            ("0.9..1.19", (90, 119)),
            ("-0.2..+0.25", (-20, 25)),
            ("1.5..", (150, i32::MAX)),
            ("..-0.01", (i32::MIN, -1)),
            ("1..2", (1, 2)),
        ] {
            assert_eq!(range(text), Some(expected), "{text}");
        }
        for wrong in
            ["", "90", "0.9..119", "1...5", "0.905..1", "0.905..1.0", "1.x..2.0", ".5..1.0", "2..1"]
        {
            assert_eq!(range(wrong), None, "{wrong}");
        }
    }

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
