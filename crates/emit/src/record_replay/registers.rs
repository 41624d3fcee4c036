//! The registers after the records of a chunk, which the next chunk begins with.

use epd::{Register, RegisterStyle, Registers};

use crate::records::plan::Plan;

/// The registers after records, and what depends on those before.
#[derive(Clone, Debug, Default)]
pub struct ReadRegisters {
    pub(super) after: Registers,
    pub(super) added: Option<Register>,
    pub(super) first_set: Vec<Register>,
    /// The registers that the next record clears, because the output may have set them before.
    pub(super) to_clear: Vec<Register>,
    /// Whether what was made of the records depends on the registers before them.
    pub(super) depends: bool,
}

impl ReadRegisters {
    /// Returns those before the first record of a text.
    pub fn before(plan: &Plan) -> Self {
        // Full records clear them by themselves.
        let is_delta = plan.registers == RegisterStyle::Delta && !plan.resolves_registers();
        ReadRegisters {
            after: Registers::null_after(&plan.held),
            to_clear: if is_delta { plan.held.clone() } else { Vec::new() },
            ..ReadRegisters::default()
        }
    }

    /// Whether records that were read after `before` are the same after `others`.
    pub fn is_same_after(&self, before: &ReadRegisters, others: &ReadRegisters) -> bool {
        (before.added, &before.to_clear) == (others.added, &others.to_clear)
            && (!self.depends || before.after.agree_after(&others.after, &self.first_set))
    }

    /// Adds what later records change.
    pub fn follow(&mut self, later: &ReadRegisters) {
        self.after.follow(&later.after);
        self.added = later.added;
        self.to_clear.clone_from(&later.to_clear);
    }
}
