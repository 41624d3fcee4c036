//! Reading a FEN.

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, Color, File, Piece, Rank, Square};

use crate::error::{FenError, Field};
use crate::mailbox::Mailbox;
use crate::setup::{Repair, Right, Setup};

pub(crate) fn read(fen: &[u8]) -> Result<Setup, FenError> {
    let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let letters = placement(fields.next().ok_or(FenError::Empty)?)?;
    let mut repairs = ArrayVec::new();
    let turn = match fields.next() {
        Some(b"w") => Color::White,
        Some(b"b") => Color::Black,
        Some(capital @ (b"W" | b"B")) => {
            repairs.push(Repair::CapitalSide);
            Color::from_white(capital == b"W")
        }
        _ => return Err(FenError::SideToMove),
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
        Some(b"-") => None,
        Some(field) => Some(Square::from_ascii(field).map_err(|_| FenError::EnPassant)?),
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
    Ok(Setup {
        letters,
        turn,
        rights,
        en_passant,
        halfmoves: halfmoves.unwrap_or(0),
        fullmoves: fullmoves.unwrap_or(1).max(1),
        repairs,
    })
}

fn placement(field: &[u8]) -> Result<Mailbox, FenError> {
    let mut letters = Mailbox::EMPTY;
    let ranks = field.split(|b| *b == b'/').count();
    if ranks != 8 {
        return Err(FenError::RankCount(ranks.min(99) as u8));
    }
    for (text, rank) in field.split(|b| *b == b'/').zip(Rank::ALL.into_iter().rev()) {
        let mut squares = 0;
        for &byte in text {
            match byte {
                b'1'..=b'8' => squares += usize::from(byte - b'0'),
                _ if Piece::from_char(char::from(byte)).is_none() => {
                    return Err(FenError::NotAPiece { rank, byte });
                }
                _ => {
                    if let Ok(file) = File::try_from(squares.min(8) as u32) {
                        letters[Square::from_coords(file, rank)] = byte;
                    }
                    squares += 1;
                }
            }
        }
        if squares != 8 {
            return Err(FenError::RankLength { rank, squares: squares.min(99) as u8 });
        }
    }
    Ok(letters)
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
