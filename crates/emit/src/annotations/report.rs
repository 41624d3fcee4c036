//! Reports of engines beside their moves: `+0.25/12 3.4s`, `-M6/20 0.1s, Black mates`,
//! `0.18/23 239 (exd6)`, `+1.37 14/20 267 458718`, `38/21 36165ms`, and those of TCEC. Their
//! numbers are read without floating point.

use std::time::Duration;

use epd::Centipawns;
use san::Color;

// Numbers, times and clocks in comments, as integers.

const NANOSECONDS: u32 = 1_000_000_000;

/// Most digits before the point of a time, so that no sum of its parts overflows.
const MOST_DIGITS: usize = 15;

/// Reads the digits at the start of a text: their value, at most the greatest number, and the rest.
#[inline(always)]
pub(super) fn digits(text: &[u8]) -> (u64, &[u8]) {
    let (mut value, mut at) = (0_u64, 0);
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0'))
        && digit < 10
    {
        value = value.saturating_mul(10).saturating_add(digit.into());
        at += 1;
    }
    (value, &text[at..])
}

#[inline]
pub(super) fn number<N: TryFrom<u64>>(text: &[u8]) -> Option<N> {
    let (value, rest) = digits(text);
    if text.is_empty() || !rest.is_empty() || value == u64::MAX {
        return None;
    }
    N::try_from(value).ok()
}

/// Parses `1:02:03.4`, `2:03` or `3.4`: hours, minutes, seconds; white space may be between.
#[inline]
pub(super) fn clock(text: &[u8]) -> Option<Duration> {
    let (time, rest) = clock_at_start::<true>(text)?;
    rest.trim_ascii_start().is_empty().then_some(time)
}

/// Parses the time of a move in parentheses, as the server FICS writes it: `(0:04)`.
#[inline]
pub(super) fn time_in_parentheses(text: &[u8]) -> Option<Duration> {
    match text {
        [b'(', time @ .., b')'] if time.contains(&b':') => clock(time),
        _ => None,
    }
}

#[inline(always)]
pub(super) fn clock_at_start<const IS_SPACED: bool>(text: &[u8]) -> Option<(Duration, &[u8])> {
    let start = |text| if IS_SPACED { <[u8]>::trim_ascii_start(text) } else { text };
    let (mut whole, mut rest) = (0, text);
    for _ in 0..3 {
        let part = start(rest);
        let (value, behind) = digits(part);
        let len = part.len() - behind.len();
        if len > MOST_DIGITS {
            return None;
        }
        whole = whole * 60 + value;
        match start(behind) {
            [b':', more @ ..] if len > 0 => rest = more,
            _ => return with_fraction::<IS_SPACED>(whole, len > 0, behind),
        }
    }
    None
}

/// Reads `.4` or nothing after whole seconds; in a command `,4` too: in reports it is a field.
#[inline(always)]
fn with_fraction<const IS_SPACED: bool>(
    whole: u64,
    has_whole: bool,
    text: &[u8],
) -> Option<(Duration, &[u8])> {
    let decimals = match text {
        [b'.', decimals @ ..] => decimals,
        [b',', decimals @ ..]
            if IS_SPACED && has_whole && decimals.first().is_some_and(u8::is_ascii_digit) =>
        {
            decimals
        }
        _ => return has_whole.then(|| (Duration::from_secs(whole), text)),
    };
    let (mut nanoseconds, mut place, mut len) = (0, NANOSECONDS / 10, 0);
    while let Some(digit) = decimals.get(len).map(|byte| byte.wrapping_sub(b'0'))
        && digit < 10
    {
        nanoseconds += u32::from(digit) * place;
        // Further digits are below a nanosecond.
        place /= 10;
        len += 1;
    }
    (has_whole || len > 0).then(|| (Duration::new(whole, nanoseconds), &decimals[len..]))
}

