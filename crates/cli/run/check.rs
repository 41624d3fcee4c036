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
use crate::files::{self, Output, OutputError, inputs};
use crate::host::host;
use crate::job::Job;
use crate::report::{self, NO_INPUT, ReportLine, count};

pub(super) fn check(args: &Check) -> anyhow::Result<u64> {
    let options = CheckOptions::from_names(args.library.given())?;
    let fixes = options.fix;
    if args.output.is_some() && !fixes {
        anyhow::bail!("-o is for records, which are only written with --fix");
    }
    if args.rejects.is_some() && !fixes {
        anyhow::bail!("--rejects is for lines that cannot be repaired; use it with --fix");
    }
    let inputs = inputs(&args.files, None)?;
    let mut guard = files::guard(&args.files)?;
    files::add_output(&mut guard, None)?;
    if let Some(path) = files::named(args.output.as_deref()) {
        guard.output("-o", path)?;
        if Format::of_file_name(path) == Some(Format::Fen) {
            let name = path.display();
            anyhow::bail!("-o {name}: --fix writes EPD; `pgn2epd FILE -o {name}` writes FEN");
        }
        Options::default().check_file_name(path).context("-o")?;
    }
    files::add(&mut guard, "--rejects", args.rejects.as_deref())?;
    let file = args.rejects.as_deref().map(Output::open).transpose()?;
    let mut rejects = Rejects { file, failed: None, first: Vec::new() };
    let mut records = fixes.then(|| files::open(args.output.as_deref())).transpose()?;
    let mut messages = CheckMessages {
        out: match &records {
            Some(records) if records.is_stdout() => Box::new(report::Stderr),
            _ => Box::new(io::BufWriter::new(files::stdout())),
        },
        json: args.json,
        quiet: args.quiet,
        failed: None,
    };
    let (on_damage, has_statistics) = (options.on_damage, options.statistics);
    let mut checker = Checker::new(options);
    let mut job = Job::new(args.quiet, on_damage);
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
    let is_empty = counts.records == 0;
    let written = records.map_or(Ok(()), |records| files::finish(records, is_empty));
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
    Ok(errors + u64::from(is_empty))
}

struct Rejects {
    file: Option<Output>,
    /// Does not stop the run, so that the records are not lost.
    failed: Option<io::Error>,
    first: Vec<String>,
}

impl Rejects {
    const SHOWN: usize = 5;

    fn take(&mut self, file: &str, line: &RejectedLine<'_>) {
        if let Some(output) = &mut self.file {
            if self.failed.is_none() {
                self.failed = output.write_all(&[line.bytes, b"\n"].concat()).err();
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
            return Ok(output.finish().map(|()| None)?);
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

struct CheckMessages<'o> {
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

impl CheckMessages<'_> {
    fn fault(&mut self, file: &str, fault: &LineDiagnostic) {
        if !self.quiet && self.failed.is_none() {
            self.failed = self.write_fault(file, fault).err();
        }
    }

    fn finish(mut self) -> Result<(), OutputError> {
        self.failed.map_or_else(|| self.out.flush(), Err).map_err(OutputError::from)
    }

    fn write_fault(&mut self, file: &str, fault: &LineDiagnostic) -> io::Result<()> {
        let LineDiagnostic { line, column, text, kind, .. } = fault;
        let message = format!("{}:{}", printable(file), printable(&fault.to_string()));
        let finding = ReportLine::of_record(Some((file, *line)), *column, text, kind);
        if host().finding(&finding, &message) {
            return Ok(());
        }
        if !self.json {
            // A fault reported once per file applies to other lines too.
            let more = if kind.is_of_file() { " (reported once per file)" } else { "" };
            return writeln!(self.out, "{message}{more}");
        }
        let fault = JsonFault {
            file,
            line: *line,
            column: *column,
            level: kind.severity().as_str(),
            kind: kind.name(),
            text,
            reason: kind.to_string(),
        };
        writeln!(self.out, "{}", serde_json::to_string(&fault)?)
    }

    fn statistics(&mut self, report: &StatisticsReport) {
        let text = match self.json {
            true => serde_json::to_string(report).map_err(io::Error::from),
            false => Ok(report.to_string()),
        };
        if self.failed.is_none() {
            self.failed = text.and_then(|text| writeln!(self.out, "{text}")).err();
        }
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
