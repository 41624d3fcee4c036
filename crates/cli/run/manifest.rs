//! The description of a data set.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::Options;
use pgn2epd::game::OutputCounts;
use pgn2epd::input::ReadFile;
use pgn2epd::options::Keyword;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::args::Convert;
use crate::output::Output;
use crate::version;

pub(super) struct Manifest {
    output: Output,
    tables: Vec<Value>,
    /// The file of positions that are reached.
    reach: Option<Value>,
    /// The sizes and hashes of the inputs that were read.
    read: Vec<(PathBuf, (u64, String))>,
    /// The first input that was changed.
    changed: Option<anyhow::Error>,
}

impl Manifest {
    /// Opens the file of the manifest, which is written at the end.
    pub(super) fn open(path: &Path, args: &Convert, options: &Options) -> anyhow::Result<Self> {
        let output = Output::open(path)?;
        let listed = |path: &Path| file(path, fingerprint(path)?);
        let tables = args.openings.files().map(|path| listed(path));
        let tables = tables.collect::<anyhow::Result<_>>()?;
        let reach = options.reach.as_ref().map(|file| listed(file.path())).transpose()?;
        Ok(Manifest { output, tables, reach, read: Vec::new(), changed: None })
    }

    pub(super) fn add(&mut self, files: Vec<ReadFile>) {
        for file in files {
            match hashed(|each| file.read_again(each)) {
                Ok(found) => self.read.push((file.path, found)),
                Err(error) => {
                    let error = anyhow::Error::new(error).context(unreadable(&file.path));
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
            Some((_, found)) => file(path, Some(found.clone())),
            None => file(path, fingerprint(path)?),
        };
        let manifest = json!({
            "program": version::program(),
            "commit": version::commit(),
            "format": options.format.word(),
            "options": options_of(options),
            "inputs": inputs.iter().map(input).collect::<anyhow::Result<Vec<_>>>()?,
            "openings": self.tables,
            "reach": self.reach,
            "range": args.run.range.as_ref().map(|range| [range.0.start, range.0.end]),
            "outputs": outputs_of(outputs)?,
            "totals": totals,
        });
        serde_json::to_writer_pretty(&mut self.output, &manifest)?;
        io::Write::write_all(&mut self.output, b"\n")?;
        self.output.finish()?;
        Ok(())
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

fn file(path: &Path, found: Option<(u64, String)>) -> anyhow::Result<Value> {
    let (bytes, sha256) = found.unzip();
    Ok(json!({ "file": slashed(path), "bytes": bytes, "sha256": sha256 }))
}

/// Returns a path with slashes, so that a manifest does not depend on the system.
fn slashed(path: &Path) -> String {
    let path = path.to_string_lossy();
    if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() }
}

fn outputs_of(outputs: &[(Option<PathBuf>, OutputCounts)]) -> anyhow::Result<Vec<Value>> {
    let output = |(path, counts): &(Option<PathBuf>, OutputCounts)| {
        let path = path.as_deref().unwrap_or(Path::new("-"));
        let (bytes, sha256) = fingerprint(path)?.unzip();
        Ok(json!({
            "file": slashed(path),
            "positions": counts.positions,
            "bytes": bytes,
            "sha256": sha256,
        }))
    };
    outputs.iter().map(output).collect()
}

/// Returns the size and the SHA-256 of a file; `None` for a stream, which cannot be read again.
fn fingerprint(path: &Path) -> anyhow::Result<Option<(u64, String)>> {
    if !path.is_file() {
        return Ok(None);
    }
    let found = ReadFile::open(path).and_then(|file| hashed(|each| file.read_again(each)));
    Ok(Some(found.with_context(|| unreadable(path))?))
}

fn unreadable(path: &Path) -> String {
    format!("{} cannot be read for --manifest", path.display())
}

/// Returns the number of bytes that `read` passes on, and their SHA-256.
fn hashed(read: impl FnOnce(&mut dyn FnMut(&[u8])) -> io::Result<()>) -> io::Result<(u64, String)> {
    let (mut hash, mut bytes) = (Sha256::new(), 0);
    read(&mut |part| {
        hash.update(part);
        bytes += part.len() as u64;
    })?;
    Ok((bytes, hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}
