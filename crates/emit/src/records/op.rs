//! Operations generated from games, and sets of them.

use std::fmt;
use std::str::FromStr;

/// An operation, or a family of registers, generated from the game (EPD 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Op {
    /// `Rav`: where a variation leaves its parent line, as in `"7 Be7"`: the number of plies played
    /// before, and the first move; repeated for each level. The opcode is private, so it begins
    /// with a capital letter (4.2).
    Rav,
    /// `acd`: the depth in plies of the engine's search. Not in the standard, but common.
    Acd,
    /// `acn`: the nodes of the engine's search (5.1).
    Acn,
    /// `acs`: the seconds of the engine's search (5.2).
    Acs,
    /// `c0` to `c9`: the game, and the comments on the position (5.5).
    C,
    /// `ce`: the evaluation in centipawns, from the view of the side to move (5.6).
    Ce,
    /// `dm`: the number of moves to mate announced by the engine (5.7).
    Dm,
    /// `draw_claim`: the move played leads to a draw by rule, and the game was drawn (5.9).
    DrawClaim,
    /// `eco`: the code of the Encyclopaedia of Chess Openings (5.12).
    Eco,
    /// `fmvn`: the fullmove number (5.13).
    Fmvn,
    /// `hmvc`: the halfmove clock (5.14).
    Hmvc,
    /// `nic`: the code of New In Chess (5.16).
    Nic,
    /// `pv`: the principal variation of the engine (5.19).
    Pv,
    /// `rc`: the number of times the position has occurred (5.20).
    Rc,
    /// `resign`: the side to move has resigned (5.21).
    Resign,
    /// `sm`: the move that was played from the position (5.22).
    Sm,
    /// `v0` to `v9`: the names of the opening (5.26).
    V,
}

impl Op {
    /// All operations, in the ASCII order of their opcodes.
    pub const ALL: [Op; 17] = [
        Op::Rav,
        Op::Acd,
        Op::Acn,
        Op::Acs,
        Op::C,
        Op::Ce,
        Op::Dm,
        Op::DrawClaim,
        Op::Eco,
        Op::Fmvn,
        Op::Hmvc,
        Op::Nic,
        Op::Pv,
        Op::Rc,
        Op::Resign,
        Op::Sm,
        Op::V,
    ];

    /// Returns a description in one line.
    pub fn about(self) -> &'static str {
        match self {
            Op::Rav => {
                "the plies and the move at which a variation begins, with --variations: \"7 Be7\""
            }
            Op::Acd => "depth of the engine's search in plies",
            Op::Acn => "nodes of the engine's search",
            Op::Acs => "seconds of the engine's search",
            Op::C => {
                "c0 the game, c1 the comment on the position; the next ones for variations and long comments"
            }
            Op::Ce => "the engine's evaluation in centipawns, for the side to move",
            Op::Dm => "moves to the mate that the engine announces",
            Op::DrawClaim => "the move played leads to a draw by rule, and the game was drawn",
            Op::Eco => "ECO code of the opening",
            Op::Fmvn => "number of the move",
            Op::Hmvc => "plies since the last capture or pawn move",
            Op::Nic => "NIC code of the opening",
            Op::Pv => "the moves that the engine expects",
            Op::Rc => "how often the position has occurred",
            Op::Resign => "the side to move has resigned",
            Op::Sm => "the move played",
            Op::V => "v0-v9, the parts of the name of the opening",
        }
    }

    /// Returns the opcode, or the letter of a family.
    pub fn as_str(self) -> &'static str {
        match self {
            Op::Rav => "Rav",
            Op::Acd => "acd",
            Op::Acn => "acn",
            Op::Acs => "acs",
            Op::C => "c",
            Op::Ce => "ce",
            Op::Dm => "dm",
            Op::DrawClaim => "draw_claim",
            Op::Eco => "eco",
            Op::Fmvn => "fmvn",
            Op::Hmvc => "hmvc",
            Op::Nic => "nic",
            Op::Pv => "pv",
            Op::Rc => "rc",
            Op::Resign => "resign",
            Op::Sm => "sm",
            Op::V => "v",
        }
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
#[error("unknown operation {0:?}; choose from {all}, separated by commas, or none", all = Ops::of(&Op::ALL))]
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
    /// Returns the game and its comments, the opening, the counters, the move played, and the place
    /// of a variation.
    fn default() -> Self {
        Ops::of(&[Op::Rav, Op::C, Op::Eco, Op::Fmvn, Op::Hmvc, Op::Nic, Op::Sm, Op::V])
    }
}

impl fmt::Display for Ops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Ops::NONE {
            return f.write_str("none");
        }
        let mut between = "";
        for op in Op::ALL.into_iter().filter(|op| self.has(*op)) {
            write!(f, "{between}{}", op.as_str())?;
            between = ",";
        }
        Ok(())
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
            let op = Op::ALL.into_iter().find(|op| op.as_str() == name);
            ops.0 |= 1 << op.ok_or_else(|| OpsError(name.to_owned()))? as u32;
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
            assert_eq!(op.as_str().parse(), Ok(Ops::of(&[op])));
        }
        let all = Ops::of(&Op::ALL);
        assert_eq!(all.to_string().parse(), Ok(all));
        assert_eq!("none".parse(), Ok(Ops::NONE));
        assert_eq!("sm,bm".parse::<Ops>(), Err(OpsError("bm".to_owned())));
    }
}
