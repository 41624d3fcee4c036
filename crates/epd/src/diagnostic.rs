//! Diagnostics about the text of a record, with their location in the line: the kinds of fault,
//! their messages, severities and machine-readable names.

use std::ops::Range;

use san::{Color, FenError, Field, Keyword, SanError, Square};

use crate::centipawns::{Centipawns, Mate};
use crate::dialect::Dialect;
use crate::opcode::{ExpectedOperand, Opcode, OperandType};
use crate::read::text::Token;
use crate::string::{LONGEST_STRING, plain};

// Limits that keep the memory for one line bounded.

/// Length of the longest line read as a record: what is known meanwhile takes many times as much.
pub const LONGEST_RECORD: usize = 1 << 20;

pub(crate) const MOST_DIAGNOSTICS: usize = 1000;

/// The severity of a diagnostic about a record or a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// A common and harmless departure from the standard.
    Note,
    /// The text has exactly one reading, which is used; nothing is lost.
    Warning,
    /// The record, or all or the rest of the game, could not be read.
    Error,
}

impl Severity {
    /// Returns `note`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Reasons for diagnostics, each with its message, its stable name for programs, and its severity.
#[macro_export]
macro_rules! kinds {
    (
        $(#[$attribute:meta])*
        pub enum $type:ident {
            $(
                $(#[doc = $doc:literal])*
                #[error($message:literal $($arguments:tt)*)]
                $kind:ident $(($($field:ty),+))? $({$($fields:tt)*})? = $name:literal, $severity:ident;
            )+
        }
    ) => {
        $(#[$attribute])*
        #[allow(missing_docs)] // of fields
        pub enum $type {
            $(
                $(#[doc = $doc])*
                #[doc = ""]
                #[doc = $message]
                #[error($message $($arguments)*)]
                $kind $(($($field),+))? $({$($fields)*})?,
            )+
        }

        impl $type {
            /// Returns the name for programs and the severity that it usually has.
            fn row(&self) -> (&'static str, $crate::Severity) {
                match self {
                    $(Self::$kind { .. } => ($name, $crate::Severity::$severity),)+
                }
            }
        }
    };
}

/// A diagnostic about a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct EpdDiagnostic {
    /// The byte range of the offending text.
    pub at: Range<usize>,
    /// The kind of fault.
    pub kind: EpdDiagnosticKind,
}

pub(crate) type Faults<'f> = &'f mut dyn FnMut(EpdDiagnostic);

impl EpdDiagnostic {
    pub(crate) fn new(at: usize, text: &str, kind: EpdDiagnosticKind) -> Self {
        EpdDiagnostic { at: at..at + text.len(), kind }
    }

    /// Returns the column of the fault, in characters from 1; [`Columns`] is faster for many.
    pub fn column(&self, line: &str) -> usize {
        Columns::new(line).of(self.at.start)
    }
}

impl Token<'_> {
    pub(crate) fn fault(self, kind: EpdDiagnosticKind) -> EpdDiagnostic {
        EpdDiagnostic::new(self.at, self.text, kind)
    }
}

/// Converts offsets in a line to columns; ascending ones cost one pass over the line in total.
///
/// ```
/// let mut columns = epd::Columns::new("\u{feff}c0 \"ü\";");
/// assert_eq!((columns.of(3), columns.of(6), columns.of(10)), (1, 4, 7));
/// ```
#[derive(Clone, Debug)]
pub struct Columns<'l> {
    line: &'l str,
    at: usize,
    column: usize,
}

impl<'l> Columns<'l> {
    /// Creates a converter for a line; columns are counted from 1.
    pub fn new(line: &'l str) -> Self {
        Columns { line, at: 0, column: 1 }
    }

    /// Returns the column of the character that contains a byte. A byte order mark has none.
    pub fn of(&mut self, byte: usize) -> usize {
        if byte < self.at {
            (self.at, self.column) = (0, 1);
        }
        for c in self.line[self.at..].chars() {
            if self.at + c.len_utf8() > byte {
                break;
            }
            self.at += c.len_utf8();
            self.column += usize::from(c != '\u{feff}');
        }
        self.column
    }
}

pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

kinds! {
    /// A kind of fault in a record.
    ///
    /// An error is text without a valid reading. A warning is text with exactly one reading, which is
    /// used. A note is a common and harmless departure from the standard.
    #[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
    #[non_exhaustive]
    pub enum EpdDiagnosticKind {
        /// An error in a field of the position, or in the position itself.
        #[error("{prefix}{0}", prefix = field_prefix(.0))]
        Fen(FenError) = "position", Error;
        /// An impossible castling right or en passant square; without it the position is legal.
        #[error("{prefix}{0}", prefix = field_prefix(.0))]
        LeftOut(FenError) = "en-passant", Error;
        #[error("no game leads to this position: {0}")]
        Unreachable(FenError) = "unreachable", Warning;
        #[error("{} missing: a record has four fields, the pieces, the side to move, castling rights and the en passant square", field_name(*.0))]
        MissingField(Field) = "missing-field", Error;
        /// `W` or `B`.
        #[error("the side to move is a capital letter: the standard has w and b")]
        CapitalSide = "capital-side", Warning;
        /// `kK`.
        #[error("castling rights are written in the order KQkq, each once")]
        CastlingOrder = "castling-order", Warning;
        #[error(
            "the rook of {0:?}'s castling right is not in its corner: read as Chess960 (EPD 3.3); --variant chess or chess960 decides"
        )]
        Chess960Castling(Color) = "chess960", Warning;
        /// `e4` instead of `e3`.
        #[error(
            "the en passant square is the one behind the pawn that has just advanced, {0} (EPD 3.4)"
        )]
        PawnSquare(Square) = "pawn-square", Warning;
        #[error("a slash after the last rank of the pieces")]
        FinalSlash = "final-slash", Warning;
        #[error("a position of {0}: it cannot be one of chess")]
        OfVariant(&'static str) = "variant", Warning;
        #[error("the piece placement contains a space")]
        BlankInPlacement = "placement-blank", Warning;
        #[error(
            "{0:?}'s king is not on its initial square: it cannot castle in standard chess (EPD 3.3); read as Chess960"
        )]
        MovedKing(Color) = "moved-king", Warning;
        /// `44` for eight empty squares.
        #[error(
            "the pieces: digits next to each other: one digit counts adjacent empty squares (EPD 3.1)"
        )]
        AdjacentDigits = "placement-form", Warning;
        /// `//` in Crafty's form.
        #[error("the pieces: an empty rank is written 8")]
        EmptyRank = "placement-form", Warning;
        #[error("the hyphen after the fields is missing")]
        MissingHyphen = "missing-hyphen", Warning;
        #[error("a byte order mark: fields consist of printing ASCII characters (EPD 3)")]
        ByteOrderMark = "byte-order-mark", Warning;
        #[error("spaces at the beginning of the line")]
        LeadingBlanks = "blanks", Warning;
        #[error("spaces or control characters at the end of the line")]
        TrailingBlanks = "blanks", Note;
        /// `bm e4 ;`
        #[error("a space before the semicolon: it is appended to the last operand (EPD 4.1)")]
        BlankBeforeSemicolon = "blanks", Warning;
        #[error("{opcode} is {operation}, but the {} is {field}: the operation counts", clock_name(*.opcode))]
        ClocksDiffer { opcode: Opcode, operation: i64, field: u32 } = "clocks-differ", Warning;
        #[error(
            "no game is at move {fullmoves} with {halfmoves} {} since the last capture or pawn move",
            if *.halfmoves == 1 { "ply" } else { "plies" }
        )]
        UnreachableClocks { halfmoves: u32, fullmoves: u32 } = "clocks", Warning;
        #[error(
            "a pawn has just advanced over the en passant square, but the halfmove clock is {0}, not 0"
        )]
        ClockAfterAdvance(u32) = "clocks", Warning;
        #[error("the fullmove number is 0: the first move is 1")]
        ZeroFullmove = "clock", Warning;
        #[error("the {} {text:?} is not a number", field_name(*.field))]
        BadClock { field: Field, text: String } = "clock", Error;
        /// Anything but exactly one space between two parts.
        #[error("{0}")]
        Blanks(Blanks) = "blanks", Warning;
        #[error("the line has {0} bytes: a record has at most {LONGEST_RECORD}")]
        LongRecord(usize) = "long-record", Error;
        #[error("more than {MOST_DIAGNOSTICS} problems in one line: the others are not reported")]
        TooMany = "too-many", Error;
        #[error("U+{:04X} outside of strings: read as {}", u32::from(*.0), shown_replacement(*.0))]
        LookAlike(char) = "look-alike", Warning;
        #[error("the line has {0} bytes: readers need not accept more than 1024")]
        LongLine(usize) = "long-line", Warning;
        #[error("a command of the UCI protocol, not a record: remove {0:?}")]
        Uci(String) = "uci", Error;
        #[error("a position of a variant, not of chess")]
        Variant = "variant", Error;
        /// The line is in a dialect other than the standard.
        #[error("{}", .0.help())]
        Dialect(Dialect) = "dialect", Warning;
        #[error("not a line of the dialect {0}: {form}", form = .0.help())]
        NotDialect(Dialect) = "dialect", Error;
        #[error("{0:?} is not a label: a result is [1.0], [0.5] or [0.0], or | centipawns | result")]
        BadLabel(String) = "label", Error;
        #[error("not UTF-8: read as ISO 8859-1")]
        Latin1 = "encoding", Warning;

        #[error(
            "{0:?} is not an opcode: an opcode starts with a letter, and has letters, digits and underscores"
        )]
        NotAnOpcode(String) = "opcode", Error;
        #[error(
            "{0:?} is not an operation: an opcode that is not in the standard has strings, numbers or moves as operands, and a semicolon at its end"
        )]
        FreeText(String) = "free-text", Error;
        #[error(
            "{0:?}: an opcode has at least two characters, small letters, digits and underscores; one that only a single program uses starts with a capital letter (EPD 4.2)"
        )]
        OpcodeForm(String) = "opcode-form", Warning;
        /// `BM`, `Id`.
        #[error(
            "{name} is not the opcode {opcode}: with a capital letter it is a private one (EPD 4.2)"
        )]
        CapitalOpcode { name: String, opcode: Opcode } = "opcode-form", Warning;
        #[error("the opcode {0} has more than 15 characters")]
        LongOpcode(String) = "long-opcode", Warning;
        #[error("{0} occurs twice: the last one counts")]
        Repeated(String) = "repeated", Error;
        #[error("{0} occurs twice, with the same operands")]
        RepeatedAlike(String) = "repeated", Warning;
        #[error("{name} follows {before}: operations are in the ASCII order of their opcodes")]
        OutOfOrder { name: String, before: String } = "order", Warning;
        #[error("{by} follows {cleared} and clears it: operations are read from left to right")]
        Cleared { cleared: Opcode, by: Opcode } = "register-order", Warning;
        #[error("{0} has no semicolon at its end")]
        MissingSemicolon(String) = "semicolon", Warning;
        #[error("{0} and {1} have no semicolon between them")]
        RunTogether(Opcode, String) = "run-together", Error;
        #[error("a semicolon without an operation")]
        EmptyOperation = "empty-operation", Warning;
        #[error("a hyphen that is not an operation: skipped")]
        LoneHyphen = "hyphen", Warning;
        #[error("a string without its closing quote")]
        UnclosedString = "unclosed-string", Error;
        #[error("the string of {0} has no quotes")]
        UnquotedString(Opcode) = "unquoted-string", Warning;
        #[error("a string of {0} bytes: {LONGEST_STRING} are the most")]
        LongString(usize) = "long-string", Error;
        #[error("{} in a string, which has printing characters only (EPD 4.1)", shown_control(*.0))]
        ControlCharacter(char) = "control-character", Error;
        #[error("a character outside of ASCII, the character set of EPD")]
        NotAscii = "not-ascii", Note;
        #[error("a backslash escape, read as {0} writes it: the standard has none")]
        Escape(Dialect) = "escape", Warning;
        /// `\s`, which may be an escape.
        #[error("\\s in a string, a semicolon as Scid writes it: kept; --dialect scid reads it")]
        ScidEscape = "escape", Warning;
        /// `cdb eval: 95`, `v=95`.
        #[error("an evaluation as other programs write it: EPD has ce {0}")]
        Chessdb(String) = "chessdb", Warning;
        #[error("{opcode} takes {0}, {found}", ExpectedOperand(*.wanted))]
        Operands { opcode: Opcode, wanted: OperandType, found: String } = "operand", Error;
        /// `dm -4`.
        #[error("dm takes a positive integer, not {moves}: being mated is ce {ce} (EPD 5.6)")]
        NegativeMate { moves: i64, ce: Centipawns } = "operand", Error;
        /// `+5` or `05`.
        #[error("write {0}: a number has neither a plus sign nor leading zeros")]
        NumberForm(i64) = "number-form", Warning;
        /// `.5` or `5.`
        #[error("{0} in the standard: a number has a digit on both sides of its point (EPD 4.1)")]
        PointForm(String) = "number-form", Note;
        #[error("ce {ce} means an illegal position, and this one is legal (EPD 5.6)")]
        LegalPosition { ce: Centipawns } = "legal-position", Warning;
        #[error("ce {ce} in a position of checkmate, which has no evaluation (EPD 5.6)")]
        CheckmateEvaluated { ce: Centipawns } = "game-over", Warning;
        #[error("ce {ce} is a mate in {}: {} (EPD 5.6)", plies(*.ce), parity(*.ce))]
        MateParity { ce: Centipawns } = "mate-parity", Error;
        #[error("ce {ce} in a position that is drawn by {reason}: ce is 0 there (EPD 5.6)")]
        DrawnPosition { ce: Centipawns, reason: &'static str } = "drawn-position", Error;
        #[error("dm in a position of {0}: the player to move cannot deliver mate (EPD 5.7)")]
        NoMateToDeliver(&'static str) = "game-over", Error;
        #[error("dm {dm}, but ce {ce} is another mate: a mate in {dm} moves is {expected} (EPD 5.6)")]
        MatesDiffer { dm: i64, ce: Centipawns, expected: i64 } = "mates-differ", Warning;
        #[error("{0} is a best move and a move to be avoided (EPD 5.3, 5.4)")]
        BestAndAvoided(String) = "best-and-avoided", Warning;
        #[error("draw_accept and draw_reject: a draw offer is accepted or rejected (EPD 5.8, 5.11)")]
        AcceptedAndRejected = "draw-reply", Error;
        #[error("{0:?} is not an ECO code: codes are A00 to E99")]
        EcoCode(String) = "eco-code", Warning;
        #[error("{token}: illegal: {reason}")]
        IllegalMove { token: String, reason: SanError } = "illegal-move", Error;
        #[error("{token} should be written {san}")]
        NotCanonical { token: String, san: String } = "not-canonical", Warning;
        /// `bm #2`, `bm #-2`, `dm #2`.
        #[error("{0} is a number of moves until mate: use {1}")]
        MateCount(String, String) = "mate-count", Warning;
        /// `bm e4, d4`, `pv 1. e4 e5`, `bm "e4"`.
        #[error("moves are separated by spaces, without move numbers, commas and quotes")]
        MoveSeparator = "move-separator", Warning;
        /// `Ng5 +`.
        #[error("a space separates {0} from its move")]
        DetachedSign(String) = "detached-sign", Warning;
        #[error("{0}: the moves of {1} are in ASCII order")]
        MovesOrder(String, Opcode) = "moves-order", Warning;
        #[error("{0} occurs twice")]
        RepeatedMove(String) = "repeated-move", Warning;
        #[error("{0} needs the move that is played, sm, in the same record")]
        NeedsMove(Opcode) = "needs-move", Error;
        #[error("pm {pm} is not the first move of pv, {pv}")]
        PredictedMove { pm: String, pv: String } = "predicted-move", Error;
    }
}