// Scores in comments: pawns with decimals, or a mate.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrittenScore {
    is_negative: bool,
    amount: Amount,
    /// Whether a sign, a point or the letter of a mate shows that the number is a score.
    pub(super) is_marked: bool,
    pub(super) has_point: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    /// Hundredths of a pawn, rounded to the nearest.
    Hundredths(u64),
    /// A mate, in plies or moves.
    Mate(u64),
}

impl WrittenScore {
    /// Reads a score at the start; a line may be broken after its point: `0.`, then `58`.
    #[inline(always)]
    pub(super) fn read(text: &[u8]) -> Option<(WrittenScore, &[u8])> {
        let (is_negative, unsigned) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let has_sign = unsigned.len() < text.len();
        if let [b'M' | b'#', mate @ ..] = unsigned {
            return WrittenScore::read_mate(is_negative, mate);
        }
        let (pawns, rest) = digits(unsigned);
        let has_whole = rest.len() < unsigned.len();
        let [b'.', decimals @ ..] = rest else {
            let amount = Amount::Hundredths(pawns.saturating_mul(100));
            let score = WrittenScore { is_negative, amount, is_marked: has_sign, has_point: false };
            return has_whole.then_some((score, rest));
        };
        let (mut hundredths, mut rest) = (0, decimals);
        let decimals = match decimals {
            [b'\n', more @ ..] | [b'\r', b'\n', more @ ..] if has_whole => more,
            _ => decimals,
        };
        let mut len = 0;
        while let Some(digit) = decimals.get(len).map(|byte| byte.wrapping_sub(b'0'))
            && digit < 10
        {
            hundredths += match len {
                0 => 10 * u64::from(digit),
                1 => digit.into(),
                2 => u64::from(digit >= 5),
                _ => 0,
            };
            len += 1;
        }
        if len > 0 {
            rest = &decimals[len..];
        }
        let amount = Amount::Hundredths(pawns.saturating_mul(100).saturating_add(hundredths));
        let score = WrittenScore { is_negative, amount, is_marked: true, has_point: true };
        (has_whole || len > 0).then_some((score, rest))
    }

    /// Reads the number of a mate. `#-3` and `-#3` both mean that White is mated.
    #[cold]
    fn read_mate(is_negative: bool, mate: &[u8]) -> Option<(WrittenScore, &[u8])> {
        let (is_negative, unsigned) = match mate {
            [b'-', rest @ ..] => (!is_negative, rest),
            _ => (is_negative, mate),
        };
        let (number, rest) = digits(unsigned);
        let amount = Amount::Mate(number);
        let score = WrittenScore { is_negative, amount, is_marked: true, has_point: false };
        (rest.len() < unsigned.len()).then_some((score, rest))
    }

    /// The value for the side to move of a score for White, where the side that mates counts moves.
    #[inline]
    pub(super) fn of_white_with_mate_in_moves(self, turn: Color) -> Option<Centipawns> {
        let mover_mates = self.is_negative == (turn == Color::Black);
        Some(as_mover(self.with_moves_of(mover_mates)?, turn))
    }

    /// The value, for the same side; if the side to move mates, it also makes the last ply.
    #[inline]
    fn with_moves_of(self, mover_mates: bool) -> Option<Centipawns> {
        self.value(|moves| match mover_mates {
            true => moves.checked_mul(2)?.checked_sub(1),
            false => moves.checked_mul(2),
        })
    }

    pub(super) fn is_mate(self) -> bool {
        matches!(self.amount, Amount::Mate(_))
    }

    /// The score in centipawns if it has no point, as programs that write centipawns write it.
    pub(super) fn as_centipawns(self) -> WrittenScore {
        match self.amount {
            Amount::Hundredths(hundredths) if !self.has_point => {
                WrittenScore { amount: Amount::Hundredths(hundredths / 100), ..self }
            }
            _ => self,
        }
    }

