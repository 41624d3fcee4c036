//! What tells positions apart, packed, and a cheap hash of it.
//!
//! Polyglot's key costs a look-up for each piece, about what a whole ply of a conversion costs. Here three boards say which
//! piece stands where and one says whose it is: five words, which two multiplications mix. The words themselves are
//! compared where the hash is found, so positions are never confused.

use std::hash::{Hash, Hasher};

use san::{Color, EnPassantPolicy, Position, Role};

/// All that counts of a position, without the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The number of the piece on each square, bit by bit: pawn 1 to king 6.
    roles: [u64; 3],
    white: u64,
    /// The rooks that may castle on the first and the last rank; between them the side to move and the en passant file.
    rest: u64,
}

impl Key {
    #[inline]
    pub(crate) fn of(position: &Position) -> Self {
        let pieces = |role| position.pieces(role).0;
        let (pawns, bishops, queens) =
            (pieces(Role::Pawn), pieces(Role::Bishop), pieces(Role::Queen));
        let kings = pieces(Role::King);
        let en_passant = match position.en_passant(EnPassantPolicy::Legal) {
            None => 0,
            Some(square) => 1 + square.file() as u64,
        };
        let turn = u64::from(position.turn() == Color::White);
        Key {
            roles: [
                pawns | bishops | queens,
                pieces(Role::Knight) | bishops | kings,
                pieces(Role::Rook) | queens | kings,
            ],
            white: position.side(Color::White).0,
            rest: position.castling_rooks().0 | turn << 8 | en_passant << 16,
        }
    }

    /// A number that few positions share.
    #[inline]
    pub(crate) fn mixed(&self) -> u64 {
        // Digits of pi, as good as any.
        let [a, b, c] = self.roles;
        mix(a ^ 0x243f_6a88_85a3_08d3, b ^ 0x1319_8a2e_0370_7344)
            ^ mix(c ^ 0xa409_3822_299f_31d0, self.white ^ self.rest.rotate_left(20))
    }
}

/// Both halves of a product.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.mixed());
    }
}

/// Takes the one number that it is given.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        unreachable!("a key is hashed as one number, not as {} bytes", bytes.len());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(fen: &str) -> Key {
        Key::of(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn clocks_do_not_count() {
        assert_eq!(key("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), key("4k3/8/8/8/8/8/8/4K2R w K - 9 9"));
    }

    #[test]
    fn each_piece_the_side_and_the_rights_count() {
        let fens = [
            "4k3/8/8/8/8/8/8/4K2R w K -",
            "4k3/8/8/8/8/8/8/4K2R b K -",
            "4k3/8/8/8/8/8/8/4K2R w - -",
            "4k3/8/8/8/8/8/8/4K2r w - -",
            "4k3/8/8/8/8/8/8/4K2Q w - -",
            "4k3/8/8/8/8/8/8/4K2B w - -",
            "4k3/8/8/8/8/8/8/4K2N w - -",
            "4k3/8/8/8/8/8/7P/4K3 w - -",
            "4k3/8/8/8/8/8/8/4K1R1 w - -",
            "4k3/8/8/8/8/8/8/R3K3 w Q -",
        ];
        for a in 0..fens.len() {
            for b in 0..a {
                assert_ne!(key(fens[a]), key(fens[b]), "{} and {}", fens[a], fens[b]);
                assert_ne!(key(fens[a]).mixed(), key(fens[b]).mixed());
            }
        }
    }

    #[test]
    fn the_en_passant_square_counts_where_a_capture_is_legal() {
        let nobody = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert_eq!(key(&format!("{nobody} e3")), key(&format!("{nobody} -")));
        let pawn = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq";
        assert_ne!(key(&format!("{pawn} e3")), key(&format!("{pawn} -")));
    }
}
