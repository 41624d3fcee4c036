//! Where a game starts: the `FEN`, `SetUp` and `Variant` tags (PGN standard 9.7).

use pgn::TagPair;
use san::{Position, Setup, VariantPosition};

use crate::Reason;

/// Whether no tag says where the game starts: then it is the usual array. Most games are through after a look at lengths and
/// first letters.
#[inline]
pub(crate) fn is_usual(tags: &[TagPair<'_>]) -> bool {
    !tags.iter().any(|tag| matters(tag.name()))
}

/// The start position of a game, or why there is none.
///
/// A FEN counts whether or not `SetUp` says so: many programs forget that tag. Names of tags are taken in any case.
pub(crate) fn position(
    tags: &[TagPair<'_>],
    mut warn: impl FnMut(TagIndex, Reason),
) -> Result<Position, (TagIndex, Reason)> {
    let named = |name: &[u8]| {
        let exact = tags.iter().position(|tag| tag.name() == name);
        exact.or_else(|| tags.iter().position(|tag| tag.name().eq_ignore_ascii_case(name)))
    };
    if let Some(index) = named(b"Variant")
        && !is_chess(&tags[index].value())
    {
        return Err((index, Reason::Variant));
    }
    let Some(index) = named(b"FEN") else {
        if let Some(setup) = named(b"SetUp")
            && &tags[setup].value()[..] == b"1"
        {
            warn(setup, Reason::FenMissing);
        }
        return Ok(Position::default());
    };
    if let Some(setup) = named(b"SetUp")
        && &tags[setup].value()[..] == b"0"
    {
        warn(setup, Reason::SetUpDenied);
    }
    let fen = |error| (index, Reason::Fen(error));
    let mut setup = Setup::from_fen(&tags[index].value()).map_err(fen)?;
    for repair in setup.repair() {
        warn(index, Reason::FenRepaired(repair));
    }
    setup.into_position().map_err(fen)
}

/// Where a game of another kind of chess starts.
pub(crate) struct VariantStart {
    pub(crate) position: VariantPosition,
    /// The `FEN` tag, if something in it was left out.
    pub(crate) repaired: Option<TagIndex>,
}

/// The start position of a game whose `Variant` tag does not mean chess.
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

pub(crate) type TagIndex = usize;

/// Whether a tag of this name, in any case, tells where a game starts.
#[inline]
fn matters(name: &[u8]) -> bool {
    match name {
        [b'F' | b'f', _, _] => name.eq_ignore_ascii_case(b"FEN"),
        [b'S' | b's', _, _, _, _] => name.eq_ignore_ascii_case(b"SetUp"),
        [b'V' | b'v', _, _, _, _, _, _] => name.eq_ignore_ascii_case(b"Variant"),
        _ => false,
    }
}

/// Whether the value of a `Variant` tag means standard chess or Chess960, whose castling the FEN itself tells.
fn is_chess(variant: &[u8]) -> bool {
    const STANDARD: &[&[u8]] =
        &[b"", b"standard", b"standardchess", b"normal", b"chess", b"fromposition", b"regular"];
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
    let letters = variant.iter().filter(|b| b.is_ascii_alphanumeric());
    let name: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    STANDARD.contains(&&name[..]) || CHESS960.contains(&&name[..])
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
