//! Parses the fields of a record (EPD 3) and detects the dialect.

use san::{FenError, Position, Setup};

use super::escapes::Escapes;
use super::operations::{OperationRef, Operations};
use super::position::{Unread, position};
use super::record_ref::{ReadOptions, RecordRef};
use super::spacing;
use super::text::{Token, is_blank};
use crate::diagnostic::kind::{Blanks, EpdDiagnosticKind};
use crate::diagnostic::{EpdDiagnostic, Faults};
use crate::dialect::{Dialect, crafty, fen, label};

pub(super) struct Fields<'a> {
    pub(super) position: Position,
    pub(super) dialect: Dialect,
    pub(super) escapes: Escapes,
    pub(super) rest: Token<'a>,
}

/// Parses the fields: `words` are the first four of the line, `rest` is what follows them.
#[inline]
pub(super) fn read<'a>(
    line: Token<'a>,
    words: [Token<'a>; 4],
    rest: Token<'a>,
    options: &ReadOptions,
    faults: Faults<'_>,
) -> Result<Fields<'a>, Unread> {
    let dialect = options.dialect;
    let [placement, side, castling, en_passant] = words;
    if let Some(command) = uci_command(line.text) {
        let kind = EpdDiagnosticKind::Uci(command.to_owned());
        faults(EpdDiagnostic::new(line.at, command, kind));
        return Err(Unread::Bad);
    }
    let looks_like_crafty = crafty::is_placement(placement.text);
    let whole_placement = placement;
    let placement = match looks_like_crafty && matches!(dialect, None | Some(Dialect::Fen)) {
        true => without_final_slash(line, words, rest, faults),
        false => placement,
    };
    match dialect {
        _ if placement.text.len() < whole_placement.text.len() => {}
        None if looks_like_crafty => {
            faults(EpdDiagnostic::new(
                line.at,
                placement.text,
                EpdDiagnosticKind::Dialect(Dialect::Crafty),
            ));
            return read_crafty(line, options, faults);
        }
        Some(Dialect::Crafty) if looks_like_crafty => return read_crafty(line, options, faults),
        Some(Dialect::Crafty) => {
            faults(EpdDiagnostic::new(
                line.at,
                placement.text,
                EpdDiagnosticKind::NotDialect(Dialect::Crafty),
            ));
            return Err(Unread::Bad);
        }
        _ => {}
    }
    let (en_passant, mut rest) = last_field(line, en_passant, rest);
    let mut tokens = [placement, side, castling, en_passant];
    let mut setup = setup(&tokens, placement.text, en_passant.text);
    let respaced = if setup.is_ok() { None } else { spacing::read(line) };
    match respaced {
        None => blanks(line, &[whole_placement, side, castling, en_passant], rest, faults),
        Some(respaced) => {
            (tokens, rest) = (respaced.tokens, respaced.rest);
            if let Some(at) = tokens[0].text.bytes().position(is_blank) {
                let at = tokens[0].at + at..tokens[0].at + at + 1;
                faults(EpdDiagnostic { at, kind: EpdDiagnosticKind::BlankInPlacement });
            }
            blanks(line, &tokens, rest, faults);
            setup = self::setup(&tokens, &respaced.placement, tokens[3].text);
        }
    }
    let setup = setup.as_mut().map_err(|error| *error);
    Ok(Fields {
        position: position(line, tokens, setup, options, faults)?,
        dialect: dialect.unwrap_or_default(),
        escapes: Escapes::of(dialect),
        rest,
    })
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

/// For a FEN with two counters: the form of Crafty has such a slash, but no counters.
#[cold]
fn without_final_slash<'a>(
    line: Token<'a>,
    words: [Token<'a>; 4],
    rest: Token<'a>,
    faults: Faults<'_>,
) -> Token<'a> {
    let [placement, side, castling, en_passant] = words;
    let (pieces, slash) = placement.split_at(placement.text.len() - 1);
    let (en_passant, rest) = last_field(line, en_passant, rest);
    let has_counters = fen::clocks(rest).is_some_and(|clocks| clocks.fullmoves.is_some());
    let tokens = [pieces, side, castling, en_passant];
    if !has_counters || setup(&tokens, pieces.text, en_passant.text).is_err() {
        return placement;
    }
    faults(EpdDiagnostic::of(slash, EpdDiagnosticKind::FinalSlash));
    pieces
}

