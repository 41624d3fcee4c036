//! The commands that write records: the conversion, joining and comparing.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use pgn2epd::Options;
use pgn2epd::game::OutputCounts;
use pgn2epd::input::{InputText, ReadFile};
use pgn2epd::join::{self, JoinOptions, Side};
use pgn2epd::openings::Openings;
use pgn2epd::options::{Comments, Format, Keyword, NameSource, OptionSet};
use pgn2epd::output::{OutputFiles, printable};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::args::{self, Convert, DEFAULT_TABLE, Diff, Join, OpeningTables};
use crate::files::{self, Output, Progress, inputs, open_input, shows_progress};
use crate::host::host;
use crate::job::Job;
use crate::report::{self, LossNotes, NO_INPUT, Report, count};

/// Maximum file size of a table in bytes, since it is held in memory.
const LARGEST: u64 = 256 << 20;

/// Each table overrides the previous ones; without tables, `None` means the embedded one.
pub(super) fn opening_tables(args: &OpeningTables) -> anyhow::Result<Option<Arc<Openings>>> {
    if args.tables.is_empty() {
        return Ok(None);
    }
    let mut openings = Openings::default();
    for path in &args.tables {
        if path == Path::new(DEFAULT_TABLE) {
            openings.layer_embedded();
            continue;
        }
        let mut file = Vec::new();
        let read = open_input(path)?.take(LARGEST + 1).read_to_end(&mut file);
        read.with_context(|| format!("cannot read {}", path.display()))?;
        if file.len() as u64 > LARGEST {
            let (path, limit) = (path.display(), LARGEST >> 20);
            anyhow::bail!("cannot read {path}: a table of openings has at most {limit} MiB");
        }
        openings.layer(&file).map_err(|error| anyhow::anyhow!("{}:{error}", path.display()))?;
    }
    Ok(Some(Arc::new(openings)))
}

/// The description of a data set.
pub(super) struct Manifest {
    output: Output,
    tables: Vec<Value>,
    reach: Option<Value>,
    read: Vec<(PathBuf, (u64, String))>,
    changed: Option<anyhow::Error>,
}

impl Manifest {
    pub(super) fn open(path: &Path, args: &Convert, options: &Options) -> anyhow::Result<Self> {
        let output = Output::open(path)?;
        let listed = |path: &Path| anyhow::Ok(file(path, fingerprint(path)?));
        let tables = args.openings.files().map(|path| listed(path)).collect::<Result<_, _>>()?;
        let reach = options.reach.as_ref().map(|file| listed(file.path())).transpose()?;
        Ok(Manifest { output, tables, reach, read: Vec::new(), changed: None })
    }

    pub(super) fn add(&mut self, files: Vec<ReadFile>) {
        for file in files {
            match hashed(|each| file.read_again(each)) {
                Ok(found) => self.read.push((file.path, found)),
                Err(error) => {
                    let error = anyhow::Error::new(error).context(unreadable_output(&file.path));
                    self.changed.get_or_insert(error);
                }
            }
        }
    }

    pub(super) fn write(
        mut self,
        args: &Convert,
        options: &Options,
        outputs: &[(Option<PathBuf>, OutputCounts)],
        mut totals: Value,
    ) -> anyhow::Result<()> {
        self.changed.map_or(Ok(()), Err)?;
        // The same data set has the same manifest.
        totals.as_object_mut().map(|totals| totals.remove("seconds"));
        let mut inputs = args.files.clone();
        if inputs.is_empty() {
            inputs.push("-".into());
        }
        let input = |path: &PathBuf| match self.read.iter().find(|(read, _)| read == path) {
            Some((_, found)) => Ok(file(path, Some(found.clone()))),
            None => fingerprint(path).map(|found| file(path, found)),
        };
        let output = |(path, counts): &(Option<PathBuf>, OutputCounts)| {
            let path = path.as_deref().unwrap_or(Path::new("-"));
            let mut output = file(path, fingerprint(path)?);
            output["positions"] = counts.positions.into();
            anyhow::Ok(output)
        };
        let manifest = json!({
            "program": concat!("pgn2epd ", env!("CARGO_PKG_VERSION")),
            "commit": crate::commit(),
            "format": options.format.word(),
            "options": options_of(options),
            "inputs": inputs.iter().map(input).collect::<anyhow::Result<Vec<_>>>()?,
            "openings": self.tables,
            "reach": self.reach,
            "range": args.run.range.as_ref().map(|range| [range.0.start, range.0.end]),
            "outputs": outputs.iter().map(output).collect::<anyhow::Result<Vec<_>>>()?,
            "totals": totals,
        });
        serde_json::to_writer_pretty(&mut self.output, &manifest)?;
        io::Write::write_all(&mut self.output, b"\n")?;
        Ok(self.output.finish()?)
    }
}

