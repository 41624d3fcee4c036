//! A record is written here, and nowhere else (EPD 3 and 4).

pub(crate) mod record;

use san::{Buffer, Line, san_of, write_fen, write_fields};

use crate::counter::{FMVN, HMVC};
use crate::dialect::crafty;
use crate::operations::Operations;
use crate::{Format, Op, Plan, Ply};

/// Writes the record of a position, with its line end. Of its operations it has the counters and the move played.
#[inline(always)]
pub fn plain(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    fields(ply, plan, line);
    if plan.format != Format::Fen {
        if plan.ops.has(Op::Fmvn) {
            FMVN.write(ply.position.fullmoves(), line);
        }
        if plan.ops.has(Op::Hmvc) {
            HMVC.write(ply.position.halfmoves(), line);
        }
    }
    if let Some(next) = ply.next
        && plan.ops.has(Op::Sm)
    {
        line.text(b" sm ");
        san_of(ply.position, next).write(line);
        line.push(b';');
    }
    line.push(b'\n');
}

/// Writes the record of a position with any operations.
pub(crate) fn composed(
    ply: &Ply<'_>,
    plan: &Plan,
    operations: &mut Operations,
    buffer: &mut Buffer,
) {
    let mut line = buffer.line();
    fields(ply, plan, &mut line);
    line.finish();
    operations.write(buffer);
    buffer.extend(b"\n");
}

#[inline(always)]
fn fields(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    match plan.format {
        Format::Epd => write_fields(ply.position, plan.fields, line),
        Format::Fen => write_fen(ply.position, plan.fields, line),
        Format::Crafty => line.slice(crafty::description(ply.position, plan.fields, 0).as_bytes()),
    }
}
