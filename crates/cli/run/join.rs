//! The commands for two sources, which are joined or compared by position.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::slice;

use pgn2epd::join::{self, JoinOptions, Side};
use pgn2epd::output::printable;
use serde_json::json;

use super::convert::Watcher;
use crate::args::{Diff, Join};
use crate::empty_output::NO_INPUT;
use crate::exit::{Outcome, Written};
use crate::host::host;
use crate::inputs::{self, Failures};
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::report::{self, count};

pub(super) fn join(args: &Join) -> anyhow::Result<Outcome> {
    let options = JoinOptions::from_names(args.library.given())?;
    let both = [&args.files[..], &args.others].concat();
    check_inputs(&both)?;
    let mut guard = output::guard(&both)?;
    output::add_output(&mut guard, args.output.as_deref())?;
    let mut output = output::open(args.output.as_deref())?;
    let shown = shows_progress(&output, args.quiet);
    let (join, errors) = read([&args.files, &args.others], true, &options, args.quiet, shown)?;
    let joined = join.join(&mut output)?;
    let written = Written::of(joined.matched + joined.unmatched > 0, false);
    written.finish(output)?;
    if !args.quiet && written == Written::Nothing {
        report::note(&format!("no records: {NO_INPUT}"));
    }
    if !args.quiet {
        let records = count(joined.matched + joined.unmatched, "record");
        let [matched, unmatched] = [joined.matched, joined.unmatched].map(indicatif::HumanCount);
        report::print(&format!("{records}, {matched} matched, {unmatched} unmatched"));
    }
    host().result(json!({
        "matched": joined.matched,
        "unmatched": joined.unmatched,
        "errors": errors,
    }));
    Ok(written.outcome(errors))
}

pub(super) fn diff(args: &Diff) -> anyhow::Result<Outcome> {
    let options = JoinOptions::from_names(args.library.given())?;
    let both = [args.a.clone(), args.b.clone()];
    check_inputs(&both)?;
    output::add_output(&mut output::guard(&both)?, None)?;
    let mut output = output::stdout();
    let shown = shows_progress(&output, args.quiet);
    let [a, b] = both.each_ref().map(slice::from_ref);
    let (join, errors) = read([a, b], false, &options, args.quiet, shown)?;
    let found = join.diff(&mut output)?;
    output.finish()?;
    let join::Differences { only_first, only_second, different, same } = found;
    host().result(json!({
        "only_first": only_first,
        "only_second": only_second,
        "different": different,
        "same": same,
        "errors": errors,
    }));
    if !args.quiet {
        let [only_first, only_second, different] =
            [only_first, only_second, different].map(|number| count(number, "position"));
        let [a, b] = both.each_ref().map(|path| inputs::name(path));
        report::print(&printable(&format!(
            "{only_first} only in {a}, {only_second} only in {b}, {different} with different operations, {} equal",
            indicatif::HumanCount(same)
        )));
    }
    Ok(Outcome::of_errors(errors + u64::from(found.are_any())))
}

/// Returns an error if a file is missing, or standard input would be read twice.
fn check_inputs(files: &[PathBuf]) -> anyhow::Result<()> {
    let stdin = files.iter().filter(|path| *path == Path::new("-"));
    if stdin.count() > 1 && host().is_process() {
        anyhow::bail!("standard input (-) can only be read once");
    }
    inputs::check_existing(files)
}

/// Whether progress is shown: on a terminal, unless the output is shown there too.
fn shows_progress(output: &Output, quiet: bool) -> bool {
    !quiet && io::stderr().is_terminal() && !output.is_terminal()
}

/// Counts errors; fails if a file is not read to its end, since a partial result would mislead.
fn read(
    sources: [&[PathBuf]; 2],
    joins: bool,
    options: &JoinOptions,
    quiet: bool,
    shown: bool,
) -> anyhow::Result<(join::Join, u64)> {
    let mut join = join::Join::new(options);
    let mut failures = Failures::new(quiet, options.on_damage);
    let mut errors = 0;
    for (side, files) in [Side::First, Side::Second].into_iter().zip(sources) {
        let inputs = inputs::inputs(files, None)?;
        let mut watcher = Watcher::new(&inputs, Progress::new(inputs.bytes(), shown), None, quiet);
        watcher.read_all(inputs, &mut failures, |text, watcher| {
            join.text(side, text, watcher)?;
            Ok(false)
        })?;
        if joins && side == Side::First {
            join.first_is_complete();
        }
        errors += watcher.finish().0.errors;
    }
    failures.finish()?;
    Ok((join, errors))
}
