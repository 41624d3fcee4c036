//! EPD records: a game is replayed, each position becomes a record.
//!
//! * [`Replay`] plays the games of a chunk and hands each [`Ply`] to a [`Sink`];
//! * [`Text`] is the sink that writes records, as a [`Plan`] says;
//! * [`write_record`] is the one place where a record is written;
//! * [`Names`] is who knows the names of positions;
//! * what is wrong is a [`Problem`]: a value, never an early return.
mod analysis;
mod check;
mod comment;
mod compose;
mod counter;
mod delta;
mod described;
mod dialect;
mod fault;
mod judgement;
mod look_ahead;
mod mnemonic;
mod names;
mod naming;
mod op;
mod opcode;
mod operand;
mod operations;
mod plan;
mod ply;
mod problem;
mod read;
mod record;
mod registers;
mod remark;
mod repetition;
mod replay;
mod scanner;
mod sink;
mod start;
mod string;
mod template;
mod text;
mod title;
mod write;

pub use check::consumers::misread;
pub use check::{Consumer, Misreading, PositionKey, Statistics, StatisticsReport};
pub use comment::text as comment_text;
pub use dialect::Dialect;
pub use fault::{Blanks, Fault, FaultKind};
pub use look_ahead::LookAhead;
pub use names::{MOST_NAME_PARTS, Name, Names};
pub use op::{Op, Ops, OpsError};
pub use opcode::{Opcode, OperandType};
pub use operand::{Centipawns, Mate, Operand, OperandError, Wanted};
pub use plan::{Format, NameSource, OnError, Plan, RegisterStyle, Select};
pub use ply::{Ahead, Branch, Ply, VariantPly};
pub use problem::{MoveNumber, Problem, Reason, Severity, text_of};
pub use read::{
    Line, MoveTexts, OperandRef, OperationRef, ReadError, ReadOptions, RecordRef, read_line,
};
pub use record::{NameError, Operation, Record};
pub use registers::{Register, Registers};
pub use replay::{Counts, Replay};
pub use scanner::RecordScanner;
pub use sink::Sink;
pub use string::{LONGEST_STRING, is_legal_string, legal_string};
pub use template::{Template, TemplateError};
pub use text::{Text, TextSink};
pub use write::plain as write_record;
pub use write::record::{Form, write as write_record_value};
