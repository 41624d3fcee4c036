//! The tables that a conversion writes.

use std::io::{self, Write};
use std::sync::Arc;

use emit::{ColumnList, Plan, Rows};
use stream::compress::Compression;
use stream::ordered::{OrderedTasks, Threads};

use crate::data_set::file_set::{FileSet, OutputFile, Outputs};
use crate::data_set::rows::{RowFile, RowWriter, SelectedRows};
use crate::destination::Destination;
use crate::options::Options;
use crate::summary::OutputCounts;
use crate::table::encoder::{self, EncodedRows, RowEncoder, TableFile, written};
use crate::table::format::TableFormat;

/// A table. Groups of its rows are encoded on all threads, and written in order.
///
/// Groups are encoded after the rows have been ordered, because only then the numbers of the games are known. They depend
/// on the rows and on nothing else.
#[derive(Debug)]
pub(super) struct Table<W> {
    output: Destination<W>,
    /// The rows of the next group.
    group: Vec<Rows>,
    /// The number of its rows, or of the values in its lists.
    group_rows: usize,
    tasks: OrderedTasks<(io::Result<EncodedRows>, Vec<Rows>)>,
    file: FileState,
    written: OutputCounts,
    spent: Spent,
}

/// Memory for other rows and bytes. The kernel would have to clear new pages.
#[derive(Debug, Default)]
struct Spent {
    /// Rows that were encoded.
    rows: Vec<Rows>,
    /// Bytes that were written.
    bytes: Vec<Vec<u8>>,
}

/// The most bytes that are kept for other ones, in groups of rows.
const MOST_SPENT: usize = 4;

#[derive(Debug)]
enum FileState {
    /// Nothing was written.
    New(TableFormat, ColumnList, Option<Compression>, bool),
    Begun(TableFile, Arc<RowEncoder>),
    Finished,
}

/// Makes what writes rows to tables.
pub(super) fn table_writer<W: Write>(
    format: TableFormat,
    list: &ColumnList,
    options: &Options,
    plan: &Plan,
    outputs: Outputs<W>,
    threads: &Threads,
) -> RowWriter<Table<W>> {
    let columns: Arc<[_]> = list.columns().into();
    let keeper = options.register_keeper(plan);
    let (list, compress, csv_safe) = (list.clone(), options.compress, options.csv_safe);
    let (of_file, other_threads) = (Arc::clone(&columns), threads.clone());
    let file = move |output| {
        let table = Table {
            output,
            group: Vec::new(),
            group_rows: 0,
            tasks: OrderedTasks::new(other_threads.clone()),
            file: FileState::New(format, list.clone(), compress, csv_safe),
            written: OutputCounts::default(),
            spent: Spent::default(),
        };
        SelectedRows::new(table, Arc::clone(&of_file), keeper.clone())
    };
    RowWriter::new(FileSet::new(outputs, options, threads, file), columns, options)
}

impl<W: Write> Table<W> {
    /// Writes the beginning of the file, once.
    fn begin(&mut self) -> io::Result<()> {
        let FileState::New(format, list, compress, csv_safe) = &self.file else { return Ok(()) };
        let (mut file, encoder) = encoder::begin(*format, list, *compress, *csv_safe)?;
        self.written.bytes += file.start(&mut self.output)?;
        self.file = FileState::Begun(file, Arc::new(encoder));
        Ok(())
    }

    /// Encodes the group.
    fn end_group(&mut self) -> io::Result<()> {
        let FileState::Begun(_, encoder) = &self.file else { return Ok(()) };
        let (encoder, mut group) = (Arc::clone(encoder), std::mem::take(&mut self.group));
        self.group_rows = 0;
        let bytes = self.spent.bytes.pop().unwrap_or_default();
        self.tasks.push(move || (encoder.encode(&mut group, bytes), group))
    }

    fn write(&mut self, group: EncodedRows) -> io::Result<()> {
        self.written.bytes += match (group, &mut self.file) {
            (EncodedRows::Bytes(bytes), _) => {
                let count = written(&bytes, &mut self.output)?;
                if self.spent.bytes.len() < MOST_SPENT {
                    self.spent.bytes.push(bytes);
                }
                count
            }
            (EncodedRows::Frames(frames, bytes), _) => {
                self.output.write_frames(&frames)?;
                bytes
            }
            #[cfg(feature = "arrow")]
            (EncodedRows::Columns(columns), FileState::Begun(TableFile::Parquet(file), _)) => {
                file.append(columns, &mut self.output)?
            }
            #[cfg(feature = "arrow")]
            (EncodedRows::Columns(_), _) => 0,
        };
        Ok(())
    }
}

impl<W: Write> RowFile for Table<W> {
    /// Adds rows to the group, and encodes it when it is large enough.
    fn push(&mut self, rows: Rows, positions: u64) -> io::Result<()> {
        self.begin()?;
        self.written.positions += positions;
        if rows.is_empty() {
            return Ok(());
        }
        self.group_rows += rows.values();
        self.group.push(rows);
        if let FileState::Begun(_, encoder) = &self.file
            && self.group_rows >= encoder.group_rows()
        {
            self.end_group()?;
        }
        while let Some((group, rows)) = self.tasks.next_ready() {
            self.spent.rows.extend(rows);
            self.write(group?)?;
        }
        Ok(())
    }

    fn spare(&mut self) -> Option<Rows> {
        self.spent.rows.pop()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl<W: Write> OutputFile for Table<W> {
    type Output = W;

    /// Writes the last group and the end of the file.
    fn finish(&mut self) -> io::Result<()> {
        if matches!(self.file, FileState::Finished) {
            return Ok(());
        }
        self.begin()?;
        if !self.group.is_empty() {
            self.end_group()?;
        }
        while let Some((group, _)) = self.tasks.wait() {
            self.write(group?)?;
        }
        if let FileState::Begun(file, _) = &mut self.file {
            self.written.bytes += file.finish(&mut self.output)?;
        }
        (self.file, self.spent) = (FileState::Finished, Spent::default());
        self.output.finish()
    }

    fn close(&mut self) -> io::Result<()> {
        self.finish()?;
        self.output.close()
    }

    fn counts(&self) -> OutputCounts {
        self.written
    }
}
