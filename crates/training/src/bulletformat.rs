//! Bulletformat: a position in 32 bytes from the view of the side to move.
//!
//! Little-endian: occupied squares (8 bytes), half a byte for each of them (16), score (2), result
//! (1: 0, 1 or 2 half points), the square of the king (1) and that of the other king as seen from
//! its side (1), unused (3). If Black is to move, the board is turned and the colors are exchanged.

use san::{Color, Position, Role, Square};

use crate::entry::GameResult;
use crate::error::Damage;
use crate::marlinformat::{code, letter, occupied, piece_codes};
use crate::placement::Placement;
use crate::score::Score;

/// The size of a position in bytes.
pub(crate) const LEN: usize = 32;
/// The offset of the result.
pub(crate) const RESULT: usize = 26;

/// Writes a position with a result of 0. `score` is from the view of the side to move.
pub(crate) fn write(position: &Position, score: Score, bytes: &mut Vec<u8>) {
    let mut packed = [0; LEN];
    let turn = position.turn();
    // A turned board begins with the last rank.
    let (mask, other) = turn.fold_wb((0, 0), (56, 8));
    let occupied = turn.fold_wb(position.occupied(), position.occupied().flip_vertical());
    packed[..8].copy_from_slice(&occupied.0.to_le_bytes());
    let codes = piece_codes(occupied, |square| code(position, turned(square, mask)) ^ other);
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
pub(crate) fn read(packed: &[u8; LEN]) -> Result<(Position, Score, GameResult), Damage> {
    let place = |placement: &mut Placement, code, square| {
        placement.place(letter(code).ok_or(Damage::NoPiece(code, square))?, square);
        Ok(())
    };
    let placement = Placement::read(occupied(packed), packed, place)?;
    let score = Score::of_raw(i16::from_le_bytes([packed[24], packed[25]]));
    let result = packed[RESULT];
    let result = GameResult::of_halves(result, Color::White).ok_or(Damage::NoResult(result))?;
    Ok((placement.position()?, score, result))
}
