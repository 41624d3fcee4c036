//! The `.eco` files of SCID: `B90a "Sicilian: Najdorf" 1.e4 c5 … *`; the moves may span several
//! lines.

use super::lines::lines;
use super::walk::Walk;
use crate::error::{LoadError, LoadReason};
use crate::name::Name;
use crate::table::{EnPassant, Openings};

/// Whether a line begins an entry: a code, a space, a quote.
pub(super) fn begins_entry(line: &[u8]) -> bool {
    let end = line.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(line.len());
    let (code, rest) = line.split_at(end);
    matches!(code, [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', rest @ ..] if is_extension(rest))
        && rest.trim_ascii_start().first() == Some(&b'"')
}

/// Whether this is a SCID extension of a code: a letter and an optional digit.
fn is_extension(rest: &[u8]) -> bool {
    matches!(rest, [] | [b'a'..=b'z'] | [b'a'..=b'z', b'0'..=b'9'])
}

pub(super) fn read(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    let mut walk = Walk::new();
    let mut open: Option<Name> = None;
    for line in lines(text) {
        let ended = if begins_entry(line.text.trim_start().as_bytes()) {
            end_entry(&mut open, &walk, openings);
            let (code, rest) = line.text.trim_start().split_at(3);
            let mut quoted = rest.splitn(3, '"').skip(1);
            let (Some(opening), Some(behind)) = (quoted.next(), quoted.next()) else {
                return Err(line.error(LoadReason::NoQuotes));
            };
            open = Some(Name::new(Some(code), None, opening));
            walk.play(&line, behind, openings.known_lines())?
        } else if open.is_some() {
            walk.play_on(&line, line.text, openings.known_lines())?
        } else {
            return Err(line.error(LoadReason::NoName));
        };
        if ended {
            end_entry(&mut open, &walk, openings);
        }
    }
    end_entry(&mut open, &walk, openings);
    Ok(())
}

fn end_entry(open: &mut Option<Name>, walk: &Walk<'_>, openings: &mut Openings) {
    if let Some(name) = open.take() {
        openings.insert(walk.position(), Some(walk.ply()), EnPassant::WhereLegal, name);
    }
}
