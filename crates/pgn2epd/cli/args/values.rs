//! Numbers and windows as they are typed: those of the library, and what only the program has.

use std::ops::Range;
use std::str::FromStr;

pub(in crate::cli) use pgn2epd::Plies;
pub(super) use pgn2epd::{Jobs, Letters, Size};

/// Evaluations from one to another, both included, in centipawns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluations {
    pub(super) least: i32,
    pub(super) most: i32,
}

impl FromStr for Evaluations {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let advice = "write MIN..MAX in centipawns, as 90..119, or only one side, as 90.. or ..-20";
        let number = |text: &str, default| match text {
            "" => Ok(default),
            digits => digits.parse().map_err(|_| advice.to_owned()),
        };
        let (least, most) = text.split_once("..").ok_or(advice)?;
        let (least, most) = (number(least, i32::MIN)?, number(most, i32::MAX)?);
        if least > most {
            return Err(format!("no evaluation is both {least} or more and {most} or less"));
        }
        Ok(Evaluations { least, most })
    }
}

/// White's share of the points, in millionths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score(pub(super) u64);

impl FromStr for Score {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f64>() {
            Ok(share) if (0.0..=1.0).contains(&share) => Ok(Score((share * 1e6).round() as u64)),
            _ => Err("write White's share of the points, from 0 to 1, as 0.55".to_owned()),
        }
    }
}

/// A range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Bytes(pub(in crate::cli) Range<u64>);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let advice =
            || "write START:END in bytes, as 0:268435456, or START: for all behind it".to_owned();
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
    fn ranges_may_be_open_behind() {
        let bytes = |text: &str| text.parse().map(|Bytes(range)| range).ok();
        assert_eq!(bytes("0:100"), Some(0..100));
        assert_eq!(bytes("100:"), Some(100..u64::MAX));
        assert_eq!(bytes("7:7"), Some(7..7));
        for wrong in ["", ":", "7", ":7", "8:7", "a:b", "-1:2", "1:2:3"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }
}
