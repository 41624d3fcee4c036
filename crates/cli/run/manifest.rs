//! The description of a data set.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::{Keyword, Options, OutputCounts};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use crate::args::Convert;
use crate::output::Output;
use crate::version;

/// Writes a manifest: what the outputs were made from, and what is in them.
pub(super) fn write(
    path: &Path,
    args: &Convert,
    options: &Options,
    outputs: &[(Option<PathBuf>, OutputCounts)],
    mut totals: Value,
) -> anyhow::Result<()> {
    // The same data set has the same manifest.
    totals.as_object_mut().map(|totals| totals.remove("seconds"));
    let tables: Vec<PathBuf> = args.openings.files().cloned().collect();
    let mut inputs = args.files.clone();
    if inputs.is_empty() {
        inputs.push("-".into());
    }
    let manifest = json!({
        "program": version::program(),
        "commit": version::commit(),
        "format": options.format.word(),
        "options": options_of(options),
        "inputs": files(&inputs)?,
        "openings": files(&tables)?,
        "range": args.run.range.as_ref().map(|range| [range.0.start, range.0.end]),
        "outputs": outputs_of(outputs)?,
        "totals": totals,
    });
    let mut output = Output::open(path)?;
    serde_json::to_writer_pretty(&mut output, &manifest)?;
    io::Write::write_all(&mut output, b"\n")?;
    output.finish()?;
    Ok(())
}

/// Returns the options that differ from the defaults; an option that was repeated has a list of values.
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

fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<Value>> {
    let file = |path: &PathBuf| {
        let (bytes, sha256) = fingerprint(path)?.unzip();
        Ok(json!({ "file": path.to_string_lossy(), "bytes": bytes, "sha256": sha256 }))
    };
    paths.iter().map(file).collect()
}

fn outputs_of(outputs: &[(Option<PathBuf>, OutputCounts)]) -> anyhow::Result<Vec<Value>> {
    let output = |(path, counts): &(Option<PathBuf>, OutputCounts)| {
        let path = path.as_deref().unwrap_or(Path::new("-"));
        let (bytes, sha256) = fingerprint(path)?.unzip();
        Ok(json!({
            "file": path.to_string_lossy(),
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
    let context = || format!("{} cannot be read for --manifest", path.display());
    let mut file = File::open(path).with_context(context)?;
    let mut hash = Sha256::new();
    let bytes = io::copy(&mut file, &mut HashWriter(&mut hash)).with_context(context)?;
    let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Some((bytes, sha256)))
}

struct HashWriter<'h>(&'h mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
