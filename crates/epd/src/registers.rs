//! The string registers of a program that scans records (EPD 5.5, 5.12, 5.16, 5.26): c0-c9, v0-v9,
//! eco, nic. `cN` sets `cN` to `c9` to null and then, if it has an operand, `cN` to that; likewise
//! `vN`. `eco` and `nic` are independent; without an operand they are set to null.

pub(crate) mod keeper;
pub(crate) mod writer;

use std::fmt;

use crate::opcode::Opcode;

const COUNT: usize = 22;

/// A string register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(u8);

impl Register {
    /// Number of registers.
    pub const COUNT: usize = COUNT;
    /// The ECO register (Encyclopedia of Chess Openings).
    pub const ECO: Register = Register(20);
    /// The New In Chess register.
    pub const NIC: Register = Register(21);

    /// The first of each family, in the order of opcodes: operations change their own family.
    pub(crate) const FAMILIES: [Register; 4] =
        [Register(0), Register::ECO, Register::NIC, Register(10)];

    /// `c9`, which holds the result of the game in tuning data.
    pub(crate) const RESULT: Register = Register(9);

    /// Returns the comment register of a rank from 0 to 9.
    pub const fn comment(rank: u8) -> Option<Self> {
        if rank < 10 { Some(Register(rank)) } else { None }
    }

    /// Returns the variation name register of a rank from 0 to 9.
    pub const fn variation(rank: u8) -> Option<Self> {
        if rank < 10 { Some(Register(10 + rank)) } else { None }
    }

    /// Returns all registers: comments, variation names, eco, nic.
    pub fn all() -> impl Iterator<Item = Register> {
        (0..COUNT as u8).map(Register)
    }

    /// Returns the register that the operation with this name sets.
    #[inline]
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name.as_bytes() {
            [b'c', rank @ b'0'..=b'9'] => Register::comment(rank - b'0'),
            [b'v', rank @ b'0'..=b'9'] => Register::variation(rank - b'0'),
            b"eco" => Some(Register::ECO),
            b"nic" => Some(Register::NIC),
            _ => None,
        }
    }

    /// Returns the index of the register, below [`Register::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the registers that this one's operation sets to null: itself and those above it.
    #[inline]
    pub fn cleared(self) -> impl Iterator<Item = Register> {
        let end = match self.0 {
            0..10 => 10,
            10..20 => 20,
            last => last + 1,
        };
        (self.0..end).map(Register)
    }

    /// Whether the operation of `self` sets `other` to null.
    pub fn clears(self, other: Register) -> bool {
        let family = |register: Register| register.0 / 10;
        let both_ranked = self.0 < 20 && other.0 < 20;
        self == other || both_ranked && family(self) == family(other) && other > self
    }
}

impl Opcode {
    /// Returns the register that the opcode sets.
    #[inline]
    pub fn register(self) -> Option<Register> {
        match self {
            Opcode::Eco => Some(Register::ECO),
            Opcode::Nic => Some(Register::NIC),
            _ if (Opcode::C0..=Opcode::C9).contains(&self) => {
                Register::comment(self as u8 - Opcode::C0 as u8)
            }
            _ if (Opcode::V0..=Opcode::V9).contains(&self) => {
                Register::variation(self as u8 - Opcode::V0 as u8)
            }
            _ => None,
        }
    }

    /// Returns the opcode that sets the register.
    pub fn of_register(register: Register) -> Self {
        match register {
            Register::ECO => Opcode::Eco,
            Register::NIC => Opcode::Nic,
            Register(rank @ 0..10) => Opcode::at(Opcode::C0 as usize + usize::from(rank)),
            Register(index) => Opcode::at(Opcode::V0 as usize + usize::from(index - 10)),
        }
    }
}

impl fmt::Debug for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Opcode::of_register(*self).name())
    }
}

/// The register values. All are null at the beginning of a game.
///
/// ```
/// use epd::{Register, Registers};
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

/// A register value. Its allocation is kept while the register is null.
#[derive(Clone, Default)]
struct Slot {
    text: String,
    is_set: bool,
    was_set: bool,
    /// Whether it was set, even to null, since changes are noted.
    is_changed: bool,
}

