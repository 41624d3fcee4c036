//! The registers of a program that scans what is written, and what brings them to where they should be.
//!
//! EPD 5.5 and 5.26: the operation `cN` (`vN`) sets the registers N to 9 of its family to null, and then N to its operand
//! if there is one. `eco` and `nic` (5.12, 5.16) are registers of their own, which `c0` and `v0` do not touch. So the
//! fewest operations that bring a family from one state to another begin at the first register that differs: it is set,
//! or set to null, and after it each register that is to hold something is set again.

use crate::RegisterStyle;
use crate::mnemonic::Mnemonic;
use crate::operations::Operations;

/// The highest rank of a comment or a name of a variation.
pub(crate) const RANKS: usize = 10;

/// One family of registers, as a scanning program has it.
#[derive(Debug, Default)]
pub(crate) struct Family {
    held: [Held; RANKS],
    /// A game begins: whatever the program holds is to be overwritten.
    begins: bool,
}

/// A register. Its text keeps its memory when it is null.
#[derive(Debug, Default)]
struct Held {
    is_set: bool,
    text: String,
}

impl Held {
    fn get(&self) -> Option<&str> {
        self.is_set.then_some(&*self.text)
    }

    fn set(&mut self, value: Option<&str>) {
        self.is_set = value.is_some();
        if let Some(value) = value {
            self.text.clear();
            self.text.push_str(value);
        }
    }
}

impl Family {
    /// A game begins: its first record says something of the family, whatever that is.
    pub(crate) fn begin(&mut self) {
        self.begins = true;
    }

    /// Whether the first record of the game is still to come.
    pub(crate) fn begins(&self) -> bool {
        self.begins
    }

    /// The program has this now, by a record that was made elsewhere.
    pub(crate) fn hold<'t>(&mut self, value: impl Fn(usize) -> Option<&'t str>) {
        self.held.iter_mut().enumerate().for_each(|(rank, held)| held.set(value(rank)));
    }

    /// Adds the operations that bring the family to `wanted`; the registers behind its end are to be null.
    pub(crate) fn bring<'t>(
        &mut self,
        family: u8,
        wanted: impl Fn(usize) -> Option<&'t str>,
        style: RegisterStyle,
        operations: &mut Operations,
    ) {
        if std::mem::take(&mut self.begins) {
            self.held.iter_mut().for_each(|held| held.set(None));
            if wanted(0).is_none() {
                operations.bare(Mnemonic::ranked(family, 0));
            }
        }
        let differs = |rank: &usize| self.held[*rank].get() != wanted(*rank);
        let first = (0..RANKS).find(differs).unwrap_or(RANKS);
        let mut repeated = false;
        if style == RegisterStyle::Full {
            for rank in (0..first).filter(|rank| wanted(*rank).is_some()) {
                operations.register(Mnemonic::ranked(family, rank), wanted(rank));
                repeated = true;
            }
        }
        for rank in first..RANKS {
            let value = wanted(rank);
            // What sets a register before this one makes this one null.
            if value.is_some() || rank == first && self.held[rank].is_set && !repeated {
                operations.register(Mnemonic::ranked(family, rank), value);
            }
            self.held[rank].set(value);
        }
    }
}

/// A register that stands alone: `eco` or `nic`.
#[derive(Debug, Default)]
pub(crate) struct Single {
    held: Held,
    begins: bool,
}

impl Single {
    /// A game begins.
    pub(crate) fn begin(&mut self) {
        self.begins = true;
    }

    /// The program has this now, by a record that was made elsewhere.
    pub(crate) fn hold(&mut self, value: Option<&str>) {
        self.held.set(value);
    }

    /// Adds the operation that brings the register to `wanted`, if one is needed.
    pub(crate) fn bring(
        &mut self,
        name: Mnemonic,
        wanted: Option<&str>,
        style: RegisterStyle,
        operations: &mut Operations,
    ) {
        let begins = std::mem::take(&mut self.begins);
        let repeats = style == RegisterStyle::Full && wanted.is_some();
        if begins || repeats || self.held.get() != wanted {
            operations.register(name, wanted);
            self.held.set(wanted);
        }
    }
}

#[cfg(test)]
mod tests;
