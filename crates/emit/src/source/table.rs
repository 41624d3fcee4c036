//! Rows of tables: cells of text in columns with names.

use std::borrow::Cow;
use std::time::Duration;

use epd::{
    Centipawns, ExpectedOperand, Opcode, Operand, OperandError, OperandType, ReadOptions, Record,
    Severity, legal_string, move_texts, read_line,
};
use san::AnyPosition;

use super::{Found, LineFault, line_of};
use crate::facts::decimal;

/// A cell of a row; without text it has no value.
#[derive(Debug)]
pub(crate) struct Cell<'r> {
    pub(crate) name: &'r str,
    pub(crate) role: Role,
    pub(crate) text: Cow<'r, str>,
}

/// What a column says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The position, with operations if it is a record. Of several the first in this order counts.
    Position(PositionForm),
    /// The first move, which leads to the position, and the solution.
    Puzzle,
    /// The best move and those after it, or any text.
    Solution,
    /// Text that is kept as a comment.
    Text,
    /// The operands of an opcode.
    Operation(Opcode),
    /// An operation with a private opcode, and a variable.
    Private,
    Result,
    Points,
    /// Evaluations for White, or of mates.
    WhiteCp,
    Mate,
    WhiteMate,
    Seldepth,
    Clock,
    Time,
    Ply,
    Comment,
    Nags,
    Base,
    Increment,
    /// A tag that the converter reads by this name.
    Tag(&'static str),
    /// A variable by the name of the column.
    Variable,
}

/// What the cell with the position has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PositionForm {
    Record,
    Fen,
    Epd,
}

impl Role {
    /// Returns the role of a column by its name: that of a variable, of an opcode, or any other.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "record" => Role::Position(PositionForm::Record),
            _ if name.eq_ignore_ascii_case("fen") => Role::Position(PositionForm::Fen),
            _ if name.eq_ignore_ascii_case("epd") => Role::Position(PositionForm::Epd),
            "san" | "uci" => Role::Operation(Opcode::Sm),
            "eval" | "eval_cp" => Role::Operation(Opcode::Ce),
            "depth" => Role::Operation(Opcode::Acd),
            "nodes" => Role::Operation(Opcode::Acn),
            "result" | "Result" => Role::Result,
            "points" => Role::Points,
            "white_cp" => Role::WhiteCp,
            "mate" => Role::Mate,
            "white_mate" => Role::WhiteMate,
            "seldepth" => Role::Seldepth,
            "clock" => Role::Clock,
            "time" => Role::Time,
            "ply" => Role::Ply,
            "comment" => Role::Comment,
            "nags" => Role::Nags,
            "base_time" => Role::Base,
            "increment" => Role::Increment,
            "opening" => Role::Tag("Opening"),
            "white_elo" => Role::Tag("WhiteElo"),
            "black_elo" => Role::Tag("BlackElo"),
            "date" => Role::Tag("Date"),
            // Of the two dates of a game, that which counts only without the other.
            "year" => Role::Tag("UTCDate"),
            _ => Opcode::from_name(name).map_or(Role::Variable, Role::Operation),
        }
    }

    /// Returns the role of a column of the puzzles of Lichess.
    pub(crate) fn of_puzzle(name: &str) -> Self {
        match (name, Role::of(name)) {
            ("PuzzleId", _) => Role::Operation(Opcode::Id),
            ("Moves", _) => Role::Puzzle,
            (_, Role::Variable) => Role::Private,
            (_, role) => role,
        }
    }
}

/// The columns of a table: their names, and what they say of a position.
#[derive(Clone, Debug, Default)]
pub struct TableColumns(Vec<(Box<str>, Role)>);

