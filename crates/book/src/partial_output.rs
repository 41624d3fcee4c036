//! Partial results are written: counts are encoded on all threads.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use stream::ordered::Threads;
#[cfg(feature = "arrow")]
use table::TableFormat;

use crate::aggregate::Aggregate;
#[cfg(feature = "arrow")]
use crate::columns::{PartialBatch, PartialRows};
use crate::error::BookError;
use crate::partial::{Header, MARK, Part, PartialForm, VERSION, merged};
#[cfg(feature = "arrow")]
use crate::pieces::{Positions, convert_pieces};
use crate::run::{END, EncodedRun};
use crate::totals::{OpenedCounts, RowsIter};

/// Writes all counts that were added.
///
/// # Errors
///
/// If the output or a temporary file cannot be written.
pub fn write_partial(
    aggregate: Aggregate,
    header: &Header,
    form: PartialForm,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let totals = Box::new(aggregate.finish()?);
    write_counts(OpenedCounts::Totals(totals), header, form, output)
}

/// Merges partial results into one, on these threads. Sorting uses at most `memory` bytes;
/// temporary files go to `folder`.
///
/// # Errors
///
/// If a part cannot be read, the parts were counted differently, or the output or a temporary file
/// cannot be written.
pub fn merge_partials(
    parts: Vec<Part>,
    threads: Threads,
    form: PartialForm,
    memory: usize,
    folder: &Path,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let (header, counts) = merged(parts, threads, memory, folder)?;
    write_counts(counts, &header, form, output)
}

fn write_counts(
    counts: OpenedCounts,
    header: &Header,
    form: PartialForm,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let mut output = BufWriter::with_capacity(64 << 10, output);
    match form.table() {
        None => write_own(counts, header, &mut output),
        #[cfg(feature = "arrow")]
        Some(format) => write_columns(counts, header, format, &mut output),
        #[cfg(not(feature = "arrow"))]
        Some(_) => Err(BookError::NoColumns),
    }?;
    Ok(output.flush()?)
}

/// Calls `take` with all counts, encoded piece by piece.
fn for_each_run(
    counts: OpenedCounts,
    take: &mut dyn FnMut(EncodedRun) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let encode = move |counts: &mut RowsIter<'_, '_>| {
        let mut run = EncodedRun::default();
        for counted in counts {
            run.push(&counted?);
        }
        Ok(run)
    };
    counts.map(1, encode, take)
}

fn write_own(
    counts: OpenedCounts,
    header: &Header,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    output.write_all(MARK)?;
    writeln!(output, "{VERSION}")?;
    let mut crc = crc32fast::Hasher::new();
    let mut write = |bytes: &[u8]| {
        crc.update(bytes);
        Ok(output.write_all(bytes)?)
    };
    let header = serde_json::to_string(header).map_err(io::Error::from)?;
    write(format!("{header}\n").as_bytes())?;
    for_each_run(counts, &mut |run| write(run.bytes()))?;
    write(&[END])?;
    Ok(output.write_all(&crc.finalize().to_le_bytes())?)
}

/// Number of positions in a batch, the same for any number of threads, since the file depends on
/// it.
#[cfg(feature = "arrow")]
const BATCH: usize = 1024;

#[cfg(feature = "arrow")]
fn write_columns(
    counts: OpenedCounts,
    header: &Header,
    format: TableFormat,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let rows = PartialRows::new(header)?;
    let threads = counts.threads();
    let mut table = rows.table(format, threads.clone(), output);
    let convert = |positions: &Positions| Ok(rows.convert(positions)?);
    let mut take = |batch: PartialBatch| Ok(table.write(batch)?);
    convert_pieces(BATCH, &threads, &convert, &mut take, |add| {
        for_each_run(counts, &mut |run| run.positions().try_for_each(&mut *add))
    })?;
    Ok(table.finish()?)
}
