//! The output of a conversion to a table.

use std::io::{self, Write};
use std::sync::Arc;

use emit::{ColumnList, Plan, Rows};
use stream::compress::Compression;
use stream::ordered::{OrderedTasks, Threads};

use crate::chosen_rows::RowChooser;
use crate::convert::deliver::Deliver;
use crate::convert::destination::Destination;
use crate::convert::worker::Done;
use crate::options::Options;
use crate::table::encoder::{self, EncodedRows, RowEncoder, TableFile, written};
use crate::table::format::TableFormat;

/// Numbers and selects rows in input order, encodes groups of them on all threads, and writes these in order.
///
/// Groups are encoded after the rows have been ordered, because only then the numbers of the games are known. They depend
/// on the rows and on nothing else.
#[derive(Debug)]
pub(super) struct TableOutput<W> {
    output: Destination<W>,
    rows: RowChooser,
    /// The rows of the next group.
    group: Vec<Rows>,
    /// The number of its rows, or of the values in its lists.
    group_rows: usize,
    tasks: OrderedTasks<io::Result<EncodedRows>>,
    table: Table,
}

#[derive(Debug)]
enum Table {
    /// Nothing was written.
    New(TableFormat, ColumnList, Option<Compression>),
    Begun(TableFile, Arc<RowEncoder>),
}

impl<W: Write> TableOutput<W> {
    pub(super) fn new(
        format: TableFormat,
        list: &ColumnList,
        options: &Options,
        plan: &Plan,
        output: Destination<W>,
        threads: Threads,
    ) -> Self {
        TableOutput {
            output,
            rows: RowChooser::new(list.columns(), options, plan),
            group: Vec::new(),
            group_rows: 0,
            tasks: OrderedTasks::new(threads),
            table: Table::New(format, list.clone(), options.compress),
        }
    }

    /// Adds rows to the group, and encodes it when it is large enough; returns the number of bytes written.
    fn push(&mut self, rows: Rows) -> io::Result<u64> {
        let mut bytes = self.begin()?;
        if rows.is_empty() {
            return Ok(bytes);
        }
        self.group_rows += rows.values();
        self.group.push(rows);
        if let Table::Begun(_, encoder) = &self.table
            && self.group_rows >= encoder.group_rows()
        {
            self.end_group()?;
        }
        while let Some(group) = self.tasks.next_ready() {
            bytes += self.write(group?)?;
        }
        Ok(bytes)
    }

    /// Writes the beginning of the file, once.
    fn begin(&mut self) -> io::Result<u64> {
        let Table::New(format, list, compress) = &self.table else { return Ok(0) };
        let (mut file, encoder) = encoder::begin(*format, list, *compress)?;
        let bytes = file.start(&mut self.output)?;
        self.table = Table::Begun(file, Arc::new(encoder));
        Ok(bytes)
    }

    /// Encodes the group.
    fn end_group(&mut self) -> io::Result<()> {
        let Table::Begun(_, encoder) = &self.table else { return Ok(()) };
        let (encoder, group) = (Arc::clone(encoder), std::mem::take(&mut self.group));
        self.group_rows = 0;
        self.tasks.push(move || encoder.encode(group))
    }

    fn write(&mut self, group: EncodedRows) -> io::Result<u64> {
        match (group, &mut self.table) {
            (EncodedRows::Bytes(bytes), _) => written(&bytes, &mut self.output),
            (EncodedRows::Frames(frames, bytes), _) => {
                self.output.write_frames(&frames)?;
                Ok(bytes)
            }
            #[cfg(feature = "arrow")]
            (EncodedRows::Columns(columns), Table::Begun(TableFile::Parquet(file), _)) => {
                file.append(columns, &mut self.output)
            }
            #[cfg(feature = "arrow")]
            (EncodedRows::Columns(_), _) => Ok(0),
        }
    }
}

impl<W: Write> Deliver for TableOutput<W> {
    fn take(&mut self, done: &mut Done, games_before: u64) -> io::Result<(u64, u64)> {
        let rows = self.rows.take(&mut done.rows, &done.marks, games_before);
        let count = self.rows.positions(&rows, done.text.positions);
        Ok((count, self.push(rows)?))
    }

    fn take_rest(&mut self) -> io::Result<(u64, u64)> {
        let rest = self.rows.take_rest().unwrap_or_default();
        let count = rest.len() as u64;
        let mut bytes = self.push(rest)?;
        if !self.group.is_empty() {
            self.end_group()?;
        }
        while let Some(group) = self.tasks.wait() {
            bytes += self.write(group?)?;
        }
        if let Table::Begun(file, _) = &mut self.table {
            bytes += file.finish(&mut self.output)?;
        }
        self.output.finish()?;
        Ok((count, bytes))
    }

    fn is_full(&self) -> bool {
        self.rows.is_full()
    }

    fn take_duplicates(&mut self) -> u64 {
        self.rows.take_duplicates()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
