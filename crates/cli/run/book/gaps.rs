//! Compares a repertoire with an explorer file.

use std::io::{BufWriter, Write};

use anyhow::Context;
use pgn2epd::book::explorer::{ExplorerFile, Gap, GapLimits};
use pgn2epd::book::{BookOptions, find_gaps};
use pgn2epd::chess::Color;

use super::counted;
use crate::args::Gaps;
use crate::exit::Outcome;
use crate::output::{self, Output};
use crate::report;

/// Prints the gaps of a repertoire.
pub(super) fn gaps(args: &Gaps) -> anyhow::Result<Outcome> {
    let mut inputs = args.files.clone();
    inputs.push(args.against.clone());
    output::guard(&inputs)?.stdout()?;
    let against = ExplorerFile::open(&args.against)
        .with_context(|| format!("cannot read {}", args.against.display()))?;
    let limits = GapLimits {
        side: Color::from_white(args.side == "white"),
        min_games: args.min_games,
        min_score: args.min_score.0,
    };
    let options = BookOptions::default().variations(true).keep_moves(true);
    let (counting, summary, ..) = counted(&args.files, None, &options, false, None, false)?;
    let gaps = find_gaps(counting.finish(), &against, &limits, &options)?;
    let mut out = BufWriter::new(Output::stdout());
    if gaps.is_empty() {
        writeln!(out, "no gap was found")?;
    } else {
        let [games, share, score] = ["games", "share", "score"];
        writeln!(out, "{:<6} {games:>9} {share:>7} {score:>7}  line", "gap")?;
    }
    for gap in gaps.iter().take(args.limit) {
        writeln!(out, "{}", line(gap, &limits))?;
    }
    out.flush()?;
    Ok(Outcome::of_errors(summary.errors))
}

fn line(gap: &Gap, limits: &GapLimits) -> String {
    let Gap { kind, tally, of, .. } = gap;
    let score = limits.score(tally);
    let score = score.map_or("-".to_owned(), |score| report::percent(score, 1_000_000));
    let share = report::percent(tally.games, *of);
    let line = gap.line.join(" ");
    format!("{:<6} {:>9} {share:>7} {score:>7}  {line}", kind.to_string(), tally.games)
}
