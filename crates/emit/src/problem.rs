//! Errors and warnings about games, collected and reported while the run continues.

use std::fmt;

use epd::{EpdDiagnosticKind, Severity};
use pgn::{Outcome, PgnDiagnosticKind, Place, TagPair, text_of};
use training::PlainFault;

use san::{AnyPosition, Color, FenError, Language, MoveText, Repair, SanError};

use crate::source::LineFault;

/// An error or warning about a file of games: its place and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// Its place. For problems in a chunk, this is already the place in the file.
    pub place: Place,
    /// Number of the game, starting from 1; 0 for text before the first game.
    pub game: u64,
    /// The players, the site and the round, as given in the tags.
    pub identity: GameIdentity,
    /// Number of the move, for problems in movetext.
    pub move_number: Option<MoveNumber>,
    /// Whether the problem is in a variation, so that it ends only that variation.
    pub in_variation: bool,
    /// Whether every departure from the standard is an error.
    pub strict: bool,
    /// The offending text, shortened if it is long.
    pub token: String,
    /// The reason.
    pub reason: Reason,
}

/// The tags that identify a game in messages, as given; `None` for missing tags.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GameIdentity {
    /// The player of the white pieces.
    pub white: Option<String>,
    /// The player of the black pieces.
    pub black: Option<String>,
    /// The place of the game, or its address: the only unique key of games from Lichess.
    pub site: Option<String>,
    /// The round.
    pub round: Option<String>,
}

impl GameIdentity {
    pub(crate) fn of(tags: &[TagPair<'_>]) -> Self {
        GameIdentity::from_values(|name| {
            let tag = tags.iter().find(|tag| tag.name() == name.as_bytes())?;
            Some(tag.text().into_owned())
        })
    }

    pub(crate) fn from_values(value: impl Fn(&str) -> Option<String>) -> Self {
        let [white, black, site, round] = ["White", "Black", "Site", "Round"].map(value);
        GameIdentity { white, black, site, round }
    }
}

impl fmt::Display for GameIdentity {
    /// Writes ` (White - Black, round R, URL)` or nothing; a site that is not a URL fits many games.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let player = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".into());
        let is_named = self.white.is_some() || self.black.is_some();
        let players =
            is_named.then(|| format!("{} - {}", player(&self.white), player(&self.black)));
        let is_known = |name: &str, text: &str| !pgn::is_unknown(name.as_bytes(), text.as_bytes());
        let round = self.round.as_deref().filter(|round| is_known("Round", round));
        let address = self.site.as_deref().filter(|site| site.contains("://"));
        let parts =
            [players, round.map(|round| format!("round {round}")), address.map(str::to_owned)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { Ok(()) } else { write!(f, " ({})", parts.join(", ")) }
    }
}

/// The number of a move: `12.` or `12...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveNumber {
    /// The fullmove number.
    pub fullmove: u32,
    /// The side to move.
    pub turn: Color,
}

impl MoveNumber {
    pub(crate) fn of<P: AnyPosition>(position: &P) -> Self {
        MoveNumber { fullmove: position.fullmoves(), turn: position.turn() }
    }
}

impl fmt::Display for MoveNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dots = if self.turn == Color::White { "." } else { "..." };
        write!(f, "{}{dots}", self.fullmove)
    }
}

