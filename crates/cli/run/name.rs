//! The command that names games.

use std::path::Path;

use pgn2epd::openings::name_text;
use pgn2epd::output::Refused;
use pgn2epd::output::other_format;
use pgn2epd::{ConvertError, Observer, Problem, Summary};

use super::tables::opening_tables;
use crate::args::Name;
use crate::exit::Outcome;
use crate::inputs::{Failures, inputs, unreadable};
use crate::output::{self, Guard};
use crate::progress::Progress;
use crate::report;

/// Names the games of all inputs.
pub(super) fn run(args: &Name) -> anyhow::Result<Outcome> {
    let inputs = inputs(&args.files, None)?;
    let options = args.options()?.openings(opening_tables(&args.openings)?);
    let in_place = check_outputs(args, options.write)?;
    // What `name` writes is a table or games, so a name of another format is a mistake.
    if let Some(path) = output::named(args.output.as_deref())
        && let Some((what, advice)) = other_format(path)
        && (what != "games" || options.table)
    {
        anyhow::bail!("-o {} is the name of {what}; {advice}", path.display());
    }
    let mut output = output::open(args.output.as_deref())?;
    if let Some(refused) = in_place.clone().filter(|_| !output.is_file()) {
        return Err(refused.into());
    }
    let mut done = Summary::default();
    let (mut failures, progress) = (Failures::new(args.quiet), Progress::new(None, false));
    // Whether the output has all that is in the inputs.
    let mut is_whole = true;
    for text in inputs.on_damage(options.on_damage) {
        is_whole &= matches!(&text, Ok(text) if !text.is_member());
        let Some(text) = failures.text(text, &progress) else { continue };
        let file = text.name().to_owned();
        let mut problems = Problems { file: &file, quiet: args.quiet, text: Summary::default() };
        let named = name_text(text, &mut output, &options, &mut problems);
        done += problems.text;
        match named {
            Err(ConvertError::Read(error)) => {
                is_whole = false;
                failures.add(unreadable(error, &file), &progress);
            }
            outcome => drop(outcome?),
        }
    }
    if in_place.is_some() && !is_whole {
        let target = args.output.as_deref().unwrap_or(Path::new("-")).display();
        let error = anyhow::anyhow!(
            "{target} is not replaced: the inputs were not read completely, or are archives; write to another file"
        );
        failures.add(error, &progress);
    // Do not replace an existing file if no input could be read.
    } else if failures.is_empty() || done.games > 0 {
        output.finish()?;
    }
    if done.games == 0 && failures.is_empty() && !args.quiet {
        report::note("no openings: the input has no games");
    }
    failures.finish()?;
    Ok(Outcome::of_errors(done.errors))
}

/// Checks the output. One that is an input is returned: games that are written with their tags may
/// replace their file, if it has been read completely by then.
fn check_outputs(args: &Name, writes: bool) -> Result<Option<Refused>, Refused> {
    let target = args.output.as_deref();
    let mut guard = output::guard(&args.files)?;
    let mut tables = Guard::default();
    args.openings.files().for_each(|table| tables.input(table));
    output::add_output(&mut tables, target)?;
    match output::add_output(&mut guard, target) {
        Err(refused @ Refused::Input { .. }) if writes && output::named(target).is_some() => {
            Ok(Some(refused))
        }
        refused => refused.map(|()| None),
    }
}

/// Reports problems in games.
struct Problems<'f> {
    file: &'f str,
    quiet: bool,
    /// The totals of the text so far.
    text: Summary,
}

impl Observer for Problems<'_> {
    fn problem(&mut self, problem: &Problem) {
        if !self.quiet {
            report::problem(self.file, problem);
        }
    }

    fn progress(&mut self, summary: &Summary) {
        self.text = *summary;
    }
}