/// What was found between two parts of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Blanks {
    #[error("several spaces instead of one space")]
    Several,
    #[error("a tab instead of one space")]
    Tab,
    #[error("a control character instead of one space")]
    Control,
    /// `id="x"`, `id: "x"`.
    #[error("an equals sign or a colon instead of one space")]
    Sign,
    #[error("a space is missing")]
    None,
}

fn clock_name(opcode: Opcode) -> &'static str {
    field_name(if opcode == Opcode::Hmvc { Field::HalfmoveClock } else { Field::FullmoveNumber })
}

fn plies(ce: Centipawns) -> String {
    match ce.mate() {
        Some(Mate::Gives { plies: 1 } | Mate::Gets { plies: 1 }) => "1 ply".to_owned(),
        Some(Mate::Gives { plies } | Mate::Gets { plies }) => format!("{plies} plies"),
        None => "0 plies".to_owned(),
    }
}

fn parity(ce: Centipawns) -> &'static str {
    match ce.mate() {
        Some(Mate::Gets { .. }) => "the player to move is mated after an even number",
        _ => "the player to move mates after an odd number",
    }
}

fn shown_replacement(character: char) -> &'static str {
    match plain(character) {
        Some(' ') => "a space",
        Some(';') => "a semicolon",
        Some(_) => "a hyphen",
        None => "nothing",
    }
}

