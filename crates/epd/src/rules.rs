//! The rules by which the positions and moves of a file are read.

use san::{Variant, keywords};

/// The rules by which positions and moves are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rules {
    /// Chess or Chess960 by the castling rights; a variant if a position can only be one of it.
    #[default]
    Detected,
    /// Chess: castling rights only of kings and rooks in their initial places.
    Chess,
    /// Chess960.
    Chess960,
    /// Antichess.
    Antichess,
    /// Atomic.
    Atomic,
    /// Crazyhouse.
    Crazyhouse,
    /// Horde.
    Horde,
    /// King of the Hill.
    KingOfTheHill,
    /// Racing Kings.
    RacingKings,
    /// Three-check.
    ThreeCheck,
}

keywords! { Rules:
    "auto" [Rules::Detected] "By each position: Chess960 by its castling rights, a variant if it cannot be chess";
    "chess" [Rules::Chess] "Chess: castling rights only of kings and rooks in their initial places";
    "chess960" [Rules::Chess960] "Chess960";
    "antichess" [Rules::Antichess] "Antichess";
    "atomic" [Rules::Atomic] "Atomic";
    "crazyhouse" [Rules::Crazyhouse] "Crazyhouse";
    "horde" [Rules::Horde] "Horde";
    "kingofthehill" [Rules::KingOfTheHill] "King of the Hill";
    "racingkings" [Rules::RacingKings] "Racing Kings";
    "threecheck" [Rules::ThreeCheck] "Three-check";
}

impl Rules {
    /// Returns the variant other than chess and Chess960, if it is given.
    pub(crate) fn variant(self) -> Option<Variant> {
        Some(match self {
            Rules::Detected | Rules::Chess | Rules::Chess960 => return None,
            Rules::Antichess => Variant::Antichess,
            Rules::Atomic => Variant::Atomic,
            Rules::Crazyhouse => Variant::Crazyhouse,
            Rules::Horde => Variant::Horde,
            Rules::KingOfTheHill => Variant::KingOfTheHill,
            Rules::RacingKings => Variant::RacingKings,
            Rules::ThreeCheck => Variant::ThreeCheck,
        })
    }
}
