//! The tags of a record, as of a game of one position.

use std::borrow::Cow;

use epd::{Opcode, OperandRef, Record, RecordRef, Registers};
use pgn::{Outcome, TagPair};

use crate::known::operand_text;

pub(super) struct Tags<'r> {
    pub(super) operations: &'r [&'r str],
    pub(super) names_openings: bool,
    pub(super) registers: Option<&'r Registers>,
    pub(super) written: Option<&'r RecordRef<'r>>,
    pub(super) record: Option<&'r Record>,
}

impl<'r> Tags<'r> {
    pub(super) fn all(&self, result: Option<Outcome>) -> Vec<(&'r str, Cow<'r, str>)> {
        // Nearly always empty, without an allocation.
        let mut values = Vec::new();
        values.extend(result.map(|result| ("Result", result.as_str().into())));
        if let Some(registers) = self.registers.filter(|_| self.names_openings) {
            values.extend(registers.eco().map(|code| ("ECO", code.into())));
            values.extend(registers.nic().map(|code| ("NIC", code.into())));
            let parts: Vec<&str> = (0..10).map_while(|rank| registers.variation(rank)).collect();
            let name = match &parts[..] {
                [] => None,
                [opening] => Some(Cow::Borrowed(*opening)),
                [opening, names @ ..] => Some(format!("{opening}: {}", names.join(", ")).into()),
            };
            values.extend(name.map(|name| ("Opening", name)));
        }
        for name in self.operations {
            values.extend(self.operand(name).map(|text| (*name, text)));
        }
        values
    }

    /// Returns the operands of an operation, or the register that it sets, as text.
    fn operand(&self, name: &str) -> Option<Cow<'r, str>> {
        let opcode = Opcode::from_name(name);
        let register = opcode.and_then(Opcode::register);
        if let (Some(registers), Some(register)) = (self.registers, register) {
            return registers.get(register).map(Cow::Borrowed);
        }
        if let Some(record) = self.record {
            return record.get_other(name).map(operand_text);
        }
        match self.written?.get(opcode?)? {
            OperandRef::Integer(number) => Some(number.to_string().into()),
            OperandRef::Evaluation(value) => Some(value.to_string().into()),
            _ => None,
        }
    }
}

pub(super) fn pair<'t>((name, value): &'t (&str, Cow<'_, str>)) -> TagPair<'t> {
    TagPair::of_value(name.as_bytes(), value.as_bytes())
}
