//! Writes records; fields and clocks are written by the same functions as those of games.

use std::fmt;

use san::{Buffer, FieldStyle, write_fields};

use super::counter::{FMVN, HMVC};
use super::operation::OperationWriter;
use crate::opcode::Opcode;
use crate::operand::Operand;
use crate::read::to_record::Readable;
use crate::record::Record;

impl Readable {
    /// Writes the record in the form of the standard, without a line end. Returns the offset of its
    /// operations, in bytes.
    pub fn write(&self, out: &mut Buffer) -> usize {
        match &self.variant {
            Some(variant) => {
                let start = out.len();
                out.extend(variant.fields(FieldStyle::default()).as_bytes());
                write_operations(&self.record, start, out)
            }
            None => write(&self.record, out),
        }
    }
}

fn write(record: &Record, out: &mut Buffer) -> usize {
    let start = out.len();
    let mut line = out.line();
    write_fields(record.position(), FieldStyle::default(), &mut line);
    line.finish();
    write_operations(record, start, out)
}

/// Writes the operations after fields that begin at `start`; returns their offset in the record.
fn write_operations(record: &Record, start: usize, out: &mut Buffer) -> usize {
    let fields = out.len() - start;
    for operation in record.operations() {
        match (operation.opcode(), operation.operand()) {
            (Some(opcode @ (Opcode::Fmvn | Opcode::Hmvc)), &Operand::Integer(value)) => {
                let counter = if opcode == Opcode::Fmvn { &FMVN } else { &HMVC };
                let mut line = out.line();
                // A value that does not fit 32 bits is not a valid operand of these opcodes.
                counter.write(u32::try_from(value).unwrap_or(u32::MAX), &mut line);
                line.finish();
            }
            (_, operand) => {
                OperationWriter::new(operation.name(), out).operand(operand).end();
            }
        }
    }
    // A space separates the fields from the operations.
    (fields + 1).min(out.len() - start)
}

impl fmt::Display for Record {
    /// Formats the record in the standard's form, without a line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = Buffer::default();
        write(self, &mut buffer);
        f.write_str(&String::from_utf8_lossy(buffer.as_bytes()))
    }
}
