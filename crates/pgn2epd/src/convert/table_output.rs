//! The tables that a conversion writes.

use std::io::{self, Write};
use std::sync::Arc;

use emit::{ColumnList, Plan};
use stream::compress::Compressor;
use stream::ordered::Threads;
use table::{Rows, Settings, TableFormat, TableWriter};

use crate::data_set::file_set::{FileSet, OutputFile, Outputs};
use crate::data_set::rows::{RowFile, RowWriter, SelectedRows};
use crate::options::Options;
use crate::summary::OutputCounts;

/// Rows are encoded after they are ordered: only then the numbers of games are known.
#[derive(Debug)]
pub(super) struct Table<W> {
    output: Compressor<W>,
    /// Nothing after the end.
    writer: Option<TableWriter>,
    written: OutputCounts,
}

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
    let (compression, csv_safe) = (options.compress, options.csv_safe);
    let settings = Settings { compression, csv_safe, ..Settings::new(format) };
    let (schema, of_file, other_threads) = (list.schema(), Arc::clone(&columns), threads.clone());
    let file = move |output| {
        let writer = Some(TableWriter::new(schema.clone(), settings, other_threads.clone()));
        let table = Table { output, writer, written: OutputCounts::default() };
        SelectedRows::new(table, Arc::clone(&of_file), keeper.clone())
    };
    RowWriter::new(FileSet::new(outputs, options, threads, file), columns, options)
}

fn write(
    bytes: &[u8],
    output: &mut Compressor<impl Write>,
    written: &mut OutputCounts,
) -> io::Result<()> {
    written.bytes += bytes.len() as u64;
    output.write_all(bytes)
}

impl<W: Write> RowFile for Table<W> {
    fn push(&mut self, rows: Rows, positions: u64) -> io::Result<()> {
        let Table { output, writer: Some(writer), written } = self else { return Ok(()) };
        written.positions += positions;
        writer.write(rows, &mut |bytes| write(bytes, output, written))
    }

    fn spare(&mut self) -> Option<Rows> {
        self.writer.as_mut().and_then(TableWriter::spare)
    }
}

impl<W: Write> OutputFile for Table<W> {
    type Output = W;

    fn finish(&mut self) -> io::Result<()> {
        let Table { output, writer, written } = self;
        let Some(writer) = writer.take() else { return Ok(()) };
        writer.finish(&mut |bytes| write(bytes, output, written))?;
        self.output.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn counts(&self) -> OutputCounts {
        self.written
    }
}
