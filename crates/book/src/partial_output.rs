//! Partial results are written: counts are encoded on all threads.

use std::io::{BufWriter, Write};
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
use crate::temporary::Temporary;
use crate::totals::{CountsIter, OpenedCounts};

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
    let totals = aggregate.finish()?;
    let temporary = totals.temporary().clone();
    write_counts(OpenedCounts::Totals(Box::new(totals)), header, form, &temporary, output)
}

/// Merges partial results into one, on these threads. Sorting uses at most `memory` bytes; temporary files go to `folder`.
///
/// # Errors
///
/// If a part cannot be read, the parts were counted differently, or the output or a temporary file cannot be written.
pub fn merge_partials(
    parts: Vec<Part>,
    threads: Threads,
    form: PartialForm,
    memory: usize,
    folder: &Path,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let temporary = Temporary { folder: folder.to_owned() };
    let (header, counts) = merged(parts, threads, memory, &temporary)?;
    write_counts(counts, &header, form, &temporary, output)
}

fn write_counts(
    counts: OpenedCounts,
    header: &Header,
    form: PartialForm,
    temporary: &Temporary,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let mut output = BufWriter::with_capacity(64 << 10, output);
    match form.table() {
        None => write_own(counts, header, temporary, &mut output),
        #[cfg(feature = "arrow")]
        Some(format) => write_columns(counts, header, format, temporary, &mut output),
        #[cfg(not(feature = "arrow"))]
        Some(_) => Err(BookError::NoColumns),
    }?;
    output.flush().map_err(BookError::Write)
}

/// Calls `take` with all counts, encoded piece by piece.
fn for_each_run(
    counts: OpenedCounts,
    temporary: &Temporary,
    take: &mut dyn FnMut(EncodedRun) -> Result<(), BookError>,
) -> Result<(), BookError> {
    let for_errors = temporary.clone();
    let encode = move |counts: &mut CountsIter<'_>| {
        let mut run = EncodedRun::default();
        for counted in counts {
            run.push(&counted.map_err(|error| for_errors.failed(error))?);
        }
        Ok(run)
    };
    counts.map(1, temporary, encode, take)
}

fn write_own(
    counts: OpenedCounts,
    header: &Header,
    temporary: &Temporary,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    output
        .write_all(MARK)
        .and_then(|()| writeln!(output, "{VERSION}"))
        .map_err(BookError::Write)?;
    let mut crc = crc32fast::Hasher::new();
    let mut write = |bytes: &[u8]| {
        crc.update(bytes);
        output.write_all(bytes).map_err(BookError::Write)
    };
    let header = serde_json::to_string(header).map_err(|error| BookError::Write(error.into()))?;
    write(format!("{header}\n").as_bytes())?;
    for_each_run(counts, temporary, &mut |run| write(run.bytes()))?;
    write(&[END])?;
    output.write_all(&crc.finalize().to_le_bytes()).map_err(BookError::Write)
}

/// Number of positions in a batch, the same for any number of threads, since the file depends on it.
#[cfg(feature = "arrow")]
const BATCH: usize = 1024;

#[cfg(feature = "arrow")]
fn write_columns(
    counts: OpenedCounts,
    header: &Header,
    format: TableFormat,
    temporary: &Temporary,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let rows = PartialRows::new(header).map_err(BookError::Write)?;
    let threads = counts.threads();
    let mut table = rows.table(format, threads.clone(), output);
    let convert = |positions: &Positions| rows.convert(&positions.bytes).map_err(BookError::Write);
    let mut take = |batch: PartialBatch| table.write(batch).map_err(BookError::Write);
    convert_pieces(BATCH, &threads, &convert, &mut take, |add| {
        for_each_run(counts, temporary, &mut |run| run.positions().try_for_each(&mut *add))
    })?;
    table.finish().map_err(BookError::Write)
}