fn shown_control(character: char) -> String {
    match character {
        '\t' => "a tab".to_owned(),
        '\u{2028}' => "a line separator (U+2028)".to_owned(),
        '\u{2029}' => "a paragraph separator (U+2029)".to_owned(),
        _ => format!("a control character (U+{:04X})", u32::from(character)),
    }
}

fn field_name(field: Field) -> &'static str {
    match field {
        Field::Placement => "the pieces are",
        Field::SideToMove => "the side to move is",
        Field::Castling => "the castling field is",
        Field::EnPassant => "the en passant field is",
        Field::HalfmoveClock => "halfmove clock",
        Field::FullmoveNumber => "fullmove number",
    }
}

fn field_prefix(error: &FenError) -> &'static str {
    match error {
        FenError::NotAPiece { .. } | FenError::RankLength { .. } | FenError::RankCount(_) => {
            "the pieces: "
        }
        _ => "",
    }
}

impl EpdDiagnosticKind {
    /// Returns the severity; [`Severity::Error`] means that the text has no valid reading.
    pub fn severity(&self) -> Severity {
        match self {
            // Six fields without the last have exactly one reading, as in a FEN tag.
            Self::MissingField(Field::FullmoveNumber) => Severity::Warning,
            kind => kind.row().1,
        }
    }

