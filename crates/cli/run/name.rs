//! The command that names games.

use pgn2epd::openings::name_text;
use pgn2epd::output::other_format;
use pgn2epd::{ConvertError, Observer, Problem, Summary};

use super::tables::opening_tables;
use crate::args::Name;
use crate::exit::{Outcome, Written};
use crate::inputs::{Failures, inputs, unreadable};
use crate::output;
use crate::progress::Progress;
use crate::report;

/// Names the games of all inputs.
pub(super) fn run(args: &Name) -> anyhow::Result<Outcome> {
    let inputs = inputs(&args.files, None)?;
    let options = args.options()?.openings(opening_tables(&args.openings)?);
    let mut guard = output::guard(&args.files)?;
    args.openings.files().for_each(|table| guard.input(table));
    output::add_output(&mut guard, args.output.as_deref())?;
    // What `name` writes is a table or tags, so a name of another format is a mistake.
    if let Some(path) = output::named(args.output.as_deref())
        && let Some((what, advice)) = other_format(path)
        && !(if options.table { what == "a table with tabs" } else { what == "games" })
    {
        anyhow::bail!("-o {} is the name of {what}; {advice}", path.display());
    }
    let mut output = output::open(args.output.as_deref())?;
    let mut done = Summary::default();
    let (mut failures, progress) = (Failures::new(args.quiet), Progress::new(None, false));
    for text in inputs.on_damage(options.on_damage) {
        let Some(text) = failures.text(text, &progress) else { continue };
        let file = text.name().to_owned();
        let mut problems = Problems { file: &file, quiet: args.quiet, text: Summary::default() };
        let named = name_text(text, &mut output, &options, &mut problems);
        done += problems.text;
        match named {
            Err(ConvertError::Read(error)) => {
                failures.add(unreadable(error, &file), &progress);
            }
            outcome => drop(outcome?),
        }
    }
    let written = Written::of(done.games > 0, false);
    written.finish(output)?;
    if done.games == 0 && failures.is_empty() && !args.quiet {
        report::note("no openings: the input has no games");
    }
    failures.finish()?;
    Ok(written.outcome(done.errors))
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
