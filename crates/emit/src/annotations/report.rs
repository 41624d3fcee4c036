//! Reports of engines beside their moves: `+0.25/12 3.4s`, `-M6/20 0.1s, Black mates`, `0.18/23 239
//! (exd6)`, `+1.37 14/20 267 458718`, `38/21 36165ms`.

use std::time::Duration;

use epd::Centipawns;

use super::decimal::{clock, clock_at_start, digits, number};
use super::score::Score;

/// An engine's report beside its move, about the position before the move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report<'a> {
    /// Evaluation of the position before the move, from the view of the side that moved.
    pub evaluation: Option<Centipawns>,
    /// Depth of the search in plies.
    pub depth: Option<u32>,
    /// Greatest depth of any line, in plies.
    pub selective_depth: Option<u32>,
    /// Time spent on the move.
    pub time: Option<Duration>,
    /// Remaining time of the side that moved, after the move.
    pub clock: Option<Duration>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Moves in SAN or UCI notation, starting with the move played, if given.
    pub line: Option<&'a [u8]>,
    /// The end of the game: `White mates`.
    pub ending: Option<&'a [u8]>,
}

/// Reads a report of cutechess, fastchess, XBoard, Arena or OpenBench; `None` for other text.
/// In these styles the score is the mover's, and mates are counted in plies.
#[inline(always)]
pub(super) fn read(text: &[u8]) -> Option<Report<'_>> {
    // `(Nf6)` before the score is the reply that the engine expected.
    let text = match text {
        [b'(', rest @ ..] => rest[memchr::memchr(b')', rest)? + 1..].trim_ascii_start(),
        _ => text,
    };
    let (score, rest) = Score::read(text)?;
    if !score.has_point
        && let [b'/', rest @ ..] = rest
        && let Some(report) = whole_centipawns(score, rest)
    {
        return Some(report);
    }
    // `20/12/1993`, `3/4`
    if !score.is_marked {
        return None;
    }
    let mut report = Report { evaluation: Some(score.with_mate_in_plies()?), ..Report::default() };
    let fields = match rest {
        [b'/', rest @ ..] => report.depth_and_time(rest)?,
        [b' ', rest @ ..] => report.depths_time_and_nodes(rest)?,
        _ => return None,
    };
    report.fields(fields);
    Some(report)
}

/// Reads the rest of a report of c-chess-cli, `21 36165ms`: whole centipawns, mates in moves.
/// Only the time in whole milliseconds shows that it is one; without it the sign must.
fn whole_centipawns(score: Score, text: &[u8]) -> Option<Report<'_>> {
    let (depth, rest) = digits(text);
    let depth = u32::try_from(depth).ok().filter(|_| rest.len() < text.len())?;
    let rest = rest.trim_ascii();
    let time = match rest.strip_suffix(b"ms") {
        Some(milliseconds) => Some(Duration::from_millis(number(milliseconds)?)),
        None if rest.is_empty() && score.is_marked && !score.is_mate() => None,
        None => return None,
    };
    let evaluation = Some(score.as_centipawns().with_mate_in_moves()?);
    Some(Report { evaluation, depth: Some(depth), time, ..Report::default() })
}

/// Returns what [`read`] does for the most common form, `+0.25/12 3.4s …`; `None` for others.
#[inline(always)]
pub(super) fn plain_evaluation(comment: &[u8]) -> Option<Centipawns> {
    // The lengths of the numbers vary, so a loop over digits would mispredict branches.
    let mut others = other_than_digits(comment)?;
    let mut next = || {
        let at = others.trailing_zeros() as usize;
        others &= others.wrapping_sub(1);
        at
    };
    let (sign, point, slash, space) = (next(), next(), next(), next());
    let (decimals, unit) = (next(), next());
    let has_numbers = sign == 0
        && (2..=8).contains(&point)
        && slash == point + 3
        && space > slash + 1
        && decimals > space + 1
        && unit > decimals + 1;
    if !has_numbers || unit >= LONGEST_PLAIN {
        return None;
    }
    let is_negative = comment[0] == b'-';
    // A line of movetext may be broken after the depth.
    let is_plain = (is_negative || comment[0] == b'+')
        && comment[point] == b'.'
        && comment[slash] == b'/'
        && matches!(comment[space], b' ' | b'\n')
        && comment[decimals] == b'.'
        && comment[unit] == b's'
        && matches!(comment.get(unit + 1), None | Some(b','));
    if !is_plain {
        return None;
    }
    let digit = |at: usize| i64::from(comment[at].wrapping_sub(b'0'));
    let (mut pawns, mut at) = (digit(1), 2);
    while at < point {
        pawns = 10 * pawns + digit(at);
        at += 1;
    }
    let score = 100 * pawns + 10 * digit(point + 1) + digit(point + 2);
    let score = Centipawns::without_mate(score);
    Some(if is_negative { score.of_other_side() } else { score })
}

