//! The opening tables selected on the command line.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use pgn2epd::openings::Openings;

use crate::args::{DEFAULT_TABLE, OpeningTables};
use crate::inputs::open;

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
        let read = open(path)?.take(LARGEST + 1).read_to_end(&mut file);
        read.with_context(|| format!("cannot read {}", path.display()))?;
        if file.len() as u64 > LARGEST {
            let limit = LARGEST >> 20;
            anyhow::bail!(
                "cannot read {}: a table of openings has at most {limit} MiB",
                path.display()
            );
        }
        openings.layer(&file).map_err(|error| anyhow::anyhow!("{}:{error}", path.display()))?;
    }
    Ok(Some(Arc::new(openings)))
}
