//! Parses the fields of a record (EPD 3) and detects the dialect.

use std::ops::Range;

use san::{Bitboard, Color, FenError, Field, File, Position, Repair, Setup};

use super::escapes::Escapes;
use super::record_ref::RecordRef;
use super::spacing::{self, Respaced};
use super::text::{Token, is_blank};
use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::{Blanks, EpdDiagnosticKind};
use crate::dialect::{Dialect, crafty, fen, label};

type Faults<'f> = &'f mut dyn FnMut(EpdDiagnostic);

/// Parses everything before the operations. Returns `None` without a valid position, after
/// reporting the reason.
pub(crate) fn read<'a>(
    line: Token<'a>,
    dialect: Option<Dialect>,
    faults: Faults<'_>,
) -> Option<RecordRef<'a>> {
    let (placement, behind) = line.split_word();
    if let Some(command) = uci_command(line.text) {
        let kind = EpdDiagnosticKind::Uci(command.to_owned());
        faults(EpdDiagnostic::new(line.at, command, kind));
        return None;
    }
    let looks_like_crafty = crafty::is_placement(placement.text);
    match dialect {
        None if looks_like_crafty => {
            faults(EpdDiagnostic::new(
                line.at,
                placement.text,
                EpdDiagnosticKind::Dialect(Dialect::Crafty),
            ));
            return read_crafty(line, faults);
        }
        Some(Dialect::Crafty) if looks_like_crafty => return read_crafty(line, faults),
        Some(Dialect::Crafty) => {
            faults(EpdDiagnostic::new(
                line.at,
                placement.text,
                EpdDiagnosticKind::NotDialect(Dialect::Crafty),
            ));
            return None;
        }
        _ => {}
    }
    let (side, behind) = behind.split_word();
    let (castling, behind) = behind.split_word();
    let (en_passant, rest) = last_field(behind);
    let tokens = [placement, side, castling, en_passant];
    let setup = setup(&tokens, placement.text, en_passant.text);
    let respaced = if setup.is_ok() { None } else { spacing::read(line) };
    let (position, rest) = match respaced {
        None => {
            blanks(line, &tokens, rest, faults);
            (position(line, tokens, setup, faults)?, rest)
        }
        Some(Respaced { tokens, placement, rest }) => {
            if let Some(at) = tokens[0].text.bytes().position(is_blank) {
                let at = tokens[0].at + at..tokens[0].at + at + 1;
                faults(EpdDiagnostic { at, kind: EpdDiagnosticKind::BlankInPlacement });
            }
            blanks(line, &tokens, rest, faults);
            let setup = self::setup(&tokens, &placement, tokens[3].text);
            (position(line, tokens, setup, faults)?, rest)
        }
    };
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

