//! Errors in the text of a PGN file that can be detected without the rules of chess.

use crate::span::Span;

/// A departure from the standard found by the scanner, and its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PgnDiagnostic {
    /// The kind of fault.
    pub kind: PgnDiagnosticKind,
    /// The offending text.
    pub span: Span,
}

/// The kinds of [`PgnDiagnostic`].
///
/// All kinds of which [`PgnDiagnosticKind::loses_text`] is false have a single reading, so the scanner
/// continues with it and no move is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PgnDiagnosticKind {
    /// A line of the tag section that begins with `[` but is not a tag pair; skipped.
    #[error("not a tag pair: skipped")]
    MalformedTag,
    /// A tag pair with unescaped quotes, without its closing bracket, or without a space; accepted.
    #[error("not a tag pair as the standard writes it: read up to the last quote of the line")]
    LooseTag,
    /// A `FEN`, `SetUp` or `Variant` tag without quotes, brackets or line ends as in the standard;
    /// accepted.
    #[error(
        "a damaged tag that decides how the game is played: read without its quotes and brackets"
    )]
    DamagedTag,
    /// A line between tag pairs that is neither a tag nor a move; skipped.
    #[error("text between the tag pairs: skipped")]
    TextBetweenTags,
    /// Text before the first game.
    #[error("text outside every game: skipped")]
    TextOutsideGames,
    /// Text after the result that is not a comment, a tag pair or a move of the next game.
    #[error("text after the result of the game: skipped")]
    TextAfterResult,
    /// A `(` that is not closed before the game ends.
    #[error("a variation that is not closed before the game ends")]
    OpenVariation,
    /// A `)` without an open variation.
    #[error("a closing parenthesis without an opening one: skipped")]
    StrayClose,
    /// A `}` outside a comment. Comments do not nest.
    #[error("a closing brace without an opening one: skipped")]
    StrayBrace,
    /// A position, or a tag that decides how a game is played, within the moves: the game ends, and
    /// the next one begins.
    #[error(
        "a position within the moves, or a tag that says how a game begins: the game ends here"
    )]
    StartInMovetext,
    /// A `<…>` token, reserved by the standard for future use (PGN standard 7).
    #[error("a token in angle brackets, which the standard reserves: skipped")]
    Reserved,
    /// Movetext after a tag section that ends with the text, without a result or a line end.
    #[error("the text ends here, without a result or a line end: the game may be incomplete")]
    TruncatedGame,
    /// Further faults in this game are not listed.
    #[error("more faults in the same game, not listed")]
    More,
    /// A `{` that is not closed before the end of the text; everything after it is comment.
    #[error("a comment that is not closed before the end of the file: everything after it is lost")]
    OpenComment,
}

impl PgnDiagnosticKind {
    /// Whether the text is skipped, so that moves in it are lost.
    pub fn skips_text(self) -> bool {
        use PgnDiagnosticKind::{MalformedTag, TextAfterResult, TextBetweenTags, TextOutsideGames};
        matches!(self, MalformedTag | TextAfterResult | TextBetweenTags | TextOutsideGames)
    }

    /// Whether the text is between games or after the result of one.
    pub fn is_outside(self) -> bool {
        use PgnDiagnosticKind::{TextAfterResult, TextOutsideGames};
        matches!(self, TextAfterResult | TextOutsideGames)
    }

    /// Whether moves may be lost, as opposed to text that is merely unusual.
    pub fn loses_text(self) -> bool {
        use PgnDiagnosticKind::{OpenComment, OpenVariation, StartInMovetext};
        matches!(self, OpenComment | OpenVariation | StartInMovetext)
    }
}
