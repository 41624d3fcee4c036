//! The command that checks files of positions. Faults and records are written to different outputs.

use std::io::{self, Write};

use anyhow::Context;
use pgn2epd::Options;
use pgn2epd::epd::{
    CheckCounts, CheckOptions, Checker, LineDiagnostic, RejectedLine, StatisticsReport,
};
use pgn2epd::options::Format;
use pgn2epd::output::printable;
use serde::Serialize;
use serde_json::json;

use crate::args::Check;
use crate::host::host;
use crate::inputs::{Progress, inputs};
use crate::job::Job;
use crate::output::{self, Outcome, Output, OutputError, Written};
use crate::report::{self, Finding, NO_INPUT, count};

pub(super) fn check(args: &Check) -> anyhow::Result<Outcome> {
    let options = CheckOptions::from_names(args.library.given())?;
    let fixes = options.fix;
    if args.output.is_some() && !fixes {
        anyhow::bail!("-o is for records, which are only written with --fix");
    }
    if args.rejects.is_some() && !fixes {
        anyhow::bail!("--rejects is for lines that cannot be repaired; use it with --fix");
    }
    let inputs = inputs(&args.files, None)?;
    let mut guard = output::guard(&args.files)?;
    output::add_output(&mut guard, None)?;
    if output::named(args.output.as_deref()).is_some() {
        output::add_output(&mut guard, args.output.as_deref())?;
    }
    if let Some(path) = output::named(args.output.as_deref()) {
        if Format::of_file_name(path) == Some(Format::Fen) {
            let name = path.display();
            anyhow::bail!("-o {name}: --fix writes EPD; `pgn2epd FILE -o {name}` writes FEN");
        }
        Options::default().check_file_name(path).context("-o")?;
    }
    if let Some(path) = &args.rejects {
        guard.output("--rejects", path)?;
    }
    let mut rejects = Rejects::open(args)?;
    let mut records = fixes.then(|| output::open(args.output.as_deref())).transpose()?;
    let mut messages = Messages {
        out: match &records {
            Some(records) if records.is_stdout() => Box::new(report::Stderr),
            _ => Box::new(io::BufWriter::new(output::stdout())),
        },
        json: args.json,
        quiet: args.quiet,
        failed: None,
    };
    let (on_damage, has_statistics) = (options.on_damage, options.statistics);
    let mut checker = Checker::new(options);
    let mut job = Job::new(Progress::new(None, false), None, args.quiet).on_damage(on_damage);
    job.read(inputs, |text, _| {
        let name = text.name().to_owned();
        let mut tell = |fault: &LineDiagnostic| messages.fault(&name, fault);
        let mut reject = |line: &RejectedLine<'_>| {
            rejects.take(&name, line);
            Ok(())
        };
        match &mut records {
            Some(output) => checker.text(text, output, &mut tell, &mut reject)?,
            None => checker.text(text, io::sink(), &mut tell, &mut reject)?,
        }
        Ok(records.is_none() && messages.failed.is_some())
    })?;
    let statistics = has_statistics.then(|| checker.statistics());
    if let Some(report) = &statistics {
        messages.statistics(report);
    }
    let counts = checker.counts();
    let has_records = records.is_some();
    let output = Written::of(counts.records > 0, false);
    let written = records.map_or(Ok(()), |records| output.finish(records));
    // Each is completed, whether the other can be or not.
    let rejected = rejects.finish(counts.rejected);
    written?;
    match messages.finish() {
        // The reader of the faults has closed them, but the records are still needed.
        Err(failed) if has_records && failed.is_closed_stdout() => {}
        finished => finished?,
    }
    if counts.errors + counts.warnings + counts.notes > 0 && !args.quiet && !args.json {
        summary(counts);
    }
    if counts.records + counts.bad_lines == 0 && job.is_all_read() && !args.quiet {
        report::note(&format!("no records: {NO_INPUT}"));
    }
    // With `--quiet` too, since lines would otherwise be lost silently.
    if let Some(message) = rejected? {
        report::print(&message);
    }
    if counts.dropped > 0 {
        let were = if counts.dropped == 1 { "was" } else { "were" };
        let dropped = count(counts.dropped, "text");
        report::print(&format!(
            "{dropped} {were} not written: what cannot be read, and impossible castling rights and en passant squares"
        ));
    }
    host().result(json!({
        "records": counts.records,
        "bad_lines": counts.bad_lines,
        "errors": counts.errors,
        "warnings": counts.warnings,
        "notes": counts.notes,
        "rejected": counts.rejected,
        "dropped": counts.dropped,
        "commented": counts.commented,
        "statistics": statistics,
    }));
    job.end_of_all()?;
    // The output has what is repaired without loss.
    let errors = if fixes { counts.rejected + counts.dropped } else { counts.errors };
    Ok(output.outcome(errors))
}

