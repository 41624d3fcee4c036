//! What is wrong with the text of a record, and where in its line.

use std::ops::Range;

use san::{FenError, Field, SanError};

use crate::{Consumer, Dialect, LONGEST_STRING, Misreading, Opcode, OperandType, Severity, Wanted};

/// Something wrong in a line of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The bytes of the line that show it.
    pub at: Range<usize>,
    /// What is wrong.
    pub kind: FaultKind,
}

impl Fault {
    pub(crate) fn new(at: usize, text: &str, kind: FaultKind) -> Self {
        Fault { at: at..at + text.len(), kind }
    }

    /// The column of a fault in its line, in characters from 1.
    pub fn column(&self, line: &str) -> usize {
        let before = line.char_indices().take_while(|(at, c)| at + c.len_utf8() <= self.at.start);
        1 + before.filter(|(_, c)| *c != '\u{feff}').count()
    }
}

/// What is wrong with a record.
///
/// An error has no reading, or one that says what cannot be; a warning has one reading, which was taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// A field of the position, or the position.
    #[error("{prefix}{0}", prefix = field_prefix(.0))]
    Fen(FenError),
    /// A castling right or an en passant square that cannot be; without it the position is legal.
    #[error("{prefix}{0}", prefix = field_prefix(.0))]
    LeftOut(FenError),
    /// No game leads to the position, but moves can be played from it.
    #[error("no game leads here: {0}")]
    Unreachable(FenError),
    /// The line ends before the fourth field.
    #[error("{} missing: a record has four fields, the pieces, the side to move, castling rights and the en passant square", field_name(*.0))]
    MissingField(Field),
    /// `W` or `B`.
    #[error("the side to move is a capital letter: the standard has w and b")]
    CapitalSide,
    /// `kK`.
    #[error("castling rights are written in the order KQkq, each once")]
    CastlingOrder,
    /// Clocks that no game can have.
    #[error(
        "no game is at move {fullmoves} with {halfmoves} plies since the last capture or pawn move"
    )]
    UnreachableClocks {
        /// The halfmove clock.
        halfmoves: u32,
        /// The fullmove number.
        fullmoves: u32,
    },
    /// A pawn has just advanced, and yet the clock does not stand at 0.
    #[error(
        "a pawn has just advanced over the en passant square, but the halfmove clock is {0}, not 0"
    )]
    ClockAfterAdvance(u32),
    /// A fullmove number of 0 in a six-field line.
    #[error("the fullmove number is 0: the first move is 1")]
    ZeroFullmove,
    /// A clock of a six-field line that is none.
    #[error("the {} {text:?} is not a number", field_name(*.field))]
    BadClock {
        /// Which of the two.
        field: Field,
        /// What stands there.
        text: String,
    },
    /// Not exactly one blank between two parts.
    #[error("{0} where one blank belongs")]
    Blanks(Blanks),
    /// A line that is longer than readers must be able to take.
    #[error("the line has {0} bytes: readers need take no more than 1024")]
    LongLine(usize),
    /// A command of the UCI protocol.
    #[error("a command of the UCI protocol, not a record: leave out {0:?}")]
    Uci(String),
    /// The line is that of another dialect than the standard.
    #[error("{}", .0.description())]
    Dialect(Dialect),
    /// The line is not of the dialect that was asked for.
    #[error("not a line of the dialect {0}: {form}", form = .0.description())]
    NotDialect(Dialect),
    /// A label that cannot be read.
    #[error("{0:?} is no label: a result is [1.0], [0.5] or [0.0], or | centipawns | result")]
    BadLabel(String),
    /// A line that a program reads otherwise than it is meant.
    #[error("{0} {1}")]
    Misread(Consumer, Misreading),
    /// Text that is not UTF-8.
    #[error("not UTF-8: read as ISO 8859-1")]
    Latin1,

    /// An opcode that is none.
    #[error(
        "{0:?} is no opcode: an opcode starts with a letter, and has letters, digits and underscores"
    )]
    NotAnOpcode(String),
    /// An opcode that is too long.
    #[error("the opcode {0} has more than 15 characters")]
    LongOpcode(String),
    /// The same opcode again.
    #[error("{0} stands there twice: the last one counts")]
    Repeated(String),
    /// Operations that are not in ASCII order.
    #[error("{name} stands behind {before}: operations are in the ASCII order of their opcodes")]
    OutOfOrder {
        /// The opcode.
        name: String,
        /// The one before it.
        before: String,
    },
    /// A register that is set, and then cleared.
    #[error("{by} stands behind {cleared} and clears it: operations are read from left to right")]
    Cleared {
        /// The register that is lost.
        cleared: Opcode,
        /// The operation that clears it.
        by: Opcode,
    },
    /// The last operation has no semicolon.
    #[error("{0} has no semicolon at its end")]
    MissingSemicolon(String),
    /// A semicolon behind nothing.
    #[error("a semicolon without an operation")]
    EmptyOperation,
    /// A hyphen that is no field.
    #[error("a hyphen that is no operation: passed over")]
    LoneHyphen,
    /// A quote that is not closed.
    #[error("a string without its closing quote")]
    UnclosedString,
    /// A string without quotes.
    #[error("the string of {0} has no quotes")]
    UnquotedString(Opcode),
    /// A string that is too long.
    #[error("a string of {0} bytes: {LONGEST_STRING} are the most")]
    LongString(usize),
    /// A control character.
    #[error("a control character in a string")]
    ControlCharacter,
    /// Backslash escapes, which the standard does not have.
    #[error("a backslash escape, read as {0} writes it: the standard has none")]
    Escape(Dialect),
    /// Operands that the opcode does not take.
    #[error("{opcode} takes {0}, {found}", Wanted(*.wanted))]
    Operands {
        /// The opcode.
        opcode: Opcode,
        /// What it takes.
        wanted: OperandType,
        /// What stands there: `not x`, or `and there is nothing`.
        found: String,
    },
    /// `+5` or `05`.
    #[error("write {0}: neither a plus sign nor zeros stand before a number")]
    NumberForm(i64),
    /// A code that is not one of the encyclopedia.
    #[error("{0:?} is no ECO code: they go from A00 to E99")]
    EcoCode(String),
    /// A move that cannot be played.
    #[error("{token}: illegal: {reason}")]
    IllegalMove {
        /// The move as it is written.
        token: String,
        /// Why not.
        reason: SanError,
    },
    /// A move in another notation than canonical SAN.
    #[error("{token} should be written {san}")]
    NotCanonical {
        /// The move as it is written.
        token: String,
        /// Its SAN.
        san: String,
    },
    /// `bm #2`.
    #[error("{0} is a number of moves until mate, not a move: dm says that")]
    MateCount(String),
    /// Moves that are not in ASCII order.
    #[error("{0}: the moves of {1} are in ASCII order")]
    MovesOrder(String, Opcode),
    /// The same move again.
    #[error("{0} stands there twice")]
    RepeatedMove(String),
    /// `draw_offer` and `draw_claim` need a move.
    #[error("{0} needs the move that is played, sm, in the same record")]
    NeedsMove(Opcode),
    /// `pm` is the first move of `pv`.
    #[error("pm {pm} is not the first move of pv, {pv}")]
    PredictedMove {
        /// The predicted move.
        pm: String,
        /// The first move of the predicted variation.
        pv: String,
    },
}

