//! Files cut into ranges, a line of JSON for each.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

use super::convert::open;
use crate::cli::Outcome;
use crate::cli::args::Splits;

#[derive(Serialize)]
struct Line<'a> {
    path: &'a Path,
    start: u64,
    end: u64,
    estimated_games: u64,
}

/// Says where files are cut.
pub(super) fn splits(args: &Splits) -> anyhow::Result<Outcome> {
    let mut output = io::stdout().lock();
    for path in &args.files {
        let name = || format!("cannot read {}", path.display());
        let file = open(path)?;
        if !file.metadata().with_context(name)?.is_file() {
            anyhow::bail!(
                "cannot cut {}: it is no file that can be read from its middle",
                path.display()
            );
        }
        for split in pgn2epd::splits(file, args.size.0 as u64).with_context(name)? {
            let (start, end) = (split.range.start, split.range.end);
            let line = Line { path, start, end, estimated_games: split.games };
            writeln!(output, "{}", serde_json::to_string(&line).with_context(name)?)?;
        }
    }
    output.flush()?;
    Ok(Outcome::Well)
}
