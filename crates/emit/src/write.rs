//! A record is written here, and nowhere else (EPD 3 and 4).

pub(crate) mod record;

use san::{Buffer, Line, san_of, write_fen, write_fields};

use crate::counter::{FMVN, HMVC};
use crate::operations::Operations;
use crate::{Format, Op, Plan, Ply, VariantPly};

/// Writes the record of a position, with its line end. Of its operations it has the counters and the move played.
#[inline(always)]
pub fn plain(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    fields(ply, plan, line);
    if plan.format == Format::Epd {
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

/// Writes the record of a position of another kind of chess with any operations.
pub(crate) fn variant(
    ply: &VariantPly<'_>,
    plan: &Plan,
    operations: &mut Operations,
    buffer: &mut Buffer,
) {
    let VariantPly { position, .. } = ply;
    let mut text = position.fields(plan.fields);
    if plan.format == Format::Fen {
        text += &format!(" {} {}", position.halfmoves(), position.fullmoves());
    }
    buffer.extend(text.as_bytes());
    operations.write(buffer);
    buffer.extend(b"\n");
}

#[inline(always)]
fn fields(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    match plan.format {
        Format::Epd => write_fields(ply.position, plan.fields, line),
        Format::Fen => write_fen(ply.position, plan.fields, line),
    }
}
