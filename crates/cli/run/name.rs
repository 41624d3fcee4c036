//! The command that names games.

use pgn2epd::output::Refused;
use pgn2epd::{ConvertError, NameOptions, Observer, Problem, Summary, name_text};

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
    let options = NameOptions { openings: opening_tables(&args.openings)?, ..args.options() };
    refuse_outputs(args)?;
    let mut output = output::open(args.output.as_deref())?;
    let mut done = Summary::default();
    let (mut failures, progress) = (Failures::new(args.quiet), Progress::new(None, false));
    for text in inputs.on_damage(args.damage.on_damage()) {
        let Some(text) = failures.text(text, &progress) else { continue };
        let file = text.name().to_owned();
        let mut problems = Problems { file: &file, quiet: args.quiet, text: Summary::default() };
        let named = name_text(text, &mut output, &options, &mut problems);
        done += problems.text;
        match named {
            Err(ConvertError::Read(error)) => failures.add(unreadable(error, &file), &progress),
            outcome => drop(outcome?),
        }
    }
    // Do not replace an existing file if no input could be read.
    if failures.is_empty() || done.games > 0 {
        output.finish()?;
    }
    if done.games == 0 && failures.is_empty() && !args.quiet {
        report::note("no openings: the input has no games");
    }
    failures.finish()?;
    Ok(Outcome::of_errors(done.errors))
}

/// Games that are written with their tags may replace their input file, which has been read
/// completely by then.
fn refuse_outputs(args: &Name) -> Result<(), Refused> {
    let target = args.output.as_deref();
    let mut guard = Guard::default();
    args.openings.files().for_each(|table| guard.input(table));
    if args.write && output::named(target).is_some() {
        output::add_output(&mut guard, target)?;
        return output::add_inputs(&mut guard, &args.files);
    }
    output::add_inputs(&mut guard, &args.files)?;
    output::add_output(&mut guard, target)
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
