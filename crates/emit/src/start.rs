//! The starting position of a game: the `FEN`, `SetUp` and `Variant` tags (PGN standard 9.7).

use pgn::TagPair;
use san::{Position, Setup, VariantPosition};

use crate::problem::Reason;

/// Returns whether the game has no tag about its start, so that it begins in the starting position
/// of chess. For most games, comparing lengths and first letters is enough.
#[inline]
pub(crate) fn is_usual(tags: &[TagPair<'_>]) -> bool {
    !tags.iter().any(|tag| matters(tag.name()))
}

/// Returns the starting position of a game, or an error.
///
/// A FEN counts whether or not `SetUp` announces it, since many programs omit that tag. Tag names
/// are matched ignoring case.
pub(crate) fn position(
    tags: &[TagPair<'_>],
    mut warn: impl FnMut(TagIndex, Reason),
) -> Result<Position, (TagIndex, Reason)> {
    let named = |name: &[u8]| {
        let exact = tags.iter().position(|tag| tag.name() == name);
        exact.or_else(|| tags.iter().position(|tag| tag.name().eq_ignore_ascii_case(name)))
    };
    let (mut is_standard, mut is_chess960) = (false, false);
    if let Some(index) = named(b"Variant") {
        let value = tags[index].value();
        if !is_chess(&value) {
            return Err((index, Reason::Variant));
        }
        is_standard = STANDARD.contains(&&letters(&value)[..]);
        is_chess960 = CHESS960.contains(&&letters(&value)[..]);
    }
    let Some(index) = named(b"FEN") else {
        if let Some(setup) = named(b"SetUp")
            && &tags[setup].value()[..] == b"1"
        {
            warn(setup, Reason::FenMissing);
        }
        let mut position = Position::default();
        if is_chess960 {
            position.set_chess960();
        }
        return Ok(position);
    };
    if let Some(setup) = named(b"SetUp")
        && &tags[setup].value()[..] == b"0"
    {
        warn(setup, Reason::SetUpDenied);
    }
    let fen = |error| (index, Reason::Fen(error));
    let mut setup = Setup::from_fen(&tags[index].value()).map_err(fen)?;
    let moved = if is_standard { setup.leave_out_moved() } else { Vec::new() };
    for repair in setup.repair().into_iter().chain(moved) {
        warn(index, Reason::FenRepaired(repair));
    }
    let mut position = setup.into_position().map_err(fen)?;
    if is_chess960 {
        position.set_chess960();
    }
    Ok(position)
}

/// The start of a game of a variant.
pub(crate) struct VariantStart {
    pub(crate) position: VariantPosition,
    /// The `FEN` tag, if it was repaired.
    pub(crate) repaired: Option<TagIndex>,
}

/// Returns the starting position of a game whose `Variant` tag is not chess.
pub(crate) fn variant(tags: &[TagPair<'_>]) -> Result<VariantStart, (TagIndex, Reason)> {
    let named =
        |name: &str| tags.iter().position(|tag| tag.name().eq_ignore_ascii_case(name.as_bytes()));
    let index = named("Variant").unwrap_or_default();
    let variant = VariantPosition::variant_named(&tags[index].value());
    let variant = variant.ok_or((index, Reason::Variant))?;
    let Some(index) = named("FEN") else {
        return Ok(VariantStart { position: VariantPosition::start(variant), repaired: None });
    };
    let (position, repaired) = VariantPosition::from_fen(variant, &tags[index].value())
        .map_err(|error| (index, Reason::Fen(error)))?;
    Ok(VariantStart { position, repaired: repaired.then_some(index) })
}

/// Returns whether the value of the tag names a supported variant.
pub(crate) fn is_known_variant(tags: &[TagPair<'_>], index: TagIndex) -> bool {
    VariantPosition::variant_named(&tags[index].value()).is_some()
}

pub(crate) type TagIndex = usize;

/// Returns whether a tag name, in any case, is one of those about the start.
#[inline]
fn matters(name: &[u8]) -> bool {
    match name {
        [b'F' | b'f', _, _] => name.eq_ignore_ascii_case(b"FEN"),
        [b'S' | b's', _, _, _, _] => name.eq_ignore_ascii_case(b"SetUp"),
        [b'V' | b'v', _, _, _, _, _, _] => name.eq_ignore_ascii_case(b"Variant"),
        _ => false,
    }
}

/// Returns whether the value of a `Variant` tag means standard chess or Chess960. The FEN
/// determines the castling rights of both.
fn is_chess(variant: &[u8]) -> bool {
    let name = letters(variant);
    name.is_empty() || STANDARD.contains(&&name[..]) || CHESS960.contains(&&name[..])
}

/// Names of Chess960.
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
            "Chess960",
            "chess 960",
            "Fischerandom",
            "Fischer Random",
            "fischerandom",
            "wild/fr",
            "normal",
            "Standard",
            "From Position",
            "?",
            "-",
            "",
            "Fischer-Random Chess",
        ] {
            assert!(is_chess(name.as_bytes()), "{name}");
        }
        for name in ["Crazyhouse", "Atomic", "3-check", "Seirawan", "Horde", "Racing Kings"] {
            assert!(!is_chess(name.as_bytes()), "{name}");
        }
    }
}
