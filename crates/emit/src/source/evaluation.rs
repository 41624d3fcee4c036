//! Evaluations of Lichess: `{"fen":…,"evals":[{"pvs":[{"cp":69,"line":"f7g7
//! …"}],"knodes":…,"depth":46}]}`.

use std::borrow::Cow;

use epd::{Centipawns, Opcode, Operand, Record};
use san::Position;

use super::{Evals, Found, LineFault, line_of};

#[derive(serde::Deserialize)]
struct Evaluated<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    #[serde(borrow)]
    evals: Vec<Evaluation<'a>>,
}

#[derive(serde::Deserialize)]
struct Evaluation<'a> {
    #[serde(borrow)]
    pvs: Vec<Variation<'a>>,
    knodes: u64,
    depth: u32,
}

#[derive(serde::Deserialize)]
struct Variation<'a> {
    /// For White.
    cp: Option<i64>,
    mate: Option<i64>,
    #[serde(borrow)]
    line: Cow<'a, str>,
}

/// Reads a line: the deepest evaluation, of several that of most nodes, or each, with its first
/// variation.
///
/// # Errors
///
/// Returns the place in the line, in bytes, and the fault.
pub(crate) fn read(line: &str, evals: Evals) -> Result<Vec<Found<'_>>, (usize, LineFault)> {
    let Evaluated { fen, evals: all } = super::json::parse(line)?;
    let position = Position::from_fen(&*fen)
        .map_err(|error| (line.find(&*fen).unwrap_or(0), LineFault::Fen(error)))?;
    let deepest = all.iter().max_by_key(|evaluation| (evaluation.depth, evaluation.knodes));
    let found: Vec<Found<'_>> = match evals {
        Evals::Deepest => deepest.and_then(|best| found(&position, best)).into_iter().collect(),
        Evals::All => all.iter().filter_map(|each| found(&position, each)).collect(),
    };
    if found.is_empty() { Err((0, LineFault::Nothing)) } else { Ok(found) }
}

fn found(position: &Position, evaluation: &Evaluation<'_>) -> Option<Found<'static>> {
    let variation = evaluation.pvs.first()?;
    let of_mover = |white: i64| position.turn().fold_wb(white, white.saturating_neg());
    let (line, _) = line_of(position, variation.line.split_ascii_whitespace());
    let mate = variation.mate.map(of_mover);
    let ce = match mate {
        None => variation.cp.map(|white| Centipawns::without_mate(of_mover(white))),
        Some(moves) => Centipawns::mate_in_moves(moves),
    };
    let nodes = i64::try_from(evaluation.knodes.saturating_mul(1000)).ok();
    let mut found = Found::new(Record::new(position.clone()));
    let operations = [
        (Opcode::Acd, Some(Operand::Integer(evaluation.depth.into()))),
        (Opcode::Acn, nodes.map(Operand::Integer)),
        (Opcode::Ce, ce.map(Operand::Evaluation)),
        (Opcode::Dm, mate.filter(|moves| *moves > 0).map(Operand::Integer)),
        (Opcode::Pv, Some(Operand::Moves(line)).filter(|line| *line != Operand::Moves(Vec::new()))),
    ];
    for (opcode, operand) in operations {
        // Each is of the type that the opcode takes.
        let _ = operand.map(|operand| found.set(opcode, operand));
    }
    Some(found)
}