impl TableColumns {
    /// Makes columns of these names; `None` if none of them has positions.
    pub fn of<'n>(names: impl Iterator<Item = &'n str>) -> Option<Self> {
        let names: Vec<&str> = names.collect();
        let is_puzzles = names.starts_with(&["PuzzleId", "FEN", "Moves"]);
        let role = if is_puzzles { Role::of_puzzle } else { Role::of };
        let columns: Vec<_> = names.iter().map(|name| ((*name).into(), role(name))).collect();
        let mut roles = columns.iter().map(|(_, role)| role);
        roles.any(|role| matches!(role, Role::Position(_))).then_some(TableColumns(columns))
    }

    /// The columns of a file of positions of Lucas Chess.
    pub(crate) fn of_lucas_chess() -> Self {
        let columns = [
            ("fen", Role::Position(PositionForm::Fen)),
            ("title", Role::Operation(Opcode::Id)),
            ("solution", Role::Solution),
            ("game", Role::Text),
        ];
        TableColumns(columns.map(|(name, role)| (name.into(), role)).to_vec())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn cells<'r>(
        &'r self,
        texts: impl IntoIterator<Item = Cow<'r, str>>,
    ) -> Vec<Cell<'r>> {
        let cell =
            |((name, role), text): (&'r (Box<str>, Role), _)| Cell { name, role: *role, text };
        self.0.iter().zip(texts).map(cell).collect()
    }
}

pub(crate) type CellFault = (usize, LineFault);

/// Reads a row.
///
/// # Errors
///
/// Returns the cell and the error if it has no position.
pub(crate) fn read<'r>(cells: &'r [Cell<'r>]) -> Result<Found<'r>, CellFault> {
    let given = cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty());
    let positions = given.clone().filter_map(|(at, cell)| match cell.role {
        Role::Position(form) => Some((form, at)),
        _ => None,
    });
    let Some((_, at)) = positions.min() else { return Err((0, LineFault::NoPosition)) };
    let mut found = of_text(&cells[at].text).map_err(|fault| (at, fault))?;
    if let Some((at, cell)) = given.clone().find(|(_, cell)| cell.role == Role::Puzzle) {
        solve(&mut found, &cell.text).map_err(|fault| (at, fault))?;
    }
    match found.readable.variant.take() {
        Some(position) => {
            fill(&mut found, cells, &position);
            found.readable.variant = Some(position);
        }
        None => {
            let position = found.readable.record.position().clone();
            fill(&mut found, cells, &position);
        }
    }
    Ok(found)
}

/// Reads the position and the operations of a record.
fn of_text<'r>(text: &str) -> Result<Found<'r>, LineFault> {
    let mut faults = Vec::new();
    let line = read_line(text, &ReadOptions::default(), &mut |fault| faults.push(fault));
    if let Some(readable) = line.readable(&faults) {
        return Ok(Found::of(readable));
    }
    let mut errors = faults.into_iter().filter(|fault| fault.kind.severity() == Severity::Error);
    Err(errors.next().map_or(LineFault::NoPosition, |fault| LineFault::Record(fault.kind)))
}

/// Plays the first move of a puzzle; the others are its solution.
fn solve(found: &mut Found<'_>, text: &str) -> Result<(), LineFault> {
    let mut position = found.readable.record.position().clone();
    let mut moves = text.split_ascii_whitespace();
    let first = moves.next().unwrap_or_default();
    position.play_unchecked(san::resolve(&position, first.as_bytes()).map_err(LineFault::Move)?);
    let (solution, error) = line_of(&position, moves);
    error.map_or(Ok(()), |error| Err(LineFault::Move(error)))?;
    found.readable.record = Record::with_clocks(position);
    found.played = solution.first().cloned();
    found.set(Opcode::Bm, Operand::Moves(solution.iter().take(1).cloned().collect()))?;
    found.set(Opcode::Pv, Operand::Moves(solution))
}

