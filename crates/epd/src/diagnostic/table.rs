//! The severity of each kind of fault, and its machine-readable name.

use san::{FenError, Field};

use super::kind::EpdDiagnosticKind;
use crate::severity::Severity;

impl EpdDiagnosticKind {
    /// Returns the severity; [`Severity::Error`] means that the text has no valid reading.
    pub fn severity(&self) -> Severity {
        match self {
            EpdDiagnosticKind::Misread(misreading) => misreading.severity(),
            // Six fields without the last have exactly one reading, as in a FEN tag.
            EpdDiagnosticKind::MissingField(Field::FullmoveNumber) => Severity::Warning,
            EpdDiagnosticKind::Fen(_)
            | EpdDiagnosticKind::LeftOut(_)
            | EpdDiagnosticKind::MissingField(_)
            | EpdDiagnosticKind::BadClock { .. }
            | EpdDiagnosticKind::Uci(_)
            | EpdDiagnosticKind::NotDialect(_)
            | EpdDiagnosticKind::Variant
            | EpdDiagnosticKind::BadLabel(_)
            | EpdDiagnosticKind::NotAnOpcode(_)
            | EpdDiagnosticKind::FreeText(_)
            | EpdDiagnosticKind::LongRecord(_)
            | EpdDiagnosticKind::TooMany
            | EpdDiagnosticKind::Repeated(_)
            | EpdDiagnosticKind::RunTogether(..)
            | EpdDiagnosticKind::UnclosedString
            | EpdDiagnosticKind::LongString(_)
            | EpdDiagnosticKind::ControlCharacter(_)
            | EpdDiagnosticKind::MateParity { .. }
            | EpdDiagnosticKind::DrawnPosition { .. }
            | EpdDiagnosticKind::NoMateToDeliver(_)
            | EpdDiagnosticKind::AcceptedAndRejected
            | EpdDiagnosticKind::Operands { .. }
            | EpdDiagnosticKind::NegativeMate { .. }
            | EpdDiagnosticKind::IllegalMove { .. }
            | EpdDiagnosticKind::NeedsMove(_)
            | EpdDiagnosticKind::PredictedMove { .. } => Severity::Error,
            EpdDiagnosticKind::TrailingBlanks | EpdDiagnosticKind::NotAscii => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// Returns the machine-readable name of the kind. It is stable, unlike the message.
    pub fn name(&self) -> &'static str {
        match self {
            EpdDiagnosticKind::Fen(_) => "position",
            EpdDiagnosticKind::Unreachable(_) => "unreachable",
            EpdDiagnosticKind::LeftOut(FenError::NoSuchRight { .. }) => "castling-right",
            EpdDiagnosticKind::LeftOut(_) => "en-passant",
            EpdDiagnosticKind::MissingField(_) => "missing-field",
            EpdDiagnosticKind::CapitalSide => "capital-side",
            EpdDiagnosticKind::CastlingOrder => "castling-order",
            EpdDiagnosticKind::MovedKing(_) => "moved-king",
            EpdDiagnosticKind::Chess960Castling(_) => "chess960",
            EpdDiagnosticKind::PawnSquare(_) => "pawn-square",
            EpdDiagnosticKind::FinalSlash => "final-slash",
            EpdDiagnosticKind::OfVariant(_) => "variant",
            EpdDiagnosticKind::AdjacentDigits | EpdDiagnosticKind::EmptyRank => "placement-form",
            EpdDiagnosticKind::MissingHyphen => "missing-hyphen",
            EpdDiagnosticKind::ByteOrderMark => "byte-order-mark",
            EpdDiagnosticKind::ClocksDiffer { .. } => "clocks-differ",
            EpdDiagnosticKind::UnreachableClocks { .. }
            | EpdDiagnosticKind::ClockAfterAdvance(_) => "clocks",
            EpdDiagnosticKind::ZeroFullmove | EpdDiagnosticKind::BadClock { .. } => "clock",
            EpdDiagnosticKind::Blanks(_)
            | EpdDiagnosticKind::LeadingBlanks
            | EpdDiagnosticKind::TrailingBlanks
            | EpdDiagnosticKind::BlankBeforeSemicolon => "blanks",
            EpdDiagnosticKind::LongLine(_) => "long-line",
            EpdDiagnosticKind::LongRecord(_) => "long-record",
            EpdDiagnosticKind::TooMany => "too-many",
            EpdDiagnosticKind::LookAlike(_) => "look-alike",
            EpdDiagnosticKind::Uci(_) => "uci",
            EpdDiagnosticKind::Dialect(_) | EpdDiagnosticKind::NotDialect(_) => "dialect",
            EpdDiagnosticKind::Variant => "variant",
            EpdDiagnosticKind::BadLabel(_) => "label",
            EpdDiagnosticKind::Misread(_) => "misread",
            EpdDiagnosticKind::Latin1 => "encoding",
            EpdDiagnosticKind::NotAnOpcode(_) => "opcode",
            EpdDiagnosticKind::FreeText(_) => "free-text",
            EpdDiagnosticKind::OpcodeForm(_) | EpdDiagnosticKind::CapitalOpcode { .. } => {
                "opcode-form"
            }
            EpdDiagnosticKind::LongOpcode(_) => "long-opcode",
            EpdDiagnosticKind::Repeated(_) | EpdDiagnosticKind::RepeatedAlike(_) => "repeated",
            EpdDiagnosticKind::OutOfOrder { .. } => "order",
            EpdDiagnosticKind::Cleared { .. } => "register-order",
            EpdDiagnosticKind::MissingSemicolon(_) => "semicolon",
            EpdDiagnosticKind::RunTogether(..) => "run-together",
            EpdDiagnosticKind::BlankInPlacement => "placement-blank",
            EpdDiagnosticKind::DetachedSign(_) => "detached-sign",
            EpdDiagnosticKind::EmptyOperation => "empty-operation",
            EpdDiagnosticKind::LoneHyphen => "hyphen",
            EpdDiagnosticKind::UnclosedString => "unclosed-string",
            EpdDiagnosticKind::UnquotedString(_) => "unquoted-string",
            EpdDiagnosticKind::LongString(_) => "long-string",
            EpdDiagnosticKind::ControlCharacter(_) => "control-character",
            EpdDiagnosticKind::NotAscii => "not-ascii",
            EpdDiagnosticKind::MateParity { .. } => "mate-parity",
            EpdDiagnosticKind::DrawnPosition { .. } => "drawn-position",
            EpdDiagnosticKind::NoMateToDeliver(_) => "game-over",
            EpdDiagnosticKind::MatesDiffer { .. } => "mates-differ",
            EpdDiagnosticKind::BestAndAvoided(_) => "best-and-avoided",
            EpdDiagnosticKind::AcceptedAndRejected => "draw-reply",
            EpdDiagnosticKind::Escape(_) | EpdDiagnosticKind::ScidEscape => "escape",
            EpdDiagnosticKind::Chessdb(_) => "chessdb",
            EpdDiagnosticKind::Operands { .. } | EpdDiagnosticKind::NegativeMate { .. } => {
                "operand"
            }
            EpdDiagnosticKind::NumberForm(_) => "number-form",
            EpdDiagnosticKind::EcoCode(_) => "eco-code",
            EpdDiagnosticKind::IllegalMove { .. } => "illegal-move",
            EpdDiagnosticKind::NotCanonical { .. } => "not-canonical",
            EpdDiagnosticKind::MateCount(..) => "mate-count",
            EpdDiagnosticKind::MoveSeparator => "move-separator",
            EpdDiagnosticKind::OtherBest { .. } => "other-best",
            EpdDiagnosticKind::MovesOrder(..) => "moves-order",
            EpdDiagnosticKind::RepeatedMove(_) => "repeated-move",
            EpdDiagnosticKind::NeedsMove(_) => "needs-move",
            EpdDiagnosticKind::PredictedMove { .. } => "predicted-move",
        }
    }

    /// Whether the text of an error is repaired, so that its operation can be read.
    pub(crate) fn is_repaired(&self) -> bool {
        matches!(
            self,
            EpdDiagnosticKind::RunTogether(..)
                | EpdDiagnosticKind::UnclosedString
                | EpdDiagnosticKind::ControlCharacter(_)
                | EpdDiagnosticKind::NegativeMate { .. }
                // Of two operations the first is lost.
                | EpdDiagnosticKind::Repeated(_)
                | EpdDiagnosticKind::NotDialect(_)
        )
    }

    /// Whether the fault is the same on every line of a file, so that one report suffices.
    pub fn is_of_file(&self) -> bool {
        matches!(
            self,
            EpdDiagnosticKind::Dialect(_)
                | EpdDiagnosticKind::OfVariant(_)
                | EpdDiagnosticKind::Latin1
                | EpdDiagnosticKind::NotAscii
                | EpdDiagnosticKind::TrailingBlanks
        )
    }
}
