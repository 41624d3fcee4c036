//! Reads, checks and writes EPD records. This crate does not handle games.
//!
//! * [`read_line`] parses a line of any [`Dialect`] and reports every [`EpdDiagnostic`]; a
//!   [`RecordRef`] borrows from its line;
//! * a [`Record`] is an owned record, [`Opcode`] lists the opcodes of the standard, and [`Operand`]
//!   is the value of one;
//! * [`Lines`] are those of bytes in memory;
//! * a [`RecordScanner`] reads the records of a text and tracks their [`Registers`];
//! * [`Statistics`] counts distinct positions;
//! * [`Record`] is written by its `Display`; [`Operations`] of one record are
//!   collected as text by an [`OperationList`], or as values by [`OperationValues`];
//! * a [`RegisterKeeper`] omits records of a text while keeping the registers of the others
//!   correct.
//!
//! Section numbers are those of the EPD standard (PGN standard 16.2).
mod ascii;
mod centipawns;
mod check;
mod diagnostic;
mod dialect;
mod limits;
mod opcode;
mod operand;
mod read;
mod reader;
mod record;
mod registers;
mod rules;
#[cfg(feature = "serde")]
mod serialize;
mod severity;
mod statistics;
pub mod string;
mod write;

pub use ascii::to_ascii;
pub use centipawns::{Centipawns, Mate};
pub use diagnostic::kind::{Blanks, EpdDiagnosticKind};
pub use diagnostic::{Columns, EpdDiagnostic};
pub use dialect::Dialect;
pub use dialect::crafty::description as crafty_description;
pub use dialect::label::result_of;
pub use limits::LONGEST_RECORD;
pub use opcode::{ExpectedOperand, Opcode, OperandType, is_opcode};
pub use operand::{Operand, OperandError, raw as check_raw_operand};
pub use read::fields::{divided, fields_len};
pub use read::line::{ReadError, read_line};
pub use read::look_alikes::without_look_alikes;
pub use read::operands::{MoveTexts, OperandRef, move_texts};
pub use read::operations::OperationRef;
pub use read::record_ref::{Line, ReadOptions, RecordRef, VariantRef};
pub use read::to_record::Readable;
pub use reader::{LONGEST_LINE, Lines, OverlongLine, RawLine, TextLines};
pub use record::{NameError, Operation, Record};
pub use registers::keeper::RegisterKeeper;
pub use registers::places::{RegisterPlace, RegisterPlaces};
pub use registers::scanner::RecordScanner;
pub use registers::state::{Register, Registers};
pub use registers::writer::{REGISTER_RANKS, RankedRegisters, RegisterStyle, SingleRegister};
pub use rules::Rules;
pub use severity::Severity;
pub use statistics::{RecordedPosition, Statistics, StatisticsReport};
pub use string::{LONGEST_STRING, is_legal_string, is_plain, legal_string};
pub use write::counter::{Counter, FMVN, HMVC};
pub use write::operation::{Append, OperationWriter};
pub use write::operation_list::OperationList;
pub use write::operation_values::OperationValues;
pub use write::operations::Operations;
pub use write::packed_opcode::PackedOpcode;
