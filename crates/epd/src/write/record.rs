//! Writes records; fields and clocks are written by the same functions as those of games.

use std::fmt;

use san::{Buffer, FieldStyle, VariantPosition, keywords, write_fields};

use super::counter::{FMVN, HMVC};
use super::operation::OperationWriter;
use crate::dialect::{crafty, fen};
use crate::opcode::Opcode;
use crate::operand::Operand;
use crate::read::to_record::Readable;
use crate::record::Record;

keywords! {
    /// The form in which a record is written.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Form {
        /// Four fields and operations, the format of the standard.
        #[default]
        Epd = "epd",
        /// The six fields of a FEN, then all operations except hmvc and fmvn.
        Fen = "fen",
        /// The old format of HIARCS and Crafty.
        Crafty = "crafty",
        /// Four fields and no operations, like Perl's Chess::PGN::EPD.
        Perl = "perl",
    }
}

/// Writes a record, without a line end. Returns the offset of its operations, in bytes.
pub fn write(record: &Record, form: Form, style: FieldStyle, out: &mut Buffer) -> usize {
    write_with(record, None, form, style, out)
}

impl Readable {
    /// Writes the record, without a line end. Returns the offset of its operations, in bytes. A
    /// position of a variant has its fields in every form.
    pub fn write(&self, form: Form, style: FieldStyle, out: &mut Buffer) -> usize {
        write_with(&self.record, self.variant.as_ref(), form, style, out)
    }
}

fn write_with(
    record: &Record,
    variant: Option<&VariantPosition>,
    form: Form,
    style: FieldStyle,
    out: &mut Buffer,
) -> usize {
    let start = out.len();
    match form {
        _ if let Some(variant) = variant => {
            out.extend(variant.fields(style).as_bytes());
            if form == Form::Fen {
                let position = record.position();
                let clocks = format!(" {} {}", position.halfmoves(), position.fullmoves());
                out.extend(clocks.as_bytes());
            }
        }
        Form::Epd | Form::Perl => {
            let mut line = out.line();
            write_fields(record.position(), style, &mut line);
            line.finish();
        }
        Form::Fen => fen::write(record.position(), style, out),
        Form::Crafty => {
            let text = crafty::description(record.position(), style, record.spelled);
            out.extend(text.as_bytes());
        }
    }
    let fields = out.len() - start;
    if form == Form::Perl {
        return fields;
    }
    for operation in record.operations() {
        match (operation.opcode(), operation.operand()) {
            (Some(Opcode::Fmvn | Opcode::Hmvc), Operand::Integer(_)) if form == Form::Fen => {}
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
        write(self, Form::Epd, FieldStyle::default(), &mut buffer);
        f.write_str(&String::from_utf8_lossy(buffer.as_bytes()))
    }
}
