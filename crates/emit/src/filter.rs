//! Which games and positions are wanted, as a sentence: `WhiteElo >= 2400 and Result = "1-0" and ply > 20`.
//!
//! A name with a capital is a tag; the others are facts of the game or the position. A filter is compiled once; a game that its
//! tags decide against is never played.

mod eval;
mod lex;
mod parse;

use std::fmt;
use std::str::FromStr;

use pgn::TagPair;

use crate::Ply;
use eval::{Known, decide};
use parse::Expr;

/// A condition on games and positions.
///
/// * `WhiteElo`, `Result`, `Date`, …: tags. Alone, a tag is true if it is there and says something.
/// * `ply`, `move`, `pieces`, `turn` (`"w"` or `"b"`), `check`: of the position. `plies`: of the game, as its main line is written;
///   `elo`: the mean of both ratings.
/// * `=` `!=` `<` `<=` `>` `>=`, and `~` for "contains", in any case of letters; `and`, `or`, `not`, parentheses.
/// * With a number, a tag is compared as a number; what is none (`?`, `-`, a missing tag) is neither equal, nor less, nor more.
///   A date (`Date`, `UTCDate`, `EventDate`) is compared as far as the date given goes: `Date <= 2015` is true of all of 2015.
///
/// ```
/// use emit::{Filter, Verdict};
///
/// let filter: Filter = r#"WhiteElo >= 2400 and Date >= 2015.06 and ply > 20"#.parse()?;
/// let game = pgn::games(b"[WhiteElo \"2390\"]\n\n1. e4 *").next().unwrap();
/// assert_eq!(filter.game(game.tags()), Verdict::No);
///
/// let error = "WhiteElo >= 2400 and plyy > 20".parse::<Filter>().unwrap_err();
/// assert_eq!(error.to_string().lines().last(), Some("                         ^^^^"));
/// # Ok::<_, emit::FilterError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    text: String,
    root: Expr,
    needs_plies: bool,
}

/// Its numbers are finite.
impl Eq for Filter {}

/// What the tags of a game say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All its positions are wanted.
    Yes,
    /// None is.
    No,
    /// It depends on the position, or on how long the game is.
    Depends,
}

impl Filter {
    /// What can be said before the game is played.
    pub fn game(&self, tags: &[TagPair<'_>]) -> Verdict {
        match decide(&self.root, &Known { tags, plies: None, ply: None }) {
            Some(true) => Verdict::Yes,
            Some(false) => Verdict::No,
            None => Verdict::Depends,
        }
    }

    /// Whether the length of the game matters.
    pub fn needs_plies(&self) -> bool {
        self.needs_plies
    }

    /// The same as [`Filter::game`] for a game whose length is known.
    pub fn game_of_length(&self, tags: &[TagPair<'_>], plies: u32) -> Verdict {
        match decide(&self.root, &Known { tags, plies: Some(plies), ply: None }) {
            Some(true) => Verdict::Yes,
            Some(false) => Verdict::No,
            None => Verdict::Depends,
        }
    }

    /// Whether a position is wanted of a game for which it [depends](Verdict::Depends).
    pub fn position(&self, tags: &[TagPair<'_>], plies: Option<u32>, ply: &Ply<'_>) -> bool {
        decide(&self.root, &Known { tags, plies, ply: Some(ply) }) == Some(true)
    }
}

impl fmt::Display for Filter {
    /// The text that it was made from.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let (root, needs_plies) = parse::parse(text)?;
        Ok(Filter { text: text.to_owned(), root, needs_plies })
    }
}

/// What is wrong with the text of a [`Filter`], and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError {
    /// What was to be read.
    pub text: String,
    /// The first byte that is wrong.
    pub start: usize,
    /// The byte behind the last one.
    pub end: usize,
    /// Why.
    pub reason: String,
}

impl std::error::Error for FilterError {}

impl fmt::Display for FilterError {
    /// The reason, then the text with carets under the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = |text: &str| text.chars().count();
        let before = columns(&self.text[..self.start]);
        let marked = columns(&self.text[self.start..self.end]).max(1);
        let shown: String =
            self.text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        write!(f, "{}\n    {shown}\n    {:before$}{:^<marked$}", self.reason, "", "")
    }
}
