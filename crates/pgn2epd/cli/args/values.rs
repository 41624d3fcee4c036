//! Numbers and windows as they are typed.

use std::num::NonZeroUsize;
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

/// Evaluations from one to another, both included, in centipawns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluations {
    pub(super) least: i32,
    pub(super) most: i32,
}

impl FromStr for Evaluations {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let advice = "write MIN..MAX in centipawns, as 90..119, or only one side, as 90.. or ..-20";
        let number = |text: &str, default| match text {
            "" => Ok(default),
            digits => digits.parse().map_err(|_| advice.to_owned()),
        };
        let (least, most) = text.split_once("..").ok_or(advice)?;
        let (least, most) = (number(least, i32::MIN)?, number(most, i32::MAX)?);
        if least > most {
            return Err(format!("no evaluation is both {least} or more and {most} or less"));
        }
        Ok(Evaluations { least, most })
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
pub(super) struct Size(pub(super) usize);

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
    fn evaluations_have_signs() {
        let range = |text: &str| text.parse().map(|Evaluations { least, most }| (least, most)).ok();
        assert_eq!(range("90..119"), Some((90, 119)));
        assert_eq!(range("-20..+20"), Some((-20, 20)));
        assert_eq!(range("..-20"), Some((i32::MIN, -20)));
        assert_eq!(range("0.."), Some((0, i32::MAX)));
        assert_eq!(range("0.90..1.19"), None);
        assert_eq!(range("20..-20"), None);
        assert_eq!(range("20"), None);
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
