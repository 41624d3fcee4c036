//! Operations generated from games, and sets of them.

use std::fmt;
use std::str::FromStr;

use san::{Keyword, keywords};

keywords! {
    /// An operation, or a family of registers, generated from the game (EPD 5).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Op {
        /// the plies and the move at which a variation begins, with --variations: "7 Be7"
        ///
        /// The number of plies played before, and the first move; repeated for each level. The
        /// opcode is private, so it begins with a capital letter (EPD 4.2).
        Rav = "Rav",
        /// depth of the engine's search in plies
        ///
        /// Not in the standard, but common.
        Acd = "acd",
        /// nodes of the engine's search
        ///
        /// EPD 5.1.
        Acn = "acn",
        /// seconds of the engine's search
        ///
        /// EPD 5.2.
        Acs = "acs",
        /// c0 the game, c1 the comment on the position; the next ones for variations and long comments
        ///
        /// EPD 5.5.
        C = "c",
        /// the engine's evaluation in centipawns, for the side to move
        ///
        /// EPD 5.6.
        Ce = "ce",
        /// moves to the mate that the engine announces
        ///
        /// EPD 5.7.
        Dm = "dm",
        /// the move played leads to a draw by rule, and the game was drawn
        ///
        /// EPD 5.9.
        DrawClaim = "draw_claim",
        /// ECO code of the opening
        ///
        /// EPD 5.12.
        Eco = "eco",
        /// number of the move
        ///
        /// EPD 5.13.
        Fmvn = "fmvn",
        /// plies since the last capture or pawn move
        ///
        /// EPD 5.14.
        Hmvc = "hmvc",
        /// NIC code of the opening
        ///
        /// EPD 5.16.
        Nic = "nic",
        /// the moves that the engine expects
        ///
        /// EPD 5.19.
        Pv = "pv",
        /// how often the position has occurred
        ///
        /// EPD 5.20.
        Rc = "rc",
        /// the side to move has resigned
        ///
        /// EPD 5.21.
        Resign = "resign",
        /// the move played
        ///
        /// EPD 5.22.
        Sm = "sm",
        /// v0-v9, the parts of the name of the opening
        ///
        /// EPD 5.26.
        V = "v",
    }
}

/// A set of operations.
///
/// ```
/// use emit::{Op, Ops};
///
/// let ops: Ops = "fmvn,hmvc,sm".parse()?;
/// assert!(ops.has(Op::Sm));
/// assert_eq!(ops, Ops::of(&[Op::Sm, Op::Hmvc, Op::Fmvn]));
/// assert_eq!(Ops::default().to_string(), "Rav,c,eco,fmvn,hmvc,nic,sm,v");
/// # Ok::<_, emit::OpsError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ops(u32);

/// An unknown word in a list of operations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown operation {0:?}; choose from {all}, separated by commas, or none", all = Ops::of(Op::ALL))]
pub struct OpsError(pub String);

impl Ops {
    /// The empty set.
    pub const NONE: Ops = Ops(0);
    /// The counters that FEN has but EPD lacks, and the move played.
    pub const COUNTERS_AND_MOVE: Ops = Ops::of(&[Op::Fmvn, Op::Hmvc, Op::Sm]);

    /// Makes a set of these operations.
    pub const fn of(ops: &[Op]) -> Self {
        let (mut set, mut i) = (0, 0);
        while i < ops.len() {
            set |= 1 << ops[i] as u32;
            i += 1;
        }
        Ops(set)
    }

    /// Returns whether the set contains `op`.
    #[inline]
    pub const fn has(self, op: Op) -> bool {
        self.0 & (1 << op as u32) != 0
    }

    /// Returns whether the sets have an element in common.
    pub const fn has_any(self, others: Ops) -> bool {
        self.0 & others.0 != 0
    }

    /// Returns the set with `op` added.
    #[must_use]
    pub const fn with(self, op: Op) -> Self {
        Ops(self.0 | 1 << op as u32)
    }

    /// Returns the set without `others`.
    #[must_use]
    pub const fn without(self, others: Ops) -> Self {
        Ops(self.0 & !others.0)
    }
}

impl Default for Ops {
    /// Returns the game, comments, opening, counters, move played, and place of a variation.
    fn default() -> Self {
        Ops::of(&[Op::Rav, Op::C, Op::Eco, Op::Fmvn, Op::Hmvc, Op::Nic, Op::Sm, Op::V])
    }
}

impl fmt::Display for Ops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Ops::NONE {
            return f.write_str("none");
        }
        let words: Vec<&str> =
            Op::ALL.iter().filter(|op| self.has(**op)).map(|op| op.word()).collect();
        f.write_str(&words.join(","))
    }
}

impl fmt::Debug for Ops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ops({self})")
    }
}

impl FromStr for Ops {
    type Err = OpsError;

    /// Parses opcodes separated by commas, or `none`.
    fn from_str(list: &str) -> Result<Self, OpsError> {
        let mut ops = Ops::NONE;
        for name in list.split(',').map(str::trim).filter(|_| list != "none") {
            ops = ops.with(Op::from_word(name).map_err(|_| OpsError(name.to_owned()))?);
        }
        Ok(ops)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_read_as_it_is_written() {
        for op in Op::ALL {
            assert_eq!(op.word().parse(), Ok(Ops::of(&[*op])));
        }
        let all = Ops::of(Op::ALL);
        assert_eq!(all.to_string().parse(), Ok(all));
        assert_eq!("none".parse(), Ok(Ops::NONE));
        assert_eq!("sm,bm".parse::<Ops>(), Err(OpsError("bm".to_owned())));
    }
}
