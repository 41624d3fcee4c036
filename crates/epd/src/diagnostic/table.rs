//! The severity of each kind of fault, and its machine-readable name.

use san::{FenError, Field};

use super::kind::EpdDiagnosticKind;
use crate::severity::Severity;

impl EpdDiagnosticKind {
    /// Returns the severity; [`Severity::Error`] means that the text has no valid reading.
    pub fn severity(&self) -> Severity {
        match self {
            // Six fields without the last have exactly one reading, as in a FEN tag.
            Self::MissingField(Field::FullmoveNumber) => Severity::Warning,
            Self::Fen(_)
            | Self::LeftOut(_)
            | Self::MissingField(_)
            | Self::BadClock { .. }
            | Self::Uci(_)
            | Self::NotDialect(_)
            | Self::Variant
            | Self::BadLabel(_)
            | Self::NotAnOpcode(_)
            | Self::FreeText(_)
            | Self::LongRecord(_)
            | Self::TooMany
            | Self::Repeated(_)
            | Self::RunTogether(..)
            | Self::UnclosedString
            | Self::LongString(_)
            | Self::ControlCharacter(_)
            | Self::MateParity { .. }
            | Self::DrawnPosition { .. }
            | Self::NoMateToDeliver(_)
            | Self::AcceptedAndRejected
            | Self::Operands { .. }
            | Self::NegativeMate { .. }
            | Self::IllegalMove { .. }
            | Self::NeedsMove(_)
            | Self::PredictedMove { .. } => Severity::Error,
            Self::TrailingBlanks | Self::NotAscii | Self::PointForm(_) => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// Returns the machine-readable name of the kind. It is stable, unlike the message.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Fen(_) => "position",
            Self::Unreachable(_) => "unreachable",
            Self::LeftOut(FenError::NoSuchRight { .. }) => "castling-right",
            Self::LeftOut(_) => "en-passant",
            Self::MissingField(_) => "missing-field",
            Self::CapitalSide => "capital-side",
            Self::CastlingOrder => "castling-order",
            Self::MovedKing(_) => "moved-king",
            Self::Chess960Castling(_) => "chess960",
            Self::PawnSquare(_) => "pawn-square",
            Self::FinalSlash => "final-slash",
            Self::OfVariant(_) => "variant",
            Self::AdjacentDigits | Self::EmptyRank => "placement-form",
            Self::MissingHyphen => "missing-hyphen",
            Self::ByteOrderMark => "byte-order-mark",
            Self::ClocksDiffer { .. } => "clocks-differ",
            Self::UnreachableClocks { .. } | Self::ClockAfterAdvance(_) => "clocks",
            Self::ZeroFullmove | Self::BadClock { .. } => "clock",
            Self::Blanks(_)
            | Self::LeadingBlanks
            | Self::TrailingBlanks
            | Self::BlankBeforeSemicolon => "blanks",
            Self::LongLine(_) => "long-line",
            Self::LongRecord(_) => "long-record",
            Self::TooMany => "too-many",
            Self::LookAlike(_) => "look-alike",
            Self::Uci(_) => "uci",
            Self::Dialect(_) | Self::NotDialect(_) => "dialect",
            Self::Variant => "variant",
            Self::BadLabel(_) => "label",
            Self::Latin1 => "encoding",
            Self::NotAnOpcode(_) => "opcode",
            Self::FreeText(_) => "free-text",
            Self::OpcodeForm(_) | Self::CapitalOpcode { .. } => "opcode-form",
            Self::LongOpcode(_) => "long-opcode",
            Self::Repeated(_) | Self::RepeatedAlike(_) => "repeated",
            Self::OutOfOrder { .. } => "order",
            Self::Cleared { .. } => "register-order",
            Self::MissingSemicolon(_) => "semicolon",
            Self::RunTogether(..) => "run-together",
            Self::BlankInPlacement => "placement-blank",
            Self::DetachedSign(_) => "detached-sign",
            Self::EmptyOperation => "empty-operation",
            Self::LoneHyphen => "hyphen",
            Self::UnclosedString => "unclosed-string",
            Self::UnquotedString(_) => "unquoted-string",
            Self::LongString(_) => "long-string",
            Self::ControlCharacter(_) => "control-character",
            Self::NotAscii => "not-ascii",
            Self::MateParity { .. } => "mate-parity",
            Self::DrawnPosition { .. } => "drawn-position",
            Self::LegalPosition { .. } => "legal-position",
            Self::NoMateToDeliver(_) | Self::CheckmateEvaluated { .. } => "game-over",
            Self::MatesDiffer { .. } => "mates-differ",
            Self::BestAndAvoided(_) => "best-and-avoided",
            Self::AcceptedAndRejected => "draw-reply",
            Self::Escape(_) | Self::ScidEscape => "escape",
            Self::Chessdb(_) => "chessdb",
            Self::Operands { .. } | Self::NegativeMate { .. } => "operand",
            Self::NumberForm(_) | Self::PointForm(_) => "number-form",
            Self::EcoCode(_) => "eco-code",
            Self::IllegalMove { .. } => "illegal-move",
            Self::NotCanonical { .. } => "not-canonical",
            Self::MateCount(..) => "mate-count",
            Self::MoveSeparator => "move-separator",
            Self::MovesOrder(..) => "moves-order",
            Self::RepeatedMove(_) => "repeated-move",
            Self::NeedsMove(_) => "needs-move",
            Self::PredictedMove { .. } => "predicted-move",
        }
    }

    /// Whether the text of an error is repaired, so that its operation can be read.
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
