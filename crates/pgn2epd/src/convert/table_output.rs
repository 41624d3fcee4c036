//! The outputs of a conversion to tables.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use emit::{ColumnList, Plan, Rows};
use stream::compress::Compression;
use stream::ordered::{OrderedTasks, Threads};

use crate::choose::rows::{HandedRows, RowChooser};
use crate::choose::text::no_output;
use crate::convert::deliver::{Deliver, DeliverToOutputs, Delivered};
use crate::convert::worker::Done;
use crate::destination::{Destination, FileOpener, Outputs};
use crate::options::Options;
use crate::summary::OutputCounts;
use crate::table::encoder::{self, EncodedRows, RowEncoder, TableFile, written};
use crate::table::format::TableFormat;

/// Numbers and selects rows in input order, and writes each to its table.
#[derive(Debug)]
pub(super) struct TableOutput<W> {
    rows: RowChooser,
    tables: Tables<W>,
}

/// The tables, with what is needed for another one.
#[derive(Debug)]
struct Tables<W> {
    files: Vec<Table<W>>,
    folder: Option<FileOpener<W>>,
    format: TableFormat,
    list: ColumnList,
    compress: Option<Compression>,
    /// Whether CSV is written for spreadsheets.
    csv_safe: bool,
    /// The maximum number of rows of a group.
    most_rows: usize,
    threads: Threads,
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

/// The maximum number of rows of a group if tables of many partitions are written side by side, which bounds memory.
const ROWS_OF_PARTITION: usize = 1 << 14;

/// A table. Groups of its rows are encoded on all threads, and written in order.
///
/// Groups are encoded after the rows have been ordered, because only then the numbers of the games are known. They depend
/// on the rows and on nothing else.
#[derive(Debug)]
struct Table<W> {
    output: Destination<W>,
    /// The rows of the next group.
    group: Vec<Rows>,
    /// The number of its rows, or of the values in its lists.
    group_rows: usize,
    most_rows: usize,
    tasks: OrderedTasks<(io::Result<EncodedRows>, Vec<Rows>)>,
    file: FileState,
    written: OutputCounts,
}

#[derive(Debug)]
enum FileState {
    /// Nothing was written.
    New(TableFormat, ColumnList, Option<Compression>, bool),
    Begun(TableFile, Arc<RowEncoder>),
    Finished,
}

impl<W: Write> TableOutput<W> {
    pub(super) fn new(
        format: TableFormat,
        list: &ColumnList,
        options: &Options,
        plan: &Plan,
        outputs: Outputs<W>,
        threads: &Threads,
    ) -> Self {
        let columns = list.columns();
        let files = outputs.given.len();
        let rows = RowChooser::new(columns, options, plan, files, threads.clone());
        let mut tables = Tables {
            files: Vec::new(),
            folder: outputs.folder,
            format,
            list: list.clone(),
            compress: options.compress,
            csv_safe: options.csv_safe,
            most_rows: options.partition_by.as_ref().map_or(usize::MAX, |_| ROWS_OF_PARTITION),
            threads: threads.clone(),
            spent: Spent::default(),
        };
        outputs.given.into_iter().for_each(|output| tables.add(output));
        TableOutput { rows, tables }
    }
}

impl<W: Write> Tables<W> {
    fn add(&mut self, output: Destination<W>) {
        self.files.push(Table {
            output,
            group: Vec::new(),
            group_rows: 0,
            most_rows: self.most_rows,
            tasks: OrderedTasks::new(self.threads.clone()),
            file: FileState::New(self.format, self.list.clone(), self.compress, self.csv_safe),
            written: OutputCounts::default(),
        });
    }