/// What stands between two parts of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Blanks {
    /// More than one blank.
    #[error("several blanks")]
    Several,
    /// A tab, or another white space character.
    #[error("a tab")]
    Tab,
    /// Nothing.
    #[error("nothing")]
    None,
}

/// A part of the line as a message shows it.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
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

/// Which part of the record a sentence speaks of, where it does not say so itself.
fn field_prefix(error: &FenError) -> &'static str {
    match error {
        FenError::NotAPiece { .. } | FenError::RankLength { .. } | FenError::RankCount(_) => {
            "the pieces: "
        }
        _ => "",
    }
}

impl FaultKind {
    /// Whether the text has no reading, or says what cannot be.
    pub fn severity(&self) -> Severity {
        match self {
            FaultKind::Misread(_, misreading) if misreading.is_refusal() => Severity::Error,
            FaultKind::Fen(_)
            | FaultKind::LeftOut(_)
            | FaultKind::MissingField(_)
            | FaultKind::BadClock { .. }
            | FaultKind::Uci(_)
            | FaultKind::NotDialect(_)
            | FaultKind::BadLabel(_)
            | FaultKind::NotAnOpcode(_)
            | FaultKind::Repeated(_)
            | FaultKind::UnclosedString
            | FaultKind::LongString(_)
            | FaultKind::ControlCharacter
            | FaultKind::Operands { .. }
            | FaultKind::IllegalMove { .. }
            | FaultKind::NeedsMove(_)
            | FaultKind::PredictedMove { .. } => Severity::Error,
            _ => Severity::Warning,
        }
    }