/// Parses the four fields. `placement` and `square` are the first and last field in standard form.
#[inline]
fn setup(fields: &[Token<'_>; 4], placement: &str, square: &str) -> Result<Setup, FenError> {
    let turn = match fields[1].text {
        "W" => "w",
        "B" => "b",
        text => text,
    };
    Setup::from_fields([placement, turn, fields[2].text, square])
}

/// Splits off the fourth field; some programs write a semicolon after it.
#[inline]
fn last_field(text: Token<'_>) -> (Token<'_>, Token<'_>) {
    let (field, rest) = text.split_word();
    match field.text.find(';') {
        Some(len) => (field.split_at(len).0, text.skip(len)),
        None => (field, rest),
    }
}

/// Returns the length of the fields of a record, in any form, that was written by
/// [`write_record_value`](crate::write_record_value) or from a game; its operations follow.
pub fn fields_len(record: &str) -> usize {
    let record = Token { at: 0, text: record };
    let (placement, mut rest) = record.split_word();
    if crafty::is_placement(placement.text) {
        return crafty::fields(record).rest.at;
    }
    for _ in 0..3 {
        rest = rest.split_word().1;
    }
    // Clocks, and the check counts of Three-check. An opcode begins with a letter.
    while rest.text.starts_with(|c: char| !c.is_ascii_alphabetic()) {
        rest = rest.split_word().1;
    }
    rest.at
}

/// Handles text after the fourth field that is not an operation.
pub(super) fn tail(record: &mut RecordRef<'_>, dialect: Option<Dialect>, faults: Faults<'_>) {
    use Dialect::{Fen, Label, Perft, Perl};
    let rest = record.rest;
    let found = |record: &mut RecordRef<'_>, found, at: Token<'_>, faults: Faults<'_>| {
        if dialect.is_none() {
            record.dialect = found;
            let text = at.split_word().0.text;
            faults(EpdDiagnostic::new(at.at, text, EpdDiagnosticKind::Dialect(found)));
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
            Err((at, kind)) => faults(EpdDiagnostic { at, kind }),
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
        faults(EpdDiagnostic::new(rest.at, rest.text, EpdDiagnosticKind::NotDialect(dialect)));
    }
}

/// `;D1 20`: a semicolon, then an operation.
fn is_perft(text: &str) -> bool {
    let behind = text.strip_prefix(';').map(str::trim_start).unwrap_or_default();
    let mut bytes = behind.bytes();
    bytes.next() == Some(b'D') && bytes.next().is_some_and(|b| b.is_ascii_digit())
}

fn uci_command(line: &str) -> Option<&str> {
    // Nearly no line is one, so avoid a function call for each.
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
    let setup = setup(&tokens, &fields.placement, &fields.square);
    let position = position(line, tokens, setup, faults)?;
    // “"Trailing" empty squares are not listed explicitly, unless the entire rank is empty, in
    // which case an "8" is used.”
    if placement.text.starts_with('/') || placement.text.contains("//") {
        faults(EpdDiagnostic::new(placement.at, placement.text, EpdDiagnosticKind::EmptyRank));
    }
    if !fields.has_hyphen {
        faults(EpdDiagnostic::new(fields.rest.at, "", EpdDiagnosticKind::MissingHyphen));
    }
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

/// Reports the first place without exactly one space, between the fields and the text after them.
#[inline]
fn blanks(line: Token<'_>, fields: &[Token<'_>; 4], rest: Token<'_>, faults: Faults<'_>) {
    let mut end = fields[0].end();
    for next in [fields[1], fields[2], fields[3], rest] {
        if next.is_empty() {
            return;
        }
        let between = &line.text[end - line.at..next.at - line.at];
        if let Some(kind) = Blanks::of(between) {
            return faults(EpdDiagnostic::new(end, between, EpdDiagnosticKind::Blanks(kind)));
        }
        end = next.end();
    }
}

impl Blanks {
    /// Returns the fault in the separator between two parts, if any.
    #[inline]
    pub(crate) fn of(between: &str) -> Option<Self> {
        match between {
            " " => None,
            "" => Some(Blanks::None),
            _ if between.contains('\t') => Some(Blanks::Tab),
            _ if between.bytes().any(|b| b != b' ') => Some(Blanks::Control),
            _ => Some(Blanks::Several),
        }
    }
}

/// Creates the position from the four fields.
fn position(
    line: Token<'_>,
    fields: [Token<'_>; 4],
    setup: Result<Setup, FenError>,
    faults: Faults<'_>,
) -> Option<Position> {
    let names = [Field::Placement, Field::SideToMove, Field::Castling, Field::EnPassant];
    if let Some(missing) = fields.iter().position(|field| field.is_empty()) {
        faults(EpdDiagnostic::new(line.end(), "", EpdDiagnosticKind::MissingField(names[missing])));
        return None;
    }
    let [_, side, castling, _] = fields;
    if matches!(side.text, "W" | "B") {
        faults(EpdDiagnostic::new(side.at, side.text, EpdDiagnosticKind::CapitalSide));
    }
    let at = |error: &FenError| place(error, line, fields);
    let setup = match setup {
        Ok(setup) => setup,
        Err(error) => {
            faults(EpdDiagnostic { at: at(&error), kind: EpdDiagnosticKind::Fen(error) });
            return None;
        }
    };
    if has_adjacent_digits(fields[0].text) {
        faults(EpdDiagnostic::new(line.at, fields[0].text, EpdDiagnosticKind::AdjacentDigits));
    }
    if !is_castling_order(castling.text) {
        faults(EpdDiagnostic::new(castling.at, castling.text, EpdDiagnosticKind::CastlingOrder));
    }
    let position = setup.position().or_else(|_| repaired(setup, at, faults)).ok()?;
    if names_sides(castling.text)
        && let Some(color) = moved_king(&position)
    {
        faults(EpdDiagnostic::new(castling.at, castling.text, EpdDiagnosticKind::MovedKing(color)));
    }
    Some(position)
}

/// Returns the side whose king has moved under the rules of standard chess, if the other side's
/// king and rooks are on their initial squares: “potential future castling” (EPD 3.3). In Chess960,
/// kings that may castle are on the same file; such a field can be valid only in games with
/// different setups per side.
fn moved_king(position: &Position) -> Option<Color> {
    let rooks = position.castling_rooks();
    let has_right = |color| (rooks & position.side(color)).any();
    if !has_right(Color::White) || !has_right(Color::Black) {
        return None;
    }
    let file = |color| position.king(color).file();
    let is_initial = |color| {
        file(color) == File::E && (rooks & position.side(color) & !Bitboard::CORNERS).is_empty()
    };
    Color::ALL.into_iter().find(|color| is_initial(!*color) && file(*color) != File::E)
}

/// Whether a castling field names sides rather than rook files.
fn names_sides(castling: &str) -> bool {
    castling.bytes().all(|b| b"KQkq".contains(&b))
}

/// `44` or `11111111`: “the digit used represents the count of contiguous empty squares” (EPD 3.1).
#[inline]
fn has_adjacent_digits(placement: &str) -> bool {
    let bytes = placement.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    // No early exit, so that the compiler can vectorize the comparison.
    pairs.fold(false, |found, (one, next)| found | (one.is_ascii_digit() & next.is_ascii_digit()))
}

/// Returns the position without impossible rights and en passant square, or one that cannot arise
/// in a game.
#[cold]
fn repaired(
    mut setup: Setup,
    at: impl Fn(&FenError) -> Range<usize>,
    faults: Faults<'_>,
) -> Result<Position, ()> {
    for repair in setup.repair() {
        if let Repair::LeftOut(error) = repair {
            faults(EpdDiagnostic { at: at(&error), kind: EpdDiagnosticKind::LeftOut(error) });
        }
    }
    match setup.playable() {
        Ok((position, oddity)) => {
            if let Some(error) = oddity {
                faults(EpdDiagnostic {
                    at: at(&error),
                    kind: EpdDiagnosticKind::Unreachable(error),
                });
            }
            Ok(position)
        }
        Err(error) => {
            faults(EpdDiagnostic { at: at(&error), kind: EpdDiagnosticKind::Fen(error) });
            Err(())
        }
    }
}

/// Returns the part of the fields to which an error applies.
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

/// Returns a field as written in the line. The text of a field that the dialect omits is not part
/// of the line.
fn written<'a>(line: Token<'a>, field: Token<'a>) -> Token<'a> {
    let is_there = line.text[field.at - line.at..].starts_with(field.text);
    if is_there { field } else { Token { at: field.at, text: "" } }
}

/// Returns a rank of a placement; index 0 is the eighth rank.
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

/// Whether the letters of `KQkq` are in that order without duplicates. File letters are a different
/// notation.
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
