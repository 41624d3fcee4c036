//! What the option `--omit` names: kinds of positions and games that are not written.

use std::fmt;
use std::str::FromStr;

use san::{Keyword, UnknownKeyword, keywords};

keywords! {
    /// Why a position or a game is not written: a word of [`Omissions`], or the name of an option.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Omission {
        /// The position at the start of a game.
        Start = "start",
        /// Positions in which the side to move is in check.
        Check = "check",
        /// Positions in which the move played is a capture.
        Captures = "captures",
        /// Positions in which the move played is a promotion.
        Promotions = "promotions",
        /// Positions in which the move played gives check.
        CheckingMoves = "checking-moves",
        /// Positions in which the game is over: no legal move, or neither side can win with the pieces left.
        Finished = "finished",
        /// Positions in which the move played comes from a book: its comment is "book".
        BookMoves = "book-moves",
        /// Positions without an evaluation.
        Unevaluated = "unevaluated",
        /// Checkmates, and positions whose evaluation is a mate, for either side.
        Mates = "mates",
        /// Games lost on time, according to the tag Termination.
        TimeForfeits = "time-forfeits",
        /// Games broken off, by a disconnection or an illegal move.
        Abandoned = "abandoned",
        /// Games that were adjudicated, according to the tag Termination.
        Adjudicated = "adjudicated",
        /// Positions outside the plies or moves.
        Ply = "ply",
        /// Positions for which the condition does not hold.
        Where = "where",
        /// Positions with an evaluation outside of the range.
        Eval = "eval",
    }
}

impl Omission {
    pub(crate) const COUNT: usize = Omission::ALL.len();

    /// Those that the option `--omit` has; the others have an option of their own.
    pub const LISTED: &[Omission] = Omission::ALL.split_at(Omission::Ply as usize).0;
}

/// A set of [`Omission`]s: words separated by commas, or `none`.
///
/// ```
/// use emit::{Omission, Omissions};
///
/// let omit: Omissions = "captures,check".parse()?;
/// assert!(omit.has(Omission::Check) && !omit.has(Omission::Mates));
/// assert_eq!(omit.to_string(), "check,captures");
/// # Ok::<_, san::UnknownKeyword>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Omissions(u16);

const _: () = assert!(Omission::COUNT <= u16::BITS as usize, "the set has a bit for each");

impl Omissions {
    /// Nothing is omitted.
    pub const NONE: Omissions = Omissions(0);

    /// Whether an omission is in the set.
    #[inline]
    pub const fn has(self, omission: Omission) -> bool {
        self.0 & 1 << omission as u16 != 0
    }

    /// Adds an omission.
    #[must_use]
    pub const fn with(self, omission: Omission) -> Self {
        Omissions(self.0 | 1 << omission as u16)
    }

    /// Whether nothing is omitted.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the omissions in their order.
    pub fn iter(self) -> impl Iterator<Item = Omission> {
        Omission::ALL.iter().copied().filter(move |omission| self.has(*omission))
    }
}

impl FromIterator<Omission> for Omissions {
    fn from_iter<T: IntoIterator<Item = Omission>>(omissions: T) -> Self {
        omissions.into_iter().fold(Omissions::NONE, Omissions::with)
    }
}

impl FromStr for Omissions {
    type Err = UnknownKeyword;

    fn from_str(list: &str) -> Result<Self, UnknownKeyword> {
        if list == "none" {
            return Ok(Omissions::NONE);
        }
        let listed = || Omission::LISTED.iter().copied();
        let unknown = || UnknownKeyword::new(listed().map(Keyword::word));
        let find = |word: &str| listed().find(|one| one.word() == word.trim()).ok_or_else(unknown);
        list.split(',').map(find).collect()
    }
}

impl fmt::Display for Omissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<&str> = self.iter().map(Keyword::word).collect();
        f.write_str(if words.is_empty() { "none" } else { "" })?;
        f.write_str(&words.join(","))
    }
}

impl fmt::Debug for Omissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Omissions({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_read_as_it_is_written() {
        for omission in Omission::LISTED {
            let set = Omissions::from_iter([*omission]);
            assert_eq!(set.to_string(), omission.word());
            assert_eq!(omission.word().parse(), Ok(set));
        }
        assert_eq!("none".parse(), Ok(Omissions::NONE));
        assert_eq!(Omissions::NONE.to_string(), "none");
        assert_eq!("mates, start".parse::<Omissions>().unwrap().to_string(), "start,mates");
    }

    #[test]
    fn a_word_that_is_not_listed_is_an_error_with_all_that_are() {
        for list in ["", "quiet", "start,", "ply", "where", "start,eval", "none,start"] {
            let error = list.parse::<Omissions>().unwrap_err().to_string();
            assert!(error.starts_with("choose from start, check, captures"), "{error}");
            assert!(error.ends_with("adjudicated"), "{error}");
        }
    }
}
