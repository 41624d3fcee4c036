//! What is wrong with a game: a value that is counted and reported while the run goes on.

use std::fmt;

use encoding_rs::WINDOWS_1252;
use pgn::{FaultKind, Outcome, Place, TagPair};
use san::{Color, FenError, Language, MoveText, Repair, SanError};

/// Something wrong in a file of games, where, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where it stands. Of a chunk's problems the place is already that in the file.
    pub place: Place,
    /// The game, counted from 1; 0 for text before the first game.
    pub game: u64,
    /// The player of the white pieces, as the tag has it.
    pub white: Option<String>,
    /// The player of the black pieces.
    pub black: Option<String>,
    /// The move at which it stands, for problems in movetext.
    pub move_number: Option<MoveNumber>,
    /// Whether it stands in a variation: then only that is ended by it.
    pub in_variation: bool,
    /// Whether every departure from the standard is to be an error.
    pub strict: bool,
    /// The text that shows it, shortened where it is long.
    pub token: String,
    /// What is wrong.
    pub reason: Reason,
}

/// The number of a move: `12.` or `12...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    /// The fullmove number.
    pub fullmove: u32,
    /// Whose move it is.
    pub turn: Color,
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.turn == Color::White { "." } else { "..." };
        write!(f, "{}{dots}", self.fullmove)
    }
}

/// Whether positions were lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The standard has it otherwise, but it is common, and changes nothing.
    Note,
    /// It has one reading, which was taken: nothing is lost.
    Warning,
    /// The rest of the game, or all of it, could not be played.
    Error,
}

impl Severity {
    /// `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Why there is a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The text departs from the PGN standard.
    #[error("{0}")]
    Text(FaultKind),
    /// A token that is neither move nor annotation nor comment.
    #[error("unknown text: neither a move nor a comment")]
    UnknownToken,
    /// A move that cannot be played.
    #[error("illegal: {0}")]
    Move(SanError),
    /// The `FEN` tag holds no legal position, so no move can be played.
    #[error("FEN tag: {0}")]
    Fen(FenError),
    /// The `FEN` tag is not as the standard has it, but has one sensible reading.
    #[error("FEN tag: {0}")]
    FenRepaired(Repair),
    /// The `SetUp` tag says that there is no `FEN` tag, but there is one.
    #[error("SetUp is 0, yet there is a FEN tag: the FEN counts")]
    SetUpDenied,
    /// The `SetUp` tag says that there is a `FEN` tag, but there is none.
    #[error("SetUp is 1, yet there is no FEN tag: played from the usual array")]
    FenMissing,
    /// The `Variant` tag names rules that are not known.
    #[error("the variant is not known, or not to be used here")]
    Variant,
    /// A variation in a game of another kind of chess.
    #[error("variations of other kinds of chess are not played: left out")]
    VariationOfVariant,
    /// The moves are legal in two languages, and not the same.
    #[error(
        "the letters of the pieces can be read as {first:?} and as {second:?}: name the language"
    )]
    Language {
        /// One.
        first: Language,
        /// Another.
        second: Language,
    },
    /// A move that the standard spells otherwise.
    #[error("in SAN it is {}", .san)]
    Spelling {
        /// Its only spelling in SAN.
        san: MoveText,
    },
    /// A sign beside a move that the standard does not have.
    #[error("a sign that the standard does not know")]
    Sign,
    /// A `$` without a number, or with one that is too large.
    #[error("a glyph's number is one from 0 to 255")]
    Nag,
    /// Two tag pairs of one name; the first counts.
    #[error("the tag is there twice: the first counts")]
    SameTagTwice,
    /// A game that starts elsewhere, and does not say so.
    #[error("there is no tag SetUp beside the FEN")]
    SetUpMissing,
    /// The movetext ends without a result.
    #[error("the game has no result")]
    NoResult,
    /// The movetext has another result than the tag.
    #[error("the movetext ends with {}", .outcome.as_str())]
    ResultDiffers {
        /// The movetext's.
        outcome: Outcome,
    },
    /// A variation in a variation, and so on, more than anybody can read.
    #[error("variations nested more than {limit} levels deep: left out")]
    TooDeep {
        /// The limit in levels.
        limit: usize,
    },
    /// The text of a template cannot be the operand that its opcode takes, so the record has no such operation.
    #[error("--op {opcode}: {wanted} is wanted: left out")]
    Misfit {
        /// The opcode.
        opcode: String,
        /// What it takes.
        wanted: crate::Wanted,
    },
    /// The game is larger than the limit, in bytes.
    #[error("the game is larger than {limit} bytes, the limit for one game: left out")]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