    /// Returns the machine-readable name of the kind. It is stable, unlike the message.
    pub fn name(&self) -> &'static str {
        match self {
            Self::LeftOut(FenError::NoSuchRight { .. }) => "castling-right",
            kind => kind.row().0,
        }
    }

    pub(crate) fn is_repaired(&self) -> bool {
        matches!(
            self,
            Self::RunTogether(..)
                | Self::UnclosedString
                | Self::ControlCharacter(_)
                | Self::NegativeMate { .. }
                // Of two operations the first is lost.
                | Self::Repeated(_)
                | Self::NotDialect(_)
                // Both are legal.
                | Self::PredictedMove { .. }
        )
    }

    /// Whether a program that reads records reports the fault, although it reads the record: what
    /// it goes on with is not what is written, or contradicts itself.
    pub fn changes_record(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_)
                | Self::LeftOut(_)
                | Self::PawnSquare(_)
                | Self::ZeroFullmove
                | Self::BadClock { .. }
                | Self::ClocksDiffer { .. }
                | Self::PredictedMove { .. }
        )
    }

    /// Whether the fault is the same on every line of a file, so that one report suffices.
    pub fn is_of_file(&self) -> bool {
        matches!(
            self,
            Self::Dialect(_)
                | Self::OfVariant(_)
                | Self::Latin1
                | Self::NotAscii
                | Self::TrailingBlanks
        )
    }
}
