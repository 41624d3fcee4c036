//! Prints the ten most frequent first moves, counted by a visitor written for pgn-reader, on all
//! cores.
//!
//! ```sh
//! cargo run --example visitor -- fixtures/classics.pgn
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use pgn_reader::{SanPlus, Visitor};
use pgn2epd::{Options, visit};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("name a file of games")?;
    print(std::fs::File::open(file)?, io::stdout().lock())
}

/// Returns the first move of a game.
struct FirstMove;

impl Visitor for FirstMove {
    type Tags = ();
    type Movetext = ();
    type Output = Option<String>;

    fn begin_tags(&mut self) -> ControlFlow<Option<String>> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Option<String>> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<Option<String>> {
        ControlFlow::Break(Some(san.to_string()))
    }

    fn end_game(&mut self, (): ()) -> Option<String> {
        None
    }
}

pub(crate) fn print(pgn: impl Read, mut output: impl Write) -> Result<(), Box<dyn Error>> {
    let mut counts = BTreeMap::new();
    let mut add = |_, moves: Vec<Option<String>>| {
        moves.into_iter().flatten().for_each(|first| *counts.entry(first).or_insert(0_u64) += 1);
        ControlFlow::Continue(())
    };
    visit(pgn, &Options::default(), || FirstMove, &mut add, &mut ())?;
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (first, count) in counts.iter().take(10) {
        writeln!(output, "{count:7} {first}")?;
    }
    Ok(())
}
