//! Records of variants recognized by their fields: the pockets of Crazyhouse and the check counts
//! of Three-check.

use san::{FenError, VariantPosition};

use super::escapes::Escapes;
use super::fields;
use super::record_ref::RecordRef;
use super::text::Token;
use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::dialect::Dialect;

/// A record of a variant.
pub(super) struct Variant<'a> {
    name: &'static [u8],
    fields: Token<'a>,
    rest: Token<'a>,
}

/// Detects the variant of a line: `[` in the placement, or check counts such as `3+3` after the
/// fourth field.
pub(super) fn find(line: Token<'_>) -> Option<Variant<'_>> {
    // Few lines have one of these characters, so the words of most lines are not searched.
    memchr::memchr2(b']', b'+', line.text.as_bytes())?;
    let mut words = line.words();
    let has_pockets = words.next()?.text.ends_with(']');
    let last = words.nth(2)?;
    let (name, last) = match words.next() {
        _ if has_pockets => (&b"crazyhouse"[..], last),
        Some(checks) if matches!(checks.text.as_bytes(), [b'0'..=b'3', b'+', b'0'..=b'3']) => {
            (&b"threecheck"[..], checks)
        }
        _ => return None,
    };
    let (fields, rest) = line.split_at(last.end() - line.at);
    Some(Variant { name, fields, rest: rest.trim_start() })
}

impl<'a> Variant<'a> {
    /// Returns the record with a placeholder position, since its own is not one of standard chess.
    /// `None` if the fields are illegal.
    pub(super) fn read(
        self,
        dialect: Option<Dialect>,
        faults: &mut dyn FnMut(EpdDiagnostic),
    ) -> Option<RecordRef<'a>> {
        let Variant { name, fields, rest } = self;
        let variant = VariantPosition::variant_named(name)?;
        let fen = format!("{} 0 1", fields.text);
        let mut fault = |kind| faults(EpdDiagnostic::new(fields.at, fields.text, kind));
        match VariantPosition::from_fen(variant, fen.as_bytes()) {
            Ok((_, true)) => fault(EpdDiagnosticKind::LeftOut(FenError::NotInVariant)),
            Ok((_, false)) => {}
            Err(error) => {
                fault(EpdDiagnosticKind::Fen(error));
                return None;
            }
        }
        let mut record = RecordRef {
            position: san::Position::default(),
            dialect: dialect.unwrap_or_default(),
            has_clocks: false,
            label: None,
            spelled: 0,
            rest,
            escapes: Escapes::of(dialect),
            plays: false,
        };
        fields::tail(&mut record, dialect, faults);
        Some(record)
    }
}
