//! Numbers and windows as they are typed.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::str::FromStr;

use pgn2epd::Language;

/// A window of plies.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Plies {
    pub(in crate::cli) first: u32,
    pub(in crate::cli) last: u32,
}

impl Default for Plies {
    fn default() -> Self {
        Plies { first: 0, last: u32::MAX }
    }
}

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ply = |text: &str, default: u32| {
            match text {
            "" => Ok(default),
            digits => digits.parse().map_err(|_| {
                format!("{digits:?} is no number of plies; write FIRST..LAST, as 8..24, or only one side, as 8.. or ..24")
            }),
        }
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (ply(first, 0)?, ply(last.trim_start_matches('='), u32::MAX)?),
            None if text.is_empty() => return Err("write FIRST..LAST, as 8..24".to_owned()),
            None => (ply(text, 0)?, ply(text, 0)?),
        };
        if first > last {
            return Err(format!(
                "no ply is both {first} or later and {last} or earlier; write {last}..{first}"
            ));
        }
        Ok(Plies { first, last })
    }
}

/// A number of threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jobs(pub(super) NonZeroUsize);

impl FromStr for Jobs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let advice =
            "write a number of threads, 1 or more, or leave -j out for as many as there are cores";
        text.parse().map(Jobs).map_err(|_| advice.to_owned())
    }
}

/// The language of the pieces' letters; `None` to find it out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters(pub(super) Option<Language>);

impl FromStr for Letters {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Letters(None));
        }
        Language::from_code(text).map(|language| Letters(Some(language))).ok_or_else(|| {
            let codes: Vec<&str> = Language::all().map(Language::code).collect();
            format!("there is no language {text:?}; choose of auto, {}", codes.join(", "))
        })
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Size(pub(in crate::cli) usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (digits, unit) = match text.as_bytes() {
            [.., b'K' | b'k'] => (&text[..text.len() - 1], 1 << 10),
            [.., b'M' | b'm'] => (&text[..text.len() - 1], 1 << 20),
            [.., b'G' | b'g'] => (&text[..text.len() - 1], 1 << 30),
            _ => (text, 1),
        };
        let number: Option<usize> = digits.parse().ok().and_then(|n: usize| n.checked_mul(unit));
        match number {
            Some(bytes) if bytes > 0 => Ok(Size(bytes)),
            _ => Err("write a number of bytes above 0, or one with K, M or G behind it, as 64M"
                .to_owned()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_a_window_with_open_sides() {
        let plies = |text: &str| text.parse().map(|Plies { first, last }| (first, last)).ok();
        assert_eq!(plies("8..24"), Some((8, 24)));
        assert_eq!(plies("8.."), Some((8, u32::MAX)));
        assert_eq!(plies("..24"), Some((0, 24)));
        assert_eq!(plies("16"), Some((16, 16)));
        assert_eq!(plies("8..=24"), Some((8, 24)));
        assert_eq!(plies("24..8"), None);
        assert_eq!(plies("x"), None);
        assert_eq!(plies(""), None);
    }

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

    #[test]
    fn sizes_have_units() {
        let size = |text: &str| text.parse().map(|Size(bytes)| bytes).ok();
        assert_eq!(size("64"), Some(64));
        assert_eq!(size("64K"), Some(65_536));
        assert_eq!(size("2g"), Some(2 << 30));
        assert_eq!(size("0"), None);
        assert_eq!(size("M"), None);
        assert_eq!(size(""), None);
    }
}
