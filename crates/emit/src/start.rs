//! The starting position of a game: the `FEN`, `SetUp` and `Variant` tags (PGN standard 9.7).

use std::borrow::Cow;

use pgn::TagPair;
use san::{Position, Repair, Setup, VariantPosition};

use crate::problem::Reason;

/// No tag is about the start; comparing lengths and first letters is enough for most games.
#[inline]
pub(crate) fn is_usual(tags: &[TagPair<'_>]) -> bool {
    !tags.iter().map(TagPair::name).any(|name| match name {
        [b'F' | b'f', ..] => is_called(name, "FEN"),
        [b'S' | b's', b'E' | b'e', ..] => is_called(name, "SetUp"),
        [b'V' | b'v', ..] => is_called(name, "Variant"),
        _ => false,
    })
}

/// A position that no game reaches is an error only if `strict`; a FEN counts without `SetUp`.
pub(crate) fn position(
    tags: &[TagPair<'_>],
    strict: bool,
    mut warn: impl FnMut(TagIndex, Reason),
) -> Result<Position, (TagIndex, Reason)> {
    let (mut is_standard, mut is_chess960) = (false, false);
    if let Some(index) = named(tags, "Variant", &mut warn) {
        let value = tags[index].value();
        if !is_chess(&value) {
            return Err((index, Reason::Variant));
        }
        is_standard = STANDARD.contains(&&letters(&value)[..]);
        is_chess960 = CHESS960.contains(&&letters(&value)[..]);
    }
    let setup = named(tags, "SetUp", &mut warn);
    let says = |value: &[u8]| setup.filter(|setup| tags[*setup].value().trim_ascii() == value);
    let Some((index, fen)) = fen(tags, &mut warn) else {
        if named(tags, "FEN", |_, _| {}).is_none()
            && let Some(setup) = says(b"1")
        {
            warn(setup, Reason::FenMissing);
        }
        let mut position = Position::default();
        if is_chess960 {
            position.set_chess960();
        }
        return Ok(position);
    };
    if let Some(setup) = says(b"0") {
        warn(setup, Reason::SetUpDenied);
    }
    let error = |error| (index, Reason::Fen(error));
    let mut setup = Setup::from_fen(&fen)
        .map_err(|fault| of_variant(&fen).map_or(error(fault), |reason| (index, reason)))?;
    let moved = if is_standard { setup.leave_out_moved() } else { Vec::new() };
    for repair in setup.repair().into_iter().chain(moved) {
        warn(index, Reason::FenRepaired(repair));
    }
    match setup.playable().map_err(error)? {
        (_, Some(oddity)) if strict => Err(error(oddity)),
        (mut position, oddity) => {
            oddity.into_iter().for_each(|oddity| warn(index, Reason::Unreachable(oddity)));
            if is_chess960 {
                position.set_chess960();
            }
            Ok(position)
        }
    }
}

pub(crate) fn variant(
    tags: &[TagPair<'_>],
    mut warn: impl FnMut(TagIndex, Reason),
) -> Result<VariantPosition, (TagIndex, Reason)> {
    let index = named(tags, "Variant", |_, _| {}).unwrap_or_default();
    let variant = VariantPosition::variant_named(&tags[index].value());
    let variant = variant.ok_or((index, Reason::Variant))?;
    let Some((index, fen)) = fen(tags, &mut warn) else {
        return Ok(VariantPosition::start(variant));
    };
    let (position, is_repaired) =
        VariantPosition::from_fen(variant, &fen).map_err(|error| (index, Reason::Fen(error)))?;
    if is_repaired {
        warn(index, Reason::FenRepaired(Repair::OfVariant));
    }
    Ok(position)
}

fn named(
    tags: &[TagPair<'_>],
    name: &'static str,
    mut warn: impl FnMut(TagIndex, Reason),
) -> Option<TagIndex> {
    let exact = tags.iter().position(|tag| tag.name() == name.as_bytes());
    let index = exact.or_else(|| tags.iter().position(|tag| is_called(tag.name(), name)))?;
    if !tags[index].name().eq_ignore_ascii_case(name.as_bytes()) {
        warn(index, Reason::TagName { name });
    }
    Some(index)
}

/// Whether a tag has this name, apart from case and punctuation: `FEN:`, `Set-Up`.
fn is_called(tag: &[u8], name: &str) -> bool {
    let letters = tag.iter().filter(|byte| byte.is_ascii_alphanumeric());
    letters.map(u8::to_ascii_lowercase).eq(name.bytes().map(|byte| byte.to_ascii_lowercase()))
}

/// Returns the value of the `FEN` tag, if known, on one line, with slashes for backslashes.
fn fen<'a>(
    tags: &[TagPair<'a>],
    mut warn: impl FnMut(TagIndex, Reason),
) -> Option<(TagIndex, Cow<'a, [u8]>)> {
    let index = match named(tags, "FEN", &mut warn) {
        Some(index) => index,
        None => {
            let index = named(tags, "SetUp", |_, _| {}).filter(|index| has_ranks(tags, *index))?;
            warn(index, Reason::SetUpHasFen);
            index
        }
    };
    let raw = tags[index].raw_value();
    if pgn::is_unknown(b"FEN", raw) {
        warn(index, Reason::FenUnknown);
        return None;
    }
    let fen = fen_fields(raw, |reason| warn(index, reason));
    if memchr::memchr3(b'\\', b'\n', b'\r', &fen).is_none() {
        return Some((index, fen));
    }
    if fen.contains(&b'\\') {
        warn(index, Reason::FenBackslash);
    }
    let is_slash = |byte: u8| matches!(byte, b'/' | b'\\');
    let raw = fen;
    let mut fen: Vec<u8> = Vec::new();
    for part in raw.chunk_by(|one, next| {
        is_slash(*one) && is_slash(*next) || one.is_ascii_whitespace() && next.is_ascii_whitespace()
    }) {
        match part {
            // An escaped slash or backslash.
            [b'/' | b'\\', ..] if part.contains(&b'\\') => fen.push(b'/'),
            _ => fen.extend_from_slice(part),
        }
    }
    // A line may be broken beside a slash, or between two fields.
    let lines: Vec<&[u8]> =
        fen.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii).collect();
    let mut fen: Vec<u8> = Vec::new();
    for line in lines {
        if !fen.is_empty() && !fen.ends_with(b"/") && !line.starts_with(b"/") {
            fen.push(b' ');
        }
        fen.extend_from_slice(line);
    }
    Some((index, Cow::Owned(fen)))
}

/// The FEN with ASCII spaces, without quotes, and with the clocks of operations as last fields.
fn fen_fields<'a>(raw: &'a [u8], mut warn: impl FnMut(Reason)) -> Cow<'a, [u8]> {
    let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\''));
    let mut fen = Cow::Borrowed(raw);
    if !raw.is_ascii() || is_quote(raw.first()) || is_quote(raw.last()) || raw.starts_with(b"\\\"")
    {
        let unescaped = raw.strip_prefix(b"\\").unwrap_or(raw);
        let unescaped = match unescaped.strip_suffix(b"\\\"") {
            Some(text) => text,
            None => unescaped,
        };
        fen = pgn::plain_text(unescaped);
        warn(Reason::FenText);
    }
    match with_clocks(&fen) {
        Some(with_clocks) => {
            warn(Reason::FenOperations);
            Cow::Owned(with_clocks)
        }
        None => fen,
    }
}

