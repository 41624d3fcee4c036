//! The fields of a record (EPD 3), and what tells the dialects apart.

use std::ops::Range;

use san::{FenError, Field, Position, Repair, Setup};

use super::RecordRef;
use super::operands::Escapes;
use super::text::{Token, is_blank};
use crate::Dialect;
use crate::dialect::{crafty, fen, label};
use crate::fault::{Blanks, Fault, FaultKind};

type Faults<'f> = &'f mut dyn FnMut(Fault);

/// Reads everything that stands before the operations. `None` if there is no position; the faults say why.
pub(crate) fn read<'a>(
    line: Token<'a>,
    dialect: Option<Dialect>,
    faults: Faults<'_>,
) -> Option<RecordRef<'a>> {
    let (placement, behind) = line.split_word();
    if let Some(command) = uci_command(line.text) {
        let kind = FaultKind::Uci(command.to_owned());
        faults(Fault::new(line.at, command, kind));
        return None;
    }
    let looks_like_crafty = crafty::is_placement(placement.text);
    match dialect {
        None if looks_like_crafty => {
            faults(Fault::new(line.at, placement.text, FaultKind::Dialect(Dialect::Crafty)));
            return read_crafty(line, faults);
        }
        Some(Dialect::Crafty) if looks_like_crafty => return read_crafty(line, faults),
        Some(Dialect::Crafty) => {
            faults(Fault::new(line.at, placement.text, FaultKind::NotDialect(Dialect::Crafty)));
            return None;
        }
        _ => {}
    }
    let (side, behind) = behind.split_word();
    let (castling, behind) = behind.split_word();
    let (en_passant, rest) = last_field(behind);
    let tokens = [placement, side, castling, en_passant];
    blanks(line, &tokens, rest, faults);
    let position = position(line, tokens, placement.text, en_passant.text, faults)?;
    let mut record = RecordRef {
        position,
        dialect: dialect.unwrap_or_default(),
        has_clocks: false,
        label: None,
        spelled: 0,
        rest,
        escapes: Escapes::of(dialect),
        plays: true,
    };
    tail(&mut record, dialect, faults);
    Some(record)
}

/// The fourth field, and what stands behind it; some write a semicolon there.
#[inline]
fn last_field(text: Token<'_>) -> (Token<'_>, Token<'_>) {
    let (field, rest) = text.split_word();
    match field.text.find(';') {
        Some(len) => (field.split_at(len).0, text.skip(len)),
        None => (field, rest),
    }
}

/// What stands behind the fourth field and is no operation.
fn tail(record: &mut RecordRef<'_>, dialect: Option<Dialect>, faults: Faults<'_>) {
    use Dialect::{Fen, Label, Perft, Perl};
    let rest = record.rest;
    let found = |record: &mut RecordRef<'_>, found, at: Token<'_>, faults: Faults<'_>| {
        if dialect.is_none() {
            record.dialect = found;
            let text = at.split_word().0.text;
            faults(Fault::new(at.at, text, FaultKind::Dialect(found)));
        }
    };
    let clocks = match dialect {
        None | Some(Fen | Perft | Label) => fen::clocks(rest),
        Some(_) => None,
    };
    if let Some(clocks) = clocks {
        let (halfmoves, fullmoves) = clocks.read(faults);
        record.position.set_clocks(halfmoves, fullmoves);
        (record.has_clocks, record.rest) = (true, clocks.rest);
    }
    let is_label = label::is_label(record.rest.text) && matches!(dialect, None | Some(Label));
    let is_perft = is_perft(record.rest.text) && matches!(dialect, None | Some(Perft));
    if is_label {
        found(record, Label, record.rest, faults);
        match label::read(record.rest) {
            Ok(label) => record.label = Some(label),
            Err((at, kind)) => faults(Fault { at, kind }),
        }
        record.rest = record.rest.skip(record.rest.text.len());
    } else if is_perft {
        found(record, Perft, record.rest, faults);
        record.rest = record.rest.skip(1).trim_start();
    } else if record.has_clocks {
        found(record, Fen, rest, faults);
    }
    let missing = match dialect {
        Some(Fen) => !record.has_clocks,
        Some(Label) => !is_label,
        Some(Perft) => !is_perft,
        Some(Perl) => !record.rest.is_empty(),
        _ => false,
    };
    if let (true, Some(dialect)) = (missing, dialect) {
        faults(Fault::new(rest.at, rest.text, FaultKind::NotDialect(dialect)));
    }
}

/// `;D1 20`: a semicolon, and then an operation.
fn is_perft(text: &str) -> bool {
    let behind = text.strip_prefix(';').map(str::trim_start).unwrap_or_default();
    let mut bytes = behind.bytes();
    bytes.next() == Some(b'D') && bytes.next().is_some_and(|b| b.is_ascii_digit())
}

fn uci_command(line: &str) -> Option<&str> {
    // Nearly all lines are none: not a call for each of them.
    if !matches!(line.as_bytes(), [b'p', b'o', ..] | [b'f', b'e', ..]) {
        return None;
    }
    ["position fen", "position startpos", "fen "]
        .into_iter()
        .find(|command| line.starts_with(command))
        .map(|command| &line[..command.trim_end().len()])
}

fn read_crafty<'a>(line: Token<'a>, faults: Faults<'_>) -> Option<RecordRef<'a>> {
    let fields = crafty::fields(line);
    let (placement, _) = line.split_word();
    let tokens = [placement, fields.side, fields.castling, fields.en_passant];
    let position = position(line, tokens, &fields.placement, &fields.square, faults)?;
    Some(RecordRef {
        position,
        dialect: Dialect::Crafty,
        has_clocks: false,
        label: None,
        spelled: fields.spelled,
        rest: fields.rest,
        escapes: Escapes::None,
        plays: true,
    })
}

