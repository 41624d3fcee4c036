//! Rows of tables: cells of text in columns with names.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use epd::{
    Centipawns, ExpectedOperand, Opcode, Operand, OperandError, OperandType, ReadOptions, Record,
    Severity, legal_string, move_texts, read_line,
};
use san::{AnyPosition, Position};

use super::{Found, LineFault, line_of};
use crate::game::decimal;

/// A cell of a row; without text it has no value.
#[derive(Debug)]
pub(crate) struct NamedCell<'r> {
    pub(crate) name: &'r str,
    pub(crate) role: Role,
    pub(crate) text: Cow<'r, str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The position, with operations if it is a record. Of several the first in this order counts.
    Position(PositionForm),
    /// The first move leads to the position; without an identifier, other text is a variable.
    Puzzle(Certain),
    /// The best move and those after it, or any text.
    Solution,
    /// Text that is kept as a comment.
    Text,
    Operation(Opcode),
    /// An operation with a private opcode, and a variable.
    Private,
    /// Text of a column without a name: a comment, and a variable.
    Unnamed,
    /// The move played, or its number, which follows from the position.
    Move,
    /// The best line of moves, or the number of a line of a file.
    Line,
    KiloNodes,
    Result,
    Points,
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

type Certain = bool;

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
            "move" => Role::Move,
            "line" => Role::Line,
            "depth" => Role::Operation(Opcode::Acd),
            "nodes" => Role::Operation(Opcode::Acn),
            "knodes" => Role::KiloNodes,
            "result" | "Result" => Role::Result,
            "points" => Role::Points,
            "cp" | "white_cp" => Role::WhiteCp,
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

    fn opcode(self) -> Option<Opcode> {
        match self {
            Role::Operation(opcode) => Some(opcode),
            Role::Move => Some(Opcode::Sm),
            Role::Line => Some(Opcode::Pv),
            _ => None,
        }
    }

    fn among(names: &[&str], others: &[&str]) -> Vec<Self> {
        let has = |wanted: &str| names.iter().chain(others).any(|name| is_same(name, wanted));
        // Data sets of Lichess have evaluations for White, our tables those for the side to move
        // and other names.
        let is_for_white = names.contains(&"cp") || others.contains(&"cp");
        let (is_certain, is_puzzles) = (has("PuzzleId"), has("FEN") && has("Moves"));
        let role = |name: &&str| match (puzzle_column(name).filter(|_| is_puzzles), Role::of(name))
        {
            (Some("PuzzleId"), _) => Role::Operation(Opcode::Id),
            (Some("Moves"), _) => Role::Puzzle(is_certain),
            (Some(_), _) => Role::Private,
            (None, Role::Variable) if is_puzzles && is_certain => Role::Private,
            (None, Role::Mate) if is_for_white => Role::WhiteMate,
            (None, role) => role,
        };
        names.iter().map(role).collect()
    }

    /// Finds them by the names of columns or, if none has positions, by the only FEN in a row.
    pub(crate) fn of_row(names: &[&str], others: &[&str], row: &[impl AsRef<str>]) -> Vec<Self> {
        let roles = Role::among(names, others);
        let fens = row.iter().enumerate().filter(|(_, cell)| begins_with_fen(cell.as_ref()));
        let fens: Vec<usize> = fens.map(|(at, _)| at).collect();
        match fens[..] {
            [at] if !roles.iter().any(|role| matches!(role, Role::Position(_))) => {
                let named = names.iter().enumerate();
                let names: Vec<&str> =
                    named.map(|(column, name)| if column == at { "fen" } else { name }).collect();
                Role::among(&names, others)
            }
            _ => roles,
        }
    }
}

/// The columns of the puzzles of Lichess, but for the position, in their order.
const PUZZLES: [&str; 10] = [
    "PuzzleId", "Moves", "Rating", "RatingDeviation", "Popularity", "NbPlays", "Themes", "GameUrl",
    "OpeningTags", "GameId",
];

fn puzzle_column(name: &str) -> Option<&'static str> {
    PUZZLES.into_iter().find(|column| is_same(name, column))
}

/// Whether names differ only in case and in what is between their words.
fn is_same(name: &str, other: &str) -> bool {
    let letters = |name: &str| name.replace(['_', '-', ' '], "").to_ascii_lowercase();
    letters(name) == letters(other)
}

/// Whether text begins with the pieces of a FEN and the side to move.
///
/// ```
/// assert!(emit::begins_with_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
/// assert!(!emit::begins_with_fen("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]"));
/// ```
pub fn begins_with_fen(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let is_of_board = |byte: u8| b"12345678/pnbrqkPNBRQK~[]-".contains(&byte);
    let is_board = |word: &str| {
        word.bytes().filter(|byte| *byte == b'/').count() >= 7 && word.bytes().all(is_of_board)
    };
    words.next().is_some_and(is_board) && matches!(words.next(), Some("w" | "b" | "W" | "B"))
}

