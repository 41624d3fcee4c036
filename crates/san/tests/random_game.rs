//! Seeded random games on shakmaty's position.

use shakmaty::{CastlingMode, Chess, Position as _};

/// A generator of numbers, the same ones for the same seed (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % sides as u64) as usize
    }
}

/// Plays a game of at most `plies`, every third one of Chess960, and shows each position and the move that follows.
pub(crate) fn play(seed: u64, plies: usize, mut visit: impl FnMut(&Chess, shakmaty::Move)) {
    let mut dice = Dice(seed);
    let mut position = start(&mut dice);
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Captures and pawn moves a little more often, so that the board opens.
        let lively = moves.iter().filter(|m| m.is_capture() || m.role() == shakmaty::Role::Pawn);
        let lively: Vec<_> = lively.collect();
        let next = match dice.roll(3) {
            0 if !lively.is_empty() => *lively[dice.roll(lively.len())],
            _ => moves[dice.roll(moves.len())],
        };
        visit(&position, next);
        position.play_unchecked(next);
    }
}

fn start(dice: &mut Dice) -> Chess {
    if dice.roll(3) > 0 {
        return Chess::default();
    }
    let board = shakmaty::Board::chess960(dice.roll(960) as u32);
    let setup =
        shakmaty::Setup { castling_rights: board.rooks(), board, ..shakmaty::Setup::initial() };
    setup.position(CastlingMode::Chess960).unwrap()
}
