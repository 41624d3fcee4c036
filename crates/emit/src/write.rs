//! A record is written here, and nowhere else (EPD 3 and 4).

pub(crate) mod record;

use san::{Buffer, Line, san_of, write_fen, write_fields};

use crate::compose::{FULLMOVES, HALFMOVES, SM};
use crate::counter::{FMVN, HMVC};
use crate::dialect::crafty;
use crate::mnemonic::Mnemonic;
use crate::move_tree::Node;
use crate::naming::{Change, Opening};
use crate::operations::Operations;
use crate::{Format, MoveTree, Op, Plan, Ply, VariantPly};

/// Writes the record of a position, with its line end. Of its operations it has the counters and the move played.
#[inline(always)]
pub fn plain(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    // One question for the form that nearly all records have.
    if matches!(plan.format, Format::Epd) {
        write_fields(ply.position, plan.fields, line);
        if plan.ops.has(Op::Fmvn) {
            FMVN.write(ply.position.fullmoves(), line);
        }
        if plan.ops.has(Op::Hmvc) {
            HMVC.write(ply.position.halfmoves(), line);
        }
    } else {
        fields(ply, plan, line);
        fullmoves(ply, plan, line);
        halfmoves(ply, plan, line);
    }
    move_played(ply, plan, line);
    line.push(b'\n');
}

/// Writes the record of a position at which nothing but the opening changes, for a program that holds another one: what
/// [`composed`] would write, in less time.
pub(crate) fn named(
    ply: &Ply<'_>,
    plan: &Plan,
    opening: &Opening<'_>,
    held: &Opening<'_>,
    buffer: &mut Buffer,
) {
    let change = Change::between(held, opening);
    let mut line = buffer.line();
    write_fields(ply.position, plan.fields, &mut line);
    line.finish();
    if change.eco {
        buffer.extend(opening.eco_operation().as_bytes());
    }
    let mut line = buffer.line();
    fullmoves(ply, plan, &mut line);
    halfmoves(ply, plan, &mut line);
    line.finish();
    if change.nic {
        buffer.extend(opening.nic_operation().as_bytes());
    }
    let mut line = buffer.line();
    move_played(ply, plan, &mut line);
    line.finish();
    for parts in change.parts(opening) {
        buffer.extend(parts.as_bytes());
    }
    buffer.extend(b"\n");
}

/// The same for a position of which the tree of moves knows what is to be said.
#[inline(always)]
pub(crate) fn told(ply: &Ply<'_>, plan: &Plan, tree: &MoveTree, node: &Node, line: &mut Line<'_>) {
    write_fields(ply.position, plan.fields, line);
    tree.write_codes(node, line);
    fullmoves(ply, plan, line);
    halfmoves(ply, plan, line);
    move_played(ply, plan, line);
    tree.write_parts(node, line);
    line.push(b'\n');
}

/// Writes the record of a position with any operations besides.
pub(crate) fn composed(
    ply: &Ply<'_>,
    plan: &Plan,
    operations: &mut Operations,
    buffer: &mut Buffer,
) {
    operations.sort();
    let mut line = buffer.line();
    fields(ply, plan, &mut line);
    line.finish();
    // What is always made comes at its place among the others, unless one of them takes its place.
    type Make = fn(&Ply<'_>, &Plan, &mut Line<'_>);
    let made: [(Mnemonic, Make); 3] =
        [(FULLMOVES, fullmoves), (HALFMOVES, halfmoves), (SM, move_played)];
    for (name, make) in made {
        operations.write_before(name, buffer);
        if !operations.has(name) {
            let mut line = buffer.line();
            make(ply, plan, &mut line);
            line.finish();
        }
    }
    operations.write_before(Mnemonic::LAST, buffer);
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
    operations.sort();
    operations.write_before(Mnemonic::LAST, buffer);
    buffer.extend(b"\n");
}

#[inline(always)]
fn fields(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    match plan.format {
        Format::Epd => write_fields(ply.position, plan.fields, line),
        Format::Fen | Format::Label(_) => write_fen(ply.position, plan.fields, line),
        Format::Crafty => line.slice(crafty::description(ply.position, plan.fields, 0).as_bytes()),
    }
}

#[inline(always)]
fn fullmoves(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    if plan.ops.has(Op::Fmvn) && plan.format != Format::Fen {
        FMVN.write(ply.position.fullmoves(), line);
    }
}

#[inline(always)]
fn halfmoves(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    if plan.ops.has(Op::Hmvc) && plan.format != Format::Fen {
        HMVC.write(ply.position.halfmoves(), line);
    }
}

#[inline(always)]
fn move_played(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    if let Some(next) = ply.next
        && plan.ops.has(Op::Sm)
    {
        line.text(b" sm ");
        san_of(ply.position, next).write(line);
        line.push(b';');
    }
}
