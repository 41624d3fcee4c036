//! A record is written here, and nowhere else (EPD 3 and 4).

use san::{Line, san_of, write_fen, write_fields};

use crate::counter::{FMVN, HMVC};
use crate::{Format, Plan, Ply};

/// Writes the record of a position, with its line end.
#[inline(always)]
pub fn write(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    match plan.format {
        Format::Epd => {
            write_fields(ply.position, plan.fields, line);
            if plan.ops.fmvn {
                FMVN.write(ply.position.fullmoves(), line);
            }
            if plan.ops.hmvc {
                HMVC.write(ply.position.halfmoves(), line);
            }
        }
        Format::Fen => write_fen(ply.position, plan.fields, line),
    }
    if let Some(next) = ply.next
        && plan.ops.sm
    {
        line.text(b" sm ");
        san_of(ply.position, next).write(line);
        line.push(b';');
    }
    line.push(b'\n');
}
