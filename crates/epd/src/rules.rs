//! The rules by which the positions and moves of a file are read.

use san::{Variant, keywords};

keywords! {
    /// The rules by which positions and moves are read.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Rules {
        /// By each position: Chess960 by its castling rights, a variant if it cannot be chess.
        #[default]
        Detected = "auto",
        /// Chess: castling rights only of kings and rooks in their initial places.
        Chess = "chess",
        /// Chess960.
        Chess960 = "chess960",
        /// Antichess.
        Antichess = "antichess",
        /// Atomic.
        Atomic = "atomic",
        /// Crazyhouse.
        Crazyhouse = "crazyhouse",
        /// Horde.
        Horde = "horde",
        /// King of the Hill.
        KingOfTheHill = "kingofthehill",
        /// Racing Kings.
        RacingKings = "racingkings",
        /// Three-check.
        ThreeCheck = "threecheck",
    }
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
