//! The command that divides files into ranges, with one line of JSON each.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use pgn2epd::input::Input;
use serde::Serialize;

use crate::args::Splits;
use crate::exit::Outcome;
use crate::inputs::open;
use crate::output;

#[derive(Serialize)]
struct Line<'a> {
    path: &'a Path,
    start: u64,
    end: u64,
    estimated_games: u64,
}

pub(super) fn splits(args: &Splits) -> anyhow::Result<Outcome> {
    output::add_output(&mut output::guard(&args.files)?, None)?;
    let mut output = output::stdout();
    for path in &args.files {
        let name = || format!("cannot read {}", path.display());
        if !open(path)?.metadata().with_context(name)?.is_file() {
            anyhow::bail!("cannot divide {}: not a regular file", path.display());
        }
        for split in Input::file(path).splits(args.size.0 as u64).with_context(name)? {
            let (start, end) = (split.range.start, split.range.end);
            let line = Line { path, start, end, estimated_games: split.items };
            writeln!(output, "{}", serde_json::to_string(&line).with_context(name)?)?;
        }
    }
    output.finish()?;
    Ok(Outcome::Well)
}