    fn push(&mut self, handed: HandedRows<'_>) -> io::Result<()> {
        if let (Some(folder), Some(name)) = (&mut self.folder, handed.name)
            && handed.file == self.files.len()
        {
            let output = folder.open(name)?;
            self.add(output);
        }
        let table = self.files.get_mut(handed.file).ok_or_else(no_output)?;
        table.written.positions += handed.positions;
        table.push(handed.rows, &mut self.spent)?;
        if let (true, Some(folder), Some(name)) = (handed.is_last, &mut self.folder, handed.name) {
            table.finish(&mut self.spent)?;
            folder.close(&mut table.output, name)?;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.files.iter().map(|table| table.written.bytes).sum()
    }
}

impl<W: Write> Table<W> {
    /// Adds rows to the group, and encodes it when it is large enough.
    fn push(&mut self, rows: Rows, spent: &mut Spent) -> io::Result<()> {
        self.begin()?;
        if rows.is_empty() {
            return Ok(());
        }
        self.group_rows += rows.values();
        self.group.push(rows);
        if let FileState::Begun(_, encoder) = &self.file
            && self.group_rows >= encoder.group_rows().min(self.most_rows)
        {
            self.end_group(spent)?;
        }
        while let Some((group, rows)) = self.tasks.next_ready() {
            spent.rows.extend(rows);
            self.write(group?, spent)?;
        }
        Ok(())
    }

    /// Writes the beginning of the file, once.
    fn begin(&mut self) -> io::Result<()> {
        let FileState::New(format, list, compress, csv_safe) = &self.file else { return Ok(()) };
        let (mut file, encoder) = encoder::begin(*format, list, *compress, *csv_safe)?;
        self.written.bytes += file.start(&mut self.output)?;
        self.file = FileState::Begun(file, Arc::new(encoder));
        Ok(())
    }

    /// Encodes the group.
    fn end_group(&mut self, spent: &mut Spent) -> io::Result<()> {
        let FileState::Begun(_, encoder) = &self.file else { return Ok(()) };
        let (encoder, mut group) = (Arc::clone(encoder), std::mem::take(&mut self.group));
        self.group_rows = 0;
        let bytes = spent.bytes.pop().unwrap_or_default();
        self.tasks.push(move || (encoder.encode(&mut group, bytes), group))
    }

    fn write(&mut self, group: EncodedRows, spent: &mut Spent) -> io::Result<()> {
        self.written.bytes += match (group, &mut self.file) {
            (EncodedRows::Bytes(bytes), _) => {
                let count = written(&bytes, &mut self.output)?;
                if spent.bytes.len() < MOST_SPENT {
                    spent.bytes.push(bytes);
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

    /// Writes the last group and the end of the file.
    fn finish(&mut self, spent: &mut Spent) -> io::Result<()> {
        if matches!(self.file, FileState::Finished) {
            return Ok(());
        }
        self.begin()?;
        if !self.group.is_empty() {
            self.end_group(spent)?;
        }
        while let Some((group, _)) = self.tasks.wait() {
            self.write(group?, spent)?;
        }
        if let FileState::Begun(file, _) = &mut self.file {
            self.written.bytes += file.finish(&mut self.output)?;
        }
        self.file = FileState::Finished;
        self.output.finish()
    }
}

impl<W: Write> Deliver for TableOutput<W> {
    fn take(&mut self, done: &mut Done, games_before: u64) -> io::Result<Delivered> {
        let TableOutput { rows, tables } = self;
        let before = tables.bytes();
        let counts = (games_before, done.text.positions);
        let mut push = |handed: HandedRows<'_>| tables.push(handed);
        let positions = rows.take(&mut done.rows, &mut done.marks, counts, &mut push)?;
        rows.reuse(&mut tables.spent.rows);
        let duplicates = rows.take_duplicates();
        Ok(Delivered { positions, bytes: tables.bytes() - before, duplicates })
    }

    fn end_input(&mut self) -> io::Result<Delivered> {
        self.tables.files.iter_mut().try_for_each(|table| table.output.flush())?;
        Ok(Delivered::default())
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        let TableOutput { rows, tables } = self;
        let before = tables.bytes();
        let (positions, duplicates) = rows.take_rest(&mut |handed| {
            tables.push(handed)?;
            // No rows of chunks follow.
            tables.spent.rows.clear();
            Ok(())
        })?;
        let Tables { files, spent, .. } = tables;
        for table in files {
            table.finish(spent)?;
            table.output.flush()?;
        }
        Ok(Delivered { positions, bytes: tables.bytes() - before, duplicates })
    }

    fn is_full(&self) -> bool {
        self.rows.is_full()
    }
}

impl<W: Write> DeliverToOutputs for TableOutput<W> {
    fn counts(&self) -> Vec<OutputCounts> {
        self.tables.files.iter().map(|table| table.written).collect()
    }

    fn names(&self) -> &[PathBuf] {
        self.rows.names()
    }
}
