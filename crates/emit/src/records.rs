//! Records of the plies of a game, as text, according to a plan: the options of a run, evaluated
//! once. Records of the move and the clocks alone are written here, all other operations by
//! `operations`.

pub(crate) mod op;
pub(crate) mod operations;
pub(crate) mod plan;
pub(crate) mod text_sink;

use epd::{FMVN, HMVC, OperationList, PackedOpcode, Register, crafty_description};
use openings::{MoveGraph, NodeOperations, Opening, OpeningChange};
use san::{AnyPosition, Buffer, Line, write_fields};

use crate::ply::Ply;
use crate::problem::Problem;
use crate::selection::{Losses, Omitted, add_fields};
use op::Op;
use operations::{FULLMOVES, HALFMOVES, OperationBuilder, SM};
use plan::{Format, Plan};

/// The records of games, and their problems.
#[derive(Debug, Default)]
pub struct Text {
    /// The records, each with its line end.
    pub bytes: Buffer,
    /// Numbers of what was written, and of what was not.
    pub counts: TextCounts,
    /// Problems, in the order of the text.
    pub problems: Vec<Problem>,
    /// Number of games before the chunk; only set if the plan [counts](crate::Plan::counts_games).
    pub games_before: u64,
    mark: (usize, TextCounts, Losses),
    compose: OperationBuilder,
}

/// Numbers of records of games.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextCounts {
    /// Number of records.
    pub positions: u64,
    /// Number of positions without the result, evaluation or move that the format needs.
    pub unlabelled: u64,
    /// Numbers of positions among these that the format has no room for.
    pub unstorable: Unstorable,
    /// Numbers of positions that were omitted, by reason.
    pub omitted: Omitted,
    /// Number of records longer than readers of EPD need to accept (EPD 3).
    pub long_records: u64,
}

/// Numbers of positions that a format has no room for, or that lack what it needs; each counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Unstorable {
    /// Because of castling rights of Chess960.
    pub castling: u64,
    /// Because of their clocks.
    pub clocks: u64,
    /// Without an evaluation.
    pub evaluations: u64,
    /// Without a move played.
    pub moves: u64,
    /// Without a result.
    pub results: u64,
}

add_fields!(Unstorable: castling, clocks, evaluations, moves, results);

impl Text {
    /// Removes everything and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.problems.clear();
        self.compose.losses = Losses::default();
        self.compose.set.clear();
        (self.counts, self.mark) = Default::default();
    }

    /// Returns the counts of omitted or changed text.
    pub fn losses(&self) -> Losses {
        self.compose.losses
    }

    /// Returns the registers that records of files set; for games see [`Plan::registers_of_games`].
    pub fn registers(&self) -> &[Register] {
        &self.compose.set
    }
}

// Writes records (EPD 3 and 4); no other module does.

/// Writes one record and a newline, with only the counters and the move played as operations.
#[inline(always)]
pub fn write_record(ply: &Ply<'_>, plan: &Plan, line: &mut Line<'_>) {
    // A branch or two for the formats of nearly all records.
    if matches!(plan.format, Format::Epd) {
        write_fields(ply.position, plan.fields, line);
        if plan.ops.has(Op::Fmvn) {
            FMVN.write(ply.position.fullmoves(), line);
        }
        if plan.ops.has(Op::Hmvc) {
            HMVC.write(ply.position.halfmoves(), line);
        }
    } else if matches!(plan.format, Format::Fen) {
        ply.position.write_fen(plan.fields, line);
    } else {
        fields(ply, plan, line);
        fullmoves(ply, plan, line);
        halfmoves(ply, plan, line);
    }
    move_played(ply, plan, line);
    line.push(b'\n');
}

#[inline(always)]
pub(crate) fn write_first(ply: &Ply<'_>, plan: &Plan, title: &str, buffer: &mut Buffer) {
    let mut line = buffer.line();
    write_fields(ply.position, plan.fields, &mut line);
    if title.is_empty() {
        line.text(b" c0;");
    } else {
        line.text(b" c0 \"");
    }
    line.finish();
    buffer.extend(title.as_bytes());
    let mut line = buffer.line();
    if !title.is_empty() {
        line.text(b"\";");
    }
    line.text(b" eco;");
    fullmoves(ply, plan, &mut line);
    halfmoves(ply, plan, &mut line);
    move_played(ply, plan, &mut line);
    line.text(b" v0;\n");
    line.finish();
}

