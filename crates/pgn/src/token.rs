//! Tokens of movetext (PGN standard 7 and 8.2).

use crate::result::Outcome;

/// One token of movetext. The scanner does not know the rules of chess: a [`Token::Move`] only
/// looks like one.
///
/// Move numbers before moves, white space and `%` escape lines are skipped and do not produce
/// tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// Text that may be a move: `Nf3`, `exd5+!?`, `0-0`, `--`.
    Move(&'a [u8]),
    /// Digits that are not a usual move number: without a dot, of more than three digits, beside
    /// another number, or not before a move. Numeric notation of correspondence chess (`5254`)
    /// consists of them.
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
