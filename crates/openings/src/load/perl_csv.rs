//! The tables of Perl's Chess::PGN::EPD: `"B90","rnbqkb1r/… w KQkq -"`.
//!
//! That module looks up the text of a position, which has an en passant square after every
//! two-square advance. Positions therefore match only if the preceding advance is the same.

use san::{FenError, Position, Setup};

use crate::error::{LoadError, LoadReason};
use crate::name::Name;
use crate::table::{EnPassant, Openings};

/// Meaning of the codes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Eco,
    Nic,
    Opening,
}

impl Kind {
    fn of(code: &str) -> Self {
        match code.as_bytes() {
            [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'] => Kind::Eco,
            [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9', b'*' | b'/', ..] => Kind::Eco,
            [a, b, b' ', c, ..]
                if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() =>
            {
                Kind::Nic
            }
            _ => Kind::Opening,
        }
    }

    fn name(self, code: &str) -> Name {
        match self {
            Kind::Eco => Name::new(Some(code), None, ""),
            Kind::Nic => Name::new(None, Some(code), ""),
            Kind::Opening => Name::new(None, None, code),
        }
    }
}

pub(super) fn read(text: &str, openings: &mut Openings) -> Result<(), LoadError> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut kind = None;
    for row in reader.records() {
        let row = row.map_err(|error| {
            let line = error.position().map_or(1, |at| line_at(text, at.byte()));
            error_in(line, LoadReason::Csv(error.to_string()))
        })?;
        let error =
            |reason| error_in(row.position().map_or(1, |at| line_at(text, at.byte())), reason);
        let (Some(code), Some(fields)) = (row.get(0), row.get(1)) else {
            return Err(error(LoadReason::NoColumn("FEN")));
        };
        if (code, fields) == ("CODE", "FEN") {
            continue;
        }
        let kind = *kind.get_or_insert(Kind::of(code));
        if code.trim().is_empty() || kind != Kind::Opening && Kind::of(code) != kind {
            return Err(error(LoadReason::NoName));
        }
        if let Some(position) = position(fields).map_err(|why| error(LoadReason::Position(why)))? {
            openings.insert(&position, None, EnPassant::AsWritten, kind.name(code));
        }
    }
    Ok(())
}

/// `None` if no move leads to it, as the module requires: the starting position, or
/// one with castling rights but no rook, as in some rows of the module's tables.
fn position(fields: &str) -> Result<Option<Position>, FenError> {
    let mut setup = Setup::from_fen(fields.as_bytes())?;
    match setup.clone().into_position() {
        Ok(position) => Ok(Some(position).filter(|position| *position != Position::default())),
        Err(_) => {
            setup.repair();
            setup.into_position().map(|_| None)
        }
    }
}

/// The row begins at offset `byte`; the preceding line end may not be counted yet.
fn line_at(text: &str, byte: u64) -> u64 {
    let (before, row) = text.split_at(byte as usize);
    let ends = |text: &str| text.matches('\n').count();
    let blank = row.len() - row.trim_start().len();
    1 + ends(before) as u64 + ends(&row[..blank]) as u64
}

fn error_in(line: u64, reason: LoadReason) -> LoadError {
    LoadError { line, column: 1, reason }
}