/// Names for columns of tables, in place of those that they have: `fen=position,white_cp=score`.
///
/// ```
/// let names: emit::ColumnNames = "fen=position,white_cp=score".parse()?;
/// assert_eq!((names.of("position"), names.of("id")), ("fen", "id"));
/// assert_eq!(names.to_string(), "fen=position,white_cp=score");
/// # Ok::<_, emit::ColumnNamesError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnNames(Vec<(Box<str>, Box<str>)>);

/// An error in a list of names for columns.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write NAME=COLUMN, such as fen=position, with commas between, each once, not {0:?}")]
pub struct ColumnNamesError(String);

impl ColumnNames {
    /// Returns the name that a column gets: nothing if another column gets its name.
    pub fn of<'n>(&'n self, column: &'n str) -> &'n str {
        match self.0.iter().find(|(_, old)| **old == *column) {
            Some((name, _)) => name,
            None if self.0.iter().any(|(name, _)| **name == *column) => "",
            None => column,
        }
    }
}

impl FromStr for ColumnNames {
    type Err = ColumnNamesError;

    fn from_str(text: &str) -> Result<Self, ColumnNamesError> {
        let mut names = ColumnNames::default();
        for part in text.split(',') {
            let error = || ColumnNamesError(part.to_owned());
            let (name, column) = part.split_once('=').ok_or_else(error)?;
            let (name, column) = (name.trim(), column.trim());
            let is_given = |(new, old): &(Box<str>, Box<str>)| **new == *name || **old == *column;
            if name.is_empty() || column.is_empty() || names.0.iter().any(is_given) {
                return Err(error());
            }
            names.0.push((name.into(), column.into()));
        }
        Ok(names)
    }
}

impl fmt::Display for ColumnNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, column)) in self.0.iter().enumerate() {
            write!(f, "{}{name}={column}", if index > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// The columns of a table: their names, and what they say of a position.
#[derive(Clone, Debug, Default)]
pub struct TableColumns(Vec<(Box<str>, Role)>);

impl TableColumns {
    /// Makes columns of these names; `None` if none of them has positions.
    pub fn of<'n>(names: impl Iterator<Item = &'n str>) -> Option<Self> {
        Some(Self::of_any(names)).filter(TableColumns::have_positions)
    }

    pub(crate) fn of_any<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let names: Vec<&str> = names.collect();
        let roles = Role::among(&names, &[]);
        TableColumns(names.into_iter().map(Box::from).zip(roles).collect())
    }

    pub(crate) fn have_positions(&self) -> bool {
        self.0.iter().any(|(_, role)| matches!(role, Role::Position(_)))
    }

    /// Makes columns of these names, if the first row says by a FEN which has positions.
    pub fn of_row(names: &[&str], row: &[impl AsRef<str>]) -> Option<Self> {
        let roles = Role::of_row(names, &[], row);
        let columns = TableColumns(names.iter().copied().map(Box::from).zip(roles).collect());
        (columns.have_positions() && names.len() == row.len()).then_some(columns)
    }

    /// `None` unless one cell is a FEN; puzzles of Lichess get their names, all others a number.
    pub(crate) fn of_nameless(row: &[impl AsRef<str>]) -> Option<Self> {
        let is_puzzle = matches!(row, [_, fen, moves, ..]
            if begins_with_fen(fen.as_ref()) && is_solution(moves.as_ref()));
        if is_puzzle && row.len() <= PUZZLES.len() {
            let names = [PUZZLES[0], "FEN"].into_iter().chain(PUZZLES[1..].iter().copied());
            return TableColumns::of(names.take(row.len()));
        }
        let numbers: Vec<String> = (1..=row.len()).map(|at| format!("column{at}")).collect();
        let names: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let mut columns = TableColumns::of_row(&names, row)?;
        for (_, role) in columns.0.iter_mut().filter(|(_, role)| *role == Role::Variable) {
            *role = Role::Unnamed;
        }
        Some(columns)
    }