    /// The value, for the same side; `plies` takes the number of a mate.
    #[inline]
    fn value(self, plies: impl Fn(u32) -> Option<u32>) -> Option<Centipawns> {
        let value = match self.amount {
            Amount::Hundredths(value) => {
                Centipawns::without_mate(i64::try_from(value).unwrap_or(i64::MAX))
            }
            Amount::Mate(number) => {
                Centipawns::gives_mate_in_plies(plies(u32::try_from(number).ok()?)?)?
            }
        };
        Some(if self.is_negative { value.of_other_side() } else { value })
    }
}

#[inline]
pub(super) fn as_mover(white: Centipawns, mover: Color) -> Centipawns {
    if mover == Color::White { white } else { white.of_other_side() }
}

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
pub(super) fn read_report(text: &[u8]) -> Option<Report<'_>> {
    // `(Nf6)` before the score is the reply that the engine expected.
    let text = match text {
        [b'(', rest @ ..] => rest[memchr::memchr(b')', rest)? + 1..].trim_ascii_start(),
        _ => text,
    };
    let (score, rest) = WrittenScore::read(text)?;
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
    let mut report = Report { evaluation: Some(score.value(Some)?), ..Report::default() };
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
fn whole_centipawns(score: WrittenScore, text: &[u8]) -> Option<Report<'_>> {
    let (depth, rest) = digits(text);
    let depth = u32::try_from(depth).ok().filter(|_| rest.len() < text.len())?;
    let rest = rest.trim_ascii();
    let time = match rest.strip_suffix(b"ms") {
        Some(milliseconds) => Some(Duration::from_millis(number(milliseconds)?)),
        None if rest.is_empty() && score.is_marked && !score.is_mate() => None,
        None => return None,
    };
    let evaluation = Some(score.as_centipawns().with_moves_of(!score.is_negative)?);
    Some(Report { evaluation, depth: Some(depth), time, ..Report::default() })
}

/// Returns what [`read_report`] does for the most common form, `+0.25/12 3.4s …`; `None` for others.
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
            b"pv" => {
                let line = value.strip_prefix(b"\"").unwrap_or(value);
                self.line = Some(line.strip_suffix(b"\"").unwrap_or(line));
            }
            _ => {}
        }
    }
}

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
        _ => Some((time, rest.strip_prefix(b"s").unwrap_or(rest))),
    }
}

/// Parses a whole field as a time, in which white space is allowed beside a colon.
fn duration(field: &[u8]) -> Option<Duration> {
    match field {
        [.., b'm', b's'] => {
            duration_at_start(field).filter(|(_, rest)| rest.is_empty()).map(|(time, _)| time)
        }
        _ => clock(field.strip_suffix(b"s").unwrap_or(field)),
    }
}

// TCEC's comments: `d=24, sd=35, mt=63000, tl=…, s=…, n=…, pv=…, tb=…, wv=0.25, …`.

/// Reads a comment on a move; `None` without a score. `wv` is White's view; mates are in plies.
#[inline]
pub(super) fn read_tcec(text: &[u8], mover: Color) -> Option<Report<'_>> {
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
            [b'w', b'v', b'=', value @ ..] => report.evaluation = tcec_value(value, mover),
            _ => {}
        }
        match rest.get(len + 1..) {
            Some(more) => rest = more,
            None => return report.evaluation.is_some().then_some(report),
        }
    }
}

/// Reads as [`read_tcec`], but from the end of the text: the score follows the long variation.
#[inline(always)]
pub(super) fn evaluation_of_tcec(text: &[u8], mover: Color) -> Option<Centipawns> {
    let mut rest = text;
    loop {
        let start = rest.iter().rposition(|byte| *byte == b',').map_or(0, |comma| comma + 1);
        if let [b'w', b'v', b'=', value @ ..] = rest[start..].trim_ascii() {
            return tcec_value(value, mover);
        }
        rest = &rest[..start.checked_sub(1)?];
    }
}