epd::kinds! {
    /// The reason for a [`Problem`].
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    #[non_exhaustive]
    pub enum Reason {
        /// The text departs from the PGN standard.
        #[error("{0}")]
        Text(PgnDiagnosticKind) = "text", Error;
        #[error("{0}, but there are moves in it")]
        MovesSkipped(PgnDiagnosticKind) = "moves-skipped", Error;
        #[error("all moves are in variations: none is played")]
        OnlyVariations = "moves-skipped", Error;
        #[error("the next moves are in this comment or escaped line, which is not read")]
        MovesInComment = "moves-skipped", Error;
        #[error(
            "the number of this move is {number}: moves before it are lost, or were in a variation"
        )]
        NumberJumps { number: u32 } = "move-number", Error;
        #[error("the number of the next move is {expected}")]
        OtherNumber { expected: MoveNumber } = "move-number", Note;
        #[error("the variation before is not closed: by its number, this is a move of the main line")]
        VariationLeft = "text", Warning;
        #[error("unknown text: neither a move nor a comment")]
        UnknownToken = "unknown-token", Error;
        #[error("illegal: {0}")]
        Move(SanError) = "illegal-move", Error;
        #[error("a piece's letter apart from its square: the move is damaged")]
        TornMove = "damaged-move", Error;
        #[error("the digits before the move are not its number: the move is damaged")]
        NumberDiffers = "damaged-move", Error;
        #[error("a number that is not that of the next move: a move is damaged or missing")]
        StrayNumber = "damaged-move", Error;
        #[error("not a move: {0:?} is the character U+{code:04X}", code = u32::from(*.0))]
        Letter(char) = "illegal-move", Error;
        #[error("the moves are numbered from 1 again, but continue this game: played as its moves")]
        Continued = "continued", Warning;
        #[error("P is read as a pawn: if it is another piece, name the language")]
        PawnLetter = "pawn-letter", Warning;
        #[error("FEN tag: {0}")]
        Fen(FenError) = "fen", Error;
        #[error("FEN tag: {0}")]
        FenRepaired(Repair) = "fen-repaired", Warning;
        #[error("FEN tag: no game leads to this position: {0}")]
        Unreachable(FenError) = "unreachable", Warning;
        #[error("FEN tag: backslashes between the ranks: read as slashes")]
        FenBackslash = "fen-repaired", Warning;
        #[error("FEN tag: quotes around it, or spaces that are not ASCII: read without them")]
        FenText = "fen-repaired", Warning;
        #[error("FEN tag: operations of EPD: hmvc and fmvn are read as its clocks")]
        FenOperations = "fen-repaired", Warning;
        #[error("FEN tag: {what}, as in {variant}, which the Variant tag does not name")]
        OtherVariant { what: &'static str, variant: &'static str } = "fen", Error;
        #[error(
            "the FEN tag has the last position of the game, not the first: without it the moves are legal"
        )]
        FenIsLast = "fen", Error;
        #[error("how the game starts is not known: if this text says it, write [{name} \"…\"]")]
        HiddenTag { name: &'static str } = "fen", Error;
        #[error("how the next game starts is not known: if this text says it, write [{name} \"…\"]")]
        StartOutside { name: &'static str } = "fen", Error;
        #[error(
            "neither a move nor a comment: the comment before ends at its first }}, also behind a backslash"
        )]
        EscapedBrace = "unknown-token", Error;
        #[error("SetUp has a position: read as the FEN tag")]
        SetUpHasFen = "setup", Warning;
        #[error("SetUp is neither 0 nor 1")]
        SetUpValue = "setup", Note;
        #[error("a control character in the value of the tag")]
        TagControl = "tag-value", Note;
        #[error("the FEN tag has no position: played from the starting position")]
        FenUnknown = "setup", Warning;
        #[error("the name of the tag is not written as in the standard: read as {name}")]
        TagName { name: &'static str } = "tag-name", Warning;
        #[error("SetUp is 0, but the game has a FEN tag, which is used")]
        SetUpDenied = "setup", Warning;
        #[error("SetUp is 1, but the FEN tag is missing: played from the starting position")]
        FenMissing = "setup", Warning;
        #[error("unknown or unsupported variant")]
        Variant = "variant", Error;
        #[error("games of variants cannot be used here: game skipped")]
        VariantHere = "variant", Error;
        #[error("variations in games of variants are not supported: variation skipped")]
        VariationOfVariant = "variant", Warning;
        #[error(
            "the letters of the pieces can be read as {first:?} and as {second:?}: name the language"
        )]
        Language { first: Language, second: Language } = "language", Error;
        #[error("in SAN it is {}", .san)]
        Spelling { san: MoveText } = "spelling", Note;
        #[error("in the standard it is {}", .outcome.as_str())]
        ResultSpelling { outcome: Outcome } = "spelling", Note;
        #[error("an annotation sign that is not in the standard")]
        Sign = "sign", Note;
        #[error("the number of a NAG is from 0 to 255")]
        Nag = "nag", Note;
        #[error("the tag occurs twice: the first counts")]
        SameTagTwice = "same-tag-twice", Note;
        #[error("the FEN tag has no SetUp tag")]
        SetUpMissing = "setup-missing", Note;
        #[error("the game has no result")]
        NoResult = "no-result", Note;
        #[error("the movetext ends with {}", .outcome.as_str())]
        ResultDiffers { outcome: Outcome } = "result-differs", Note;
        #[error("variations nested more than {limit} levels deep: omitted")]
        TooDeep { limit: usize } = "too-deep", Error;
        #[error("--add {opcode}: expected {wanted}: omitted")]
        WrongOperand { opcode: String, wanted: epd::ExpectedOperand } = "wrong-operand", Warning;
        #[error("--add {opcode}: no move is played from this position: omitted")]
        NoMovePlayed { opcode: String } = "wrong-operand", Warning;
        #[error("--add pm: the move is not the first move of pv: omitted")]
        OtherPrediction = "wrong-operand", Warning;
        /// A line of a file of positions.
        #[error("{0}")]
        Record(EpdDiagnosticKind) = "record", Error;
        /// A row of a table, or a line of evaluations.
        #[error("{0}")]
        Line(LineFault) = "entry", Error;
        /// An entry of Stockfish's .plain.
        #[error("{0}")]
        Entry(PlainFault) = "entry", Error;
        #[error("the game is larger than {limit} bytes, the limit for one game: omitted")]
        TooLarge { limit: usize } = "too-large", Error;
    }
}

