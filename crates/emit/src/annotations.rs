//! Machine-written parts of comments: evaluations, clocks, engine reports.
//!
//! Points of view differ: `[%eval]` is White's view of the position after the move, while an
//! engine's report beside its own move is about the position before it. Here an evaluation is
//! always from the view of the side to move in the position that it refers to (EPD 5.6).

pub(crate) mod analysis;
mod command;
pub(crate) mod comment;
mod engine;
mod tcec;

use std::time::Duration;

use epd::Centipawns;
use san::Color;

pub(crate) use command::commands;
pub(crate) use engine::engine;

/// An engine's report beside its move, about the position before the move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Engine<'a> {
    /// From the view of the side that moved.
    pub(crate) evaluation: Option<Centipawns>,
    /// In plies.
    pub(crate) depth: Option<u32>,
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
    /// Moves in SAN or UCI notation, starting with the move played, if given.
    pub(crate) line: Option<&'a str>,
    /// The end of the game: `White mates`.
    pub(crate) ending: Option<&'a str>,
}

/// Parses a score in pawns or as a mate; the result has the view of the text.
fn score(text: &str, mate_in: impl Fn(u32) -> Option<u32>) -> Option<Centipawns> {
    let (is_negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (is_negative, mate) = match digits.strip_prefix(['M', '#']) {
        // `#-3` and `-#3` both mean that White is mated.
        Some(mate) => match mate.strip_prefix('-') {
            Some(mate) => (!is_negative, Some(mate)),
            None => (is_negative, Some(mate)),
        },
        None => (is_negative, None),
    };
    let value = match mate {
        Some(moves) => Centipawns::gives_mate_in_plies(mate_in(number(moves)?)?)?,
        None => Centipawns::without_mate(hundredths(digits)?),
    };
    Some(if is_negative { value.of_other_side() } else { value })
}

/// Splits `0.25`, `12` or `.5` at the point. Returns the whole number and the decimals as a number
/// of `unit`s; `None` for anything else, for more decimals, and for numbers of many digits.
fn fixed_point(text: &str, unit: u32) -> Option<(u64, u32)> {
    let (whole, decimals) = match text.as_bytes().iter().position(|byte| *byte == b'.') {
        Some(at) => (&text.as_bytes()[..at], &text.as_bytes()[at + 1..]),
        None => (text.as_bytes(), &b""[..]),
    };
    if whole.len() > 15 || whole.len() + decimals.len() == 0 {
        return None;
    }
    let mut number = 0_u64;
    for byte in whole {
        number = number * 10 + u64::from(byte.checked_sub(b'0').filter(|digit| *digit < 10)?);
    }
    let (mut fraction, mut place) = (0, unit);
    for byte in decimals {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        if !place.is_multiple_of(10) {
            return None;
        }
        place /= 10;
        fraction += u32::from(digit) * place;
    }
    Some((number, fraction))
}

/// Parses `0.25`, `12` or `.5` as hundredths, rounded to the nearest.
fn hundredths(text: &str) -> Option<i64> {
    // Nearly all scores have two decimals, and floating point takes ten times as long.
    if let Some((pawns, hundredths)) = fixed_point(text, 100) {
        return Some(pawns as i64 * 100 + i64::from(hundredths));
    }
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value: f64 = text.parse().ok().filter(|_| is_number)?;
    Some((value * 100.0).round() as i64)
}

/// Parses a number that consists of digits only.
fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Parses hours, minutes and seconds, of which the leading ones may be missing: `1:02:03.4`,
/// `2:03`, `3.4`. White space is allowed between them.
fn clock(text: &str) -> Option<Duration> {
    // Nearly all times of engines are in seconds.
    if let Some((seconds, nanoseconds)) = fixed_point(text, 1_000_000_000) {
        return Some(Duration::new(seconds, nanoseconds));
    }
    let mut seconds = 0.0;
    let parts = text.split(':');
    if parts.clone().count() > 3 {
        return None;
    }
    for part in parts {
        let part = part.trim();
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let value: f64 = part.parse().ok().filter(|_| is_number)?;
        seconds = seconds * 60.0 + value;
    }
    Duration::try_from_secs_f64(seconds).ok()
}

/// Converts an evaluation from White's view to that of the side to move.
fn as_mover(white: Centipawns, mover: Color) -> Centipawns {
    if mover == Color::White { white } else { white.of_other_side() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same in floating point, which is exact enough for numbers of few digits.
    fn floating(text: &str) -> Option<f64> {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        text.parse().ok().filter(|_| is_number)
    }

    #[test]
    fn numbers_have_a_whole_part_or_decimals() {
        let cases = [
            ("0.25", Some((0, 25))),
            ("12", Some((12, 0))),
            (".5", Some((0, 50))),
            ("7.", Some((7, 0))),
            ("999999999999999.99", Some((999_999_999_999_999, 99))),
            // Left to floating point, or not numbers.
            ("0.255", None),
            ("1000000000000000", None),
            ("", None),
            ("1.2.3", None),
            ("-1", None),
            ("1e5", None),
        ];
        for (text, expected) in cases {
            assert_eq!(fixed_point(text, 100), expected, "{text}");
        }
        // A point alone has neither.
        assert_eq!((hundredths("."), clock(".")), (None, None));
    }

    proptest! {
        #[test]
        fn numbers_are_those_of_floating_point(text in "[0-9]{0,5}[.]?[0-9]{0,4}|[0-9.:x ]{0,8}") {
            let expected = floating(&text).map(|pawns| (pawns * 100.0).round() as i64);
            prop_assert_eq!(hundredths(&text), expected);
            if let Some(seconds) = floating(&text) {
                let expected = Duration::try_from_secs_f64(seconds).ok();
                prop_assert_eq!(clock(&text), expected);
            }
        }
    }
}
