//! Records of variants: by the rules that are given, or recognized by their fields: the pockets of
//! Crazyhouse, the check counts of Three-check, pieces that chess cannot have.

use san::{FenError, Variant, VariantPosition};

use super::escapes::Escapes;
use super::fields;
use super::record_ref::{Line, ReadOptions, RecordRef, VariantRef};
use super::text::Token;
use crate::check::operations as check;
use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::EpdDiagnosticKind;
use crate::dialect::fen;
use crate::rules::Rules;

pub(super) struct Fields<'a> {
    variant: Variant,
    text: Token<'a>,
    rest: Token<'a>,
}

/// By the rules, `[` in the placement, or counts of checks, `3+3`, in `rest`, behind `words`.
#[inline]
pub(super) fn find<'a>(
    line: Token<'a>,
    words: &[Token<'a>; 4],
    rest: Token<'a>,
    rules: Rules,
) -> Option<Fields<'a>> {
    match (rules, rules.variant()) {
        (_, Some(variant)) => Some(fields(line, variant)),
        (Rules::Detected, None) if words[0].text.ends_with(']') => {
            (!words[3].is_empty()).then(|| fields(line, Variant::Crazyhouse))
        }
        (Rules::Detected, None) => {
            // Few lines have a plus there, so the word of most lines is not searched.
            let has_plus = rest.text.as_bytes().get(1) == Some(&b'+');
            let has_count = has_plus && is_check_count(rest.split_word().0.text);
            has_count.then(|| fields(line, Variant::ThreeCheck))
        }
        _ => None,
    }
}

/// Whether the text is a number of checks given, `+1+0`.
#[inline]
pub(super) fn is_given_checks(text: &str) -> bool {
    matches!(text.as_bytes(), [b'+', b'0'..=b'3', b'+', b'0'..=b'3'])
}

/// Whether the text is a number of checks left, `3+3`.
fn is_check_count(text: &str) -> bool {
    matches!(text.as_bytes(), [b'0'..=b'3', b'+', b'0'..=b'3'])
}

pub(super) fn fields(line: Token<'_>, variant: Variant) -> Fields<'_> {
    let mut words = line.words();
    let mut end = line.at;
    for _ in 0..4 {
        end = words.next().map_or(end, |word| word.end());
    }
    if let Some(checks) = words.next().filter(|word| is_check_count(word.text)) {
        end = checks.end();
    }
    let (text, rest) = line.split_at(end - line.at);
    Fields { variant, text, rest: rest.trim_start() }
}

pub(super) fn read<'a>(
    fields: Fields<'a>,
    options: &ReadOptions,
    faults: &mut dyn FnMut(EpdDiagnostic),
) -> Line<'a> {
    let Fields { variant, text, rest } = fields;
    let clocks = fen::clocks(rest);
    let behind = clocks.as_ref().map_or("", |clocks| clocks.rest.split_word().0.text);
    let given = if is_given_checks(behind) { behind } else { "" };
    let (halfmoves, fullmoves) = clocks.map_or((0, 1), |clocks| clocks.read(&mut |_| {}));
    let fen = format!("{} {halfmoves} {fullmoves} {given}", text.text);
    let mut fault = |kind| faults(EpdDiagnostic::of(text, kind));
    let position = match VariantPosition::playable_from_fen(variant, fen.as_bytes()) {
        Ok((_, _, Some(error))) if options.strict => {
            fault(EpdDiagnosticKind::Fen(error));
            return Line::Bad;
        }
        Ok((position, is_repaired, oddity)) => {
            if is_repaired {
                fault(EpdDiagnosticKind::LeftOut(FenError::NotInVariant));
            }
            if let Some(error) = oddity {
                fault(EpdDiagnosticKind::Unreachable(error));
            }
            position
        }
        Err(error) => {
            fault(EpdDiagnosticKind::Fen(error));
            return Line::Bad;
        }
    };
    let mut record = RecordRef::new(
        san::Position::default(),
        options.dialect.unwrap_or_default(),
        Escapes::of(options.dialect),
        rest,
        options.moves,
    );
    fields::tail(&mut record, options.dialect, faults);
    if record.rest.text.starts_with(given) {
        record.rest = record.rest.skip(given.len()).trim_start();
    }
    let (_, clocks) = check::check_operations(&record, &position, faults);
    if let Some((halfmoves, fullmoves)) = clocks.values() {
        record.position.set_clocks(halfmoves, fullmoves);
    }
    Line::Variant(Box::new(VariantRef { position, record }))
}
