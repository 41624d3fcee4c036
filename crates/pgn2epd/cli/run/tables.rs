//! The tables of openings that were asked for.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use pgn2epd::Openings;

use crate::cli::args::OpeningTables;

/// Reads the tables, one as a layer over the other; `None` if there are none, and the table that comes with the program is meant.
pub(super) fn opening_tables(args: &OpeningTables) -> anyhow::Result<Option<Arc<Openings>>> {
    if args.tables.is_empty() {
        return Ok(None);
    }
    let mut openings = Openings::default();
    for path in &args.tables {
        if path == Path::new("default") {
            openings.layer_embedded();
            continue;
        }
        let file = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        openings.layer(&file).map_err(|error| anyhow::anyhow!("{}:{error}", path.display()))?;
    }
    Ok(Some(Arc::new(openings)))
}
