//! Reads, writes and checks EPD records. Section numbers are those of the EPD standard (PGN
//! standard 16.2).
//!
//! * [`Record`] is an owned record, [`RecordRef`] is borrowed from its line;
//! * [`Opcode`] lists the opcodes of the standard, and [`Operand`] is the value of one;
//! * [`Scanner`] reads records and tracks the [`Registers`], which determine the meaning of the
//!   `c`, `v`, `eco` and `nic` operations;
//! * [`read_line`] parses a line of any [`Dialect`] and reports every [`EpdDiagnostic`];
//! * [`Checker`] checks and repairs whole files.
//!
//! ```
//! use pgn2epd::epd::{Opcode, Operand, Record};
//!
//! let record: Record = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";".parse()?;
//! assert_eq!(record.get(Opcode::Bm), Some(&Operand::Moves(vec!["Qd1+".to_owned()])));
//! # Ok::<_, pgn2epd::epd::ReadError>(())
//! ```
//!
//! A conversion yields each [`Record`] in a [`PlayedPosition`](crate::PlayedPosition), with the
//! position, the move played and the game.

mod check;
pub(crate) mod check_options;
mod checked;
pub(crate) mod line_diagnostic;
pub(crate) mod line_text;

pub use crate::options::keywords::{OnOff, Unreadable};
pub use check::Checker;
pub use check_options::{CheckCounts, CheckOptions, RejectedLine};
pub use epd::{
    Blanks, Centipawns, Columns, Dialect, EpdDiagnostic, EpdDiagnosticKind, ExpectedOperand, Line,
    Mate, MoveTexts, NameError, Opcode, Operand, OperandError, OperandRef, OperandType, Operation,
    OperationRef, ReadError, ReadOptions, Record, RecordRef, RecordScanner as Scanner,
    RecordedPosition, Register, Registers, Rules, Statistics, StatisticsReport, VariantRef,
    read_line,
};
pub use line_diagnostic::LineDiagnostic;
