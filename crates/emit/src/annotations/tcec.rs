//! TCEC's comments: `d=24, sd=35, mt=63000, tl=…, s=…, n=…, pv=…, tb=…, wv=0.25, …`.

use std::time::Duration;

use epd::Centipawns;
use san::Color;

use super::decimal::{clock, number};
use super::report::Report;
use super::score::{Score, as_mover};

/// Reads a comment on a move; `None` without a score. `wv` is White's view; mates are in plies.
#[inline]
pub(super) fn read(text: &[u8], mover: Color) -> Option<Report<'_>> {
    let mut report = Report::default();
    let mut rest = text;
    loop {
        let len = memchr::memchr(b',', rest).unwrap_or(rest.len());
        match rest[..len].trim_ascii() {
            [b'd', b'=', value @ ..] => report.depth = number(value),
            [b's', b'd', b'=', value @ ..] => report.selective_depth = number(value),
            [b'n', b'=', value @ ..] => report.nodes = number(value),
            [b'm', b't', b'=', value @ ..] => report.time = milliseconds(value),
            [b't', b'l', b'=', value @ ..] => report.clock = milliseconds(value),
            [b'p', b'v', b'=', value @ ..] => report.line = Some(value),
            [b'w', b'v', b'=', value @ ..] => report.evaluation = evaluation_of(value, mover),
            _ => {}
        }
        match rest.get(len + 1..) {
            Some(more) => rest = more,
            None => return report.evaluation.is_some().then_some(report),
        }
    }
}

/// That of [`read`], but from the end of the text: the score follows the long variation.
#[inline(always)]
pub(super) fn evaluation(text: &[u8], mover: Color) -> Option<Centipawns> {
    let mut rest = text;
    loop {
        let start = rest.iter().rposition(|byte| *byte == b',').map_or(0, |comma| comma + 1);
        if let [b'w', b'v', b'=', value @ ..] = rest[start..].trim_ascii() {
            return evaluation_of(value, mover);
        }
        rest = &rest[..start.checked_sub(1)?];
    }
}

#[inline(always)]
fn evaluation_of(value: &[u8], mover: Color) -> Option<Centipawns> {
    let (score, rest) = Score::read(value)?;
    let white = score.with_mate_in_plies().filter(|_| rest.is_empty())?;
    Some(as_mover(white, mover))
}

/// Parses milliseconds, or hours, minutes and seconds as in older files.
#[inline]
fn milliseconds(value: &[u8]) -> Option<Duration> {
    match number(value) {
        Some(milliseconds) => Some(Duration::from_millis(milliseconds)),
        None if value.contains(&b':') => clock(value),
        None => None,
    }
}
