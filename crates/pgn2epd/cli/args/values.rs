//! Numbers and windows as they are typed: those of the library, and what only the program has.

use std::str::FromStr;

pub(in crate::cli) use pgn2epd::Plies;
pub(super) use pgn2epd::{Jobs, Letters, Size};

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
