//! Checking files of positions: faults to one place, records to another.

use std::io::{self, Write};

use anyhow::Context;
use pgn2epd::epd::{CheckCounts, Checker, LineFault, StatisticsReport};
use serde::Serialize;

use super::convert::{Input, explain, inputs};
use crate::cli::Outcome;
use crate::cli::args::Check;
use crate::cli::output::Output;
use crate::cli::report::{count, printable};

/// Checks what was asked for.
pub(super) fn check(args: &Check) -> anyhow::Result<Outcome> {
    if args.output.is_some() && !args.writes() {
        anyhow::bail!("-o is for records, and none are written without --fix or --unique");
    }
    let inputs = inputs(&args.files)?;
    let mut records = args.writes().then(|| Output::open(args.output.as_deref())).transpose()?;
    let mut messages = Messages {
        out: match &records {
            Some(Output::Stdout(_)) => Box::new(io::stderr().lock()),
            _ => Box::new(io::BufWriter::new(io::stdout().lock())),
        },
        json: args.json,
        quiet: args.quiet,
        failed: None,
    };
    let mut checker = Checker::new(args.options());
    for input in &inputs {
        one_file(input, &mut checker, records.as_mut(), &mut messages)?;
    }
    if args.stats {
        messages.statistics(&checker.statistics())?;
    }
    messages.out.flush()?;
    if let Some(records) = records {
        records.finish()?;
    }
    let counts = checker.counts();
    if counts.errors + counts.warnings + counts.duplicates > 0 && !args.quiet && !args.json {
        summary(counts);
    }
    Ok(Outcome::of_errors(counts.errors))
}

/// Checks an input: all its texts, if it is an archive.
fn one_file(
    input: &Input,
    checker: &mut Checker,
    mut records: Option<&mut Output>,
    messages: &mut Messages<'_>,
) -> anyhow::Result<()> {
    let mut source = input.open()?;
    while let Some(text) =
        source.next_text().with_context(|| format!("cannot read {}", input.name()))?
    {
        let name = match text.name() {
            Some(member) => format!("{}/{member}", input.name()),
            None => input.name(),
        };
        let mut tell = |fault: &LineFault| messages.fault(&name, fault);
        let checked = match &mut records {
            Some(output) => checker.check(text, output, &mut tell),
            None => checker.check(text, io::sink(), &mut tell),
        };
        checked.map_err(|error| explain(error, &name))?;
        messages.failed.take().map_or(Ok(()), |error| Err(anyhow::Error::from(error)))?;
    }
    Ok(())
}

/// Where faults and statistics are said.
struct Messages<'o> {
    out: Box<dyn Write + 'o>,
    json: bool,
    quiet: bool,
    /// Why they cannot be said.
    failed: Option<io::Error>,
}

/// A fault as a line of JSON.
#[derive(Serialize)]
struct JsonFault<'a> {
    file: &'a str,
    line: u64,
    column: u64,
    level: &'static str,
    kind: &'static str,
    text: &'a str,
    reason: String,
}

/// Statistics as a line of JSON.
#[derive(Serialize)]
struct JsonStatistics {
    positions: u64,
    white_to_move: u64,
    unique_with_clocks: u64,
    unique_without_clocks: u64,
    unique_without_superfluous_ep: u64,
    unique_board_side_castling: u64,
    unique_board_side: u64,
    unique_board: u64,
    superfluous_ep: u64,
}

impl Messages<'_> {
    fn fault(&mut self, file: &str, fault: &LineFault) {
        if self.quiet || self.failed.is_some() {
            return;
        }
        if let Err(error) = self.write_fault(file, fault) {
            self.failed = Some(error);
        }
    }

    fn write_fault(&mut self, file: &str, fault: &LineFault) -> io::Result<()> {
        let LineFault { line, column, text, kind } = fault;
        let reason = kind.to_string();
        if !self.json {
            // What is said once of a file is true of other lines too.
            let more = if kind.is_of_file() { " (said once for the file)" } else { "" };
            return writeln!(
                self.out,
                "{}:{}{more}",
                printable(file),
                printable(&fault.to_string())
            );
        }
        let (level, kind) = (kind.severity().as_str(), kind.name());
        let (line, column) = (*line, *column);
        let fault = JsonFault { file, line, column, level, kind, text, reason };
        writeln!(self.out, "{}", serde_json::to_string(&fault)?)
    }

    fn statistics(&mut self, report: &StatisticsReport) -> io::Result<()> {
        if !self.json {
            return writeln!(self.out, "{report}");
        }
        let statistics = JsonStatistics {
            positions: report.positions,
            white_to_move: report.white,
            unique_with_clocks: report.with_clocks,
            unique_without_clocks: report.without_clocks,
            unique_without_superfluous_ep: report.without_superfluous,
            unique_board_side_castling: report.with_castling,
            unique_board_side: report.with_side,
            unique_board: report.boards,
            superfluous_ep: report.superfluous,
        };
        writeln!(self.out, "{}", serde_json::to_string(&statistics)?)
    }
}

/// What it came to: `1,000 records, 3 errors, 2 warnings`.
#[allow(clippy::print_stderr)]
fn summary(counts: CheckCounts) {
    let mut text = count(counts.records, "record");
    if counts.bad_lines > 0 {
        let s = if counts.bad_lines == 1 { "" } else { "s" };
        text += &format!(", {} bad line{s}", indicatif::HumanCount(counts.bad_lines));
    }
    for (number, noun) in
        [(counts.errors, "error"), (counts.warnings, "warning"), (counts.duplicates, "duplicate")]
    {
        if number > 0 {
            text += &format!(", {}", count(number, noun));
        }
    }
    anstream::eprintln!("{text}");
}
