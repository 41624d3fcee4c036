//! The 960 start positions of Chess960, by number.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

/// Returns the FEN of a start position, 0 to 959. Number 518 is the starting position of standard
/// chess.
///
/// The rooks are on both sides of the king and outermost, so the castling rights are `KQkq` in all
/// of them.
pub(super) fn fen(number: u32) -> String {
    let rank = back_rank(number);
    format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1", rank.to_ascii_lowercase())
}

/// Returns a start position.
pub(super) fn position(number: u32) -> Chess {
    let fen: Fen = fen(number).parse().expect("the FEN of a start is well formed");
    fen.into_position(CastlingMode::Chess960).expect("a start is a legal position")
}

/// Returns the white pieces from a to h by Scharnagl's method: the remainders of the number place
/// bishops, queen and knights; the three remaining squares take rook, king and rook.
fn back_rank(number: u32) -> String {
    assert!(number < 960, "there are 960 starts, 0 to 959");
    let mut rank = [b' '; 8];
    let (number, light_bishop) = (number / 4, number % 4);
    rank[light_bishop as usize * 2 + 1] = b'B';
    let (number, dark_bishop) = (number / 4, number % 4);
    rank[dark_bishop as usize * 2] = b'B';
    let (knights, queen) = (number / 6, number % 6);
    put(&mut rank, queen as usize, b'Q');

    // The ten pairs of two squares out of five; the second index is counted after the first knight
    // is placed.
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)];
    let (first, second) = KNIGHTS[knights as usize];
    put(&mut rank, first, b'N');
    put(&mut rank, second, b'N');
    for piece in *b"RKR" {
        put(&mut rank, 0, piece);
    }
    rank.iter().map(|&piece| char::from(piece)).collect()
}

/// Puts a piece on the `nth` free square.
fn put(rank: &mut [u8; 8], nth: usize, piece: u8) {
    let free = rank.iter_mut().filter(|square| **square == b' ').nth(nth);
    *free.expect("enough squares are free") = piece;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn position_numbers_follow_the_convention() {
        assert_eq!(back_rank(0), "BBQNNRKR");
        assert_eq!(back_rank(518), "RNBQKBNR");
        assert_eq!(back_rank(959), "RKRNNQBB");
    }

    #[test]
    fn all_960_starts_differ_and_are_legal() {
        let ranks: HashSet<String> = (0..960)
            .map(|number| {
                position(number);
                back_rank(number)
            })
            .collect();
        assert_eq!(ranks.len(), 960);
    }
}
