//! Naming games.

use anyhow::Context;
use pgn2epd::{NameOptions, Problem, Watch, name};

use super::convert::{Input, explain, inputs};
use super::tables::opening_tables;
use crate::cli::Outcome;
use crate::cli::args::Name;
use crate::cli::output::Output;
use crate::cli::report;

/// Names what was asked for.
pub(super) fn run(args: &Name) -> anyhow::Result<Outcome> {
    let inputs = inputs(&args.files)?;
    let options = NameOptions { openings: opening_tables(&args.openings)?, ..args.options() };
    let mut output = Output::open(args.output.as_deref())?;
    let mut errors = 0;
    for input in &inputs {
        errors += name_input(input, &options, &mut output, args.quiet)?;
    }
    output.finish()?;
    Ok(Outcome::of_errors(errors))
}

/// Names all texts of an input, and counts the errors in them.
fn name_input(
    input: &Input,
    options: &NameOptions,
    output: &mut Output,
    quiet: bool,
) -> anyhow::Result<u64> {
    let cannot_read = || format!("cannot read {}", input.name());
    let mut errors = 0;
    let mut source = input.open()?;
    while let Some(text) = source.next_text().with_context(cannot_read)? {
        let file = match text.name() {
            Some(member) => format!("{}/{member}", input.name()),
            None => input.name(),
        };
        let mut problems = Problems { file: &file, quiet };
        let summary = name(text, &mut *output, options, &mut problems);
        errors += summary.map_err(|error| explain(error, &file))?.errors;
    }
    Ok(errors)
}

/// Says what is wrong with games.
struct Problems<'f> {
    file: &'f str,
    quiet: bool,
}

impl Watch for Problems<'_> {
    fn problem(&mut self, problem: &Problem) {
        if !self.quiet {
            report::problem(self.file, problem);
        }
    }
}
