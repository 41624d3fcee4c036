//! Shows a position of a Polyglot book, merges and checks books.

use std::cmp::Reverse;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::Position;
use pgn2epd::book::{
    BookOptions, Form, PolyglotCounts, PolyglotError, check_polyglot, four_fields, merge_polyglot,
    polyglot_entries,
};
use pgn2epd::chess::san_of;

use crate::args::Target;
use crate::exit::Outcome;
use crate::inputs;
use crate::output::{self, Output};
use crate::report::{self, count};

/// Whether a file is a Polyglot book by its name; the format has no signature.
pub(in crate::run) fn is_book(path: &Path) -> bool {
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
    let mut out = BufWriter::new(Output::stdout());
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

/// Merges books.
pub(super) fn merge(
    books: &[PathBuf],
    options: &BookOptions,
    target: &Target,
) -> anyhow::Result<Outcome> {
    if !books.iter().all(|book| is_book(book)) {
        anyhow::bail!("Polyglot books (.bin) can only be merged with one another");
    }
    if target.partial || target.metadata || options.format != Some(Form::Polyglot) {
        anyhow::bail!("Polyglot books can only be merged to a Polyglot book: -o book.bin");
    }
    if options.has_any_of("Selection") || !options.omit.is_empty() {
        anyhow::bail!("Polyglot books are merged as they are, without selection options");
    }
    let mut guard = output::guard(books)?;
    output::add_output(&mut guard, target.output.as_deref())?;
    let open = |path: &PathBuf| anyhow::Ok((inputs::name(path), inputs::open(path)?));
    let inputs = books.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
    let mut output = output::open(target.output.as_deref())?;
    if merge_polyglot(inputs, &mut output)? == 0 {
        report::note("the book is empty: the books to merge are empty");
        return Ok(Outcome::SomeErrors);
    }
    output.finish()?;
    Ok(Outcome::Well)
}

/// Checks books, and prints their faults and, if wanted, their numbers of moves and positions.
pub(in crate::run) fn check(books: &[PathBuf], has_counts: bool) -> anyhow::Result<Outcome> {
    output::guard(books)?.stdout()?;
    let mut out = BufWriter::new(Output::stdout());
    let mut errors = 0;
    for path in books {
        let name = inputs::name(path);
        let mut written = Ok(());
        let checked = check_polyglot(inputs::open(path)?, &mut |fault| {
            errors += 1;
            if written.is_ok() {
                written = writeln!(out, "{name}: entry {}: error: {}", fault.number, fault.kind);
            }
        });
        written?;
        match checked {
            Ok(PolyglotCounts { entries, positions, reached }) if has_counts => {
                let (moves, positions) = (count(entries, "move"), count(positions, "position"));
                writeln!(
                    out,
                    "{name}: {moves} of {positions}; moves of the book lead to {reached} of these"
                )?;
            }
            Ok(_) => {}
            Err(error @ PolyglotError::Read(_)) => {
                return Err(error).with_context(|| format!("cannot read {name}"));
            }
            Err(error) => {
                errors += 1;
                writeln!(out, "{name}: error: {error}")?;
            }
        }
    }
    out.flush()?;
    Ok(Outcome::of_errors(errors))
}
