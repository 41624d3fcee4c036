//! The command that decodes training data.

use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;
use pgn2epd::input::decompressed;
use pgn2epd::output::compression_suffix;
use pgn2epd::training::{DecodeError, DecodeOptions, decode};

use crate::args::Decode;
use crate::exit::Outcome;
use crate::inputs::{Failures, name, open};
use crate::output;
use crate::progress::Progress;
use crate::report::{self, count};

/// Decodes all inputs.
pub(super) fn run(args: &Decode) -> anyhow::Result<Outcome> {
    let stdin = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    if args.files.is_empty() && io::stdin().is_terminal() {
        anyhow::bail!("no input: name a file, or - for standard input");
    }
    let mut guard = output::guard(&args.files)?;
    output::add_output(&mut guard, args.output.as_deref())?;
    let inputs = files.iter().map(|path| Ok((path, args.options(path)?)));
    let inputs: Vec<(&PathBuf, DecodeOptions)> = inputs.collect::<anyhow::Result<_>>()?;
    let mut output = output::open(args.output.as_deref())?;
    let (mut failures, progress) = (Failures::new(args.quiet), Progress::new(None, false));
    let (mut positions, mut left_out) = (0, 0);
    for (path, options) in inputs {
        let input = match opened(path) {
            Ok(input) => input,
            Err(error) => {
                failures.add(error, &progress);
                continue;
            }
        };
        let counts = match decode(input, &mut output, options) {
            Ok(counts) => counts,
            // What is before the damage is kept.
            Err(DecodeError::Read(error, counts)) => {
                failures.add(anyhow::anyhow!("{}: {error}", name(path)), &progress);
                counts
            }
            Err(error @ DecodeError::NoGames(_)) => anyhow::bail!("{}: {error}", name(path)),
            Err(error) => return Err(error.into()),
        };
        positions += counts.positions;
        left_out += counts.left_out;
    }
    // Do not replace an existing file with nothing.
    if failures.is_empty() || positions > 0 {
        output.finish()?;
    }
    if left_out > 0 && !args.quiet {
        let positions = count(left_out, "position");
        report::note(&format!(
            "{positions} not written, without the score or move that this form needs"
        ));
    }
    failures.finish()?;
    Ok(Outcome::Well)
}

/// Opens an input; `-` is standard input.
///
/// A file is decompressed only if its name says so, because training data may begin with any bytes.
fn opened(path: &Path) -> anyhow::Result<Box<dyn Read>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = open(path)?;
    if compression_suffix(path).is_none() {
        return Ok(Box::new(file));
    }
    decompressed(file).with_context(|| format!("cannot read {}", path.display()))
}
