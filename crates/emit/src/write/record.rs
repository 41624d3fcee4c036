//! Records as values to text: the fields and the clocks by the same functions as those of games.

use san::{Buffer, FieldStyle, write_fields};

use crate::counter::{FMVN, HMVC};
use crate::dialect::{crafty, fen};
use crate::{Opcode, Operand, Record};

/// The form in which a record is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// Four fields and operations: the standard's record.
    #[default]
    Epd,
    /// Six fields, then all operations but `hmvc` and `fmvn`, which the fields hold.
    Fen,
    /// As HIARCS and early Crafty have it, then operations.
    Crafty,
    /// Four fields and nothing else, as Perl's Chess::PGN::EPD has it.
    Perl,
}

/// Writes a record, without a line end.
pub fn write(record: &Record, form: Form, style: FieldStyle, out: &mut Buffer) {
    match form {
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
    if form == Form::Perl {
        return;
    }
    for operation in record.operations() {
        match (operation.opcode(), operation.operand()) {
            (Some(Opcode::Fmvn | Opcode::Hmvc), Operand::Integer(_)) if form == Form::Fen => {}
            (Some(opcode @ (Opcode::Fmvn | Opcode::Hmvc)), &Operand::Integer(value)) => {
                let counter = if opcode == Opcode::Fmvn { &FMVN } else { &HMVC };
                let mut line = out.line();
                // What is no number of 32 bits is no operand of theirs.
                counter.write(u32::try_from(value).unwrap_or(u32::MAX), &mut line);
                line.finish();
            }
            (_, operand) => {
                out.extend(b" ");
                out.extend(operation.name().as_bytes());
                write_operand(operand, out);
                out.extend(b";");
            }
        }
    }
}

fn write_operand(operand: &Operand, out: &mut Buffer) {
    match operand {
        Operand::Nothing => {}
        Operand::Integer(value) => put(&[value.to_string().as_bytes()], out),
        Operand::Evaluation(value) => put(&[value.to_string().as_bytes()], out),
        Operand::Move(text) | Operand::Raw(text) => put(&[text.as_bytes()], out),
        Operand::Moves(texts) => texts.iter().for_each(|text| put(&[text.as_bytes()], out)),
        Operand::Text(text) => put(&[b"\"", text.as_bytes(), b"\""], out),
        Operand::Texts(first, second) => {
            put(&[b"\"", first.as_bytes(), b"\""], out);
            put(&[b"\"", second.as_bytes(), b"\""], out);
        }
    }
}

/// Writes an operand, with a blank before it.
fn put(parts: &[&[u8]], out: &mut Buffer) {
    out.extend(b" ");
    parts.iter().for_each(|part| out.extend(part));
}
