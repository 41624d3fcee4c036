//! A range of engine evaluations.

use std::fmt;
use std::str::FromStr;

use san::Color;

/// An inclusive range of evaluations in centipawns for the side to move, or for White. A mate in n
/// plies is 32767 - n.
///
/// It is written `MIN..MAX`, `MIN..` or `..MAX`, in centipawns or in pawns with one or two
/// decimals, and with `white:` before it for White's evaluation.
///
/// ```
/// use emit::EvaluationRange;
/// use san::Color;
///
/// let range: EvaluationRange = "white:0.90..1.19".parse()?;
/// assert_eq!(range.to_string(), "white:90..119");
/// assert!(range.contains(-100, Color::Black));
/// assert!(!range.contains(100, Color::Black));
/// # Ok::<_, emit::EvaluationRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EvaluationRange {
    /// Lower bound.
    pub least: i32,
    /// Upper bound.
    pub most: i32,
    /// Whether the bounds are for White, instead of the side to move.
    pub is_white: bool,
}

/// The reason why a text is not a range of evaluations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EvaluationRangeError(String);

impl EvaluationRange {
    /// Whether an evaluation from the side to move's point of view is in the range.
    pub fn contains(&self, centipawns: i32, turn: Color) -> bool {
        let is_turned = self.is_white && turn.is_black();
        let centipawns = if is_turned { -centipawns } else { centipawns };
        (self.least..=self.most).contains(&centipawns)
    }
}

impl FromStr for EvaluationRange {
    type Err = EvaluationRangeError;

    fn from_str(text: &str) -> Result<Self, EvaluationRangeError> {
        let error = |text: &str| EvaluationRangeError(text.to_owned());
        let advice = || {
            error(
                "expected MIN..MAX, MIN.. or ..MAX in centipawns (90..119) or in pawns (0.90..1.19), after white: for White's evaluation",
            )
        };
        let (is_white, range) = match text.strip_prefix("white:") {
            Some(range) => (true, range),
            None => (false, text),
        };
        let (least, most) = range.split_once("..").ok_or_else(advice)?;
        let has_point = |bound: &&str| bound.contains('.');
        let mut given = [least, most].into_iter().filter(|bound| !bound.is_empty());
        let in_pawns = [least, most].iter().any(has_point);
        if in_pawns && !given.all(|bound| has_point(&bound)) {
            return Err(error("one bound is in pawns and the other in centipawns"));
        }
        let number = |text: &str, default| match text {
            "" => Some(default),
            pawns if in_pawns => centipawns(pawns),
            digits => digits.parse().ok(),
        };
        let least = number(least, i32::MIN).ok_or_else(advice)?;
        let most = number(most, i32::MAX).ok_or_else(advice)?;
        if least > most {
            let text = format!("no evaluation is both {least} or more and {most} or less");
            return Err(EvaluationRangeError(text));
        }
        Ok(EvaluationRange { least, most, is_white })
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

impl fmt::Display for EvaluationRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_white { "white:" } else { "" })?;
        let bound =
            |number: i32, open| if number == open { String::new() } else { number.to_string() };
        write!(f, "{}..{}", bound(self.least, i32::MIN), bound(self.most, i32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_in_centipawns_or_in_pawns_and_never_in_both() {
        let range = |text: &str| text.parse::<EvaluationRange>();
        for (text, least, most, written) in [
            ("90..119", 90, 119, "90..119"),
            ("-20..20", -20, 20, "-20..20"),
            ("..-20", i32::MIN, -20, "..-20"),
            ("0.9..1.19", 90, 119, "90..119"),
            ("-0.2..+0.25", -20, 25, "-20..25"),
            ("1.5..", 150, i32::MAX, "150.."),
            ("..-0.01", i32::MIN, -1, "..-1"),
            ("1..2", 1, 2, "1..2"),
        ] {
            for (view, is_white) in [("", false), ("white:", true)] {
                let read = range(&format!("{view}{text}")).unwrap();
                assert_eq!(read, EvaluationRange { least, most, is_white }, "{text}");
                assert_eq!(read.to_string(), format!("{view}{written}"));
            }
        }
        for wrong in [
            "",
            "90",
            "0.9..119",
            "1...5",
            "0.905..1",
            "0.905..1.0",
            "1.x..2.0",
            ".5..1.0",
            "2..1",
            "black:1..2",
        ] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
