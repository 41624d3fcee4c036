//! The severity of each kind of fault, and its machine-readable name.

use san::{FenError, Field};

use super::kind::FaultKind;
use crate::severity::Severity;

impl FaultKind {
    /// Returns the severity; [`Severity::Error`] means that the text has no valid reading.
    pub fn severity(&self) -> Severity {
        match self {
            FaultKind::Misread(misreading) => misreading.severity(),
            // Six fields without the last have exactly one reading, as in a FEN tag.
            FaultKind::MissingField(Field::FullmoveNumber) => Severity::Warning,
            FaultKind::Fen(_)
            | FaultKind::LeftOut(_)
            | FaultKind::MissingField(_)
            | FaultKind::BadClock { .. }
            | FaultKind::Uci(_)
            | FaultKind::NotDialect(_)
            | FaultKind::Variant
            | FaultKind::BadLabel(_)
            | FaultKind::NotAnOpcode(_)
            | FaultKind::Repeated(_)
            | FaultKind::RunTogether(..)
            | FaultKind::UnclosedString
            | FaultKind::LongString(_)
            | FaultKind::ControlCharacter(_)
            | FaultKind::MateParity { .. }
            | FaultKind::DrawnPosition { .. }
            | FaultKind::NoMateToDeliver(_)
            | FaultKind::AcceptedAndRejected
            | FaultKind::Operands { .. }
            | FaultKind::IllegalMove { .. }
            | FaultKind::NeedsMove(_)
            | FaultKind::PredictedMove { .. } => Severity::Error,
            FaultKind::TrailingBlanks | FaultKind::NotAscii => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// Returns the machine-readable name of the kind. It is stable, unlike the message.
    pub fn name(&self) -> &'static str {
        match self {
            FaultKind::Fen(_) => "position",
            FaultKind::Unreachable(_) => "unreachable",
            FaultKind::LeftOut(FenError::NoSuchRight { .. }) => "castling-right",
            FaultKind::LeftOut(_) => "en-passant",
            FaultKind::MissingField(_) => "missing-field",
            FaultKind::CapitalSide => "capital-side",
            FaultKind::CastlingOrder => "castling-order",
            FaultKind::MovedKing(_) => "moved-king",
            FaultKind::AdjacentDigits | FaultKind::EmptyRank => "placement-form",
            FaultKind::MissingHyphen => "missing-hyphen",
            FaultKind::ByteOrderMark => "byte-order-mark",
            FaultKind::ClocksDiffer { .. } => "clocks-differ",
            FaultKind::UnreachableClocks { .. } | FaultKind::ClockAfterAdvance(_) => "clocks",
            FaultKind::ZeroFullmove | FaultKind::BadClock { .. } => "clock",
            FaultKind::Blanks(_)
            | FaultKind::LeadingBlanks
            | FaultKind::TrailingBlanks
            | FaultKind::BlankBeforeSemicolon => "blanks",
            FaultKind::LongLine(_) => "long-line",
            FaultKind::Uci(_) => "uci",
            FaultKind::Dialect(_) | FaultKind::NotDialect(_) => "dialect",
            FaultKind::Variant => "variant",
            FaultKind::BadLabel(_) => "label",
            FaultKind::Misread(_) => "misread",
            FaultKind::Latin1 => "encoding",
            FaultKind::NotAnOpcode(_) => "opcode",
            FaultKind::OpcodeForm(_) | FaultKind::CapitalOpcode { .. } => "opcode-form",
            FaultKind::LongOpcode(_) => "long-opcode",
            FaultKind::Repeated(_) => "repeated",
            FaultKind::OutOfOrder { .. } => "order",
            FaultKind::Cleared { .. } => "register-order",
            FaultKind::MissingSemicolon(_) => "semicolon",
            FaultKind::RunTogether(..) => "run-together",
            FaultKind::BlankInPlacement => "placement-blank",
            FaultKind::DetachedSign(_) => "detached-sign",
            FaultKind::EmptyOperation => "empty-operation",
            FaultKind::LoneHyphen => "hyphen",
            FaultKind::UnclosedString => "unclosed-string",
            FaultKind::UnquotedString(_) => "unquoted-string",
            FaultKind::LongString(_) => "long-string",
            FaultKind::ControlCharacter(_) => "control-character",
            FaultKind::NotAscii => "not-ascii",
            FaultKind::MateParity { .. } => "mate-parity",
            FaultKind::DrawnPosition { .. } => "drawn-position",
            FaultKind::NoMateToDeliver(_) => "game-over",
            FaultKind::MatesDiffer { .. } => "mates-differ",
            FaultKind::BestAndAvoided(_) => "best-and-avoided",
            FaultKind::AcceptedAndRejected => "draw-reply",
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

    /// Whether the fault is the same on every line of a file, so that one report suffices.
    pub fn is_of_file(&self) -> bool {
        matches!(
            self,
            FaultKind::Dialect(_)
                | FaultKind::Latin1
                | FaultKind::NotAscii
                | FaultKind::TrailingBlanks
        )
    }
}