impl Reason {
    /// The kind of reason in one word, for programs: it stays when the sentence gets better.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::Text(_) => "text",
            Reason::UnknownToken => "unknown-token",
            Reason::Move(_) => "illegal-move",
            Reason::Fen(_) => "fen",
            Reason::FenRepaired(_) => "fen-repaired",
            Reason::SetUpDenied | Reason::FenMissing => "setup",
            Reason::Variant | Reason::VariationOfVariant => "variant",
            Reason::Language { .. } => "language",
            Reason::Spelling { .. } => "spelling",
            Reason::Sign => "sign",
            Reason::Nag => "nag",
            Reason::SameTagTwice => "same-tag-twice",
            Reason::SetUpMissing => "setup-missing",
            Reason::NoResult => "no-result",
            Reason::ResultDiffers { .. } => "result-differs",
            Reason::TooDeep { .. } => "too-deep",
            Reason::Misfit { .. } => "misfit",
            Reason::TooLarge { .. } => "too-large",
        }
    }

    /// Whether positions were lost for this reason.
    pub fn severity(&self) -> Severity {
        match self {
            Reason::Text(kind) if !kind.loses_text() => Severity::Warning,
            Reason::FenRepaired(_)
            | Reason::SetUpDenied
            | Reason::FenMissing
            | Reason::Misfit { .. }
            | Reason::VariationOfVariant => Severity::Warning,
            Reason::Spelling { .. }
            | Reason::Sign
            | Reason::Nag
            | Reason::SameTagTwice
            | Reason::SetUpMissing
            | Reason::NoResult
            | Reason::ResultDiffers { .. } => Severity::Note,
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Problem {
    /// `1234:17: game 57 (Carlsen, M - Nakamura, H), 12... Nf6: illegal: the knight …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.place.line, self.place.column)?;
        if self.game > 0 {
            write!(f, "game {}", self.game)?;
            if self.white.is_some() || self.black.is_some() {
                let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".into());
                write!(f, " ({} - {})", name(&self.white), name(&self.black))?;
            }
            f.write_str(", ")?;
        }
        if let Some(number) = self.move_number {
            write!(f, "{number} ")?;
        }
        if !self.token.is_empty() {
            write!(f, "{}: ", self.token)?;
        }
        if self.in_variation {
            f.write_str("in a variation: ")?;
        }
        match self.severity() {
            Severity::Note => f.write_str("note: ")?,
            Severity::Warning => f.write_str("warning: ")?,
            Severity::Error => {}
        }
        write!(f, "{}", self.reason)
    }
}

impl Problem {
    /// Whether positions were lost, or, where that was asked for, whether the standard has it otherwise.
    pub fn severity(&self) -> Severity {
        if self.strict { Severity::Error } else { self.reason.severity() }
    }
}

/// The players of a game, read only when there is something to say of it.
pub(crate) fn players(tags: &[TagPair<'_>]) -> (Option<String>, Option<String>) {
    let player = |name: &[u8]| {
        let tag = tags.iter().find(|tag| tag.name() == name)?;
        Some(text_of(&tag.value()))
    };
    (player(b"White"), player(b"Black"))
}

/// Bytes of a PGN file as text: UTF-8, or else Windows-1252, which is ISO 8859-1, the character set of the PGN standard (4.1),
/// with quotes and dashes where that has nothing.
///
/// Each text, a comment or the value of a tag, is looked at alone: files are put together from many.
///
/// ```
/// assert_eq!(emit::text_of(b"M\xfcller \x96 caf\xc3\xa9"), "Müller – cafÃ©");
/// assert_eq!(emit::text_of(b"caf\xc3\xa9"), "café");
/// ```
pub fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// A token as it is shown in a message: on one line, and not too long.
pub(crate) fn shown_token(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let line = bytes.split(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
    let text = text_of(line);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