/// Adds what the other cells say.
fn fill<'r, P: AnyPosition>(found: &mut Found<'r>, cells: &'r [Cell<'r>], position: &P) {
    for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty()) {
        let fault = take(found, cell, position).err();
        found.faults.extend(fault.map(|fault| (at, fault)));
    }
    let text_of = |role| cells.iter().find(|cell| cell.role == role).map(|cell| &*cell.text);
    if let Some(base) = text_of(Role::Base).filter(|base| !base.is_empty()) {
        let increment = text_of(Role::Increment).filter(|text| !text.is_empty()).unwrap_or("0");
        found.variables.push(("TimeControl", format!("{base}+{increment}").into()));
    }
    // A row depends on no other: without a value, a register is set to null, unless one of lower
    // rank does.
    let record = &mut found.readable.record;
    for cell in cells.iter().filter(|cell| cell.text.is_empty()) {
        let opcode = match cell.role {
            Role::Operation(opcode) => opcode,
            Role::Result => Opcode::C9,
            _ => continue,
        };
        let Some(register) = opcode.register() else { continue };
        let mut written = record.operations().iter().filter_map(|operation| operation.opcode());
        if !written.any(|other| other.register().is_some_and(|other| other.clears(register))) {
            // Registers take no operand, too.
            let _ = record.set(opcode, Operand::Nothing);
        }
    }
}

/// Adds what a cell says.
fn take<'r, P: AnyPosition>(
    found: &mut Found<'r>,
    cell: &'r Cell<'r>,
    position: &P,
) -> Result<(), LineFault> {
    let text = cell.text.trim();
    let turn = position.turn();
    let number = || integer(text).ok_or(LineFault::Number);
    let small = || number().and_then(|n| u32::try_from(n).map_err(|_| LineFault::Number));
    let of_mover = |value: i64| turn.fold_wb(value, value.saturating_neg());
    let seconds = || {
        let seconds = decimal(text.as_bytes()).ok_or(LineFault::Number)?;
        Duration::try_from_secs_f64(seconds).map_err(|_| LineFault::Number)
    };
    let result = |text: &str| {
        let result = epd::result_of(text).ok_or(LineFault::Result)?;
        Ok(Operand::Text(result.into_owned()))
    };
    let mate = |moves| Centipawns::mate_in_moves(moves).map(Operand::Evaluation);
    match cell.role {
        Role::Position(_) | Role::Puzzle | Role::Base | Role::Increment => {}
        Role::Operation(opcode) => {
            if let Some(operand) = operand(opcode, text, position)? {
                found.set(opcode, operand)?;
            }
        }
        Role::Solution => match line_of(position, move_texts(text)) {
            (line, None) if !line.is_empty() => {
                found.set(Opcode::Bm, Operand::Moves(vec![line[0].clone()]))?;
                found.set(Opcode::Pv, Operand::Moves(line))?;
            }
            _ => found.readable.unread.push(text.to_owned()),
        },
        Role::Text => found.readable.unread.push(text.to_owned()),
        Role::Private => {
            found.variables.push((cell.name, text.into()));
            let is_number = text.parse::<i64>().is_ok();
            let operand = match is_number {
                true => text.to_owned(),
                false => format!("\"{}\"", legal_string(text)),
            };
            // A private opcode begins with a capital letter (EPD 4.2). What cannot be an operand is
            // a variable only.
            let _ = found.readable.record.set_other(cell.name, &operand);
        }
        // An unknown result is none.
        Role::Result if matches!(text, "*" | "?" | "-") => {}
        Role::Result => found.set(Opcode::C9, result(text)?)?,
        Role::Points => {
            let own: f64 = text.parse().map_err(|_| LineFault::Number)?;
            found.set(Opcode::C9, result(&turn.fold_wb(own, 1.0 - own).to_string())?)?;
        }
        Role::WhiteCp => {
            let value = Centipawns::without_mate(of_mover(number()?));
            found.set(Opcode::Ce, Operand::Evaluation(value))?;
        }
        Role::Mate => found.set(Opcode::Ce, mate(number()?).ok_or(LineFault::Number)?)?,
        Role::WhiteMate => {
            found.set(Opcode::Ce, mate(of_mover(number()?)).ok_or(LineFault::Number)?)?;
        }
        Role::Seldepth => found.known.selective_depth = Some(small()?),
        Role::Clock => found.known.clock = Some(seconds()?),
        Role::Time => {
            let time = seconds()?;
            found.known.time = Some(time);
            let whole = i64::try_from(time.as_secs_f64().round() as u64).unwrap_or(i64::MAX);
            found.set(Opcode::Acs, Operand::Integer(whole))?;
        }
        Role::Ply => found.ply = Some(small()?),
        Role::Comment => found.comment = Some(cell.text.as_bytes()),
        Role::Nags => {
            let nag = |word: &str| word.trim_start_matches('$').parse().map_err(|_| LineFault::Nag);
            found.nags = text.split_ascii_whitespace().map(nag).collect::<Result<_, _>>()?;
        }
        Role::Tag(name) => found.variables.push((name, (&*cell.text).into())),
        Role::Variable => found.variables.push((cell.name, (&*cell.text).into())),
    }
    Ok(())
}