    /// Returns the same columns with these names.
    #[must_use]
    pub fn renamed(&self, names: &ColumnNames) -> Self {
        let new: Vec<&str> = self.0.iter().map(|(name, _)| names.of(name)).collect();
        let roles = Role::among(&new, &[]);
        let has_position = roles.iter().any(|role| matches!(role, Role::Position(_)));
        let columns = self.0.iter().zip(&new).zip(roles);
        let role = |old: Role, new: Role, is_renamed: bool| match (old, new) {
            // What a column says by its content or its place.
            (Role::Position(_), _) if !has_position => old,
            (Role::Unnamed | Role::Solution | Role::Text, Role::Variable) => old,
            (Role::Operation(_), Role::Variable) if !is_renamed => old,
            _ => new,
        };
        let columns = columns
            .map(|(((own, old), name), new)| ((*name).into(), role(*old, new, **own != **name)));
        TableColumns(columns.collect())
    }

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
    ) -> Vec<NamedCell<'r>> {
        let cell =
            |((name, role), text): (&'r (Box<str>, Role), _)| NamedCell { name, role: *role, text };
        self.0.iter().zip(texts).map(cell).collect()
    }
}

pub(crate) type CellFault = (usize, LineFault);

/// Reads a row; an error has the cell that is to blame for it.
pub(crate) fn read<'r>(
    cells: &'r [NamedCell<'r>],
    options: &ReadOptions,
) -> Result<Found<'r>, CellFault> {
    let given = cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty());
    let Some(at) = position_of(cells) else { return Err((0, LineFault::NoPosition)) };
    let mut found = of_text(&cells[at].text, options).map_err(|fault| (at, fault))?;
    for (at, cell) in given.clone() {
        match cell.role {
            Role::Puzzle(is_certain) if is_certain || is_solution(&cell.text) => {
                solve(&mut found, &cell.text).map_err(|fault| (at, fault))?;
            }
            _ => {}
        }
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

pub(crate) fn position_of(cells: &[NamedCell<'_>]) -> Option<usize> {
    let given = cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty());
    let positions = given.filter_map(|(at, cell)| match cell.role {
        Role::Position(form) => Some((form, at)),
        _ => None,
    });
    positions.min().map(|(_, at)| at)
}

fn of_text<'r>(text: &str, options: &ReadOptions) -> Result<Found<'r>, LineFault> {
    let mut faults = Vec::new();
    let line = read_line(text, options, &mut |fault| faults.push(fault));
    if let Some(readable) = line.readable(&faults) {
        faults.retain(|fault| fault.kind.changes_record());
        return Ok(Found { changes: faults, ..Found::of(readable) });
    }
    let mut errors = faults.into_iter().filter(|fault| fault.kind.severity() == Severity::Error);
    Err(errors.next().map_or(LineFault::NoPosition, |fault| LineFault::Record(fault.kind)))
}

/// UCI moves of both sides, the last by the side that solves a puzzle: an even number.
fn is_solution(text: &str) -> bool {
    let is_move = |text: &str| {
        let is_uci = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        matches!(text.len(), 4 | 5) && text.chars().all(is_uci) && text.contains(char::is_numeric)
    };
    let mut count = 0;
    moves_of(text).all(|text| {
        count += 1;
        is_move(text)
    }) && count > 0
        && count % 2 == 0
}

/// Returns the moves of a cell, which may be a list of JSON.
fn moves_of(text: &str) -> impl Iterator<Item = &str> {
    move_texts(text.trim_matches(['[', ']']))
}

/// Plays the first move of a puzzle; the others are its solution.
fn solve(found: &mut Found<'_>, text: &str) -> Result<(), LineFault> {
    let mut position = found.readable.record.position().clone();
    let mut moves = moves_of(text);
    let first = moves.next().unwrap_or_default();
    position.play_unchecked(san::resolve(&position, first.as_bytes()).map_err(LineFault::Move)?);
    let (solution, error) = line_of(&position, moves);
    error.map_or(Ok(()), |error| Err(LineFault::Move(error)))?;
    found.readable.record = Record::with_clocks(position);
    found.played = solution.first().cloned();
    found.set(Opcode::Bm, Operand::Moves(solution.iter().take(1).cloned().collect()))?;
    found.set(Opcode::Pv, Operand::Moves(solution))
}

fn fill<'r, P: AnyPosition>(found: &mut Found<'r>, cells: &'r [NamedCell<'r>], position: &P) {
    for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty()) {
        let fault = take(found, cell, position).err();
        found.faults.extend(fault.map(|fault| (at, fault)));
    }
    let text_of = |role| cells.iter().find(|cell| cell.role == role).map(|cell| &*cell.text);
    if let Some(base) = text_of(Role::Base).filter(|base| !base.is_empty()) {
        let increment = text_of(Role::Increment).filter(|text| !text.is_empty()).unwrap_or("0");
        found.variables.push(("TimeControl", format!("{base}+{increment}").into()));
    }
    // Rows are independent: a register without a value is set to null, unless a lower one does it.
    let record = &mut found.readable.record;
    for cell in cells.iter().filter(|cell| cell.text.is_empty()) {
        let opcode = match cell.role {
            Role::Result => Some(Opcode::C9),
            role => role.opcode(),
        };
        let Some((opcode, register)) = opcode.and_then(|op| Some((op, op.register()?))) else {
            continue;
        };
        let mut written = record.operations().iter().filter_map(|operation| operation.opcode());
        if !written.any(|other| other.register().is_some_and(|other| other.clears(register))) {
            // Registers take no operand, too.
            let _ = record.set(opcode, Operand::Nothing);
        }
    }
}

