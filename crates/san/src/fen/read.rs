//! Reading a FEN.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Square};

use crate::error::{FenError, Field};
use crate::mailbox::Mailbox;
use crate::setup::{Repair, Right, Setup};

pub(crate) fn read(fen: &[u8]) -> Result<Setup, FenError> {
    let trimmed = fen.trim_ascii_end();
    let (fen, has_semicolon) = match trimmed.strip_suffix(b";") {
        Some(fen) => (fen, true),
        None => (trimmed, false),
    };
    let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let board = placement(fields.next().ok_or(FenError::Empty)?)?;
    let mut repairs = ArrayVec::new();
    if has_semicolon {
        repairs.push(Repair::Semicolon);
    }
    let turn = match fields.next() {
        Some(capital @ (b"W" | b"B")) => {
            repairs.push(Repair::CapitalSide);
            Color::from_white(capital == b"W")
        }
        field => side_to_move(field.unwrap_or_default())?,
    };
    let mut missing = |field| repairs.push(Repair::Missing(field));
    let rights = match fields.next() {
        Some(field) => castling(field)?,
        None => {
            missing(Field::Castling);
            ArrayVec::new()
        }
    };
    let en_passant = match fields.next() {
        Some(field) => en_passant(field)?,
        None => {
            missing(Field::EnPassant);
            None
        }
    };
    let mut clock = |field| match fields.next() {
        None => Ok((None, Some(Repair::Missing(field)))),
        Some(b"-") => Ok((None, Some(Repair::Dash(field)))),
        Some(digits) => number(digits).map(|n| (Some(n), None)).ok_or(FenError::NotANumber(field)),
    };
    let (halfmoves, halfmoves_repair) = clock(Field::HalfmoveClock)?;
    let (fullmoves, fullmoves_repair) = clock(Field::FullmoveNumber)?;
    repairs.extend(halfmoves_repair);
    repairs.extend(fullmoves_repair);
    if fullmoves == Some(0) {
        repairs.push(Repair::ZeroFullmove);
    }
    if fields.next().is_some() {
        return Err(FenError::TooLong);
    }
    let Board { letters, by_role, by_color } = board;
    Ok(Setup {
        letters,
        by_role,
        by_color,
        turn,
        rights,
        en_passant,
        halfmoves: halfmoves.unwrap_or(0),
        fullmoves: fullmoves.unwrap_or(1).max(1),
        repairs,
    })
}

/// The four fields that EPD and FEN have in common.
#[inline]
pub(crate) fn read_fields(fields: [&[u8]; 4]) -> Result<Setup, FenError> {
    let [placed, side, rights, square] = fields;
    let Board { letters, by_role, by_color } = placement(placed)?;
    Ok(Setup {
        letters,
        by_role,
        by_color,
        turn: side_to_move(side)?,
        rights: castling(rights)?,
        en_passant: en_passant(square)?,
        halfmoves: 0,
        fullmoves: 1,
        repairs: ArrayVec::new(),
    })
}

/// Who stands where.
struct Board {
    letters: Mailbox,
    by_role: [Bitboard; 6],
    by_color: [Bitboard; 2],
}

/// What each character of a placement is: a piece (twice its role, and one more if it is Black's), a number of empty squares, or neither.
/// One look-up in place of a chain of comparisons: books have millions of records.
static CHARACTERS: [u8; 256] = {
    let mut table = [NEITHER; 256];
    let letters = b"PNBRQKpnbrqk";
    let mut index = 0;
    while index < letters.len() {
        table[letters[index] as usize] = (2 * (index % 6) + index / 6) as u8;
        index += 1;
    }
    let mut digit = 1;
    while digit <= 8 {
        table[b'0' as usize + digit] = EMPTY + digit as u8;
        digit += 1;
    }
    table
};

const EMPTY: u8 = 32;
const NEITHER: u8 = 255;

#[inline]
fn placement(field: &[u8]) -> Result<Board, FenError> {
    let mut board = Board {
        letters: Mailbox::EMPTY,
        by_role: [Bitboard::EMPTY; 6],
        by_color: [Bitboard::EMPTY; 2],
    };
    let (mut rank, mut squares) = (7_usize, 0_usize);
    for &byte in field {
        match CHARACTERS[usize::from(byte)] {
            piece @ 0..12 => {
                if squares >= 8 {
                    return Err(placement_error(field));
                }
                let square = 8 * rank + squares;
                board.letters.0[square] = byte;
                board.by_role[usize::from(piece / 2)].0 |= 1 << square;
                // White is 1 in shakmaty's order of colors.
                board.by_color[usize::from(piece % 2 == 0)].0 |= 1 << square;
                squares += 1;
            }
            NEITHER if byte == b'/' && squares == 8 && rank > 0 => (rank, squares) = (rank - 1, 0),
            NEITHER => return Err(placement_error(field)),
            digit => squares += usize::from(digit - EMPTY),
        }
    }
    if rank == 0 && squares == 8 { Ok(board) } else { Err(placement_error(field)) }
}

/// What is wrong with a placement that is none: too many ranks before a bad one, and the first bad one.
#[cold]
fn placement_error(field: &[u8]) -> FenError {
    let ranks = field.split(|b| *b == b'/').count();
    if ranks != 8 {
        return FenError::RankCount(ranks.min(99) as u8);
    }
    for (text, rank) in field.split(|b| *b == b'/').zip(Rank::ALL.into_iter().rev()) {
        let mut squares = 0;
        for &byte in text {
            match CHARACTERS[usize::from(byte)] {
                NEITHER => return FenError::NotAPiece { rank, byte },
                digit @ EMPTY.. => squares += usize::from(digit - EMPTY),
                _ => squares += 1,
            }
        }
        if squares != 8 {
            return FenError::RankLength { rank, squares: squares.min(99) as u8 };
        }
    }
    FenError::RankCount(8)
}

fn side_to_move(field: &[u8]) -> Result<Color, FenError> {
    match field {
        b"w" => Ok(Color::White),
        b"b" => Ok(Color::Black),
        _ => Err(FenError::SideToMove),
    }
}

fn en_passant(field: &[u8]) -> Result<Option<Square>, FenError> {
    match field {
        b"-" => Ok(None),
        square => Square::from_ascii(square).map(Some).map_err(|_| FenError::EnPassant),
    }
}

fn castling(field: &[u8]) -> Result<ArrayVec<Right, 16>, FenError> {
    let mut rights = ArrayVec::new();
    if field == b"-" {
        return Ok(rights);
    }
    for &byte in field {
        let color = Color::from_white(byte.is_ascii_uppercase());
        let right = match byte.to_ascii_lowercase() {
            b'k' => Right::Side(color, CastlingSide::KingSide),
            b'q' => Right::Side(color, CastlingSide::QueenSide),
            letter => File::from_char(char::from(letter))
                .map(|file| Right::File(color, file))
                .ok_or(FenError::Castling)?,
        };
        rights.try_push(right).map_err(|_| FenError::Castling)?;
    }
    Ok(rights)
}

fn number(digits: &[u8]) -> Option<u32> {
    let text = std::str::from_utf8(digits).ok()?;
    if text.starts_with('+') { None } else { text.parse().ok() }
}