#[inline(always)]
fn tcec_value(value: &[u8], mover: Color) -> Option<Centipawns> {
    let (score, rest) = WrittenScore::read(value)?;
    let white = score.value(Some).filter(|_| rest.is_empty())?;
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

#[cfg(test)]
mod tests {
    use san::Color;

    use super::*;
    use crate::annotations::report;

    #[test]
    fn a_number_has_digits_only_and_is_in_range() {
        assert_eq!(number(b"0"), Some(0_u32));
        assert_eq!(number(b"4294967295"), Some(u32::MAX));
        assert_eq!(number(b"18446744073709551614"), Some(u64::MAX - 1));
        for text in ["", "-1", "+1", "1.0", "x", " 1", "4294967296", "99999999999999999999999"] {
            assert_eq!(number::<u32>(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_clock_has_up_to_three_parts_and_a_fraction() {
        let cases = [
            ("0:05:00", (300, 0)),
            ("1:02:03.4", (3723, 400_000_000)),
            ("01:56:25", (6985, 0)),
            ("1 : 30", (90, 0)),
            ("239", (239, 0)),
            ("0:00:45,6", (45, 600_000_000)),
            (".5", (0, 500_000_000)),
            ("7.", (7, 0)),
            ("0.123456789123", (0, 123_456_789)),
            ("999999999999999:59:59", (3_599_999_999_999_999_999, 0)),
        ];
        for (text, expected) in cases {
            let (seconds, nanos) = expected;
            assert_eq!(clock(text.as_bytes()), Some(Duration::new(seconds, nanos)), "{text}");
        }
        for text in [
            "5,", "1000000000000000", "1:2:3:4", "1::2", ":30", "5 .3", "1.5:30", "1.2.3", "-1",
            "1e5", ".", ":", "",
        ] {
            assert_eq!(clock(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn scores_are_rounded_to_hundredths_and_may_be_mates() {
        // text, centipawns with mates in plies, what follows
        let cases = [
            ("0.25", 25, ""),
            ("+0.25/12", 25, "/12"),
            ("-1.5,22", -150, ",22"),
            ("12", 1200, ""),
            (".5", 50, ""),
            ("7.", 700, ""),
            ("0.254", 25, ""),
            ("0.285", 29, ""),
            ("-0.0051", -1, ""),
            ("0.\n58/19", 58, "/19"),
            ("0.\r\n58/19", 58, "/19"),
            ("0. 58", 0, " 58"),
            ("400.00", 32000, ""),
            ("-99999999999999999999999.0", -32000, ""),
            ("M12", 32755, ""),
            ("+M7/20", 32760, "/20"),
            ("-M6", -32761, ""),
            ("#-3 ", -32764, " "),
            ("-#3", -32764, ""),
            ("-#-3", 32764, ""),
        ];
        for (text, expected, rest) in cases {
            let (score, found) = WrittenScore::read(text.as_bytes()).unwrap();
            let value = score.value(Some).map(Centipawns::get);
            assert_eq!((value, found), (Some(expected), rest.as_bytes()), "{text}");
        }
        for text in ["M0", "M99999999999", "M", "+", ".", "\n58", "x", ""] {
            let read = WrittenScore::read(text.as_bytes());
            assert_eq!(read.and_then(|(score, _)| score.value(Some)), None, "{text}");
        }
    }

    #[test]
    fn what_people_write_is_not_taken_for_an_engines() {
        let short = [
            "book", "a draw", "1/2-1/2", "24/7", "and/or", "0-0/1", "(Nf6", "+0.25",
            "+0.25 for White", "", "3/4 of the way", "38/21", "3/4 20 ms", "3/4 2.5ms",
            "3/4 20ms later", "+0.3/12 or so", "d=20, wv=?",
        ];
        let long = [
            "20/12/1993 in Paris",
            "+0.25 14/20 for White",
            "+0.25 14 /20 267 458718",
            "+0.25 14/ 267 458718",
            "W=27.6 plies; 503kN/ s",
            "+0.3/99999999999 1s",
        ];
        for comment in short.into_iter().chain(long) {
            assert_eq!(report(comment.as_bytes(), Color::White), None, "{comment}");
        }
    }
}
