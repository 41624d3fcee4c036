//! Positions in 32 bytes, with half a byte for each occupied square: marlinformat, bulletformat,
//! and viriformat, in which moves follow a position.

use san::{Bitboard, Color, EnPassantPolicy, Move, MoveCode, Piece, Position, Role, Setup, Square};

use crate::entry::{Damage, Entry, GameResult, Score, ply_of};

/// The size of a position in bytes, in all formats.
pub(crate) const POSITION: usize = 32;

/// From byte 8 on, `packed` has the code of each occupied square: half a byte, low half first.
pub(crate) fn read_pieces(
    occupied: u64,
    packed: &[u8; POSITION],
    mut put: impl FnMut(&mut Setup, u8, Square) -> Result<(), Damage>,
) -> Result<Setup, Damage> {
    if occupied.count_ones() > 32 {
        return Err(Damage::TooManyPieces(occupied.count_ones()));
    }
    let mut setup = Setup::empty();
    for (index, square) in Bitboard(occupied).into_iter().enumerate() {
        put(&mut setup, packed[8 + index / 2] >> (index % 2 * 4) & 15, square)?;
    }
    Ok(setup)
}

pub(crate) fn position_of(setup: &Setup) -> Result<Position, Damage> {
    setup.playable().map(|(position, _)| position).map_err(Damage::Illegal)
}

// Marlinformat: a position in 32 bytes, with the score and the result of White.
//
// Little-endian: occupied squares (8 bytes), half a byte for each of them (16), side to move and en
// passant square (1), halfmove clock (1), fullmove number (2), score (2), result (1: 0, 1 or 2 half
// points), unused (1). Half a byte is the kind of piece, from 0 for a pawn to 5 for the king, or 6
// for a rook with a castling right, plus 8 for Black.

pub(crate) const MARLINFORMAT_RESULT: usize = 30;
const UNMOVED_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;

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

pub(crate) fn marlinformat_code(position: &Position, square: Square) -> u8 {
    CODES[position.letter(square).unwrap_or_default() as usize & 127]
}

/// Two codes in a byte, the first in the low half. Only the first 32 pieces count.
#[inline]
pub(crate) fn piece_codes(squares: Bitboard, code: impl Fn(Square) -> u8) -> [u8; 16] {
    let codes =
        squares.into_iter().rev().fold(0, |codes, square| codes << 4 | u128::from(code(square)));
    codes.to_le_bytes()
}

/// Returns a piece by its code, without a castling right.
fn piece(code: u8) -> Option<Piece> {
    let role = *Role::ALL.get(usize::from(code & 7))?;
    Some(Piece { color: Color::from_white(code & 8 == 0), role })
}

