//! Tokens of movetext (PGN standard 7 and 8.2).

use crate::result;

/// One token of movetext. The scanner does not know the rules of chess: a [`Token::Move`] only looks like one.
///
/// Move numbers before moves, white space and `%` escape lines are skipped and do not produce tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// Text that may be a move: `Nf3`, `exd5+!?`, `0-0`, `--`.
    Move(&'a [u8]),
    /// Digits that are not a usual move number: without a dot, of more than three digits, beside another number, or not
    /// before a move. Numeric notation of correspondence chess (`5254`) consists of them.
    Number(&'a [u8]),
    /// A numeric annotation glyph: its digits without the `$`, possibly empty.
    Nag(&'a [u8]),
    /// A standalone annotation in letters or signs: `!?`, `+-`, `=`, `□`, `N`, `e.p.`, `mate`.
    Glyph(&'a [u8]),
    /// The text between `{` and `}`.
    Comment(&'a [u8]),
    /// The text from `;` to the end of the line.
    LineComment(&'a [u8]),
    /// `(`: a variation begins.
    Open,
    /// `)`: a variation ends.
    Close,
    /// A game termination marker. Inside a variation it does not end the game.
    Result(Outcome),
    /// Anything else. No text is dropped, so the caller decides what to do with it.
    Unknown(&'a [u8]),
}

/// A game termination marker (PGN standard 8.2.6).
///
/// Stored files of counts depend on the numbers of the variants, so these must not change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Outcome {
    /// `1-0`
    WhiteWins = 0,
    /// `0-1`
    BlackWins = 1,
    /// `1/2-1/2`, also `1/2` and `½-½`
    Draw = 2,
    /// `*`
    #[default]
    Unknown = 3,
}

impl Outcome {
    /// Parses a text that consists of a marker only, as the value of a `Result` tag should. Other spellings are accepted:
    /// `1–0`, `1:0`, `0.5-0.5`, `+:-`, `1-0FF`.
    ///
    /// ```
    /// assert_eq!(pgn::Outcome::of_text(b"1/2-1/2"), Some(pgn::Outcome::Draw));
    /// assert_eq!(pgn::Outcome::of_text(b"1-0 (time)"), None);
    /// ```
    pub fn of_text(text: &[u8]) -> Option<Self> {
        match text {
            b"1-0" => Some(Outcome::WhiteWins),
            b"0-1" => Some(Outcome::BlackWins),
            b"1/2-1/2" | b"1/2" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            b"+/-" => Some(Outcome::WhiteWins),
            b"-/+" => Some(Outcome::BlackWins),
            _ => result::at_start(text).filter(|(_, len)| *len == text.len())?.0,
        }
    }

    /// Parses the value of a `Result` tag, which may have blanks around it; anything else than a marker is
    /// [`Outcome::Unknown`].
    ///
    /// ```
    /// assert_eq!(pgn::Outcome::of_tag(b" 1-0"), pgn::Outcome::WhiteWins);
    /// assert_eq!(pgn::Outcome::of_tag(b"adjourned"), pgn::Outcome::Unknown);
    /// ```
    pub fn of_tag(value: &[u8]) -> Self {
        Outcome::of_text(value.trim_ascii()).unwrap_or_default()
    }

    /// Decodes the number that files of counts store: the value of `outcome as u8`.
    ///
    /// ```
    /// use pgn::Outcome;
    ///
    /// assert_eq!(Outcome::of_number(Outcome::Draw as u8), Some(Outcome::Draw));
    /// assert_eq!(Outcome::of_number(4), None);
    /// ```
    #[inline]
    pub fn of_number(number: u8) -> Option<Self> {
        [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown]
            .get(usize::from(number))
            .copied()
    }

    /// Returns White's half points: 2, 1 or 0; `None` if the outcome is unknown.
    ///
    /// ```
    /// assert_eq!(pgn::Outcome::Draw.halves(), Some(1));
    /// ```
    pub fn halves(self) -> Option<u8> {
        match self {
            Outcome::WhiteWins => Some(2),
            Outcome::Draw => Some(1),
            Outcome::BlackWins => Some(0),
            Outcome::Unknown => None,
        }
    }

    /// Returns the marker in the form of the standard.
    ///
    /// ```
    /// assert_eq!(pgn::Outcome::Draw.as_str(), "1/2-1/2");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }
}