fn take<'r, P: AnyPosition>(
    found: &mut Found<'r>,
    cell: &'r NamedCell<'r>,
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
        Role::Position(_) | Role::Base | Role::Increment => {}
        Role::Puzzle(is_certain) if is_certain || is_solution(text) => {}
        Role::Move | Role::Line if text.parse::<u64>().is_ok() => {}
        role if let Some(opcode) = role.opcode() => match operand(opcode, text, position) {
            Ok(None) => {}
            Ok(Some(operand)) => found.set(opcode, operand)?,
            Err(_) if opcode == Opcode::Sm && leads_to(text, position) => {
                found.variables.push((cell.name, text.into()));
            }
            Err(fault) => return Err(fault),
        },
        Role::Solution => match line_of(position, move_texts(text)) {
            (line, None) if !line.is_empty() => {
                found.set(Opcode::Bm, Operand::Moves(vec![line[0].clone()]))?;
                found.set(Opcode::Pv, Operand::Moves(line))?;
            }
            _ => found.readable.unread.push(text.to_owned()),
        },
        Role::Text => found.readable.unread.push(text.to_owned()),
        Role::Unnamed => {
            found.variables.push((cell.name, text.into()));
            found.readable.unread.push(text.to_owned());
        }
        Role::Private => {
            let name = puzzle_column(cell.name).unwrap_or(cell.name);
            found.variables.push((name, text.into()));
            let is_number = text.parse::<i64>().is_ok();
            let operand = match is_number {
                true => text.to_owned(),
                false => format!("\"{}\"", legal_string(text)),
            };
            // A private opcode begins with a capital letter (EPD 4.2). What cannot be an operand is
            // a variable only.
            let _ = found.readable.record.set_other(name, &operand);
        }
        // An unknown result is none.
        Role::Result if matches!(text, "*" | "?" | "-") => {}
        Role::Result => found.set(Opcode::C9, result(text)?)?,
        Role::Points => {
            let own: f64 = text.parse().map_err(|_| LineFault::Number)?;
            found.set(Opcode::C9, result(&turn.fold_wb(own, 1.0 - own).to_string())?)?;
        }
        Role::WhiteCp => {
            let value = Centipawns::new(of_mover(number()?)).ok_or_else(|| misfit(Opcode::Ce))?;
            found.set(
                Opcode::Ce,
                Operand::Evaluation(Centipawns::without_mate(value.get().into())),
            )?;
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
        Role::KiloNodes => {
            found.set(Opcode::Acn, Operand::Integer(number()?.saturating_mul(1000)))?;
        }
        Role::Tag(name) => found.variables.push((name, (&*cell.text).into())),
        _ => found.variables.push((cell.name, (&*cell.text).into())),
    }
    Ok(())
}

/// Whether moves from the starting position lead to a position.
#[cold]
fn leads_to<P: AnyPosition>(text: &str, position: &P) -> bool {
    let mut played = Position::default();
    let is_legal = moves_of(text).all(|text| match san::resolve(&played, text.as_bytes()) {
        Ok(next) => {
            played.play_unchecked(next);
            true
        }
        Err(_) => false,
    });
    let key = |position: &Position| Some(position.key());
    is_legal && position.as_chess().is_some_and(|position| key(position) == key(&played))
}

fn misfit(opcode: Opcode) -> LineFault {
    LineFault::Operand(opcode, OperandError::Type(ExpectedOperand(opcode.operands())))
}

/// Reads operands as columns have them: without quotes, lists of moves in JSON too.
fn operand<P: AnyPosition>(
    opcode: Opcode,
    text: &str,
    position: &P,
) -> Result<Option<Operand>, LineFault> {
    let wanted = opcode.operands();
    let misfit = || misfit(opcode);
    let moves = || moves_of(text);
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

/// Reads an integer, also as `3.0`: other programs write so if integers of a column are missing.
fn integer(text: &str) -> Option<i64> {
    text.strip_suffix(".0").unwrap_or(text).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_after_an_impossible_number_of_plies_is_that_in_the_same_number_of_moves() {
        for (cell, evaluation) in [("32766", 32766), ("32765", 32766), ("-32766", -32765)] {
            let read = operand(Opcode::Ce, cell, &Position::default()).unwrap();
            assert_eq!(read, Centipawns::new(evaluation).map(Operand::Evaluation), "{cell}");
        }
    }
}
