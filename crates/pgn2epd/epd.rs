//! EPD records: read, written, checked. Section numbers are those of the EPD standard (PGN standard 16.2).
//!
//! * [`Record`] is a record as a value, [`RecordRef`] one that borrows from its line;
//! * [`Opcode`] lists the opcodes of the standard, [`Operand`] what they take;
//! * [`Scanner`] reads records and keeps the [`Registers`] that say what the `c`, `v`, `eco` and `nic` operations mean;
//! * [`read_line`] reads a line of any [`Dialect`] and tells every [`Fault`];
//! * [`Checker`] checks whole files, and rewrites them.
//!
//! ```
//! use pgn2epd::epd::{Opcode, Operand, Record};
//!
//! let record: Record = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";".parse()?;
//! assert_eq!(record.get(Opcode::Bm), Some(&Operand::Moves(vec!["Qd1+".to_owned()])));
//! # Ok::<_, pgn2epd::epd::ReadError>(())
//! ```
//!
//! The records that a conversion makes are another type, [`crate::Record`]: a position of a game and the move played.

mod block;
mod check;

pub use check::{CheckCounts, CheckOptions, Checker, LineFault, Rewrite};
pub use emit::{
    Blanks, Centipawns, Consumer, Dialect, Fault, FaultKind, Form, Line, Mate, Misreading,
    MoveTexts, NameError, Opcode, Operand, OperandError, OperandRef, OperandType, Operation,
    OperationRef, PositionKey, ReadError, ReadOptions, Record, RecordRef, RecordScanner as Scanner,
    Register, Registers, Statistics, StatisticsReport, Wanted, misread, read_line,
};
