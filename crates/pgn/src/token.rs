//! Tokens of movetext (PGN standard 7 and 8.2).

/// One token of movetext. The scanner knows no rules of chess: a [`Token::Move`] only looks like one.
///
/// Move numbers, white space and `%` escape lines are passed over and are no tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// Text that may be a move: `Nf3`, `exd5+!?`, `0-0`, `--`.
    Move(&'a [u8]),
    /// A numeric annotation glyph, its digits without the `$`; they may be missing.
    Nag(&'a [u8]),
    /// An annotation in letters or signs that stands alone: `!?`, `+-`, `=`, `□`, `N`, `e.p.`, `mate`.
    Glyph(&'a [u8]),
    /// The text between `{` and `}`.
    Comment(&'a [u8]),
    /// The text from `;` to the end of the line.
    LineComment(&'a [u8]),
    /// `(`: a variation begins.
    Open,
    /// `)`: a variation ends.
    Close,
    /// A game termination marker. Inside a variation it ends nothing.
    Result(Outcome),
    /// Anything else. Nothing is dropped: whoever reads the tokens decides.
    Unknown(&'a [u8]),
}

/// A game termination marker (PGN standard 8.2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`, also `1/2` and `½-½`
    Draw,
    /// `*`
    Unknown,
}

impl Outcome {
    /// What a text says that is a marker and nothing else, as the value of a `Result` tag should be.
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
            _ if text == "½-½".as_bytes() => Some(Outcome::Draw),
            _ => None,
        }
    }

    /// The marker as the standard writes it.
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
