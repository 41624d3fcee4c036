//! Reads, checks and writes EPD records. This crate does not handle games.
//!
//! * [`read_line`] parses a line of any [`Dialect`] and reports every [`EpdDiagnostic`]; a
//!   [`RecordRef`] borrows from its line;
//! * a [`Record`] is an owned record, [`Opcode`] lists the opcodes of the standard, and [`Operand`]
//!   is the value of one;
//! * [`Lines`] are those of bytes in memory;
//! * a [`RecordScanner`] reads the records of a text and tracks their [`Registers`];
//! * [`Statistics`] counts distinct positions;
//! * [`Record`] is written by its `Display`; the operations of one record are collected by an
//!   [`OperationList`];
//! * a [`RegisterKeeper`] omits records of a text while keeping the registers of the others
//!   correct; a [`RegisterClearer`] does so where each record has all its registers.
//!
//! Section numbers are those of the EPD standard (PGN standard 16.2).
mod centipawns;
mod check;
mod diagnostic;
mod dialect;
mod opcode;
mod read;
mod reader;
mod record;
mod registers;
#[cfg(feature = "serde")]
mod serialize;
mod statistics;
pub mod string;
mod write;

pub use centipawns::{Centipawns, Mate};
pub use diagnostic::{Blanks, Columns, EpdDiagnostic, EpdDiagnosticKind, LONGEST_RECORD, Severity};
pub use dialect::forms::{description as crafty_description, result_of};
pub use dialect::{Dialect, Rules};
pub use opcode::{ExpectedOperand, Opcode, OperandType, is_opcode};
pub use read::fields::{divided, fields_len, without_look_alikes};
pub use read::operands::{MoveTexts, OperandRef, move_texts};
pub use read::operations::OperationRef;
pub use read::record_ref::{Line, ReadOptions, RecordRef, VariantRef};
pub use read::{ReadError, Readable, read_line};
pub use reader::{LONGEST_LINE, Lines, OverlongLine, RawLine, TextLines};
pub use record::{NameError, Operand, OperandError, Operation, Record, raw as check_raw_operand};
pub use registers::keeper::{RegisterClearer, RegisterKeeper};
pub use registers::writer::{
    REGISTER_RANKS, RankedRegisters, RecordScanner, RegisterFamily, RegisterStyle, SingleRegister,
};
pub use registers::{Register, Registers};
pub use statistics::{RecordedPosition, Statistics, StatisticsReport};
pub use string::{LONGEST_STRING, is_legal_string, is_plain, legal_string, to_ascii};
pub use write::{Append, Counter, FMVN, HMVC, OperationList, OperationWriter, PackedOpcode};
