//! Evaluations of Lichess: `{"fen":…,"evals":[{"pvs":[{"cp":69,"line":"f7g7 …"}],"knodes":…,"depth":46}]}`.

use std::borrow::Cow;

use epd::{Centipawns, Opcode, Operand, Record};
use san::Position;

use super::{Found, LineFault, line_of};

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

/// Reads a line: the deepest evaluation, of several that of most nodes, and its first variation.
///
/// # Errors
///
/// Returns the place in the line, in bytes, and the fault.
pub(crate) fn read(line: &str) -> Result<Found, (usize, LineFault)> {
    let Evaluated { fen, evals } = serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        let reason = text.split(" at line").next().unwrap_or_default();
        (error.column().saturating_sub(1), LineFault::Json(reason.to_owned()))
    })?;
    let position =
        Position::from_fen(&*fen).map_err(|error| (r#"{"fen":""#.len(), LineFault::Fen(error)))?;
    let deepest = evals.iter().max_by_key(|evaluation| (evaluation.depth, evaluation.knodes));
    let Some((best, variation)) = deepest.and_then(|best| Some((best, best.pvs.first()?))) else {
        return Err((0, LineFault::Nothing));
    };
    let turn = position.turn();
    let (line, _, _) = line_of(&position, variation.line.split_ascii_whitespace());
    let of_mover = |white: i64| turn.fold_wb(white, -white);
    let mut found = Found::new(Record::new(position));
    let mate = variation.mate.map(of_mover);
    found.evaluation = match mate {
        None => variation.cp.map(|white| Centipawns::without_mate(of_mover(white))),
        Some(moves) => {
            let count = u32::try_from(moves.unsigned_abs()).unwrap_or(u32::MAX);
            match moves > 0 {
                true => Centipawns::gives_mate_in_moves(count),
                false => Centipawns::gets_mated_in_moves(count),
            }
        }
    };
    let nodes = best.knodes.saturating_mul(1000);
    (found.depth, found.nodes) = (Some(best.depth), Some(nodes));
    let operations = [
        (Opcode::Acd, Some(Operand::Integer(best.depth.into()))),
        (Opcode::Acn, i64::try_from(nodes).ok().map(Operand::Integer)),
        (Opcode::Ce, found.evaluation.map(Operand::Evaluation)),
        (Opcode::Dm, mate.filter(|moves| *moves > 0).map(Operand::Integer)),
        (Opcode::Pv, Some(Operand::Moves(line)).filter(|line| *line != Operand::Moves(Vec::new()))),
    ];
    for (opcode, operand) in operations {
        if let Some(operand) = operand {
            found.set(opcode, operand);
        }
    }
    Ok(found)
}
