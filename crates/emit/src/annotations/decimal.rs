//! Numbers, times and clocks in comments, as integers.

use std::time::Duration;

const NANOSECONDS: u32 = 1_000_000_000;

/// Most digits before the point of a time, so that no sum of its parts overflows.
const MOST_DIGITS: usize = 15;

/// Most digits whose value certainly fits into 64 bits.
const SAFE_DIGITS: usize = 19;

/// Reads the digits at the start of a text: their value, at most the greatest number, and the rest.
#[inline(always)]
pub(super) fn digits(text: &[u8]) -> (u64, &[u8]) {
    let (mut value, mut at) = (0_u64, 0);
    while let Some(digit) = text.get(at).map(|byte| byte.wrapping_sub(b'0'))
        && digit < 10
    {
        value = value.wrapping_mul(10).wrapping_add(digit.into());
        at += 1;
    }
    (if at <= SAFE_DIGITS { value } else { large_number(&text[..at]) }, &text[at..])
}

#[cold]
fn large_number(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |value: u64, digit| {
        value.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
    })
}

/// Parses a number that consists of digits only; `None` if it is out of range.
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

#[cfg(test)]
mod tests {
    use super::*;

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
            ("0:05:00", Some((300, 0))),
            ("1:02:03.4", Some((3723, 400_000_000))),
            ("01:56:25", Some((6985, 0))),
            ("1 : 30", Some((90, 0))),
            ("239", Some((239, 0))),
            ("0:00:45,6", Some((45, 600_000_000))),
            ("5,", None),
            (".5", Some((0, 500_000_000))),
            ("7.", Some((7, 0))),
            ("0.123456789123", Some((0, 123_456_789))),
            ("999999999999999:59:59", Some((3_599_999_999_999_999_999, 0))),
            ("1000000000000000", None),
            ("1:2:3:4", None),
            ("1::2", None),
            (":30", None),
            ("5 .3", None),
            ("1.5:30", None),
            ("1.2.3", None),
            ("-1", None),
            ("1e5", None),
            (".", None),
            (":", None),
            ("", None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|(seconds, nanos)| Duration::new(seconds, nanos));
            assert_eq!(clock(text.as_bytes()), expected, "{text}");
        }
    }
}
