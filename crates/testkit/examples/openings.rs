//! Writes random games of 24 plies to standard output; a book of them has many positions, few of
//! which are frequent.
//!
//! `cargo run --release -p pgn2epd-testkit --example openings -- SEED GAMES > out.pgn`
//!
//! Moves that come first in a fixed order are played more often, which imitates real openings.

use std::error::Error;
use std::io::{self, BufWriter, Write};

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use testkit::rng::Rng;

const PLIES: usize = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, games] = arguments.as_slice() else {
        return Err("usage: openings SEED GAMES".into());
    };
    let mut rng = Rng::new(seed.parse()?);
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    for _ in 0..games.parse::<u64>()? {
        let (white, black) = (rng.between(1, 5000), rng.between(1, 5000));
        let (white_elo, black_elo) = (rng.between(1500, 2800), rng.between(1500, 2800));
        let year = rng.between(1990, 2026);
        let result = rng.pick(&["1-0", "0-1", "1/2-1/2"]);
        write!(
            out,
            "[White \"Player {white}\"]\n[Black \"Player {black}\"]\n[Date \"{year}.01.01\"]\n\
             [Result \"{result}\"]\n[WhiteElo \"{white_elo}\"]\n[BlackElo \"{black_elo}\"]\n\n"
        )?;
        let mut position = Chess::default();
        for ply in 0..PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mut below = || rng.below(moves.len() as u32);
            let lot = if ply < 12 { below().min(below()).min(below()) } else { below() };
            let next = moves[lot as usize];
            if ply % 2 == 0 {
                write!(out, "{}. ", ply / 2 + 1)?;
            }
            write!(out, "{} ", SanPlus::from_move_and_play_unchecked(&mut position, next))?;
        }
        write!(out, "{result}\n\n")?;
    }
    Ok(out.flush()?)
}
