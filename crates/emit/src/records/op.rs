//! Operations generated from games, and the choice of operations that records have.

use std::fmt;
use std::str::FromStr;

use epd::{Opcode, is_opcode};
use san::{Keyword, keywords};

use crate::facts::differ_in_one;

keywords! {
    /// An operation, or a family of registers, generated from the game (EPD 5; see
    /// [`Opcode`](epd::Opcode)).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Op {
        /// the plies and the move at which a variation begins, with --variations: "7 Be7"
        ///
        /// The number of plies played before, and the first move; repeated for each level. The
        /// opcode is private, so it begins with a capital letter (EPD 4.2).
        Rav = "Rav",
        /// depth of the engine's search in plies
        Acd = "acd",
        /// nodes of the engine's search
        Acn = "acn",
        /// seconds of the engine's search
        Acs = "acs",
        /// c0 the game, c1 the comment on the position; the next ones for variations and long comments
        C = "c",
        /// the engine's evaluation in centipawns, for the side to move
        Ce = "ce",
        /// moves to the mate that the engine announces
        Dm = "dm",
        /// the move played leads to a draw by rule, and the game was drawn
        DrawClaim = "draw_claim",
        /// ECO code of the opening
        Eco = "eco",
        /// number of the move
        Fmvn = "fmvn",
        /// plies since the last capture or pawn move
        Hmvc = "hmvc",
        /// NIC code of the opening
        Nic = "nic",
        /// the moves that the engine expects
        Pv = "pv",
        /// how often the position has occurred
        Rc = "rc",
        /// the side to move has resigned
        Resign = "resign",
        /// the move played
        Sm = "sm",
        /// v0-v9, the parts of the name of the opening
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

impl FromStr for Ops {
    type Err = OpsError;

    fn from_str(list: &str) -> Result<Self, OpsError> {
        let mut ops = Ops::NONE;
        for name in list.split(',').map(str::trim).filter(|_| list != "none") {
            ops = ops.with(Op::from_word(name).map_err(|_| OpsError(name.to_owned()))?);
        }
        Ok(ops)
    }
}

/// The operations that records have: of those that are made from games, or that records had before.
///
/// ```
/// use emit::{OpList, Ops};
///
/// let list: OpList = "-acn,-acs".parse()?;
/// assert!(list.has("bm") && !list.has("acn"));
/// assert_eq!("none".parse(), Ok(OpList::NONE));
/// // `c` and `v` are families of registers.
/// assert!("c,bm".parse::<OpList>()?.has("c1"));
/// assert_eq!("sm".parse::<OpList>()?.of_games(Ops::default())?.to_string(), "sm");
/// # Ok::<_, emit::OpsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpList {
    names: Vec<Box<str>>,
    /// Whether the names are those of operations that are omitted.
    is_except: bool,
}

impl OpList {
    /// No operations.
    pub const NONE: OpList = OpList { names: Vec::new(), is_except: false };
    /// All operations of records; of games, those that the format has by default.
    pub const KEEP: OpList = OpList { names: Vec::new(), is_except: true };

    /// Whether an operation is one of them.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|listed| is_named(name, listed)) != self.is_except
    }

    /// Whether an operation that holds for the records after it may be one of them.
    pub fn has_registers(&self) -> bool {
        let of_family = |family: &str| (0..10).any(|rank| self.has(&format!("{family}{rank}")));
        of_family("c") || of_family("v") || self.has("eco") || self.has("nic")
    }

    /// Whether no operation is one of them.
    pub fn is_none(&self) -> bool {
        *self == OpList::NONE
    }

    /// Returns the operations that are made from games; `defaults` are those of the format. Fails
    /// if an operation is not made from games.
    pub fn of_games(&self, defaults: Ops) -> Result<Ops, OpsError> {
        let ops: Ops =
            if self.names.is_empty() { Ops::NONE } else { self.names.join(",").parse()? };
        Ok(if self.is_except { defaults.without(ops) } else { ops })
    }
}

/// Whether a name is that of the list, or a register of its family: `c1` of `c`.
fn is_named(name: &str, listed: &str) -> bool {
    let is_of_family = |family: &str| {
        let rank = name.strip_prefix(family).unwrap_or_default();
        rank.len() == 1 && rank.bytes().all(|byte| byte.is_ascii_digit())
    };
    name == listed || matches!(listed, "c" | "v") && is_of_family(listed)
}

/// Whether a name is likely a known one misspelled: a letter twice, or one off in a long name.
fn is_misspelled(name: &str) -> bool {
    let is_known = |name: &str| Opcode::from_name(name).is_some() || Op::from_word(name).is_ok();
    let is_twice = |at: &usize| name.as_bytes()[at - 1] == name.as_bytes()[*at];
    let once = |at: usize| [&name[..at], &name[at + 1..]].concat();
    let is_near = || Op::ALL.iter().any(|op| op.word().len() > 3 && differ_in_one(op.word(), name));
    !is_known(name) && ((1..name.len()).filter(is_twice).any(|at| is_known(&once(at))) || is_near())
}

impl From<Ops> for OpList {
    fn from(ops: Ops) -> Self {
        let names = Op::ALL.iter().filter(|op| ops.has(**op)).map(|op| op.word().into());
        OpList { names: names.collect(), is_except: false }
    }
}

impl fmt::Display for OpList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.names.as_slice(), self.is_except) {
            ([], false) => f.write_str("none"),
            ([], true) => f.write_str("keep"),
            (names, false) => f.write_str(&names.join(",")),
            (names, true) => write!(f, "-{}", names.join(",-")),
        }
    }
}

impl FromStr for OpList {
    type Err = OpsError;

    fn from_str(list: &str) -> Result<Self, OpsError> {
        match list {
            "none" => return Ok(OpList::NONE),
            "keep" => return Ok(OpList::KEEP),
            _ => {}
        }
        let is_except = list.starts_with('-');
        let names = list.split(',').map(str::trim).map(|word| {
            let name = if is_except { word.strip_prefix('-') } else { Some(word) };
            let is_name =
                |name: &&str| is_opcode(name) && !is_misspelled(name) || matches!(*name, "c" | "v");
            name.filter(is_name).map(Box::from).ok_or_else(|| OpsError(word.to_owned()))
        });
        Ok(OpList { names: names.collect::<Result<_, _>>()?, is_except })
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

    #[test]
    fn a_list_is_read_as_it_is_written() {
        // Those of files may have any name.
        for list in ["none", "keep", "bm", "c,v,bm,Ae", "-acn,-acs", "nps,idx,Rating,cdb,see,eco"] {
            assert_eq!(list.parse::<OpList>().unwrap().to_string(), list);
        }
        let words = ["", "7up", "-", "smm", "fmv"].map(|word| (word, word));
        let last = [("bm,", ""), ("-acn,acs", "acs"), ("bm,ssm", "ssm"), ("hmcv,sm", "hmcv")];
        for (list, word) in words.into_iter().chain(last) {
            assert_eq!(list.parse::<OpList>(), Err(OpsError(word.to_owned())), "{list}");
        }
    }

    #[test]
    fn games_have_the_operations_that_are_made_from_them() {
        let of = |list: &str| list.parse::<OpList>().unwrap().of_games(Ops::default());
        let text = |list| of(list).map(|ops| ops.to_string());
        assert_eq!(text("keep"), Ok(Ops::default().to_string()));
        assert_eq!(text("none"), Ok("none".to_owned()));
        assert_eq!(text("-c,-v"), Ok("Rav,eco,fmvn,hmvc,nic,sm".to_owned()));
        assert_eq!(text("sm,bm"), Err(OpsError("bm".to_owned())));
    }
}
