//! EPD records: a game is replayed, each position becomes a record.
//!
//! * [`Replay`] plays the games of a chunk and hands each [`Ply`] to a [`Sink`];
//! * [`Text`] is the sink that writes records, as a [`Plan`] says;
//! * [`write_record`] is the one place where a record is written;
//! * what is wrong is a [`Problem`]: a value, never an early return.
mod counter;
mod opcode;
mod operand;
mod plan;
mod ply;
mod problem;
mod registers;
mod replay;
mod sink;
mod start;
mod string;
mod text;
mod write;

pub use opcode::{Opcode, OperandType};
pub use operand::{Centipawns, Mate, Operand, OperandError, Wanted};
pub use plan::{Format, OnError, Ops, Plan, Select};
pub use ply::Ply;
pub use problem::{MoveNumber, Problem, Reason, Severity, text_of};
pub use registers::{Register, Registers};
pub use replay::{Counts, Replay};
pub use sink::Sink;
pub use string::{LONGEST_STRING, is_legal_string, legal_string};
pub use text::{Text, TextSink};
pub use write::write as write_record;
