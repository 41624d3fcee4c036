//! Which games and positions are written: a range of plies, and one condition, whose terms are a
//! [`filter`] such as `WhiteElo >= 2400 and ply > 20` and what is not written of the other
//! positions, such as checks. The replay asks for each game and for each ply.

pub(crate) mod filter;

use std::fmt;
use std::ops::AddAssign;
use std::str::FromStr;

use san::{Color, Keyword, UnknownKeyword, keywords};

// What the option `--omit` names: kinds of positions and games that are not written.

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

/// Range of positions of a game to write. Position 0 is the start, position `n` is after ply `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Select {
    /// The first position.
    pub first: u32,
    /// The last position.
    pub last: u32,
    /// Whether to write only the final position of the game, if it is in the range.
    pub only_final: bool,
    /// The numbers of the first and the last move before which positions are written.
    pub moves: (u32, u32),
}

impl Default for Select {
    fn default() -> Self {
        Select { first: 0, last: u32::MAX, only_final: false, moves: (0, u32::MAX) }
    }
}

impl Select {
    /// Returns whether the position after `ply` plies, maybe the final one, is selected.
    #[inline]
    pub fn wants(&self, ply: u32, is_final: bool) -> bool {
        ply >= self.first && ply <= self.last && (is_final || !self.only_final)
    }

    /// Returns the range of a game that starts before a move, as plies alone.
    ///
    /// ```
    /// use emit::Select;
    ///
    /// let select = Select { moves: (10, 12), ..Select::default() };
    /// let range = |(first, last)| Select { first, last, ..Select::default() };
    /// assert_eq!(select.of_game(1, false), range((18, 23)));
    /// assert_eq!(select.of_game(11, true), range((0, 2)));
    /// assert!(!select.of_game(13, false).wants(0, true));
    /// ```
    #[must_use]
    pub fn of_game(self, fullmoves: u32, is_black: bool) -> Select {
        let Select { first, last, moves: (from, to), .. } = self;
        if (from, to) == (0, u32::MAX) {
            return self;
        }
        let start = i64::from(fullmoves) * 2 + i64::from(is_black);
        let ply = |half_moves: i64| half_moves - start;
        let from = ply(i64::from(from) * 2).max(i64::from(first));
        let to = ply(i64::from(to) * 2 + 1).min(i64::from(last));
        let range = if from > to { (1, 0) } else { (from as u32, to as u32) };
        Select { first: range.0, last: range.1, moves: (0, u32::MAX), ..self }
    }
}

/// An inclusive range of evaluations in centipawns for the side to move, or for White. A mate in n
/// plies is 32767 - n.
///
/// It is written `MIN..MAX`, `MIN..` or `..MAX`, in centipawns or in pawns with one or two
/// decimals, and with `white:` before it for White's evaluation.
///
/// ```
/// use emit::EvaluationRange;
/// use san::Color;
///
/// let range: EvaluationRange = "white:0.90..1.19".parse()?;
/// assert_eq!(range.to_string(), "white:90..119");
/// assert!(range.contains(-100, Color::Black));
/// assert!(!range.contains(100, Color::Black));
/// # Ok::<_, emit::EvaluationRangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EvaluationRange {
    /// Lower bound.
    pub least: i32,
    /// Upper bound.
    pub most: i32,
    /// Whether the bounds are for White, instead of the side to move.
    pub is_white: bool,
}

/// The reason why a text is not a range of evaluations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EvaluationRangeError(String);

impl EvaluationRange {
    /// Whether an evaluation from the side to move's point of view is in the range.
    pub fn contains(&self, centipawns: i32, turn: Color) -> bool {
        let is_turned = self.is_white && turn.is_black();
        let centipawns = if is_turned { -centipawns } else { centipawns };
        (self.least..=self.most).contains(&centipawns)
    }
}

impl FromStr for EvaluationRange {
    type Err = EvaluationRangeError;

    fn from_str(text: &str) -> Result<Self, EvaluationRangeError> {
        let error = |text: &str| EvaluationRangeError(text.to_owned());
        let advice = || {
            error(
                "expected MIN..MAX, MIN.. or ..MAX in centipawns (90..119) or in pawns (0.90..1.19), after white: for White's evaluation",
            )
        };
        let (is_white, range) = match text.strip_prefix("white:") {
            Some(range) => (true, range),
            None => (false, text),
        };
        let (least, most) = range.split_once("..").ok_or_else(advice)?;
        let has_point = |bound: &&str| bound.contains('.');
        let mut given = [least, most].into_iter().filter(|bound| !bound.is_empty());
        let in_pawns = [least, most].iter().any(has_point);
        if in_pawns && !given.all(|bound| has_point(&bound)) {
            return Err(error("one bound is in pawns and the other in centipawns"));
        }
        let number = |text: &str, default| match text {
            "" => Some(default),
            pawns if in_pawns => centipawns(pawns),
            digits => digits.parse().ok(),
        };
        let least = number(least, i32::MIN).ok_or_else(advice)?;
        let most = number(most, i32::MAX).ok_or_else(advice)?;
        if least > most {
            let text = format!("no evaluation is both {least} or more and {most} or less");
            return Err(EvaluationRangeError(text));
        }
        Ok(EvaluationRange { least, most, is_white })
    }
}