/// Returns those that differ from the defaults; one that may be repeated has a list of values.
fn options_of(options: &Options) -> Value {
    let mut object = Map::new();
    for spec in Options::SPECS {
        // The number of threads and the memory do not affect the outputs.
        if matches!(spec.name, "jobs" | "memory" | "temp-dir" | "chunk-bytes" | "overwrite") {
            continue;
        }
        // A table of openings is among the files.
        let Some(values) = spec.values(options) else { continue };
        if Some(&values) == spec.values(&Options::default()).as_ref() {
            continue;
        }
        let value = match &values[..] {
            [value] if !spec.repeats => value.clone().into(),
            _ => values.into(),
        };
        object.insert(spec.name.to_owned(), value);
    }
    object.into()
}

/// The entry of a file, with slashes, so that a manifest does not depend on the system.
fn file(path: &Path, found: Option<(u64, String)>) -> Value {
    let (path, (bytes, sha256)) = (path.to_string_lossy(), found.unzip());
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() };
    json!({ "file": path, "bytes": bytes, "sha256": sha256 })
}

/// Returns the size and the SHA-256 of a file; `None` for a stream, which cannot be read again.
fn fingerprint(path: &Path) -> anyhow::Result<Option<(u64, String)>> {
    if !path.is_file() {
        return Ok(None);
    }
    let found = ReadFile::open(path).and_then(|file| hashed(|each| file.read_again(each)));
    Ok(Some(found.with_context(|| unreadable_output(path))?))
}

fn unreadable_output(path: &Path) -> String {
    format!("{} cannot be read for --manifest", path.display())
}

