//! Shows a position of a Polyglot book.

use std::cmp::Reverse;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use pgn2epd::Position;
use pgn2epd::book::{four_fields, polyglot_entries};
use pgn2epd::chess::san_of;

use crate::exit::Outcome;
use crate::inputs;
use crate::output;
use crate::report;

/// Whether a file is a Polyglot book by its name; the format has no signature.
pub(super) fn is_book(path: &Path) -> bool {
    path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("bin"))
}

/// Prints the moves of a position with their weights. Illegal moves are errors.
pub(super) fn show(path: &Path, position: &Position) -> anyhow::Result<Outcome> {
    let name = inputs::name(path);
    let mut entries = polyglot_entries(inputs::open(path)?, position)
        .with_context(|| format!("cannot read {name}"))?;
    let is_empty = entries.is_empty();
    let mut errors = 0;
    entries.retain(|entry| {
        let is_legal = entry.played(position).is_some();
        if !is_legal {
            let ((from, to), number) = (entry.squares(), entry.number);
            report::note(&format!(
                "{name}: entry {number}: {from}{to} is illegal in this position"
            ));
            errors += 1;
        }
        is_legal
    });
    // The sort is stable: moves of equal weight keep the order of the book.
    entries.sort_by_key(|entry| Reverse(entry.weight));
    let all: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
    let mut out = BufWriter::new(output::stdout());
    writeln!(out, "{}", four_fields(position))?;
    if is_empty {
        writeln!(out, "the book does not have this position")?;
    } else {
        writeln!(out, "{:<8} {:>9} {:>7} {:>10}", "move", "weight", "share", "learn")?;
    }
    for entry in entries {
        let san = entry.played(position).map(|played| san_of(position, played).to_string());
        let share = report::percent(entry.weight.into(), all);
        let (san, weight, learn) = (san.unwrap_or_default(), entry.weight, entry.learn);
        writeln!(out, "{san:<8} {weight:>9} {share:>7} {learn:>10}")?;
    }
    out.flush()?;
    Ok(Outcome::of_errors(errors))
}
