//! The string registers of a program that scans records: c0-c9, v0-v9, eco, nic (EPD 5.5, 5.12, 5.16, 5.26).
//!
//! Processing `cN` sets `cN` to `c9` to null, and then, if there is an operand, `cN` to that; the same goes for `vN`.
//! `eco` and `nic` stand alone: an operation without operand sets them to null, and `c0` and `v0` leave them as they are.

use std::fmt;

use crate::Opcode;

/// How many registers there are.
const COUNT: usize = 22;

/// One of the registers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(u8);

impl Register {
    /// How many registers there are.
    pub const COUNT: usize = COUNT;
    /// The code of the Encyclopedia of Chess Openings.
    pub const ECO: Register = Register(20);
    /// The code of New In Chess.
    pub const NIC: Register = Register(21);

    /// The comment register of a rank from 0 to 9.
    #[inline]
    pub const fn comment(rank: u8) -> Option<Self> {
        if rank < 10 { Some(Register(rank)) } else { None }
    }

    /// The variation name register of a rank from 0 to 9.
    #[inline]
    pub const fn variation(rank: u8) -> Option<Self> {
        if rank < 10 { Some(Register(10 + rank)) } else { None }
    }

    /// All of them: comments, variation names, eco, nic.
    pub fn all() -> impl Iterator<Item = Register> {
        (0..COUNT as u8).map(Register)
    }

    /// The number of the register, below [`Register::COUNT`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The registers that are set to null when this one is processed: itself and those of its family of higher rank.
    #[inline]
    pub fn cleared(self) -> impl Iterator<Item = Register> {
        let end = match self.0 {
            0..10 => 10,
            10..20 => 20,
            last => last + 1,
        };
        (self.0..end).map(Register)
    }

    /// Whether processing `self` sets `other` to null.
    #[inline]
    pub fn clears(self, other: Register) -> bool {
        let family = |register: Register| register.0 / 10;
        let both_ranked = self.0 < 20 && other.0 < 20;
        self == other || both_ranked && family(self) == family(other) && other > self
    }
}

impl fmt::Debug for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Opcode::of_register(*self).name())
    }
}

/// What the registers hold. At the beginning of a game each of them is null.
///
/// ```
/// use emit::{Register, Registers};
///
/// let mut registers = Registers::default();
/// registers.apply(Register::variation(0).unwrap(), Some("Sicilian Defense"));
/// registers.apply(Register::variation(1).unwrap(), Some("Najdorf"));
/// assert_eq!(registers.variation(1), Some("Najdorf"));
/// // A name of lower rank clears those above it.
/// registers.apply(Register::variation(0).unwrap(), Some("French Defense"));
/// assert_eq!(registers.variation(1), None);
/// ```
#[derive(Clone, Default)]
pub struct Registers {
    slots: [Slot; COUNT],
}

/// A register. Its memory is kept when it is null.
#[derive(Clone, Default)]
struct Slot {
    text: String,
    is_set: bool,
}

impl Registers {
    /// Processes the operation of a register, as a reader does.
    pub fn apply(&mut self, register: Register, operand: Option<&str>) {
        for cleared in register.cleared() {
            self.slots[cleared.index()].is_set = false;
        }
        if let Some(text) = operand {
            self.set(register, text);
        }
    }

    /// Gives one register a value and leaves all others as they are: for a writer that makes up the state it wants.
    pub fn set(&mut self, register: Register, text: &str) {
        let slot = &mut self.slots[register.index()];
        slot.text.clear();
        slot.text.push_str(text);
        slot.is_set = true;
    }

    /// Sets all of them to null: the beginning of a game.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            slot.is_set = false;
        }
    }

    /// The value of a register; `None` where it is null.
    #[inline]
    pub fn get(&self, register: Register) -> Option<&str> {
        let slot = &self.slots[register.index()];
        slot.is_set.then_some(&*slot.text)
    }

    /// The comment of a rank from 0 to 9.
    pub fn comment(&self, rank: u8) -> Option<&str> {
        self.get(Register::comment(rank)?)
    }

    /// The variation name of a rank from 0 to 9.
    pub fn variation(&self, rank: u8) -> Option<&str> {
        self.get(Register::variation(rank)?)
    }

    /// The code of the Encyclopedia of Chess Openings.
    pub fn eco(&self) -> Option<&str> {
        self.get(Register::ECO)
    }

    /// The code of New In Chess.
    pub fn nic(&self) -> Option<&str> {
        self.get(Register::NIC)
    }

    /// Those that are not null.
    pub fn iter(&self) -> impl Iterator<Item = (Register, &str)> {
        Register::all().filter_map(|register| Some((register, self.get(register)?)))
    }
}

impl PartialEq for Registers {
    fn eq(&self, other: &Self) -> bool {
        Register::all().all(|register| self.get(register) == other.get(register))
    }
}

impl Eq for Registers {}

impl fmt::Debug for Registers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// The registers as the standard's own words have them, by name.
    #[derive(Default)]
    struct Naive {
        strings: BTreeMap<String, String>,
    }

    impl Naive {
        /// “First, all comment string registers with an index equal to or greater than N are set to null. (This is the set
        /// “cN” though “c9”.) Second, and only if a string operand is present, the value of the corresponding comment
        /// string register is set equal to the string operand.”
        fn process(&mut self, opcode: &str, operand: Option<&str>) {
            if let ("c" | "v", Ok(n)) = (&opcode[..1], opcode[1..].parse::<u32>()) {
                for index in n..=9 {
                    self.strings.remove(&format!("{}{index}", &opcode[..1]));
                }
            }
            // “If there is no operand, the ECO string register of the scanning program is set to null.”
            match operand {
                Some(text) => self.strings.insert(opcode.to_owned(), text.to_owned()),
                None => self.strings.remove(opcode),
            };
        }
    }

    proptest! {
        #[test]
        fn they_are_processed_as_the_standard_words_it(
            operations in prop::collection::vec((0..22_u8, prop::option::of("[a-c]{0,2}")), 0..40)
        ) {
            let (mut naive, mut registers) = (Naive::default(), Registers::default());
            for (index, operand) in operations {
                let register = Register(index);
                naive.process(Opcode::of_register(register).name(), operand.as_deref());
                registers.apply(register, operand.as_deref());
                let held: BTreeMap<String, String> = registers
                    .iter()
                    .map(|(register, text)| (format!("{register:?}"), text.to_owned()))
                    .collect();
                prop_assert_eq!(&held, &naive.strings);
            }
        }
    }

    #[test]
    fn a_register_clears_itself_and_those_above_it() {
        for register in Register::all() {
            let cleared: Vec<Register> = register.cleared().collect();
            for other in Register::all() {
                assert_eq!(
                    register.clears(other),
                    cleared.contains(&other),
                    "{register:?} {other:?}"
                );
            }
        }
    }

    #[test]
    fn an_empty_string_is_not_null() {
        let mut registers = Registers::default();
        registers.apply(Register::ECO, Some(""));
        assert_eq!(registers.eco(), Some(""));
        assert_ne!(registers, Registers::default());
        registers.clear();
        assert_eq!(registers, Registers::default());
    }
}
