//! The value of a fact for a position.

use std::time::Duration;

use openings::Opening;
use pgn::TagPair;
use san::{AnyPosition, Buffer, FieldStyle, MoveText};

use super::Fact;
use crate::annotations::analysis::{Analysis, report_on, time_spent};
use crate::annotations::commands;
use crate::ply::Ply;

/// The value of a fact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FactValue<'v> {
    Number(u64),
    Signed(i32),
    Decimal(f64),
    Seconds(Duration),
    Key(u64),
    Truth(bool),
    Text(&'v str),
    Move(MoveText),
    /// The four fields of the position, which the caller writes with [`write_text`].
    Epd,
    /// The six fields, likewise.
    Fen,
    /// The NAGs, likewise.
    Nags,
}

/// Game data needed by facts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameFacts<'g> {
    pub(crate) file: &'g str,
    /// Number of the game.
    pub(crate) number: u64,
    /// Line on which the game begins.
    pub(crate) line: u64,
    /// Number of plies in the main line.
    pub(crate) plies: u32,
    /// Mean of both ratings.
    pub(crate) elo: Option<f64>,
}

/// Returns the value of a fact for a position, if there is one.
///
/// Returns no value for [`Fact::Record`], which only the writer of the record can supply.
#[inline(always)]
pub(crate) fn value<'v, P: AnyPosition>(
    fact: Fact,
    ply: &Ply<'_, P>,
    game: &GameFacts<'v>,
    opening: &Opening<'v>,
) -> Option<FactValue<'v>> {
    let position = ply.position;
    Some(match fact {
        Fact::Check => FactValue::Truth(position.is_check()),
        Fact::Clock => FactValue::Seconds(commands(ply.comments, position.turn()).clock?),
        Fact::Depth => FactValue::Number(Analysis::of(ply).depth?.into()),
        Fact::Eco => FactValue::Text(opening.eco()?),
        Fact::Elo => FactValue::Decimal(game.elo?),
        Fact::Epd => FactValue::Epd,
        Fact::Eval => FactValue::Signed(Analysis::evaluation(ply)?.get()),
        Fact::Fen => FactValue::Fen,
        Fact::File => FactValue::Text(game.file),
        Fact::Game => FactValue::Number(game.number),
        Fact::Key => FactValue::Key(position.polyglot_key()?),
        Fact::Line => FactValue::Number(game.line),
        Fact::Move => FactValue::Number(position.fullmoves().into()),
        Fact::Nags if ply.nags.is_empty() => return None,
        Fact::Nags => FactValue::Nags,
        Fact::Nodes => FactValue::Number(Analysis::of(ply).nodes?),
        Fact::Opening => FactValue::Text(opening.name()?.opening()?),
        Fact::Pieces => FactValue::Number(position.piece_count().into()),
        Fact::Plies => FactValue::Number(game.plies.into()),
        Fact::Ply => FactValue::Number(ply.number.into()),
        Fact::Record => return None,
        Fact::San => FactValue::Move(position.san_of(ply.next?)),
        Fact::Seldepth => FactValue::Number(report_on(ply)?.selective_depth?.into()),
        Fact::Time => FactValue::Seconds(time_spent(ply)?),
        Fact::Turn => FactValue::Text(if position.turn().is_white() { "w" } else { "b" }),
        Fact::Uci => FactValue::Move(position.uci_of(ply.next?)),
    })
}

/// Returns seconds with up to three decimals, as in a column of decimal numbers.
pub(crate) fn seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1000.0
}

/// Appends a time in seconds with up to three decimals, without trailing zeros.
pub(crate) fn write_seconds(time: Duration, text: &mut String) {
    text.push_str(itoa::Buffer::new().format(time.as_secs()));
    let mut rest = time.subsec_millis();
    if rest > 0 {
        text.push('.');
    }
    let mut place = 100;
    while rest > 0 {
        text.push(char::from(b'0' + (rest / place) as u8));
        (rest, place) = (rest % place, place / 10);
    }
}

/// Appends the text of [`FactValue::Epd`], [`FactValue::Fen`] and [`FactValue::Nags`]; does nothing for other values.
#[inline(always)]
pub(crate) fn write_text<P: AnyPosition>(
    value: FactValue<'_>,
    ply: &Ply<'_, P>,
    style: FieldStyle,
    buffer: &mut Buffer,
) {
    if value == FactValue::Nags {
        return write_nags(ply.nags, buffer);
    }
    let mut line = buffer.line();
    match value {
        FactValue::Epd => ply.position.write_fields(style, &mut line),
        FactValue::Fen => ply.position.write_fen(style, &mut line),
        _ => {}
    }
    line.finish();
}

/// Writes NAGs as in movetext: `$1 $14`.
#[cold]
fn write_nags(nags: &[u8], buffer: &mut Buffer) {
    for (index, nag) in nags.iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        buffer.extend(format!("{space}${nag}").as_bytes());
    }
}

impl GameFacts<'_> {
    /// Returns the mean of both ratings, if both are known.
    pub(crate) fn mean_elo(tags: &[TagPair<'_>]) -> Option<f64> {
        let elo = |name: &[u8]| {
            let tag = tags.iter().find(|tag| tag.name() == name)?;
            decimal(&tag.value()).filter(|elo| *elo > 0.0)
        };
        Some((elo(b"WhiteElo")? + elo(b"BlackElo")?) / 2.0)
    }
}

/// Parses the value of a tag as a number, ignoring white space around it.
pub(crate) fn decimal(text: &[u8]) -> Option<f64> {
    let text = text.trim_ascii();
    // Fast path for ratings, which nearly all values are.
    if text.len() <= 9 && !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        return Some(text.iter().fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0')).into());
    }
    if !text.last()?.is_ascii_digit() {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_up_to_three_decimals() {
        let cases = [
            (0, "0"),
            (5, "0.005"),
            (40, "0.04"),
            (300, "0.3"),
            (1_020, "1.02"),
            (3_723_400, "3723.4"),
            (60_000, "60"),
        ];
        for (milliseconds, expected) in cases {
            let mut text = String::new();
            write_seconds(Duration::from_millis(milliseconds), &mut text);
            assert_eq!(text, expected);
            assert_eq!(seconds(Duration::from_millis(milliseconds)).to_string(), expected);
        }
    }
}
