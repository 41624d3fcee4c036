//! Ranks, files and diagonals: whether a slider sees a square.
//!
//! The attack tables of the crate shakmaty answer in one look-up where a slider can go, but they are 700 KB of which each
//! position needs other parts. On the hot path only two squares are asked about at a time: do they lie on one line, and
//! does something stand between? That takes 33 KB, which stay in the cache. Worth 15 % of the whole time on 8moves_v3
//! (bench `throughput`, `fields`).

use shakmaty::{Bitboard, Role, Square, attacks};

/// The squares on the files and ranks, and on the diagonals, of each square.
static STRAIGHT: [Bitboard; 64] = lines(Role::Rook);
static DIAGONAL: [Bitboard; 64] = lines(Role::Bishop);

/// The squares between two on one line; none where they are not.
static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            table[a][b] = attacks::between(Square::new(a as u32), Square::new(b as u32));
            b += 1;
        }
        a += 1;
    }
    table
};

const fn lines(role: Role) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        table[index] = match role {
            Role::Rook => attacks::rook_attacks(square, Bitboard::EMPTY),
            _ => attacks::bishop_attacks(square, Bitboard::EMPTY),
        };
        index += 1;
    }
    table
}

/// The squares on the same rank or file.
#[inline]
pub(crate) fn straight(square: Square) -> Bitboard {
    STRAIGHT[square.to_usize()]
}

/// The squares on the same diagonals.
#[inline]
pub(crate) fn diagonal(square: Square) -> Bitboard {
    DIAGONAL[square.to_usize()]
}

/// Whether nothing stands between two squares.
#[inline]
pub(crate) fn is_clear(a: Square, b: Square, occupied: Bitboard) -> bool {
    (BETWEEN[a.to_usize()][b.to_usize()] & occupied).is_empty()
}
