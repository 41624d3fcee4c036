//! The choice of the operations of records.

use std::fmt;
use std::str::FromStr;

use epd::{Opcode, is_opcode};
use san::Keyword;

use super::op::{Op, Ops, OpsError};
use crate::facts::differ_in_one;

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

    /// Returns the operations that are made from games; `defaults` are those of the format.
    ///
    /// # Errors
    ///
    /// If an operation is not made from games.
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
    /// Formats the list as it is parsed.
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

    /// Parses opcodes separated by commas, each after a hyphen if omitted; `none` or `keep`.
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
    fn a_list_is_read_as_it_is_written() {
        // Those of files may have any name.
        for list in ["none", "keep", "bm", "c,v,bm,Ae", "-acn,-acs", "nps,idx,Rating,cdb,see,eco"] {
            assert_eq!(list.parse::<OpList>().unwrap().to_string(), list);
        }
        for (list, word) in [
            ("", ""),
            ("bm,", ""),
            ("-acn,acs", "acs"),
            ("7up", "7up"),
            ("-", "-"),
            ("smm", "smm"),
            ("bm,ssm", "ssm"),
            ("hmcv,sm", "hmcv"),
            ("fmv", "fmv"),
        ] {
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