fn hashed(read: impl FnOnce(&mut dyn FnMut(&[u8])) -> io::Result<()>) -> io::Result<(u64, String)> {
    let (mut hash, mut bytes) = (Sha256::new(), 0);
    read(&mut |part| {
        hash.update(part);
        bytes += part.len() as u64;
    })?;
    Ok((bytes, hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

pub(super) fn convert(args: &Convert) -> anyhow::Result<u64> {
    let began = Instant::now();
    if let Some(command) = args::command_meant(&args.files) {
        let first = args.files[0].display();
        anyhow::bail!("{first} is neither a command nor a file: did you mean `{command}`?");
    }
    if let Some(output) = output_meant(args) {
        let output = output.display();
        anyhow::bail!("{output} does not exist; to write to it: -o {output}");
    }
    let mut options = args.options()?;
    let mut inputs = inputs(&args.files, args.run.range.as_ref())?.of_kind(options.input);
    let report = args.messages.report.as_deref();
    let mut guard = files::guard(&args.files)?;
    args.openings.files().for_each(|table| guard.input(table));
    options.reach.iter().for_each(|file| guard.input(file.path()));
    let path = files::path(args.run.output.as_deref(), &options);
    if let (Err(_), Some(path)) = (&path, files::named(args.run.output.as_deref())) {
        // An input is the more important reason.
        guard.output("-o", path)?;
    }
    let path = path?;
    match &path {
        Some(path) => OutputFiles::add_to(&mut guard, "-o", path, &options)?,
        None => files::add_output(&mut guard, None)?,
    }
    files::add(&mut guard, "--report", report)?;
    let manifest = args.run.manifest.as_deref();
    files::add(&mut guard, "--manifest", manifest)?;
    if let Some(openings) = opening_tables(&args.openings)? {
        options.names = match options.names {
            NameSource::Embedded | NameSource::Table(_) => NameSource::Table(openings),
            _ => anyhow::bail!("--openings is for --names table"),
        };
    }
    let mut outputs = match path {
        Some(path) => OutputFiles::open(path, &options)?,
        None => OutputFiles::stdout(files::stdout()),
    };
    let is_terminal = outputs.one().is_some_and(Output::is_terminal);
    outputs.set_compression(&mut options);
    if let Some(compression) = options.compress
        && is_terminal
    {
        anyhow::bail!("--compress {compression} is not for a terminal; write to a file with -o");
    }
    let is_binary = match options.format {
        Format::Table(table) => table.is_binary(),
        format => matches!(format, Format::Training(_)),
    };
    if is_binary && is_terminal {
        let format = options.format;
        anyhow::bail!(
            "--format {format} is binary and not for a terminal; write to a file with -o"
        );
    }
    let report = Report::create(report)?;
    let mut manifest = manifest.map(|path| Manifest::open(path, args, &options)).transpose()?;
    let quiet = args.messages.quiet;
    let mut conversion = outputs.conversion(&options);
    let mut job = Job::new(quiet, options.on_damage);
    job.progress = Progress::new(inputs.bytes(), args.messages.shows_progress(is_terminal));
    job.report = report;
    // Games are written whole.
    job.notes = (options.format != Format::Pgn).then(|| LossNotes {
        can_vary: options.clone().variations(true).conflict().is_none(),
        // Operations that were chosen have no annotations on purpose.
        wants_annotations: options.format == Format::Epd && options.ops.is_none(),
        splits_comments: options.comments == Comments::Split,
    });
    if manifest.is_some() {
        inputs = inputs.keep_read();
    }
    let mut read = |text: InputText<'_>, job: &mut Job| {
        conversion.text(text, job)?;
        Ok(conversion.is_over())
    };
    while let Some(is_over) = job.read_next(&mut inputs, &mut read)? {
        if let Some(manifest) = &mut manifest {
            manifest.add(inputs.take_read());
        }
        if is_over {
            break;
        }
    }
    let files;
    (job.done, files) = conversion.finish_files()?;
    job.progress.clear();
    // A game may begin in any range of a file, and some ranges contain none.
    let is_part = args.run.range.is_some() && job.is_all_read();
    let is_empty = !job.done.has_output && !is_part;
    // Partial output is kept.
    if !is_empty || outputs.one().is_some_and(|output| !output.is_file()) {
        let is_whole = job.is_all_read() && !job.done.stopped;
        let files = outputs.written(&job.done, files);
        outputs.complete()?;
        if let Some(mut manifest) = manifest
            && (is_whole || !options.has_folder())
        {
            manifest.add(inputs.finish_read());
            let totals = report::summary_object(&job.done, began.elapsed());
            manifest.write(args, &options, &files, totals)?;
        }
        if is_whole { outputs.finish()? } else { outputs.keep()? }
    }
    job.finish_report()?;
    if !quiet {
        if job.is_all_read() && is_empty {
            report::explain_records(&job.done, &options, &args.library.limits());
        }
        report::warnings(&options, &job.done);
    }
    report::summary(args.messages.form(job.done.errors), &job.done, began.elapsed());
    host().result(report::summary_object(&job.done, began.elapsed()));
    job.end_of_all()?;
    Ok(job.done.errors + u64::from(is_empty))
}

/// Returns the last file if it seems to be the output: it does not exist, its suffix is new.
fn output_meant(args: &Convert) -> Option<&Path> {
    let (last, inputs) = args.files.split_last().filter(|(_, inputs)| !inputs.is_empty())?;
    let is_output = match Format::of_file_name(last) {
        None => last.extension().is_some_and(|suffix| suffix == "epd"),
        format => format != Some(Format::Pgn),
    };
    let is_other = inputs.iter().all(|input| input.extension() != last.extension());
    (args.run.output.is_none() && is_output && is_other && !last.exists()).then_some(last)
}

pub(super) fn join(args: &Join) -> anyhow::Result<u64> {
    let options = JoinOptions::from_names(args.library.given())?;
    let both = [&args.files[..], &args.others].concat();
    check_inputs(&both)?;
    let mut guard = files::guard(&both)?;
    files::add_output(&mut guard, args.output.as_deref())?;
    let mut output = files::open(args.output.as_deref())?;
    let shown = shows_progress(false, args.quiet, output.is_terminal());
    let (join, errors) = read([&args.files, &args.others], true, &options, args.quiet, shown)?;
    let joined = join.join(&mut output)?;
    let is_empty = joined.matched + joined.unmatched == 0;
    files::finish(output, is_empty)?;
    if !args.quiet {
        if is_empty {
            report::note(&format!("no records: {NO_INPUT}"));
        }
        let records = count(joined.matched + joined.unmatched, "record");
        let [matched, unmatched] = [joined.matched, joined.unmatched].map(indicatif::HumanCount);
        report::print(&format!("{records}, {matched} matched, {unmatched} unmatched"));
    }
    host().result(json!({
        "matched": joined.matched,
        "unmatched": joined.unmatched,
        "errors": errors,
    }));
    Ok(errors + u64::from(is_empty))
}

pub(super) fn diff(args: &Diff) -> anyhow::Result<u64> {
    let options = JoinOptions::from_names(args.library.given())?;
    let both = [args.a.clone(), args.b.clone()];
    check_inputs(&both)?;
    files::add_output(&mut files::guard(&both)?, None)?;
    let mut output = files::stdout();
    let shown = shows_progress(false, args.quiet, output.is_terminal());
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
        let [a, b] = both.each_ref().map(|path| files::name(path));
        report::print(&printable(&format!(
            "{only_first} only in {a}, {only_second} only in {b}, {different} with different operations, {} equal",
            indicatif::HumanCount(same)
        )));
    }
    Ok(errors + u64::from(found.are_any()))
}

fn check_inputs(files: &[PathBuf]) -> anyhow::Result<()> {
    let stdin = files.iter().filter(|path| *path == Path::new("-"));
    if stdin.count() > 1 && host().is_process() {
        anyhow::bail!("standard input (-) can only be read once");
    }
    files::check_existing(files)
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
    let mut job = Job::new(quiet, options.on_damage);
    job.notes = Some(LossNotes::default());
    for (side, files) in [Side::First, Side::Second].into_iter().zip(sources) {
        let inputs = files::inputs(files, None)?;
        job.progress = Progress::new(inputs.bytes(), shown);
        job.read(inputs, |text, job| {
            join.side(side).text(text, job)?;
            Ok(false)
        })?;
        job.progress.clear();
        if joins && side == Side::First {
            join.first_is_complete();
        }
    }
    job.end_of_all()?;
    Ok((join, job.done.errors))
}
