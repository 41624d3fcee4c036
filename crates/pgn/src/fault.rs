//! What is wrong with the text of a PGN file, as far as it can be told without the rules of chess.

use crate::Span;

/// A departure from the standard that the scanner met, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The text that shows it.
    pub span: Span,
}

/// The kinds of [`Fault`].
///
/// All but [`FaultKind::OpenComment`] have one reading, so the scanner goes on with it and nothing is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A line of the tag section that begins with `[` and is no tag pair; it is passed over.
    #[error("not a tag pair: passed over")]
    MalformedTag,
    /// A tag pair with unescaped quotes, without its closing bracket, or without a blank; it is taken.
    #[error("not a tag pair as the standard writes it: read up to the last quote of the line")]
    LooseTag,
    /// A line between tag pairs that is neither tag nor move; it is passed over.
    #[error("text between the tag pairs: passed over")]
    TextBetweenTags,
    /// Text before the first game.
    #[error("text outside every game: passed over")]
    TextOutsideGames,
    /// Text behind the result that is neither comment nor tag pair nor the next game's move.
    #[error("text behind the result of the game: passed over")]
    TextBehindResult,
    /// A `(` that nothing closes before the game ends.
    #[error("a variation that is not closed before the game ends")]
    OpenVariation,
    /// A `)` with nothing open.
    #[error("a closing parenthesis without an opening one: passed over")]
    StrayClose,
    /// A `}` outside of a comment. Comments do not nest.
    #[error("a closing brace without an opening one: passed over")]
    StrayBrace,
    /// A `<…>` token, which the standard reserves for later (PGN standard 7).
    #[error("a token in angle brackets, which the standard reserves: passed over")]
    Reserved,
    /// There are more faults in this game than are listed.
    #[error("more like this in the same game, from here on not listed")]
    More,
    /// A `{` that nothing closes before the end of the text: everything behind it is comment.
    #[error(
        "a comment that is not closed before the end of the file: everything behind it is lost"
    )]
    OpenComment,
}

impl FaultKind {
    /// Whether something may be lost, rather than only written in an odd way.
    pub fn loses_text(self) -> bool {
        self == FaultKind::OpenComment
    }
}
