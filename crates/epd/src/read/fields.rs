//! Parses the fields of a record (EPD 3) and detects the dialect.

use std::ops::Range;

use san::{Bitboard, Color, FenError, Field, File, Position, Repair, Setup, Square, Variant};

use super::escapes::Escapes;
use super::record_ref::{ReadOptions, RecordRef};
use super::spacing;
use super::text::{Token, is_blank};
use crate::diagnostic::EpdDiagnostic;
use crate::diagnostic::kind::{Blanks, EpdDiagnosticKind};
use crate::dialect::{Dialect, crafty, fen, label};
use crate::rules::Rules;

type Faults<'f> = &'f mut dyn FnMut(EpdDiagnostic);

/// Why a line has no position of chess.
pub(super) enum Unread {
    /// The reason has been reported.
    Bad,
    /// Its pieces are those of a variant.
    Variant(Variant),
}

/// The fields of a record of chess.
pub(super) struct Fields<'a> {
    pub(super) position: Position,
    pub(super) dialect: Dialect,
    pub(super) escapes: Escapes,
    /// The text after them.
    pub(super) rest: Token<'a>,
}

/// Parses the fields, of which `words` are the first four of the line, and `rest` is what follows
/// them.
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
    let (en_passant, rest) = last_field(line, en_passant, rest);
    let mut tokens = [placement, side, castling, en_passant];
    let mut rest = rest;
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

/// Returns the pieces of a FEN with two counters without a slash after the last rank: the form of
/// Crafty has such a slash, but no counters.
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
    faults(EpdDiagnostic::new(slash.at, slash.text, EpdDiagnosticKind::FinalSlash));
    pieces
}

/// Returns the fourth field and the text after it; some programs write a semicolon after it, a comma ends it in a table,
/// and a label or a comment may follow without a space.
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

/// Returns the length of the fields of a record, in any form, that was written by this program; its operations follow.
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
        // Operations may follow after a semicolon.
        let begun = usize::from(record.rest.text.starts_with(';'));
        let end = record.rest.text[begun..].find(';');
        let end = end.map_or(record.rest.text.len(), |end| end + begun);
        let (text, behind) = record.rest.split_at(end);
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
        faults(EpdDiagnostic::new(rest.at, rest.text, EpdDiagnosticKind::NotDialect(dialect)));
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
        faults(EpdDiagnostic::new(placement.at, placement.text, EpdDiagnosticKind::EmptyRank));
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
    /// Returns the fault in the separator between two parts, if any.
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

