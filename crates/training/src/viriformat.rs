//! Viriformat: games as a position in [marlinformat](crate::marlinformat), then four bytes for each
//! ply, then four bytes of 0.
//!
//! The four bytes of a ply, little-endian: the move (2) and White's score of the position before it
//! (2). A move is its origin (6 bits), target (6), promotion piece (2: knight, bishop, rook, queen)
//! and kind (2: en passant 1, castling 2, promotion 3); castling is the king's move to its rook.

use san::{Move, MoveCode, Role};

/// The size of a ply in bytes.
pub(crate) const PLY: usize = 4;
/// Ends a game.
pub(crate) const END: [u8; PLY] = [0; PLY];

const EN_PASSANT: u16 = 1 << 14;
const CASTLING: u16 = 2 << 14;
const PROMOTION: u16 = 3 << 14;

pub(crate) fn code(played: Move) -> u16 {
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
pub(crate) fn decode(code: u16) -> MoveCode {
    let promotion = match code & PROMOTION {
        PROMOTION => (code >> 12 & 3) + Role::Knight as u16,
        _ => 0,
    };
    MoveCode(code & 0x0fff | promotion << 12)
}
