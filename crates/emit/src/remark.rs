//! What machines write into comments: evaluations, clocks, what an engine thought.
//!
//! Mind the point of view. `[%eval]` is White's view of the position after the move; what an engine writes beside its own
//! move speaks of the position before it. Here an evaluation is always the mover's: that of the side to move in the
//! position that it speaks of (EPD 5.6).

mod command;
mod engine;
mod tcec;

use std::time::Duration;

use san::Color;

use crate::Centipawns;

pub(crate) use command::commands;
pub(crate) use engine::engine;

/// What an engine wrote beside its move, of the position before it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Engine<'a> {
    /// From the view of the side that moved.
    pub(crate) evaluation: Option<Centipawns>,
    /// In plies.
    pub(crate) depth: Option<u32>,
    pub(crate) time: Option<Duration>,
    pub(crate) nodes: Option<u64>,
    /// Moves in SAN or as UCI has them, the one played first, as far as they are given.
    pub(crate) line: Option<&'a str>,
    /// How the game ended: `White mates`.
    pub(crate) ending: Option<&'a str>,
}

/// A score as it is printed, in pawns or as a mate, from one view or the other.
fn score(text: &str, mate_in: impl Fn(u32) -> Option<u32>) -> Option<Centipawns> {
    let (is_negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (is_negative, mate) = match digits.strip_prefix(['M', '#']) {
        // `#-3` and `-#3` both say that White is mated.
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

/// `0.25`, `12`, `.5`: hundredths, rounded to the nearest.
fn hundredths(text: &str) -> Option<i64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let value: f64 = text.parse().ok().filter(|_| is_number)?;
    Some((value * 100.0).round() as i64)
}

/// Digits and nothing else.
fn number<N: std::str::FromStr>(text: &str) -> Option<N> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `1:02:03.4`, `2:03`, `3.4`: hours, minutes and seconds, as many as there are. White space may stand between.
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

/// An evaluation from White's view as the side to move sees it.
fn as_mover(white: Centipawns, mover: Color) -> Centipawns {
    if mover == Color::White { white } else { white.of_other_side() }
}
