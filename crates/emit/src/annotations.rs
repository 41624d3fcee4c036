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

/// Parses `0.25`, `12` or `.5` as hundredths, rounded to the nearest.
fn hundredths(text: &str) -> Option<i64> {
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
