//! The format of the Lichess data set and the built-in table: tab-separated `eco`, `name` and
//! `pgn`.

use super::lines::{Line, lines};
use super::walk::Walk;
use crate::error::{LoadError, LoadReason};
use crate::name::Name;
use crate::table::{EnPassant, Openings};

struct Columns {
    eco: Option<usize>,
    nic: Option<usize>,
    name: usize,
    pgn: usize,
}

const USUAL: Columns = Columns { eco: Some(0), nic: None, name: 1, pgn: 2 };

/// Typical length of a line, in bytes.
const TYPICAL_LINE: usize = 90;

pub(super) fn read(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    let mut columns = USUAL;
    let mut walk = Walk::new();
    openings.reserve(text.len() / TYPICAL_LINE);
    let mut fields = Vec::new();
    for (index, line) in lines(text).enumerate() {
        if index == 0
            && let Some(headed) = header(&line)?
        {
            columns = headed;
            continue;
        }
        fields.clear();
        fields.extend(line.text.split('\t').map(str::trim));
        let field = |column: usize| fields.get(column).copied();
        let needed =
            |column, called| field(column).ok_or_else(|| line.error(LoadReason::NoColumn(called)));
        let (opening, moves) = (needed(columns.name, "name")?, needed(columns.pgn, "pgn")?);
        let code = |column: Option<usize>| column.and_then(field).filter(|code| !code.is_empty());
        let name = Name::new(code(columns.eco), code(columns.nic), opening);
        if name == Name::default() {
            return Err(line.error(LoadReason::NoName));
        }
        walk.play(&line, moves, openings.known_lines())?;
        openings.insert(walk.position(), Some(walk.ply()), EnPassant::WhereLegal, name);
    }
    Ok(())
}

fn header(line: &Line<'_>) -> Result<Option<Columns>, LoadError> {
    let names: Vec<String> = line.text.split('\t').map(|c| c.trim().to_lowercase()).collect();
    let column = |any_of: &[&str]| names.iter().position(|name| any_of.contains(&&**name));
    let (name, pgn) = (column(&["name", "opening"]), column(&["pgn", "moves"]));
    if name.is_none() && pgn.is_none() {
        return Ok(None);
    }
    let missing = |called| move || line.error(LoadReason::NoColumn(called));
    Ok(Some(Columns {
        eco: column(&["eco"]),
        nic: column(&["nic"]),
        name: name.ok_or_else(missing("name"))?,
        pgn: pgn.ok_or_else(missing("pgn"))?,
    }))
}
