//! The first entry of a chain, in 32 bytes, big-endian.
//!
//! The occupied squares (8 bytes), half a byte for each of them (16), the move (2), the score (2),
//! the ply and the result (2), the halfmove clock (2). Half a byte is a piece, from 0 for a white
//! pawn to 11 for a black king; 12 is a pawn that can be taken en passant, 13 and 14 are rooks of
//! White and Black with castling rights, 15 is the black king if Black is to move.

use san::{Bitboard, Color, EnPassantPolicy, File, Move, MoveCode, Position, Rank, Role, Square};

use crate::entry::{Entry, GameResult};
use crate::error::Damage;
use crate::placement::Placement;
use crate::score::Score;

/// The size in bytes.
pub(crate) const LEN: usize = 32;
/// The offset of the ply and the result.
const PLY: usize = 28;
/// The highest ply with room in its 14 bits.
const LAST_PLY: u32 = 0x3fff;

const EN_PASSANT_PAWN: u8 = 12;
const WHITE_CASTLING_ROOK: u8 = 13;
const BLACK_CASTLING_ROOK: u8 = 14;
const BLACK_KING_TO_MOVE: u8 = 15;
/// The pieces by their codes.
const LETTERS: &[u8; 12] = b"PpNnBbRrQqKk";

/// The code of the piece with each FEN letter.
static CODES: [u8; 128] = {
    let mut codes = [0; 128];
    let mut code = 0;
    while code < LETTERS.len() {
        codes[LETTERS[code] as usize] = code as u8;
        code += 1;
    }
    codes
};

/// Returns the number of plies before a position, by its fullmove number.
pub(crate) fn ply_of(position: &Position) -> u32 {
    (2 * (position.fullmoves().max(1) - 1)).saturating_add(position.turn().fold_wb(0, 1))
}

/// Returns whether the format has room for the clocks and castling rights of a position.
#[inline]
pub(crate) fn fits(position: &Position) -> bool {
    has_plain_rights(position)
        && position.halfmoves() <= u8::MAX.into()
        && ply_of(position) <= LAST_PLY
}

/// Whether castling rights are those of rooks in the corners, and from the e-file.
#[inline]
pub(crate) fn has_plain_rights(position: &Position) -> bool {
    let rooks = position.castling_rooks();
    rooks.is_empty() || {
        let kings = position.pieces(Role::King) & Bitboard::from_file(File::E);
        let are_at_home = |color: Color| {
            let home = Bitboard::from_rank(color.backrank());
            (rooks & home).is_empty() || (kings & position.side(color) & home).any()
        };
        (rooks & !Bitboard::CORNERS).is_empty() && Color::ALL.into_iter().all(are_at_home)
    }
}

/// Maps the numbers 0, -1, 1, -2, 2 … to 0, 1, 2, 3, 4 …
pub(crate) fn unsigned(number: i16) -> u16 {
    (number << 1 ^ number >> 15) as u16
}

/// Returns the number that [`unsigned`] maps to this one.
pub(crate) fn signed(number: u16) -> i16 {
    (number >> 1) as i16 ^ -((number & 1) as i16)
}

/// Writes the entry of a position that [fits], with a drawn game as result.
pub(crate) fn write(position: &Position, played: Move, score: Score, bytes: &mut Vec<u8>) {
    let mut packed = [0; LEN];
    let (turn, occupied) = (position.turn(), position.occupied());
    packed[..8].copy_from_slice(&occupied.0.to_be_bytes());
    let pawn = position.en_passant(EnPassantPolicy::Legal).map(|behind| {
        let rank = turn.fold_wb(Rank::Fifth, Rank::Fourth);
        Square::from_coords(behind.file(), rank)
    });
    let rooks = position.castling_rooks();
    for (index, square) in occupied.into_iter().enumerate().take(32) {
        let letter = position.letter(square).unwrap_or_default();
        let code = match letter {
            'P' | 'p' if pawn == Some(square) => EN_PASSANT_PAWN,
            'R' if rooks.contains(square) => WHITE_CASTLING_ROOK,
            'r' if rooks.contains(square) => BLACK_CASTLING_ROOK,
            'k' if turn == Color::Black => BLACK_KING_TO_MOVE,
            letter => CODES[letter as usize & 127],
        };
        packed[8 + index / 2] |= code << (index % 2 * 4);
    }
    packed[24..26].copy_from_slice(&code(played).to_be_bytes());
    packed[26..PLY].copy_from_slice(&unsigned(score.get()).to_be_bytes());
    packed[PLY..30].copy_from_slice(&(ply_of(position) as u16).to_be_bytes());
    packed[30..].copy_from_slice(&(position.halfmoves() as u16).to_be_bytes());
    bytes.extend_from_slice(&packed);
}