/// The first place where not exactly one blank stands between the fields and what follows them.
#[inline]
fn blanks(line: Token<'_>, fields: &[Token<'_>; 4], rest: Token<'_>, faults: Faults<'_>) {
    let mut end = fields[0].end();
    for next in [fields[1], fields[2], fields[3], rest] {
        if next.is_empty() {
            return;
        }
        let between = &line.text[end - line.at..next.at - line.at];
        if let Some(kind) = Blanks::of(between) {
            return faults(Fault::new(end, between, FaultKind::Blanks(kind)));
        }
        end = next.end();
    }
}

impl Blanks {
    /// What is wrong with what stands between two parts.
    #[inline]
    pub(crate) fn of(between: &str) -> Option<Self> {
        match between {
            " " => None,
            "" => Some(Blanks::None),
            _ if between.bytes().any(|b| b != b' ') => Some(Blanks::Tab),
            _ => Some(Blanks::Several),
        }
    }
}

/// The position of the four fields. `placement` and `square` are what the first and the last of them mean.
fn position(
    line: Token<'_>,
    fields: [Token<'_>; 4],
    placement: &str,
    square: &str,
    faults: Faults<'_>,
) -> Option<Position> {
    let names = [Field::Placement, Field::SideToMove, Field::Castling, Field::EnPassant];
    if let Some(missing) = fields.iter().position(|field| field.is_empty()) {
        faults(Fault::new(line.end(), "", FaultKind::MissingField(names[missing])));
        return None;
    }
    let [_, side, castling, _] = fields;
    let turn = match side.text {
        "W" | "B" => {
            faults(Fault::new(side.at, side.text, FaultKind::CapitalSide));
            if side.text == "W" { "w" } else { "b" }
        }
        text => text,
    };
    let at = |error: &FenError| place(error, line, fields);
    let setup = match Setup::from_fields([placement, turn, castling.text, square]) {
        Ok(setup) => setup,
        Err(error) => {
            faults(Fault { at: at(&error), kind: FaultKind::Fen(error) });
            return None;
        }
    };
    if !is_castling_order(castling.text) {
        faults(Fault::new(castling.at, castling.text, FaultKind::CastlingOrder));
    }
    setup.position().or_else(|_| mended(setup, at, faults)).ok()
}

/// The position without the rights and the en passant square that cannot be, or one that no game leads to.
#[cold]
fn mended(
    mut setup: Setup,
    at: impl Fn(&FenError) -> Range<usize>,
    faults: Faults<'_>,
) -> Result<Position, ()> {
    for repair in setup.repair() {
        if let Repair::LeftOut(error) = repair {
            faults(Fault { at: at(&error), kind: FaultKind::LeftOut(error) });
        }
    }
    match setup.playable() {
        Ok((position, oddity)) => {
            if let Some(error) = oddity {
                faults(Fault { at: at(&error), kind: FaultKind::Unreachable(error) });
            }
            Ok(position)
        }
        Err(error) => {
            faults(Fault { at: at(&error), kind: FaultKind::Fen(error) });
            Err(())
        }
    }
}

/// The part of the fields that an error is about.
#[cold]
fn place(error: &FenError, line: Token<'_>, fields: [Token<'_>; 4]) -> Range<usize> {
    let [placement, side, castling, en_passant] = fields;
    let field = match error.field() {
        Some(Field::SideToMove) => side,
        Some(Field::Castling) => castling,
        Some(Field::EnPassant) => en_passant,
        Some(_) => placement,
        None => {
            let end = written(line, en_passant).end();
            Token { at: line.at, text: &line.text[..end - line.at] }
        }
    };
    let part = match *error {
        FenError::NotAPiece { rank, byte } => {
            let rank = rank_of(placement, 7 - rank as usize);
            let at = rank.text.bytes().position(|b| b == byte).unwrap_or(0);
            let len = rank.text[at..].chars().next().map_or(0, char::len_utf8);
            rank.skip(at).split_at(len).0
        }
        FenError::RankLength { rank, .. } => rank_of(placement, 7 - rank as usize),
        FenError::PawnOnBackRank(square) => rank_of(placement, 7 - square.rank() as usize),
        _ => written(line, field),
    };
    part.at..part.end()
}

/// A field as it stands in the line. One that the dialect leaves out has a text that stands nowhere.
fn written<'a>(line: Token<'a>, field: Token<'a>) -> Token<'a> {
    let is_there = line.text[field.at - line.at..].starts_with(field.text);
    if is_there { field } else { Token { at: field.at, text: "" } }
}

/// A rank of a placement, the eighth being the first.
fn rank_of(placement: Token<'_>, index: usize) -> Token<'_> {
    let mut at = placement.at;
    for (number, text) in placement.text.split('/').enumerate() {
        if number == index {
            return Token { at, text };
        }
        at += text.len() + 1;
    }
    placement
}

/// Whether letters of `KQkq` stand in that order, each once. Letters of files are another notation.
fn is_castling_order(text: &str) -> bool {
    let rank = |b: u8| b"KQkq".iter().position(|letter| *letter == b);
    let mut next = 0;
    text.bytes().filter(|b| !is_blank(*b)).all(|b| match rank(b) {
        Some(at) if at < next => false,
        Some(at) => {
            next = at + 1;
            true
        }
        None => true,
    })
}
