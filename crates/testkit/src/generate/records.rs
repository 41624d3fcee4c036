//! Generates EPD records from a seed: positions of random games, with operations as in suites and
//! books.

use std::io::Write;

use shakmaty::fen::Epd;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, EnPassantMode, Position};

use super::pool::{choose, sorted_moves};
use crate::rng::Rng;

/// Number of plies after which a game is abandoned.
const LONGEST: u32 = 160;

/// Returns `count` valid records, one per line.
///
/// All have `fmvn`, `hmvc` and `sm`; one in four is a suite record with `acd`, `bm`, `ce` and `id`.
pub fn records(seed: u64, count: usize) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let (mut position, mut plies) = (Chess::default(), 0);
    let mut out = Vec::with_capacity(110 * count);
    for number in 0..count {
        if plies == LONGEST || position.is_game_over() {
            (position, plies) = (Chess::default(), 0);
        }
        let next = choose(&position, &mut rng);
        let san = SanPlus::from_move(position.clone(), next);
        let epd = Epd::from_position(&position, EnPassantMode::Always);
        let (fmvn, hmvc) = (position.fullmoves(), position.halfmoves());
        let is_suite = rng.one_in(4);
        let record = if is_suite {
            let depth = rng.between(8, 30);
            let ce = rng.between(0, 800) as i32 - 400;
            let best = best_moves(&position, &mut rng);
            format!(
                "{epd} acd {depth}; bm {best}; ce {ce}; fmvn {fmvn}; hmvc {hmvc}; id \"R.{number:07}\"; sm {san};"
            )
        } else {
            format!("{epd} fmvn {fmvn}; hmvc {hmvc}; sm {san};")
        };
        writeln!(out, "{record}").expect("memory can be written");
        position.play_unchecked(next);
        plies += 1;
    }
    out
}

/// Returns one or two moves, in ASCII order.
fn best_moves(position: &Chess, rng: &mut Rng) -> String {
    let moves = sorted_moves(position);
    let mut san = || SanPlus::from_move(position.clone(), rng.pick(&moves)).to_string();
    let mut best = [san(), san()];
    best.sort();
    let [first, second] = best;
    if first == second { first } else { format!("{first} {second}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_records() {
        let text = String::from_utf8(records(1, 1000)).unwrap();
        assert_eq!(text.lines().count(), 1000);
        assert_eq!(text.as_bytes(), records(1, 1000));
        assert_ne!(text.as_bytes(), records(2, 1000));
        assert!(text.lines().all(|line| line.contains(" fmvn ") && line.ends_with(';')));
        assert!(text.lines().filter(|line| line.contains(" bm ")).count() > 100);
    }
}