/// After the next move it is 100, the highest clock that the crate viriformat reads.
const LAST_HALFMOVE: u32 = 99;

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
pub fn packed(position: &Position) -> [u8; POSITION] {
    let mut packed = [0; POSITION];
    packed[..8].copy_from_slice(&position.occupied().0.to_le_bytes());
    let rooks = position.castling_rooks();
    let codes = piece_codes(position.occupied(), |square| {
        let code = marlinformat_code(position, square);
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
pub(crate) fn write_marlinformat(position: &Position, white: Score, bytes: &mut Vec<u8>) {
    let mut packed = packed(position);
    packed[28..30].copy_from_slice(&white.get().to_le_bytes());
    bytes.extend_from_slice(&packed);
}

pub(crate) fn occupied(packed: &[u8; POSITION]) -> u64 {
    u64::from_le_bytes(*packed.first_chunk().expect("there are eight bytes"))
}

pub(crate) fn read_marlinformat(packed: &[u8; POSITION]) -> Result<Entry, Damage> {
    let mut setup = read_pieces(occupied(packed), packed, |setup, code, square| {
        let color = Color::from_white(code & 8 == 0);
        if code & 7 == UNMOVED_ROOK {
            if square.rank() != color.backrank() {
                return Err(Damage::NoPiece(code, square));
            }
            setup.put(square, color.rook());
            setup.add_right(color, square.file());
        } else {
            setup.put(square, piece(code).ok_or(Damage::NoPiece(code, square))?);
        }
        Ok(())
    })?;
    setup.set_turn(Color::from_white(packed[24] & 128 == 0));
    setup.set_en_passant(match packed[24] & 127 {
        NO_SQUARE => None,
        number => Some(Square::try_from(number).map_err(|_| Damage::NoSquare(number))?),
    });
    setup.set_clocks(packed[25].into(), u16::from_le_bytes([packed[26], packed[27]]).into());
    let white = Score::of_raw(i16::from_le_bytes([packed[28], packed[29]]));
    let result = packed[MARLINFORMAT_RESULT];
    let result = GameResult::of_halves(result, Color::White).ok_or(Damage::NoResult(result))?;
    let position = position_of(&setup)?;
    let (score, ply) = (position.turn().fold_wb(white, white.of_other_side()), ply_of(&position));
    Ok(Entry { position, played: None, score, ply, result, is_start: true })
}

// Bulletformat: a position in 32 bytes from the view of the side to move.
//
// Little-endian: occupied squares (8 bytes), half a byte for each of them (16), score (2), result
// (1: 0, 1 or 2 half points), the square of the king (1) and that of the other king as seen from
// its side (1), unused (3). If Black is to move, the board is turned and the colors are exchanged.

pub(crate) const BULLETFORMAT_RESULT: usize = 26;

/// Writes a position with a result of 0. `score` is from the view of the side to move.
pub(crate) fn write_bulletformat(position: &Position, score: Score, bytes: &mut Vec<u8>) {
    let mut packed = [0; POSITION];
    let turn = position.turn();
    // A turned board begins with the last rank.
    let (mask, other) = turn.fold_wb((0, 0), (56, 8));
    let occupied = turn.fold_wb(position.occupied(), position.occupied().flip_vertical());
    packed[..8].copy_from_slice(&occupied.0.to_le_bytes());
    let codes =
        piece_codes(occupied, |square| marlinformat_code(position, turned(square, mask)) ^ other);
    packed[8..24].copy_from_slice(&codes);
    packed[24..26].copy_from_slice(&score.get().to_le_bytes());
    let king = |side| {
        let kings = position.pieces(Role::King) & position.side(side);
        kings.first().map_or(0, |square| square as u8 ^ mask)
    };
    packed[27] = king(turn);
    packed[28] = king(!turn) ^ 56;
    bytes.extend_from_slice(&packed);
}

fn turned(square: Square, mask: u8) -> Square {
    if mask == 0 { square } else { square.flip_vertical() }
}

/// Reads a position as one of White.
pub(crate) fn read_bulletformat(packed: &[u8; POSITION]) -> Result<Entry, Damage> {
    let put = |setup: &mut Setup, code, square| {
        setup.put(square, piece(code).ok_or(Damage::NoPiece(code, square))?);
        Ok(())
    };
    let setup = read_pieces(occupied(packed), packed, put)?;
    let score = Score::of_raw(i16::from_le_bytes([packed[24], packed[25]]));
    let result = packed[BULLETFORMAT_RESULT];
    let result = GameResult::of_halves(result, Color::White).ok_or(Damage::NoResult(result))?;
    let position = position_of(&setup)?;
    Ok(Entry { position, played: None, score, ply: 0, result, is_start: true })
}

// Viriformat: a game is a position in marlinformat, four bytes for each ply, and four of 0.
//
// The four bytes of a ply, little-endian: the move (2) and White's score of the position before it
// (2). A move is its origin (6 bits), target (6), promotion piece (2: knight, bishop, rook, queen)
// and kind (2: en passant 1, castling 2, promotion 3); castling is the king's move to its rook.

pub(crate) const VIRIFORMAT_PLY: usize = 4;
pub(crate) const VIRIFORMAT_END: [u8; VIRIFORMAT_PLY] = [0; VIRIFORMAT_PLY];

const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;

pub(crate) fn viriformat_code(played: Move) -> u16 {
    // The lower bits are those of our own code.
    let squares = played.code().0 & 0x0fff;
    let kind = match played.promotion() {
        Some(role) => PROMOTION | (role as u16 - Role::Knight as u16) << 12,
        None if played.castling().is_some() => CASTLING,
        None if played.is_en_passant() => EN_PASSANT,
        None => 0,
    };
    squares | kind
}

/// Returns the move with these two bytes, whose kind may be wrong.
pub(crate) fn viriformat_decode(code: u16) -> MoveCode {
    let promotion = match code & PROMOTION {
        PROMOTION => (code >> 12 & 3) + Role::Knight as u16,
        _ => 0,
    };
    MoveCode(code & 0x0fff | promotion << 12)
}