/// Converts pawns with one or two decimals to centipawns: `-0.9` is -90.
fn centipawns(text: &str) -> Option<i32> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (pawns, decimals) = unsigned.split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(pawns) || !is_number(decimals) || decimals.len() > 2 {
        return None;
    }
    let size: i32 = format!("{pawns}{decimals:0<2}").parse().ok()?;
    Some(if text.starts_with('-') { -size } else { size })
}

impl fmt::Display for EvaluationRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_white { "white:" } else { "" })?;
        let bound =
            |number: i32, open| if number == open { String::new() } else { number.to_string() };
        write!(f, "{}..{}", bound(self.least, i32::MIN), bound(self.most, i32::MAX))
    }
}

/// Number of items of games that were omitted or changed, other than on request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Losses {
    /// Comments longer than a [string](epd::LONGEST_STRING) may be, whether or not text was lost.
    pub long_comments: u64,
    /// Strings that were shortened or dropped: long comments, game titles, operations from tags.
    pub shortened: u64,
    /// Strings in which a quote or control character was replaced by an apostrophe or a space.
    pub altered: u64,
    /// Lines of engines that were cut before an illegal move.
    pub cut_lines: u64,
    /// Annotations of moves that were played: `$1`, `!?`, `+-`.
    pub annotations: u64,
    /// Variations that were not played, without those nested in them.
    pub variations: u64,
}

/// Adds counts field by field.
macro_rules! add_fields {
    ($type:ident: $($field:ident),+) => {
        impl std::ops::AddAssign for $type {
            fn add_assign(&mut self, other: $type) {
                $(self.$field += other.$field;)+
            }
        }
    };
}
pub(crate) use add_fields;

add_fields!(Losses: long_comments, shortened, altered, cut_lines, annotations, variations);

/// Numbers of positions and games that were not written, each for the first reason that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted([u64; Omission::COUNT]);

impl Omitted {
    pub(crate) fn add(&mut self, omission: Omission) {
        self.0[omission as usize] += 1;
    }

    /// Returns the number of positions or games that were omitted for a reason.
    pub fn count(&self, omission: Omission) -> u64 {
        self.0[omission as usize]
    }

    /// Returns each count with its reason.
    pub fn all(&self) -> impl Iterator<Item = (Omission, u64)> {
        Omission::ALL.iter().copied().zip(self.0)
    }
}

impl AddAssign for Omitted {
    fn add_assign(&mut self, other: Omitted) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Omitted {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.all().map(|(omission, count)| (omission.word(), count)))
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Omitted {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let counts = <std::collections::BTreeMap<String, u64> as serde::Deserialize>::deserialize(
            deserializer,
        )?;
        let mut omitted = Omitted::default();
        for (word, count) in counts {
            let omission = Omission::from_word(&word).map_err(serde::de::Error::custom)?;
            omitted.0[omission as usize] = count;
        }
        Ok(omitted)
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

    #[test]
    fn evaluations_are_in_centipawns_or_in_pawns_and_never_in_both() {
        let range = |text: &str| text.parse::<EvaluationRange>();
        for (text, least, most, written) in [
            ("90..119", 90, 119, "90..119"),
            ("-20..20", -20, 20, "-20..20"),
            ("..-20", i32::MIN, -20, "..-20"),
            ("0.9..1.19", 90, 119, "90..119"),
            ("-0.2..+0.25", -20, 25, "-20..25"),
            ("1.5..", 150, i32::MAX, "150.."),
            ("..-0.01", i32::MIN, -1, "..-1"),
            ("1..2", 1, 2, "1..2"),
        ] {
            for (view, is_white) in [("", false), ("white:", true)] {
                let read = range(&format!("{view}{text}")).unwrap();
                assert_eq!(read, EvaluationRange { least, most, is_white }, "{text}");
                assert_eq!(read.to_string(), format!("{view}{written}"));
            }
        }
        for wrong in [
            "", "90", "0.9..119", "1...5", "0.905..1", "0.905..1.0", "1.x..2.0", ".5..1.0", "2..1",
            "black:1..2",
        ] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