/// Writes a record in which only the opening changes, from `held`; a faster [`write_composed`].
pub(crate) fn write_named(
    ply: &Ply<'_>,
    plan: &Plan,
    opening: &Opening<'_>,
    held: &Opening<'_>,
    buffer: &mut Buffer,
) {
    let change = OpeningChange::between(held, opening);
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

/// Like [`write_named`], if the move graph stores the operations, or without an opening.
#[inline(always)]
pub(crate) fn write_preformatted(
    ply: &Ply<'_>,
    plan: &Plan,
    stored: Option<(&MoveGraph, &NodeOperations)>,
    line: &mut Line<'_>,
) {
    write_fields(ply.position, plan.fields, line);
    if let Some((graph, stored)) = stored {
        graph.write_codes(stored, line);
    }
    if plan.ops.has(Op::Fmvn) {
        FMVN.write(ply.position.fullmoves(), line);
    }
    if plan.ops.has(Op::Hmvc) {
        HMVC.write(ply.position.halfmoves(), line);
    }
    move_played(ply, plan, line);
    if let Some((graph, stored)) = stored {
        graph.write_parts(stored, line);
    }
    line.push(b'\n');
}

pub(crate) fn write_composed<P: AnyPosition>(
    ply: &Ply<'_, P>,
    plan: &Plan,
    operations: &mut OperationList,
    buffer: &mut Buffer,
) {
    operations.sort();
    let mut line = buffer.line();
    fields(ply, plan, &mut line);
    line.finish();
    // Standard operations are inserted in order, unless one with the same opcode replaces them.
    type Make<P> = fn(&Ply<'_, P>, &Plan, &mut Line<'_>);
    let made: [(PackedOpcode, Make<P>); 3] =
        [(FULLMOVES, fullmoves), (HALFMOVES, halfmoves), (SM, move_played)];
    for (name, make) in made {
        operations.write_before(name, buffer);
        if !operations.has(name) {
            let mut line = buffer.line();
            make(ply, plan, &mut line);
            line.finish();
        }
    }
    operations.write_before(PackedOpcode::LAST, buffer);
    buffer.extend(b"\n");
}

#[inline(always)]
fn fields<P: AnyPosition>(ply: &Ply<'_, P>, plan: &Plan, line: &mut Line<'_>) {
    match plan.format {
        Format::Epd => ply.position.write_fields(plan.fields, line),
        Format::Fen | Format::Label(_) => ply.position.write_fen(plan.fields, line),
        Format::Crafty => match ply.position.as_chess() {
            Some(position) => line.slice(crafty_description(position, plan.fields).as_bytes()),
            None => ply.position.write_fields(plan.fields, line),
        },
        Format::Nothing => {}
    }
}

#[inline(always)]
fn fullmoves<P: AnyPosition>(ply: &Ply<'_, P>, plan: &Plan, line: &mut Line<'_>) {
    if plan.ops.has(Op::Fmvn) && plan.format != Format::Fen {
        FMVN.write(ply.position.fullmoves(), line);
    }
}

#[inline(always)]
fn halfmoves<P: AnyPosition>(ply: &Ply<'_, P>, plan: &Plan, line: &mut Line<'_>) {
    if plan.ops.has(Op::Hmvc) && plan.format != Format::Fen {
        HMVC.write(ply.position.halfmoves(), line);
    }
}

#[inline(always)]
fn move_played<P: AnyPosition>(ply: &Ply<'_, P>, plan: &Plan, line: &mut Line<'_>) {
    if let Some(next) = ply.next
        && plan.ops.has(Op::Sm)
    {
        line.text(b" sm ");
        ply.position.san_of(next).write(line);
        line.push(b';');
    }
}