/// Creates the position from the four fields.
#[inline]
fn position(
    line: Token<'_>,
    fields: [Token<'_>; 4],
    setup: Result<&mut Setup, FenError>,
    options: &ReadOptions,
    faults: Faults<'_>,
) -> Result<Position, Unread> {
    let names = [Field::Placement, Field::SideToMove, Field::Castling, Field::EnPassant];
    if let Some(missing) = fields.iter().position(|field| field.is_empty()) {
        faults(EpdDiagnostic::new(line.end(), "", EpdDiagnosticKind::MissingField(names[missing])));
        return Err(Unread::Bad);
    }
    let [_, side, castling, en_passant] = fields;
    if matches!(side.text, "W" | "B") {
        faults(EpdDiagnostic::new(side.at, side.text, EpdDiagnosticKind::CapitalSide));
    }
    let at = |error: &FenError| place(error, line, fields);
    let castling_form = CastlingForm::of(castling.text);
    let setup = match setup {
        Ok(setup) if !castling_form.is_damaged => setup,
        setup => {
            let error = setup.err().unwrap_or(FenError::Castling);
            faults(EpdDiagnostic { at: at(&error), kind: EpdDiagnosticKind::Fen(error) });
            return Err(Unread::Bad);
        }
    };
    if has_adjacent_digits(fields[0].text) {
        faults(EpdDiagnostic::new(line.at, fields[0].text, EpdDiagnosticKind::AdjacentDigits));
    }
    if !castling_form.is_ordered {
        faults(EpdDiagnostic::new(castling.at, castling.text, EpdDiagnosticKind::CastlingOrder));
    }
    if options.rules == Rules::Chess {
        leave_out(setup.leave_out_moved(), at, faults);
    }
    let position = match setup.position() {
        Ok(position) => position,
        Err(FenError::NoSuchAdvance(pawn))
            if let Some((position, square)) = behind_pawn(setup, pawn) =>
        {
            let kind = EpdDiagnosticKind::PawnSquare(square);
            faults(EpdDiagnostic::new(en_passant.at, en_passant.text, kind));
            position
        }
        Err(_) => {
            let is_open = options.rules == Rules::Detected;
            if let Some(variant) = variant_of(setup, castling.text).filter(|_| is_open) {
                let kind = EpdDiagnosticKind::OfVariant(if variant == Variant::Horde {
                    "Horde"
                } else {
                    "Antichess"
                });
                faults(EpdDiagnostic::new(line.at, fields[0].text, kind));
                return Err(Unread::Variant(variant));
            }
            repaired(setup, at, options.strict, faults)?
        }
    };
    if options.rules == Rules::Detected && castling_form.names_sides {
        let say = |kind| faults(EpdDiagnostic::new(castling.at, castling.text, kind));
        odd_castling(&position).map(say);
    }
    Ok(position)
}

/// Returns the fault of castling rights that only Chess960 has: “potential future castling” (EPD
/// 3.3).
///
/// A king that may castle and is not on the e-file can only be one of Chess960, where both kings are on
/// the same file: if the other side's king and rooks are on their initial squares, it is a king that has
/// moved, or a game with different setups per side.
fn odd_castling(position: &Position) -> Option<EpdDiagnosticKind> {
    let rooks = position.castling_rooks();
    if rooks.is_empty() {
        return None;
    }
    let has_right = |color: &Color| (rooks & position.side(*color)).any();
    let is_on_e = |color: &Color| position.king(*color).file() == File::E;
    let is_odd_rook =
        |color: &Color| !(rooks & position.side(*color) & !Bitboard::CORNERS).is_empty();
    let colors = || Color::ALL.into_iter().filter(has_right);
    match colors().find(|color| !is_on_e(color)) {
        None => colors().find(is_odd_rook).map(EpdDiagnosticKind::Chess960Castling),
        Some(moved) => {
            let is_initial =
                |other: &Color| has_right(other) && is_on_e(other) && !is_odd_rook(other);
            is_initial(&!moved).then_some(EpdDiagnosticKind::MovedKing(moved))
        }
    }
}

/// Returns the variant of pieces that chess cannot have: in Horde White has pawns and no king; in
/// Antichess kings can be captured and castling does not exist.
#[cold]
fn variant_of(setup: &Setup, castling: &str) -> Option<Variant> {
    let count = |wanted: &[char]| {
        let letters = Square::ALL.into_iter().filter_map(|square| setup.letter(square));
        letters.filter(|letter| wanted.contains(letter)).count()
    };
    match (count(&['K']), count(&['k'])) {
        (0, 1) if count(&['P']) > 8 => Some(Variant::Horde),
        (0, 0) if castling == "-" => {
            let (white, black) =
                (count(&['P', 'N', 'B', 'R', 'Q']), count(&['p', 'n', 'b', 'r', 'q']));
            (white > 0 && black > 0).then_some(Variant::Antichess)
        }
        _ => None,
    }
}

/// What the letters of a castling field say about it.
struct CastlingForm {
    /// Whether a letter occurs twice, or a side has more than two rights: one may be another right
    /// that is damaged.
    is_damaged: bool,
    /// Whether the letters of `KQkq` are in that order. File letters are a different notation.
    is_ordered: bool,
    /// Whether all letters name sides rather than the files of rooks.
    names_sides: bool,
}

impl CastlingForm {
    #[inline]
    fn of(castling: &str) -> Self {
        let mut form = CastlingForm { is_damaged: false, is_ordered: true, names_sides: true };
        // Nearly all records have one of these.
        if matches!(castling, "-" | "KQkq") {
            form.names_sides = castling != "-";
            return form;
        }
        let (mut seen, mut next, mut white, mut black) = (0_u128, 0, 0, 0);
        for byte in castling.bytes() {
            let bit = 1 << (byte & 127);
            form.is_damaged |= seen & bit != 0;
            seen |= bit;
            *(if byte.is_ascii_lowercase() { &mut black } else { &mut white }) += 1;
            match b"KQkq".iter().position(|letter| *letter == byte) {
                Some(at) => {
                    form.is_ordered &= at >= next;
                    next = at + 1;
                }
                None => form.names_sides = false,
            }
        }
        form.is_damaged |= white > 2 || black > 2;
        form
    }
}

/// `44` or `11111111`: “the digit used represents the count of contiguous empty squares” (EPD 3.1).
#[inline]
fn has_adjacent_digits(placement: &str) -> bool {
    let bytes = placement.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    // No early exit, so that the compiler can vectorize the comparison.
    pairs.fold(false, |found, (one, next)| found | (one.is_ascii_digit() & next.is_ascii_digit()))
}

/// Returns the position if its en passant field names the square of the pawn, not the one behind it.
#[cold]
fn behind_pawn(setup: &Setup, pawn: Square) -> Option<(Position, Square)> {
    let (mut setup, square) = (setup.clone(), crafty::behind_pawn(pawn)?);
    setup.set_en_passant(Some(square));
    Some((setup.position().ok()?, square))
}

fn leave_out(repairs: Vec<Repair>, at: impl Fn(&FenError) -> Range<usize>, faults: Faults<'_>) {
    let mut told = None;
    for repair in repairs {
        if let Repair::LeftOut(error) = repair
            && told.replace(error) != Some(error)
        {
            faults(EpdDiagnostic { at: at(&error), kind: EpdDiagnosticKind::LeftOut(error) });
        }
    }
}

/// Returns the position without impossible rights and en passant square, or one that cannot arise
/// in a game.
#[cold]
fn repaired(
    setup: &mut Setup,
    at: impl Fn(&FenError) -> Range<usize> + Copy,
    is_strict: bool,
    faults: Faults<'_>,
) -> Result<Position, Unread> {
    leave_out(setup.repair(), at, faults);
    let playable = match setup.playable() {
        Ok((_, Some(error))) if is_strict => Err(error),
        playable => playable,
    };
    match playable {
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
            Err(Unread::Bad)
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
    let is_present = line.text[field.at - line.at..].starts_with(field.text);
    if is_present { field } else { Token { at: field.at, text: "" } }
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
