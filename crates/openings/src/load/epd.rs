//! EPD records that name positions: `eco`, `nic`, `v0` to `v9`, or `c0`.

use emit::Name;
use san::Position;

use super::lines::{Line, lines};
use crate::{EnPassant, LoadError, LoadReason, Openings};

/// Whether a line begins with eight ranks of pieces.
pub(super) fn looks_like_record(line: &[u8]) -> bool {
    let placement = line.split(|byte| *byte == b' ').next().unwrap_or_default();
    placement.iter().filter(|byte| **byte == b'/').count() == 7
}

pub(super) fn read(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    for line in lines(text) {
        let (fields, operations) = split_fields(line.text);
        let position =
            Position::from_fen(fields).map_err(|error| line.error(LoadReason::Position(error)))?;
        let mut named = Named::default();
        each_operation(&line, operations, |opcode, operand| named.take(opcode, operand))?;
        let name = named.name();
        if name != Name::default() {
            openings.insert(&position, named.ply(&position), EnPassant::WhereLegal, name);
        }
    }
    Ok(())
}

/// The four fields, and what stands behind them.
fn split_fields(text: &str) -> (&str, &str) {
    let mut rest = text.trim_start();
    for _ in 0..4 {
        rest = rest.trim_start();
        rest = &rest[rest.find(char::is_whitespace).unwrap_or(rest.len())..];
    }
    text.split_at(text.len() - rest.len())
}

/// The operations of a record that count here.
#[derive(Debug, Default)]
struct Named<'t> {
    eco: Option<&'t str>,
    nic: Option<&'t str>,
    comment: Option<&'t str>,
    fullmove: Option<u32>,
    parts: [Option<&'t str>; 10],
}

impl<'t> Named<'t> {
    fn take(&mut self, opcode: &str, operand: &'t str) {
        match opcode.as_bytes() {
            b"eco" => self.eco = Some(operand),
            b"nic" => self.nic = Some(operand),
            b"c0" => self.comment = Some(operand),
            b"fmvn" => self.fullmove = operand.parse().ok(),
            [b'v', rank @ b'0'..=b'9'] => self.parts[usize::from(rank - b'0')] = Some(operand),
            _ => {}
        }
    }

    fn name(&self) -> Name {
        let mut opening = String::new();
        for (rank, part) in self.parts.iter().flatten().enumerate() {
            opening += match rank {
                0 => "",
                1 => ": ",
                _ => ", ",
            };
            opening += part;
        }
        if opening.is_empty() {
            opening += self.comment.unwrap_or_default();
        }
        Name::new(self.eco, self.nic, &opening)
    }

    /// How many plies a game to this position has, if that is said.
    fn ply(&self, position: &Position) -> Option<u32> {
        let turn = u32::from(!position.turn().is_white());
        Some(self.fullmove?.saturating_sub(1).saturating_mul(2).saturating_add(turn))
    }
}

/// Calls `take` with the opcode and the first operand of each operation.
fn each_operation<'t>(
    line: &Line<'_>,
    text: &'t str,
    mut take: impl FnMut(&'t str, &'t str),
) -> Result<(), LoadError> {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let bad = |opcode: &str| {
            line.error_at(rest, LoadReason::Operation(opcode.chars().take(20).collect()))
        };
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').ok_or_else(|| bad(rest))?;
        let (opcode, behind) = rest.split_at(end);
        let operands = behind.trim_start();
        let (operand, behind) = match operands.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or_else(|| bad(opcode))?,
            None => {
                let end = operands.find(';').ok_or_else(|| bad(opcode))?;
                operands.split_at(end)
            }
        };
        take(opcode, operand.trim());
        let end = end_of_operation(behind).ok_or_else(|| bad(opcode))?;
        rest = behind[end..].trim_start();
    }
    Ok(())
}

/// Behind the semicolon that ends an operation; those in quotes do not.
fn end_of_operation(text: &str) -> Option<usize> {
    let mut quoted = false;
    let is_end = |c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    };
    Some(text.find(is_end)? + 1)
}
