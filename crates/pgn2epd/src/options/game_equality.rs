//! Which games are equal.

use std::fmt;
use std::str::FromStr;

use crate::value_error::ValueError;

/// Which games are equal: `moves`, `prefix`, `prefix:30`.
///
/// ```
/// use pgn2epd::options::GameEquality;
///
/// assert_eq!("prefix".parse(), Ok(GameEquality::Prefix(20)));
/// assert_eq!("prefix:8".parse::<GameEquality>()?.to_string(), "prefix:8");
/// assert!("moves:8".parse::<GameEquality>().is_err());
/// # Ok::<_, pgn2epd::options::ValueError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GameEquality {
    /// Those with the same starting position and the same moves.
    Moves,
    /// Those too of which one is the beginning of the other, with at least this number of plies.
    Prefix(u32),
}

/// The number of plies unless it is given.
const PLIES: u32 = 20;

impl fmt::Display for GameEquality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameEquality::Moves => f.write_str("moves"),
            GameEquality::Prefix(plies) => write!(f, "prefix:{plies}"),
        }
    }
}

impl FromStr for GameEquality {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let unknown = || ValueError::new("choose from moves, prefix, prefix:PLIES".to_owned());
        let (word, plies) = match text.split_once(':') {
            Some((word, plies)) => (word, plies.parse().map_err(|_| unknown())?),
            None => (text, PLIES),
        };
        match word {
            "moves" if word == text => Ok(GameEquality::Moves),
            "prefix" => Ok(GameEquality::Prefix(plies)),
            _ => Err(unknown()),
        }
    }
}