/// The field may end at a semicolon, at a table's comma, or at a label or comment unspaced.
#[inline]
fn last_field<'a>(line: Token<'a>, field: Token<'a>, rest: Token<'a>) -> (Token<'a>, Token<'a>) {
    // Nearly all fields are these.
    if matches!(field.text.as_bytes(), b"-" | [b'a'..=b'h', b'3' | b'6']) {
        return (field, rest);
    }
    match field.text.bytes().position(|b| b";,|[{(<\"/#".contains(&b)) {
        Some(len) => (field.split_at(len).0, line.skip(field.at + len - line.at)),
        None => (field, rest),
    }
}

/// Returns the length of the fields of a record that this program wrote, in any form.
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

/// Divides a record that this program wrote in EPD, of chess or a variant, into its fields and
/// operations.
pub fn divided(record: &str) -> (&str, impl Iterator<Item = OperationRef<'_>>) {
    let (fields, rest) = Token { at: 0, text: record }.split_at(fields_len(record));
    let operations = Operations::new(rest, Escapes::of(Some(Dialect::Standard)));
    (fields.text.trim_end(), operations.filter(OperationRef::is_real))
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
    let is_label = label::is_label(record.rest.text, record.has_clocks)
        && matches!(dialect, None | Some(Label));
    let is_perft = is_perft(record.rest.text) && matches!(dialect, None | Some(Perft));
    if is_label {
        found(record, Label, record.rest, faults);
        // Operations may follow after a semicolon.
        let (text, behind) = record.rest.split_at(label::end(record.rest.text));
        match label::read(text, record.position.turn()) {
            Ok(label) => record.label = Some((text.trim_end(), label)),
            Err((at, kind)) => faults(EpdDiagnostic { at, kind }),
        }
        let len = usize::from(!behind.is_empty());
        record.rest = behind.skip(len).trim_start();
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
        faults(EpdDiagnostic::of(rest, EpdDiagnosticKind::NotDialect(dialect)));
    }
}

/// `;D1 20`: a semicolon, then an operation.
fn is_perft(text: &str) -> bool {
    let behind = text.strip_prefix(';').map(str::trim_start).unwrap_or_default();
    let mut bytes = behind.bytes();
    matches!(bytes.next(), Some(b'D' | b'd')) && bytes.next().is_some_and(|b| b.is_ascii_digit())
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

#[cold]
fn read_crafty<'a>(
    line: Token<'a>,
    options: &ReadOptions,
    faults: Faults<'_>,
) -> Result<Fields<'a>, Unread> {
    let fields = crafty::fields(line);
    let (placement, _) = line.split_word();
    let tokens = [placement, fields.side, fields.castling, fields.en_passant];
    let mut setup = setup(&tokens, &fields.placement, &fields.square);
    let setup = setup.as_mut().map_err(|error| *error);
    let position = position(line, tokens, setup, options, faults)?;
    // “"Trailing" empty squares are not listed explicitly, unless the entire rank is empty, in
    // which case an "8" is used.”
    if placement.text.starts_with('/') || placement.text.contains("//") {
        faults(EpdDiagnostic::of(placement, EpdDiagnosticKind::EmptyRank));
    }
    if !fields.has_hyphen {
        faults(EpdDiagnostic::new(fields.rest.at, "", EpdDiagnosticKind::MissingHyphen));
    }
    let (dialect, escapes) = (Dialect::Crafty, Escapes::None);
    Ok(Fields { position, dialect, escapes, rest: fields.rest })
}

/// Reports the first place without exactly one space, between the fields and the text after them.
#[inline]
fn blanks(line: Token<'_>, fields: &[Token<'_>; 4], rest: Token<'_>, faults: Faults<'_>) {
    let mut end = fields[0].end();
    for next in [fields[1], fields[2], fields[3], rest] {
        if next.is_empty() {
            return;
        }
        // Nearly always one space.
        if next.at == end + 1 && line.text.as_bytes()[end - line.at] == b' ' {
            end = next.end();
            continue;
        }
        let between = &line.text[end - line.at..next.at - line.at];
        if let Some(kind) = Blanks::of(between) {
            return faults(EpdDiagnostic::new(end, between, EpdDiagnosticKind::Blanks(kind)));
        }
        end = next.end();
    }
}

impl Blanks {
    #[inline]
    pub(crate) fn of(between: &str) -> Option<Self> {
        match between {
            " " => None,
            "" => Some(Blanks::None),
            _ if between.contains('\t') => Some(Blanks::Tab),
            _ if between.contains(['=', ':']) => Some(Blanks::Sign),
            _ if between.bytes().any(|b| b != b' ') => Some(Blanks::Control),
            _ => Some(Blanks::Several),
        }
    }
}