    /// The kind in one word, for programs: it stays when the sentence gets better.
    pub fn name(&self) -> &'static str {
        match self {
            FaultKind::Fen(_) => "position",
            FaultKind::Unreachable(_) => "unreachable",
            FaultKind::LeftOut(FenError::NoSuchRight { .. }) => "castling-right",
            FaultKind::LeftOut(_) => "en-passant",
            FaultKind::MissingField(_) => "missing-field",
            FaultKind::CapitalSide => "capital-side",
            FaultKind::CastlingOrder => "castling-order",
            FaultKind::UnreachableClocks { .. } | FaultKind::ClockAfterAdvance(_) => "clocks",
            FaultKind::ZeroFullmove | FaultKind::BadClock { .. } => "clock",
            FaultKind::Blanks(_) => "blanks",
            FaultKind::LongLine(_) => "long-line",
            FaultKind::Uci(_) => "uci",
            FaultKind::Dialect(_) | FaultKind::NotDialect(_) => "dialect",
            FaultKind::BadLabel(_) => "label",
            FaultKind::Misread(..) => "misread",
            FaultKind::Latin1 => "encoding",
            FaultKind::NotAnOpcode(_) => "opcode",
            FaultKind::LongOpcode(_) => "long-opcode",
            FaultKind::Repeated(_) => "repeated",
            FaultKind::OutOfOrder { .. } => "order",
            FaultKind::Cleared { .. } => "register-order",
            FaultKind::MissingSemicolon(_) => "semicolon",
            FaultKind::EmptyOperation => "empty-operation",
            FaultKind::LoneHyphen => "hyphen",
            FaultKind::UnclosedString => "unclosed-string",
            FaultKind::UnquotedString(_) => "unquoted-string",
            FaultKind::LongString(_) => "long-string",
            FaultKind::ControlCharacter => "control-character",
            FaultKind::Escape(_) => "escape",
            FaultKind::Operands { .. } => "operand",
            FaultKind::NumberForm(_) => "number-form",
            FaultKind::EcoCode(_) => "eco-code",
            FaultKind::IllegalMove { .. } => "illegal-move",
            FaultKind::NotCanonical { .. } => "not-canonical",
            FaultKind::MateCount(_) => "mate-count",
            FaultKind::MovesOrder(..) => "moves-order",
            FaultKind::RepeatedMove(_) => "repeated-move",
            FaultKind::NeedsMove(_) => "needs-move",
            FaultKind::PredictedMove { .. } => "predicted-move",
        }
    }

    /// Whether it is said of every line of a file alike, so that once is enough.
    pub fn is_of_file(&self) -> bool {
        matches!(self, FaultKind::Dialect(_) | FaultKind::Latin1)
    }
}
