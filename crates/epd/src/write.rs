//! Writes operations and records.
//!
//! * [`packed_opcode`]: names of opcodes packed into one integer, for fast sorting;
//! * [`operation`]: the syntax of one operation: spaces and semicolon;
//! * [`counter`]: precomputed `fmvn` and `hmvc`;
//! * [`operation_list`]: the operations of one record, sorted by opcode;
//! * [`record`]: formats a [`Record`](crate::Record).

pub(crate) mod counter;
pub(crate) mod operation;
pub(crate) mod operation_list;
pub(crate) mod packed_opcode;
pub(crate) mod record;
