//! Prints how often pieces moved to each square, counted by a sink on all cores.
//!
//! ```sh
//! cargo run --example custom_sink -- fixtures/classics.pgn
//! ```

use std::error::Error;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use pgn2epd::chess::Square;
use pgn2epd::game::TagPair;
use pgn2epd::{Options, Outcome, Ply, Problem, Sink, replay};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of games")?;
    print(std::fs::File::open(file)?, io::stdout().lock())
}

/// The number of moves to each square.
struct Targets {
    all: [u64; 64],
    /// Of the current game: a game is played before it is known whether it is kept.
    of_game: [u64; 64],
}

impl Targets {
    fn new() -> Self {
        Targets { all: [0; 64], of_game: [0; 64] }
    }

    fn add(&mut self, counts: &[u64; 64]) {
        self.all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
}

impl Sink for Targets {
    fn begin(&mut self, _: &[TagPair<'_>]) {
        self.of_game = [0; 64];
    }

    fn ply(&mut self, ply: Ply<'_>) {
        if let Some(mv) = ply.next {
            self.of_game[mv.to() as usize] += 1;
        }
    }

    fn end(&mut self, _: Option<Outcome>) {
        let counts = self.of_game;
        self.add(&counts);
    }

    fn discard_game(&mut self) {}

    fn problem(&mut self, _: Problem) {}
}

pub(crate) fn print(pgn: impl Read, mut output: impl Write) -> Result<(), Box<dyn Error>> {
    let mut targets = Targets::new();
    let mut add = |chunk: Targets| {
        targets.add(&chunk.all);
        ControlFlow::Continue(())
    };
    let summary = replay(pgn, &Options::default(), Targets::new, &mut add, &mut ())?;
    for rank in Square::ALL.chunks(8).rev() {
        let counts: Vec<String> =
            rank.iter().map(|square| format!("{:5}", targets.all[*square as usize])).collect();
        writeln!(output, "{}", counts.concat())?;
    }
    writeln!(output, "{} games, {} positions", summary.games, summary.positions)?;
    Ok(())
}
