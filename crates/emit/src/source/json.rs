//! Lines of JSON: rows of a table, and the evaluations of Lichess.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use epd::{Centipawns, Opcode, Operand, Readable, Record};
use san::Position;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::table::{ColumnNames, NamedCell, Role};
use super::{Evals, Found, LineFault, line_of};

/// Reads a line behind any blanks; an error has its place in the line, in bytes.
pub(crate) fn parse<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, (usize, LineFault)> {
    let text = line.trim_start_matches('\u{feff}').trim_start();
    serde_json::from_str(text).map_err(|error| {
        let at = line.len() - text.len() + error.column().saturating_sub(1);
        let reason = error.to_string();
        let reason = reason.split(" at line").next().unwrap_or_default();
        (at, LineFault::Json(reason.to_owned()))
    })
}

/// Returns the keys of the objects at the beginning of a text, of which the last may be incomplete.
pub fn keys_of_lines(text: &str) -> Arc<[Box<str>]> {
    let objects = text.lines().filter_map(|line| parse::<Map<String, Value>>(line).ok());
    let keys = objects.flat_map(|object| object.into_iter().map(|(key, _)| key));
    let keys: BTreeSet<Box<str>> = keys.map(String::into_boxed_str).collect();
    keys.into_iter().collect()
}

pub(crate) fn row<'r>(
    object: &'r Map<String, Value>,
    keys: &'r [Box<str>],
    names_of: &'r ColumnNames,
) -> Vec<NamedCell<'r>> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let names: Vec<&str> = object.keys().map(|name| names_of.of(name)).collect();
    let texts: Vec<String> = object.values().map(text).collect();
    let keys: Vec<&str> = keys.iter().map(|name| names_of.of(name)).collect();
    let roles = Role::of_row(&names, &keys, &texts);
    let cells = names.into_iter().zip(roles).zip(texts);
    cells.map(|((name, role), text)| NamedCell { name, role, text: Cow::Owned(text) }).collect()
}

pub(crate) fn place_of(line: &str, name: &str) -> usize {
    let key = Value::from(name).to_string();
    let Some(at) = line.find(&key).map(|at| at + key.len()) else { return 0 };
    let value = line[at..].trim_start_matches([' ', ':']);
    line.len() - value.len() + usize::from(value.starts_with('"'))
}

// Evaluations of Lichess: `{"fen":…,"evals":[{"pvs":[{"cp":69,"line":"f7g7
// …"}],"knodes":…,"depth":46}]}`.

#[derive(serde::Deserialize)]
struct JsonPosition<'a> {
    #[serde(borrow)]
    fen: Cow<'a, str>,
    #[serde(borrow)]
    evals: Vec<JsonEvaluation<'a>>,
}

#[derive(serde::Deserialize)]
struct JsonEvaluation<'a> {
    #[serde(borrow)]
    pvs: Vec<Variation<'a>>,
    knodes: u64,
    depth: u32,
}

#[derive(serde::Deserialize)]
struct Variation<'a> {
    cp: Option<i64>,
    mate: Option<i64>,
    #[serde(borrow)]
    line: Cow<'a, str>,
}

/// The deepest evaluation, of several that of most nodes, or each; an error has its place in bytes.
pub(crate) fn read(line: &str, evals: Evals) -> Result<Vec<Found<'_>>, (usize, LineFault)> {
    let JsonPosition { fen, evals: all } = parse(line)?;
    let position = Position::from_fen(&*fen)
        .map_err(|error| (line.find(&*fen).unwrap_or(0), LineFault::Fen(error)))?;
    let deepest = all.iter().max_by_key(|evaluation| (evaluation.depth, evaluation.knodes));
    let found: Vec<Found<'_>> = match evals {
        Evals::Deepest => deepest.and_then(|best| found(&position, best)).into_iter().collect(),
        Evals::All => all.iter().filter_map(|each| found(&position, each)).collect(),
    };
    if found.is_empty() { Err((0, LineFault::Nothing)) } else { Ok(found) }
}

fn found(position: &Position, evaluation: &JsonEvaluation<'_>) -> Option<Found<'static>> {
    let variation = evaluation.pvs.first()?;
    let of_mover = |white: i64| position.turn().fold_wb(white, white.saturating_neg());
    let (line, _) = line_of(position, variation.line.split_ascii_whitespace());
    let mate = variation.mate.map(of_mover);
    let ce = match mate {
        None => variation.cp.map(|white| Centipawns::without_mate(of_mover(white))),
        Some(moves) => Centipawns::mate_in_moves(moves),
    };
    let nodes = i64::try_from(evaluation.knodes.saturating_mul(1000)).ok();
    let record = Record::new(position.clone());
    let mut found = Found::of(Readable { record, variant: None, unread: Vec::new() });
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
