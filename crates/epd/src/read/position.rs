//! The position that the four fields of a record describe, and its faults (EPD 3).

use std::ops::Range;

use san::{Bitboard, Color, FenError, Field, File, Position, Repair, Setup, Square, Variant};

use super::record_ref::ReadOptions;
use super::text::Token;
use crate::diagnostic::{EpdDiagnostic, EpdDiagnosticKind as Kind, Faults};
use crate::dialect::Rules;

pub(super) enum Unread {
    /// The reason has been reported.
    Bad,
    Variant(Variant),
}

/// Whether the pieces are followed by the pockets of Crazyhouse as a ninth rank: `…/RNBQKBNR/Pp`.
#[cold]
fn has_pocket_rank(placement: &str) -> bool {
    let pocket = placement.split('/').nth(8).unwrap_or_default();
    placement.bytes().filter(|byte| *byte == b'/').count() == 8
        && !pocket.is_empty()
        && pocket.bytes().all(|byte| b"pnbrqPNBRQ".contains(&byte))
}

#[inline]
pub(super) fn position(
    line: Token<'_>,
    fields: [Token<'_>; 4],
    setup: Result<&mut Setup, FenError>,
    options: &ReadOptions,
    faults: Faults<'_>,
) -> Result<Position, Unread> {
    let names = [Field::Placement, Field::SideToMove, Field::Castling, Field::EnPassant];
    if let Some(missing) = fields.iter().position(|field| field.is_empty()) {
        faults(EpdDiagnostic::new(line.end(), "", Kind::MissingField(names[missing])));
        return Err(Unread::Bad);
    }
    let [_, side, castling, en_passant] = fields;
    if matches!(side.text, "W" | "B") {
        faults(side.fault(Kind::CapitalSide));
    }
    let at = |error: &FenError| place(error, line, fields);
    let castling_form = CastlingForm::of(castling.text);
    let setup = match setup {
        Ok(setup) if !castling_form.is_damaged => setup,
        setup => {
            if options.rules == Rules::Detected && has_pocket_rank(fields[0].text) {
                return Err(Unread::Variant(Variant::Crazyhouse));
            }
            let error = setup.err().unwrap_or(FenError::Castling);
            faults(EpdDiagnostic { at: at(&error), kind: Kind::Fen(error) });
            return Err(Unread::Bad);
        }
    };
    if has_adjacent_digits(fields[0].text) {
        faults(EpdDiagnostic::new(line.at, fields[0].text, Kind::AdjacentDigits));
    }
    if !castling_form.is_ordered {
        faults(castling.fault(Kind::CastlingOrder));
    }
    if options.rules == Rules::Chess {
        leave_out(setup.leave_out_moved(), at, faults);
    }
    let position = match setup.position() {
        Ok(position) => position,
        Err(FenError::NoSuchAdvance(pawn))
            if let Some((position, square)) = behind_pawn(setup, pawn) =>
        {
            faults(en_passant.fault(Kind::PawnSquare(square)));
            position
        }
        Err(_) => {
            let is_open = options.rules == Rules::Detected;
            if let Some(variant) = variant_of(setup, castling.text).filter(|_| is_open) {
                let kind =
                    Kind::OfVariant(if variant == Variant::Horde { "Horde" } else { "Antichess" });
                faults(EpdDiagnostic::new(line.at, fields[0].text, kind));
                return Err(Unread::Variant(variant));
            }
            repaired(setup, at, options.strict, faults)?
        }
    };
    if options.rules == Rules::Detected && castling_form.names_sides {
        let say = |kind| faults(castling.fault(kind));
        odd_castling(&position).map(say);
    }
    Ok(position)
}

/// A king with rights off the e-file has moved, or setups differ per side (EPD 3.3).
fn odd_castling(position: &Position) -> Option<Kind> {
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
        None => colors().find(is_odd_rook).map(Kind::Chess960Castling),
        Some(moved) => {
            let is_initial =
                |other: &Color| has_right(other) && is_on_e(other) && !is_odd_rook(other);
            is_initial(&!moved).then_some(Kind::MovedKing(moved))
        }
    }
}

/// Finds Horde, in which White has no king, and Antichess, in which none castles.
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

struct CastlingForm {
    /// Whether a letter occurs twice, or a side has more than two rights: one may be damaged.
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
fn has_adjacent_digits(placement: &str) -> bool {
    let bytes = placement.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    // No early exit, so that the compiler can vectorize the comparison.
    pairs.fold(false, |found, (one, next)| found | (one.is_ascii_digit() & next.is_ascii_digit()))
}

#[cold]
fn behind_pawn(setup: &Setup, pawn: Square) -> Option<(Position, Square)> {
    let (mut setup, square) = (setup.clone(), crate::dialect::forms::behind_pawn(pawn)?);
    setup.set_en_passant(Some(square));
    Some((setup.position().ok()?, square))
}

fn leave_out(repairs: Vec<Repair>, at: impl Fn(&FenError) -> Range<usize>, faults: Faults<'_>) {
    let mut told = None;
    for repair in repairs {
        if let Repair::LeftOut(error) = repair
            && told.replace(error) != Some(error)
        {
            faults(EpdDiagnostic { at: at(&error), kind: Kind::LeftOut(error) });
        }
    }
}

/// Returns the position without impossible rights, or one that cannot arise in a game.
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
                faults(EpdDiagnostic { at: at(&error), kind: Kind::Unreachable(error) });
            }
            Ok(position)
        }
        Err(error) => {
            faults(EpdDiagnostic { at: at(&error), kind: Kind::Fen(error) });
            Err(Unread::Bad)
        }
    }
}

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

/// Returns a field as written in the line, which has no text of a field that is omitted.
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
