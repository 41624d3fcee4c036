//! Writes operations and records.
//!
//! * [`packed_opcode`]: names of opcodes packed into one integer, for fast sorting;
//! * [`operation`]: the syntax of one operation: spaces and semicolon;
//! * [`counter`]: precomputed `fmvn` and `hmvc`;
//! * [`operations`]: the interface of the operations of one record, while they are collected;
//! * [`operation_list`]: these as text, sorted by opcode;
//! * [`operation_values`]: these as values, for a [`Record`](crate::Record);
//! * [`record`]: formats a [`Record`](crate::Record).

pub(crate) mod counter;
pub(crate) mod operation;
pub(crate) mod operation_list;
pub(crate) mod operation_values;
pub(crate) mod operations;
pub(crate) mod packed_opcode;
pub(crate) mod record;
