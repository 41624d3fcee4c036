//! Marlinformat: a position in 32 bytes, with the score and the result of White.
//!
//! Little-endian: occupied squares (8 bytes), half a byte for each of them (16), side to move and
//! en passant square (1), halfmove clock (1), fullmove number (2), score (2), result (1: 0, 1 or 2
//! half points), unused (1). Half a byte is the kind of piece, from 0 for a pawn to 5 for the king,
//! or 6 for a rook with a castling right, plus 8 for Black.

use san::{Bitboard, Color, EnPassantPolicy, Position, Square};

use crate::entry::GameResult;
use crate::error::Damage;
use crate::placement::Placement;
use crate::score::Score;

/// The size of a position in bytes.
pub(crate) const LEN: usize = 32;
/// The offset of the result.
pub(crate) const RESULT: usize = 30;
/// The code of a rook with a castling right.
const UNMOVED_ROOK: u8 = 6;
/// The value for no en passant square.
const NO_SQUARE: u8 = 64;

/// The code of the piece with each FEN letter.
static CODES: [u8; 128] = {
    let mut codes = [0; 128];
    let letters = b"PNBRQK";
    let mut role = 0;
    while role < letters.len() {
        codes[letters[role] as usize] = role as u8;
        codes[letters[role].to_ascii_lowercase() as usize] = 8 | role as u8;
        role += 1;
    }
    codes
};

#[inline]
pub(crate) fn code(position: &Position, square: Square) -> u8 {
    CODES[position.letter(square).unwrap_or_default() as usize & 127]
}

/// Two codes in a byte, the first in the low half. Only the first 32 pieces count.
#[inline]
pub(crate) fn piece_codes(squares: Bitboard, code: impl Fn(Square) -> u8) -> [u8; 16] {
    let codes =
        squares.into_iter().rev().fold(0, |codes, square| codes << 4 | u128::from(code(square)));
    codes.to_le_bytes()
}

/// Returns the letter of a piece by its code, without a castling right.
pub(crate) fn letter(code: u8) -> Option<u8> {
    let letters = if code & 8 == 0 { b"PNBRQK" } else { b"pnbrqk" };
    letters.get(usize::from(code & 7)).copied()
}

/// A score and a result of White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) white: Score,
    pub(crate) result: GameResult,
}

/// After the next move it is 100, the highest clock that the crate viriformat reads.
const LAST_HALFMOVE: u32 = 99;

/// Returns whether the clocks have room.
pub(crate) fn fits(position: &Position) -> bool {
    position.halfmoves() <= LAST_HALFMOVE && position.fullmoves() <= u16::MAX.into()
}

/// Returns a position in the 32 bytes of marlinformat, with a score and a result of 0. Clocks above
/// 255 plies and 65,535 moves are written as these.
///
/// ```
/// let packed = training::packed(&san::Position::default());
/// // Occupied squares; rooks with castling rights have the code 6.
/// assert_eq!(packed[..8], [0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff]);
/// assert_eq!(packed[8..12], [0x16, 0x42, 0x25, 0x61]);
/// ```
pub fn packed(position: &Position) -> [u8; LEN] {
    let mut packed = [0; LEN];
    packed[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    let rooks = position.castling_rooks();
    let codes = piece_codes(position.occupied(), |square| {
        let code = code(position, square);
        if rooks.contains(square) { code & 8 | UNMOVED_ROOK } else { code }
    });
    packed[8..24].copy_from_slice(&codes);
    let en_passant = position.en_passant(EnPassantPolicy::Pseudo);
    let square = en_passant.map_or(NO_SQUARE, |square| square as u8);
    packed[24] = u8::from(position.turn() == Color::Black) << 7 | square;
    packed[25] = position.halfmoves().min(u8::MAX.into()) as u8;
    packed[26..28]
        .copy_from_slice(&(position.fullmoves().min(u16::MAX.into()) as u16).to_le_bytes());
    packed
}

/// Writes a position whose clocks [have room](fits), with a result of 0.
pub(crate) fn write(position: &Position, white: Score, bytes: &mut Vec<u8>) {
    let mut packed = packed(position);
    packed[28..30].copy_from_slice(&white.get().to_le_bytes());
    bytes.extend_from_slice(&packed);
}

pub(crate) fn occupied(packed: &[u8; LEN]) -> u64 {
    u64::from_le_bytes(*packed.first_chunk().expect("there are eight bytes"))
}

pub(crate) fn read(packed: &[u8; LEN]) -> Result<(Position, Label), Damage> {
    let mut placement = Placement::read(occupied(packed), packed, |placement, code, square| {
        let color = Color::from_white(code & 8 == 0);
        if code & 7 == UNMOVED_ROOK {
            placement.place(color.fold_wb(b'R', b'r'), square);
            if square.rank() != color.backrank() {
                return Err(Damage::NoPiece(code, square));
            }
            placement.add_right(color, square.file());
        } else {
            placement.place(letter(code).ok_or(Damage::NoPiece(code, square))?, square);
        }
        Ok(())
    })?;
    placement.turn = Color::from_white(packed[24] & 128 == 0);
    placement.en_passant = match packed[24] & 127 {
        NO_SQUARE => None,
        number => Some(Square::try_from(number).map_err(|_| Damage::NoSquare(number))?),
    };
    placement.halfmoves = packed[25].into();
    placement.fullmoves = u16::from_le_bytes([packed[26], packed[27]]).into();
    let white = Score::of_raw(i16::from_le_bytes([packed[28], packed[29]]));
    let result = packed[RESULT];
    let result = GameResult::of_halves(result, Color::White).ok_or(Damage::NoResult(result))?;
    Ok((placement.position()?, Label { white, result }))
}