fn with_clocks(fen: &[u8]) -> Option<Vec<u8>> {
    let mut words = fen.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let fields: Vec<&[u8]> = words.by_ref().take(4).collect();
    let rest: Vec<&[u8]> = words.collect();
    if !rest.first()?.first()?.is_ascii_alphabetic() {
        return None;
    }
    let value = |opcode: &[u8]| {
        let at = rest.iter().position(|word| *word == opcode)? + 1;
        rest.get(at)?.strip_suffix(b";")
    };
    let (halfmoves, fullmoves) = (value(b"hmvc").unwrap_or(b"0"), value(b"fmvn").unwrap_or(b"1"));
    Some([&fields.join(&b' ')[..], halfmoves, fullmoves].join(&b' '))
}

fn has_ranks(tags: &[TagPair<'_>], index: TagIndex) -> bool {
    tags[index].raw_value().iter().filter(|byte| matches!(byte, b'/' | b'\\')).count() >= 7
}

/// Whether a value of the `SetUp` tag is neither 0 nor 1, nor a FEN that is read.
pub(crate) fn is_odd_setup(tags: &[TagPair<'_>], index: TagIndex) -> bool {
    let is_fen = has_ranks(tags, index) && named(tags, "FEN", |_, _| {}).is_none();
    !is_fen && !matches!(tags[index].value().trim_ascii(), b"0" | b"1")
}

fn of_variant(fen: &[u8]) -> Option<Reason> {
    let mut fields = fen.split(u8::is_ascii_whitespace);
    let board = fields.next()?;
    let has_pocket =
        board.contains(&b'[') || board.iter().filter(|byte| **byte == b'/').count() == 8;
    let mut has_checks = || fields.any(|field| field.len() > 2 && field.contains(&b'+'));
    match has_pocket {
        true => Some(Reason::OtherVariant { what: "a pocket", variant: "Crazyhouse" }),
        false => has_checks()
            .then_some(Reason::OtherVariant { what: "numbers of checks", variant: "Three-check" }),
    }
}

pub(crate) type TagIndex = usize;

pub(crate) fn is_set_up(tags: &[TagPair<'_>]) -> bool {
    fen(tags, |_, _| {}).is_some()
}

const USUAL_START: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Names a tag that `tags` lack and skipped `text` has, with a FEN or the name of a variant.
#[cold]
pub(crate) fn hidden_tag(tags: &[TagPair<'_>], text: &[u8]) -> Option<&'static str> {
    const LONGEST_FEN: usize = 128;
    let is_missing = |name| named(tags, name, |_, _| {}).is_none();
    let is_usual = |value: &[u8]| value.windows(USUAL_START.len()).any(|part| part == USUAL_START);
    let is_fen = |value: &[u8]| {
        value.iter().filter(|byte| matches!(byte, b'/' | b'\\')).count() >= 7 && !is_usual(value)
    };
    let is_word_start = |at: &usize| *at == 0 || !text[*at - 1].is_ascii_alphanumeric();
    (0..text.len()).filter(is_word_start).find_map(|at| {
        let after = |name: &str| {
            let (found, rest) = text[at..].split_at_checked(name.len())?;
            found
                .eq_ignore_ascii_case(name.as_bytes())
                .then(|| &rest[..rest.len().min(LONGEST_FEN)])
        };
        if after("FEN").or_else(|| after("SetUp")).is_some_and(is_fen) && is_missing("FEN") {
            return Some("FEN");
        }
        let rest = after("Variant").filter(|_| is_missing("Variant"))?;
        let words = rest.split(|byte| !byte.is_ascii_alphanumeric());
        // A name has four words at most; the first part is before the space or colon.
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).take(4).collect();
        let is_name = |len| VariantPosition::variant_named(&words[..len].concat()).is_some();
        (1..=words.len()).any(is_name).then_some("Variant")
    })
}

/// Standard chess or Chess960: the FEN determines the castling rights of both.
fn is_chess(variant: &[u8]) -> bool {
    let name = letters(variant);
    name.is_empty() || STANDARD.contains(&&name[..]) || CHESS960.contains(&&name[..])
}

const CHESS960: &[&[u8]] = &[
    b"960",
    b"chess960",
    b"fischerandom",
    b"fischerandomchess",
    b"fischerrandom",
    b"fischerrandomchess",
    b"frc",
    b"wildfr",
    b"fr",
    b"chess9lx",
    b"freestyle",
    b"freestylechess",
    b"doublefischerandom",
    b"doublefischerrandom",
    b"dfrc",
    b"doublefischerrandomchess",
    b"standard960",
    b"chess960dfrc",
];

/// Names of standard chess, where castling requires king and rooks on their initial squares.
const STANDARD: &[&[u8]] =
    &[b"standard", b"standardchess", b"normal", b"chess", b"fromposition", b"regular"];

fn letters(variant: &[u8]) -> Vec<u8> {
    let letters = variant.iter().filter(|b| b.is_ascii_alphanumeric());
    letters.map(u8::to_ascii_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess960_is_known_in_its_many_spellings() {
        for name in [
            "Chess960", "chess 960", "Fischerandom", "Fischer Random", "fischerandom", "wild/fr",
            "normal", "Standard", "From Position", "?", "-", "", "Fischer-Random",
        ] {
            assert!(is_chess(name.as_bytes()), "{name}");
        }
        for name in ["Crazyhouse", "Atomic", "3-check", "Seirawan", "Horde", "Racing Kings"] {
            assert!(!is_chess(name.as_bytes()), "{name}");
        }
    }
}