struct Rejects {
    file: Option<Output>,
    /// Does not stop the run, so that the records are not lost.
    failed: Option<io::Error>,
    first: Vec<String>,
}

impl Rejects {
    const SHOWN: usize = 5;

    fn open(args: &Check) -> anyhow::Result<Self> {
        let file = args.rejects.as_deref().map(Output::open).transpose()?;
        Ok(Rejects { file, failed: None, first: Vec::new() })
    }

    fn take(&mut self, file: &str, line: &RejectedLine<'_>) {
        if let Some(output) = &mut self.file {
            if self.failed.is_none() {
                let written = output.write_all(line.bytes).and_then(|()| output.write_all(b"\n"));
                self.failed = written.err();
            }
        } else if self.first.len() < Self::SHOWN {
            let text: String = String::from_utf8_lossy(line.bytes).chars().take(120).collect();
            self.first.push(format!("  {file}:{}: {}", line.line, text.trim_end()));
        }
    }

    fn finish(self, count: u64) -> anyhow::Result<Option<String>> {
        if let Some(failed) = self.failed {
            return Err(OutputError::from(failed).into());
        }
        if let Some(output) = self.file {
            output.finish()?;
            return Ok(None);
        }
        if count == 0 {
            return Ok(None);
        }
        let (lines, were, them) =
            if count == 1 { ("line", "was", "it") } else { ("lines", "were", "them") };
        let mut message = format!(
            "{} {lines} could not be repaired and {were} not written (--rejects FILE keeps {them}):",
            indicatif::HumanCount(count)
        );
        for line in &self.first {
            message += &format!("\n{}", printable(line));
        }
        if count > self.first.len() as u64 {
            message += "\n  ...";
        }
        Ok(Some(message))
    }
}

struct Messages<'o> {
    out: Box<dyn Write + 'o>,
    json: bool,
    quiet: bool,
    /// Does not stop the run, so that the records are not lost.
    failed: Option<io::Error>,
}

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

impl Messages<'_> {
    fn fault(&mut self, file: &str, fault: &LineDiagnostic) {
        if self.quiet || self.failed.is_some() {
            return;
        }
        self.failed = self.write_fault(file, fault).err();
    }

    fn finish(mut self) -> Result<(), OutputError> {
        self.failed.map_or_else(|| self.out.flush(), Err).map_err(OutputError::from)
    }

    fn write_fault(&mut self, file: &str, fault: &LineDiagnostic) -> io::Result<()> {
        let LineDiagnostic { line, column, text, kind, .. } = fault;
        let message = format!("{}:{}", printable(file), printable(&fault.to_string()));
        let finding = Finding::of_record(Some((file, *line)), *column, text, kind);
        if host().finding(&finding, &message) {
            return Ok(());
        }
        if !self.json {
            // A fault reported once per file applies to other lines too.
            let more = if kind.is_of_file() { " (reported once per file)" } else { "" };
            return writeln!(self.out, "{message}{more}");
        }
        let reason = kind.to_string();
        let (level, kind) = (kind.severity().as_str(), kind.name());
        let (line, column) = (*line, *column);
        let fault = JsonFault { file, line, column, level, kind, text, reason };
        writeln!(self.out, "{}", serde_json::to_string(&fault)?)
    }

    fn statistics(&mut self, report: &StatisticsReport) {
        if self.failed.is_none() {
            self.failed = self.write_statistics(report).err();
        }
    }

    fn write_statistics(&mut self, report: &StatisticsReport) -> io::Result<()> {
        if !self.json {
            return writeln!(self.out, "{report}");
        }
        writeln!(self.out, "{}", serde_json::to_string(report)?)
    }
}

fn summary(counts: CheckCounts) {
    let mut parts = vec![count(counts.records, "record")];
    parts.extend(report::counted(&[
        (counts.bad_lines, "bad line", ""),
        (counts.errors, "error", ""),
        (counts.warnings, "warning", ""),
        (counts.notes, "note", ""),
        (counts.rejected, "rejected line", ""),
        (counts.commented, "text", "kept as comments"),
    ]));
    report::print(&parts.join(", "));
}