impl Reason {
    /// Returns the reason as one word, for programs. It remains stable when messages change.
    pub fn kind(&self) -> &'static str {
        match self {
            Reason::Record(kind) => kind.name(),
            reason => reason.row().0,
        }
    }

    /// Returns the group of which only the first in a file is printed; `None` if all are.
    pub fn printed_once(&self) -> Option<&'static str> {
        match self {
            Reason::Record(kind) if kind.changes_record() => Some(kind.name()),
            _ => None,
        }
    }

    /// Returns whether positions were lost for this reason.
    pub fn severity(&self) -> Severity {
        match self {
            Reason::Text(kind) if !kind.loses_text() => Severity::Warning,
            // The record is read nevertheless.
            Reason::Record(kind) if kind.changes_record() => Severity::Warning,
            Reason::Record(kind) => kind.severity(),
            reason => reason.row().1,
        }
    }
}

impl fmt::Display for Problem {
    /// As `1:17: game 57 (White - Black, round 3), 12... Nf6: illegal: the knight …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.place.line, self.place.column)?;
        if self.game > 0 {
            write!(f, "game {}{}, ", self.game, self.identity)?;
        }
        self.write_without_place(f)
    }
}

impl std::error::Error for Problem {}

impl Problem {
    /// Returns the problem of a game with these tags that exceeds the size limit, in bytes.
    pub fn too_large(place: Place, game: u64, tags: &[TagPair<'_>], limit: usize) -> Self {
        let (identity, reason) = (GameIdentity::of(tags), Reason::TooLarge { limit });
        Problem { game, identity, ..Problem::at(place, reason) }
    }

    pub(crate) fn at(place: Place, reason: Reason) -> Self {
        Problem {
            place,
            game: 0,
            identity: GameIdentity::default(),
            move_number: None,
            in_variation: false,
            strict: false,
            token: String::new(),
            reason,
        }
    }

    /// Returns the severity: that of the reason, but in strict mode always an error.
    pub fn severity(&self) -> Severity {
        if self.strict { Severity::Error } else { self.reason.severity() }
    }

    /// Returns the text without place and game: `12... Nf6: illegal: the knight …`.
    pub fn without_place(&self) -> String {
        let mut text = String::new();
        // Writing to memory does not fail.
        let _ = self.write_without_place(&mut text);
        text
    }

    fn write_without_place(&self, f: &mut impl fmt::Write) -> fmt::Result {
        if let Some(number) = self.move_number {
            write!(f, "{number} ")?;
        }
        let names_token = |kind: &EpdDiagnosticKind| kind.to_string().starts_with(&*self.token);
        let is_named = matches!(&self.reason, Reason::Record(kind) if names_token(kind));
        if !self.token.is_empty() && !is_named {
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

    /// Whether the severity is [`Severity::Error`].
    pub fn is_error(&self) -> bool {
        self.severity() == Severity::Error
    }
}

/// Problems can only be serialized, since a reason is more than its message.
#[cfg(feature = "serde")]
impl serde::Serialize for Problem {
    /// Serializes the same fields as the program's `--report`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut fields = serializer.serialize_struct("Problem", 13)?;
        fields.serialize_field("line", &self.place.line)?;
        fields.serialize_field("column", &self.place.column)?;
        fields.serialize_field("byte", &self.place.byte)?;
        fields.serialize_field("game", &Some(self.game).filter(|game| *game > 0))?;
        fields.serialize_field("white", &self.identity.white)?;
        fields.serialize_field("black", &self.identity.black)?;
        fields.serialize_field("site", &self.identity.site)?;
        fields.serialize_field("round", &self.identity.round)?;
        fields.serialize_field("move", &self.move_number.map(|number| number.to_string()))?;
        fields.serialize_field("token", &self.token)?;
        fields.serialize_field("severity", self.severity().as_str())?;
        fields.serialize_field("kind", self.reason.kind())?;
        fields.serialize_field("reason", &self.reason.to_string())?;
        fields.end()
    }
}

/// Names a foreign letter that may be why a word is not a move: `Вf4` with a Cyrillic letter.
pub(crate) fn with_letter(reason: Reason, word: &[u8]) -> Reason {
    let is_foreign = |letter: &char| !letter.is_ascii() && letter.is_alphabetic();
    match reason {
        Reason::Move(SanError::NotAMove) | Reason::UnknownToken => {
            text_of(word).chars().find(is_foreign).map_or(reason, Reason::Letter)
        }
        reason => reason,
    }
}

pub(crate) fn shown_token(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let line = bytes.split(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
    let text = text_of(line);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_players_round_and_address() {
        let cases = [
            ([None, None, None, None], ""),
            ([Some("A"), Some("B"), None, None], " (A - B)"),
            ([None, Some("B"), Some("Paris"), Some("?")], " (? - B)"),
            ([Some("A"), Some("B"), Some("Paris"), Some("4.1")], " (A - B, round 4.1)"),
            (
                [Some("A"), Some("B"), Some("https://lichess.org/abcd1234"), Some("-")],
                " (A - B, https://lichess.org/abcd1234)",
            ),
            ([None, None, Some("https://lichess.org/x"), None], " (https://lichess.org/x)"),
        ];
        for (values, expected) in cases {
            let [white, black, site, round] = values.map(|value| value.map(str::to_owned));
            let identity = GameIdentity { white, black, site, round };
            assert_eq!(identity.to_string(), expected);
        }
    }
}
