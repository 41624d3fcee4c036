//! The clocks that a record gives.

use crate::opcode::Opcode;
use crate::read::operands::{self, OperandRef};
use crate::read::operations::Operations;
use crate::read::plain::{PlainOperation, PlainOperations};
use crate::read::record_ref::RecordRef;

/// The operations are not checked. Returns whether the clocks differ from those of the fields.
#[inline]
pub(crate) fn read_clocks(record: &mut RecordRef<'_>) -> bool {
    let clocks = written_clocks(record).unwrap_or_else(|| any_clocks(record));
    let differ = record.has_clocks && clocks != GivenClocks::of_fields(record);
    if let Some((halfmoves, fullmoves)) = clocks.values() {
        record.position.set_clocks(halfmoves, fullmoves);
    }
    differ
}

/// `None` unless in the usual form: saves a fifth of the instructions for a default record.
#[inline]
fn written_clocks(record: &RecordRef<'_>) -> Option<GivenClocks> {
    let mut clocks = GivenClocks::of_fields(record);
    let bytes = record.rest.text.as_bytes();
    for operation in PlainOperations::new(record.rest.text) {
        let PlainOperation { name, operands } = operation?;
        let (clock, least) = match &bytes[name] {
            b"hmvc" => (&mut clocks.halfmoves, 0),
            b"fmvn" => (&mut clocks.fullmoves, 1),
            _ => continue,
        };
        let number = operands::plain_number(&bytes[operands]).filter(|number| *number >= least)?;
        *clock = Some(number as u32);
    }
    Some(clocks)
}

fn any_clocks(record: &RecordRef<'_>) -> GivenClocks {
    let mut clocks = GivenClocks::of_fields(record);
    for operation in Operations::new(record.rest, record.escapes) {
        let clock = match operation.opcode {
            Some(Opcode::Hmvc) => &mut clocks.halfmoves,
            Some(Opcode::Fmvn) => &mut clocks.fullmoves,
            _ => continue,
        };
        if let OperandRef::Integer(n) = operands::read(&operation, record.escapes, &mut |_| {}) {
            *clock = Some(n as u32);
        }
    }
    clocks
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct GivenClocks {
    pub(super) halfmoves: Option<u32>,
    pub(super) fullmoves: Option<u32>,
}

impl GivenClocks {
    pub(super) fn of_fields(record: &RecordRef<'_>) -> Self {
        let given = |clock| record.has_clocks.then_some(clock);
        GivenClocks {
            halfmoves: given(record.position.halfmoves()),
            fullmoves: given(record.position.fullmoves()),
        }
    }

    /// Returns the clocks, 0 and 1 if one is not given, unless neither is.
    pub(crate) fn values(self) -> Option<(u32, u32)> {
        let is_given = self.halfmoves.is_some() || self.fullmoves.is_some();
        is_given.then_some((self.halfmoves.unwrap_or(0), self.fullmoves.unwrap_or(1)))
    }
}
