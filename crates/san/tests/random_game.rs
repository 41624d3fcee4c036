//! Seeded random games, played with shakmaty.

use shakmaty::{CastlingMode, Chess, Position as _};
use testkit::rng::Rng;

/// Plays a game of at most `plies`, every third one of Chess960, and visits each position with the
/// move played from it.
pub(crate) fn play(seed: u64, plies: usize, mut visit: impl FnMut(&Chess, shakmaty::Move)) {
    let mut dice = Rng::new(seed);
    let mut position = start(&mut dice);
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Prefers captures and pawn moves slightly, so that the board opens up.
        let lively = moves.iter().filter(|m| m.is_capture() || m.role() == shakmaty::Role::Pawn);
        let lively: Vec<_> = lively.collect();
        let next = match dice.below(3) {
            0 if !lively.is_empty() => *dice.pick(&lively),
            _ => dice.pick(&moves),
        };
        visit(&position, next);
        position.play_unchecked(next);
    }
}

fn start(dice: &mut Rng) -> Chess {
    if dice.below(3) > 0 {
        return Chess::default();
    }
    let board = shakmaty::Board::chess960(dice.below(960));
    let setup =
        shakmaty::Setup { castling_rights: board.rooks(), board, ..shakmaty::Setup::initial() };
    setup.position(CastlingMode::Chess960).unwrap()
}