/// Number of bytes of a comment in which the time of a plain report must end.
const LONGEST_PLAIN: usize = 24;

/// Returns a bit for each of the first 24 bytes that is not a digit; `None` below 8 bytes.
#[inline(always)]
fn other_than_digits(text: &[u8]) -> Option<u32> {
    #[inline(always)]
    fn word(text: &[u8], at: usize) -> Option<u32> {
        const ONES: u64 = 0x0101_0101_0101_0101;
        let bytes = u64::from_le_bytes(*text.get(at..)?.first_chunk()?) ^ (ONES * 0x30);
        // The high bit of each byte above 9; no sum of two bytes carries into the next.
        let above = (((bytes & (ONES * 0x7f)) + ONES * 0x76) | bytes) & (ONES * 0x80);
        // Gathers the eight high bits in the highest byte.
        let bits = (above >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        Some((bits as u32) << at)
    }
    let end = text.len().min(LONGEST_PLAIN);
    let middle = if end > 16 { word(text, 8)? } else { 0 };
    Some(word(text, 0)? | middle | word(text, end.checked_sub(8)?)?)
}

impl<'a> Report<'a> {
    /// Reads depth, seconds, nodes, reply: `12 3.4s`, `23 239 (exd6)`; returns the fields behind.
    #[inline(always)]
    fn depth_and_time(&mut self, text: &'a [u8]) -> Option<&'a [u8]> {
        let text = text.trim_ascii_start();
        let (depth, mut rest) = digits(text);
        if rest.len() == text.len() {
            return None;
        }
        self.depth = Some(u32::try_from(depth).ok()?);
        let mut ends_in_seconds = false;
        loop {
            rest = rest.trim_ascii_start();
            match rest {
                [] | [b',', ..] => return Some(rest),
                [b'(', ..] => rest = &rest[word_len(rest)..],
                _ => {
                    // The end of the game without a comma: `0.005s White mates`.
                    if ends_in_seconds && rest[0].is_ascii_alphabetic() {
                        let end = memchr::memchr(b',', rest).unwrap_or(rest.len());
                        self.ending = Some(rest[..end].trim_ascii_end());
                        return Some(&rest[end..]);
                    }
                    // Other text that begins like a score.
                    let (time, behind) = duration_at_start(rest)?;
                    if !matches!(behind, [] | [b',' | b' ' | b'\t' | b'\n' | b'\r' | 0x0c, ..]) {
                        return None;
                    }
                    if self.time.is_none() {
                        self.time = Some(time);
                    } else if self.nodes.is_none() {
                        self.nodes = number(&rest[..rest.len() - behind.len()]);
                    }
                    ends_in_seconds = text[..text.len() - behind.len()].ends_with(b"s");
                    rest = behind;
                }
            }
        }
    }

    /// Reads `14/20 267 458718`: depths, milliseconds, nodes. Returns the fields that follow.
    fn depths_time_and_nodes(&mut self, text: &'a [u8]) -> Option<&'a [u8]> {
        let at = memchr::memchr(b',', text).unwrap_or(text.len());
        let mut words = text[..at].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let depths = words.next()?;
        let slash = memchr::memchr(b'/', depths)?;
        self.depth = Some(number(&depths[..slash])?);
        self.selective_depth = Some(number(&depths[slash + 1..])?).filter(|depth| *depth > 0);
        self.time = Some(Duration::from_millis(number(words.next()?)?));
        self.nodes = Some(number(words.next()?)?);
        words.next().is_none().then_some(&text[at..])
    }

    /// Reads the fields after the time, each after a comma: `n=4321, pv="e2e4", White mates`.
    fn fields(&mut self, mut text: &'a [u8]) {
        while let [b',', rest @ ..] = text {
            let len = field_len(rest);
            self.field(rest[..len].trim_ascii());
            text = &rest[len..];
        }
    }

    fn field(&mut self, field: &'a [u8]) {
        let Some(at) = memchr::memchr(b'=', field) else {
            match field.strip_suffix(b"s").and_then(|_| duration(field)) {
                // Some programs write a comma before the time.
                Some(time) => self.time = self.time.or(Some(time)),
                None if field.is_empty() => {}
                None => self.ending = Some(field),
            }
            return;
        };
        let value = field[at + 1..].trim_ascii();
        match field[..at].trim_ascii() {
            b"n" | b"nodes" => self.nodes = number(value),
            b"sd" => self.selective_depth = number(value),
            b"tl" | b"timeleft" => self.clock = duration(value),
            b"pv" => self.line = Some(without_quotes(value)),
            _ => {}
        }
    }
}

/// Returns the length of the first field: up to a comma outside quotes.
fn field_len(text: &[u8]) -> usize {
    let mut is_quoted = false;
    for at in memchr::memchr2_iter(b',', b'"', text) {
        if text[at] == b'"' {
            is_quoted = !is_quoted;
        } else if !is_quoted {
            return at;
        }
    }
    text.len()
}

fn without_quotes(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(b"\"").unwrap_or(text);
    text.strip_suffix(b"\"").unwrap_or(text)
}

fn word_len(text: &[u8]) -> usize {
    let is_end = |byte: &u8| *byte == b',' || byte.is_ascii_whitespace();
    text.iter().position(is_end).unwrap_or(text.len())
}

/// Reads `3.4s`, `239` in seconds, `0:04` or `77ms`, and returns what follows.
#[inline(always)]
fn duration_at_start(text: &[u8]) -> Option<(Duration, &[u8])> {
    let (time, rest) = clock_at_start::<false>(text)?;
    match rest {
        [b'm', b's', rest @ ..] => {
            let milliseconds = number(&text[..text.len() - rest.len() - 2])?;
            Some((Duration::from_millis(milliseconds), rest))
        }
        [b's', rest @ ..] => Some((time, rest)),
        _ => Some((time, rest)),
    }
}

/// Parses a whole field as a time, in which white space is allowed beside a colon.
fn duration(field: &[u8]) -> Option<Duration> {
    match field {
        [.., b'm', b's'] => {
            duration_at_start(field).filter(|(_, rest)| rest.is_empty()).map(|(time, _)| time)
        }
        [seconds @ .., b's'] => clock(seconds),
        _ => clock(field),
    }
}

#[cfg(test)]
mod tests {
    use san::Color;

    use crate::annotations::report;

    #[test]
    fn what_people_write_is_not_taken_for_an_engines() {
        for comment in [
            "book",
            "a draw",
            "1/2-1/2",
            "20/12/1993 in Paris",
            "24/7",
            "and/or",
            "0-0/1",
            "(Nf6",
            "+0.25",
            "+0.25 for White",
            "+0.25 14/20 for White",
            "+0.25 14 /20 267 458718",
            "+0.25 14/ 267 458718",
            "",
            "W=27.6 plies; 503kN/ s",
            "3/4 of the way",
            "38/21",
            "3/4 20 ms",
            "3/4 2.5ms",
            "3/4 20ms later",
            "+0.3/12 or so",
            "+0.3/99999999999 1s",
            "d=20, wv=?",
        ] {
            assert_eq!(report(comment.as_bytes(), Color::White), None, "{comment}");
        }
    }
}