/// Reads operands as columns have them: without quotes, lists of moves in JSON too.
fn operand<P: AnyPosition>(
    opcode: Opcode,
    text: &str,
    position: &P,
) -> Result<Option<Operand>, LineFault> {
    let wanted = opcode.operands();
    let misfit = || LineFault::Operand(opcode, OperandError::Type(ExpectedOperand(wanted)));
    let moves = || move_texts(text.trim_matches(['[', ']']));
    Ok(Some(match wanted {
        OperandType::Nothing if text.eq_ignore_ascii_case("false") => return Ok(None),
        OperandType::Nothing if text.eq_ignore_ascii_case("true") => Operand::Nothing,
        OperandType::Nothing => return Err(misfit()),
        OperandType::Integer { .. } => Operand::Integer(integer(text).ok_or_else(misfit)?),
        OperandType::Evaluation => {
            let evaluation = integer(text).and_then(Centipawns::new).ok_or_else(misfit)?;
            Operand::Evaluation(evaluation.with_possible_mate())
        }
        OperandType::Line => {
            let (line, error) = line_of(position, moves());
            error.map_or(Ok(Operand::Moves(line)), |error| Err(LineFault::Move(error)))?
        }
        OperandType::Move | OperandType::Moves => {
            let san =
                |text: &str| Ok(position.san_of(position.resolve(text.as_bytes())?).to_string());
            let mut sans =
                moves().map(san).collect::<Result<Vec<_>, _>>().map_err(LineFault::Move)?;
            match (wanted, sans.len()) {
                (OperandType::Moves, _) => Operand::Moves(sans),
                (_, 1) => Operand::Move(sans.remove(0)),
                _ => return Err(misfit()),
            }
        }
        OperandType::Text | OperandType::Register => Operand::Text(text.to_owned()),
        OperandType::TwoTexts => {
            let (first, second) = text.split_once(' ').ok_or_else(misfit)?;
            Operand::Texts(first.to_owned(), second.to_owned())
        }
        OperandType::Any => Operand::Raw(text.to_owned()),
    }))
}

/// Reads an integer, also one that was a decimal number for a while: other programs store numbers
/// of which some are missing so.
fn integer(text: &str) -> Option<i64> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

#[cfg(test)]
mod tests {
    use san::Position;

    use super::*;

    #[test]
    fn a_mate_after_an_impossible_number_of_plies_is_that_in_the_same_number_of_moves() {
        for (cell, evaluation) in [("32766", 32766), ("32765", 32766), ("-32766", -32765)] {
            let read = operand(Opcode::Ce, cell, &Position::default()).unwrap();
            assert_eq!(read, Centipawns::new(evaluation).map(Operand::Evaluation), "{cell}");
        }
    }
}