/// Writes the result of a game into an entry; `halves` are the half points of the side to move.
pub(crate) fn set_result(stem: &mut [u8], halves: u8) {
    let two_bits = unsigned(i16::from(halves) - 1) as u8;
    stem[PLY] = stem[PLY] & 0x3f | two_bits << 6;
}

/// Kind (2 bits: promotion 1, castling 2, en passant 3), from (6), to (6), promotion piece (2).
fn code(played: Move) -> u16 {
    let ours = played.code().0;
    let (from, to) = (ours & 63, ours >> 6 & 63);
    let (kind, promotion) = match played.promotion() {
        Some(role) => (1, role as u16 - Role::Knight as u16),
        None if played.castling().is_some() => (2, 0),
        None if played.is_en_passant() => (3, 0),
        None => (0, 0),
    };
    kind << 14 | from << 8 | to << 2 | promotion
}

pub(crate) fn read(packed: &[u8; LEN]) -> Result<Entry, Damage> {
    let number = |at: usize| u16::from_be_bytes([packed[at], packed[at + 1]]);
    let occupied = u64::from_be_bytes(*packed.first_chunk().expect("there are eight bytes"));
    let mut placement = Placement::read(occupied, packed, place)?;
    let (ply, two_bits) = (number(PLY) & LAST_PLY as u16, number(PLY) >> 14);
    (placement.halfmoves, placement.fullmoves) = (number(30).into(), u32::from(ply) / 2 + 1);
    let position = placement.position()?;
    let result = match signed(two_bits) {
        result @ -1..=1 => GameResult::of_halves((result + 1) as u8, position.turn()),
        _ => None,
    };
    let result = result.ok_or(Damage::NoResult(two_bits as u8))?;
    let played = match number(24) {
        0 => None,
        code => {
            let promotion = if code >> 14 == 1 { (code & 3) + Role::Knight as u16 } else { 0 };
            Some(find(&position, code >> 8 & 63 | (code >> 2 & 63) << 6 | promotion << 12)?)
        }
    };
    let score = Score::of_raw(signed(number(26)));
    Ok(Entry { position, played, score, ply: ply.into(), result, is_start: true })
}

fn place(placement: &mut Placement, code: u8, square: Square) -> Result<(), Damage> {
    let no_piece = || Damage::NoPiece(code, square);
    let letter = match code {
        EN_PASSANT_PAWN => {
            let (color, behind) = match square.rank() {
                Rank::Fourth => (Color::White, Rank::Third),
                Rank::Fifth => (Color::Black, Rank::Sixth),
                _ => return Err(no_piece()),
            };
            placement.en_passant = Some(Square::from_coords(square.file(), behind));
            color.fold_wb(b'P', b'p')
        }
        WHITE_CASTLING_ROOK | BLACK_CASTLING_ROOK => {
            let color = Color::from_white(code == WHITE_CASTLING_ROOK);
            if !Bitboard::CORNERS.contains(square) || square.rank() != color.backrank() {
                return Err(no_piece());
            }
            placement.add_right(color, square.file());
            color.fold_wb(b'R', b'r')
        }
        BLACK_KING_TO_MOVE => {
            placement.turn = Color::Black;
            b'k'
        }
        code => LETTERS[usize::from(code)],
    };
    placement.place(letter, square);
    Ok(())
}

/// Returns the legal move with our own code.
pub(crate) fn find(position: &Position, code: u16) -> Result<Move, Damage> {
    let found = MoveCode(code).find(position);
    found.ok_or_else(|| Damage::IllegalMove(code, position.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_of_either_sign_are_small() {
        for (number, expected) in
            [(0, 0), (-1, 1), (1, 2), (-2, 3), (i16::MAX, 65534), (i16::MIN, 65535)]
        {
            assert_eq!(unsigned(number), expected);
            assert_eq!(signed(expected), number);
        }
    }
}