impl Registers {
    /// Returns registers that are null, some of which had a value before, as in another game.
    pub fn null_after(set: &[Register]) -> Self {
        let mut registers = Registers::default();
        for register in set {
            registers.slots[register.index()].was_set = true;
        }
        registers
    }

    /// Applies a register operation, as a scanning program does.
    pub fn apply(&mut self, register: Register, operand: Option<&str>) {
        for cleared in register.cleared() {
            let slot = &mut self.slots[cleared.index()];
            (slot.is_set, slot.is_changed) = (false, true);
        }
        if let Some(text) = operand {
            self.set(register, text);
        }
    }

    /// Sets one register and leaves all others unchanged, for writers that construct a state.
    pub fn set(&mut self, register: Register, text: &str) {
        let slot = &mut self.slots[register.index()];
        slot.text.clear();
        slot.text.push_str(text);
        (slot.is_set, slot.was_set, slot.is_changed) = (true, true, true);
    }

    /// Sets all registers to null, as at the beginning of a game.
    pub fn clear(&mut self) {
        for slot in &mut self.slots {
            slot.is_set = false;
        }
    }

    /// Notes changes from now on.
    pub fn note_changes(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.is_changed = false);
    }

    /// Makes the changes that were [noted](Registers::note_changes) in other registers.
    pub fn follow(&mut self, others: &Registers) {
        for (slot, other) in self.slots.iter_mut().zip(&others.slots) {
            if other.is_changed {
                let was_set = slot.was_set || other.was_set;
                slot.clone_from(other);
                slot.was_set = was_set;
            }
        }
    }

    /// Returns the value of a register, or `None` if it is null.
    pub fn get(&self, register: Register) -> Option<&str> {
        let slot = &self.slots[register.index()];
        slot.is_set.then_some(&*slot.text)
    }

    /// Returns the comment of a rank from 0 to 9.
    pub fn comment(&self, rank: u8) -> Option<&str> {
        self.get(Register::comment(rank)?)
    }

    /// Returns the variation name of a rank from 0 to 9.
    pub fn variation(&self, rank: u8) -> Option<&str> {
        self.get(Register::variation(rank)?)
    }

    /// Returns the ECO code (Encyclopedia of Chess Openings).
    pub fn eco(&self) -> Option<&str> {
        self.get(Register::ECO)
    }

    /// Returns the New In Chess code.
    pub fn nic(&self) -> Option<&str> {
        self.get(Register::NIC)
    }

    /// Whether a register had a value before, or has one.
    pub fn was_set(&self, register: Register) -> bool {
        self.slots[register.index()].was_set
    }

    /// Whether these registers and others, set alike, are the same after a record that sets some.
    pub fn agree_after(&self, others: &Registers, set: &[Register]) -> bool {
        Register::all().all(|register| {
            let is_set = || set.iter().any(|set| set.clears(register));
            self.was_set(register) == others.was_set(register)
                && (self.get(register) == others.get(register) || is_set())
        })
    }

    /// Returns the registers that are not null.
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

    #[test]
    fn names_opcodes_and_registers_belong_together() {
        for opcode in Opcode::all() {
            assert_eq!(Register::named(opcode.name()), opcode.register(), "{opcode:?}");
        }
        for register in Register::all() {
            assert_eq!(Opcode::of_register(register).register(), Some(register));
        }
    }

    /// Reference implementation that follows the text of the standard, by register name.
    #[derive(Default)]
    struct Naive {
        strings: BTreeMap<String, String>,
    }

    impl Naive {
        /// “First, all comment string registers with an index equal to or greater than N are set to
        /// null. (This is the set “cN” though “c9”.) Second, and only if a string operand is
        /// present, the value of the corresponding comment string register is set equal to the
        /// string operand.”
        fn process(&mut self, opcode: &str, operand: Option<&str>) {
            if let ("c" | "v", Ok(n)) = (&opcode[..1], opcode[1..].parse::<u32>()) {
                for index in n..=9 {
                    self.strings.remove(&format!("{}{index}", &opcode[..1]));
                }
            }
            // “If there is no operand, the ECO string register of the scanning program is set to
            // null.”
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

    #[test]
    fn registers_and_opcodes_belong_together() {
        for register in Register::all() {
            assert_eq!(Opcode::of_register(register).register(), Some(register));
        }
        assert_eq!(Opcode::all().filter_map(Opcode::register).count(), 22);
    }
}
