//! A file with a table: groups of rows are encoded on all threads and leave in order.

use std::io;
use std::mem;
use std::sync::Arc;

use stream::ordered::{OrderedTasks, Threads};

use crate::encoder::{self, EncodedRows, RowEncoder, Settings, TableFile};
use crate::rows::Rows;
use crate::schema::Schema;

/// Writes rows as a file. The bytes depend on the rows and on how they are divided into batches,
/// not on the number of threads.
#[derive(Debug)]
pub struct TableWriter {
    schema: Schema,
    settings: Settings,
    /// The file, from its first byte on.
    begun: Option<(TableFile, Arc<RowEncoder>)>,
    /// The rows of the next group.
    group: Vec<Rows>,
    /// Their number and their size.
    group_size: (usize, usize),
    tasks: OrderedTasks<io::Result<(EncodedRows, Vec<Rows>)>>,
    /// Memory used again, as the kernel would clear new pages; of rows, if the caller takes it.
    spare_rows: Option<Vec<Rows>>,
    spare_bytes: Vec<Vec<u8>>,
}

/// The most groups of bytes whose memory is kept.
const MOST_SPARE: usize = 4;

/// Receives the parts of a file, in order.
type Output<'o> = dyn FnMut(&[u8]) -> io::Result<()> + 'o;

impl TableWriter {
    /// Makes the writer of a file with these columns.
    pub fn new(schema: Schema, settings: Settings, threads: Threads) -> Self {
        TableWriter {
            schema,
            settings,
            begun: None,
            group: Vec::new(),
            group_size: (0, 0),
            tasks: OrderedTasks::new(threads),
            spare_rows: None,
            spare_bytes: Vec::new(),
        }
    }

    /// Adds rows to the group, encodes it when it is large enough, and writes what is ready.
    ///
    /// # Errors
    ///
    /// Those of the output, if this build does not have the format, and if threads cannot be
    /// started.
    pub fn write(&mut self, rows: Rows, output: &mut Output<'_>) -> io::Result<()> {
        self.begin(output)?;
        if rows.is_empty() {
            return Ok(());
        }
        self.group_size.0 += rows.len();
        self.group_size.1 += rows.bytes();
        self.group.push(rows);
        if let Some((_, encoder)) = &self.begun
            && encoder.is_complete(self.group_size.0, self.group_size.1)
        {
            self.end_group()?;
        }
        while let Some(encoded) = self.tasks.next_ready() {
            let (group, rows) = encoded?;
            if let Some(spare) = &mut self.spare_rows {
                spare.extend(rows);
            }
            self.write_group(group, output)?;
        }
        Ok(())
    }

    /// Returns the memory of earlier rows, which is kept from the first call on: one is expected
    /// for each batch.
    pub fn spare(&mut self) -> Option<Rows> {
        self.spare_rows.get_or_insert_default().pop()
    }

    /// Writes the last group and the end of the file.
    ///
    /// # Errors
    ///
    /// As for [`write`](TableWriter::write).
    pub fn finish(mut self, output: &mut Output<'_>) -> io::Result<()> {
        self.begin(output)?;
        if !self.group.is_empty() {
            self.end_group()?;
        }
        while let Some(encoded) = self.tasks.wait() {
            self.write_group(encoded?.0, output)?;
        }
        match self.begun {
            Some((file, _)) => output(&file.end()?),
            None => Ok(()),
        }
    }

    /// Writes the beginning of the file, once.
    fn begin(&mut self, output: &mut Output<'_>) -> io::Result<()> {
        if self.begun.is_some() {
            return Ok(());
        }
        let (start, file, encoder) = encoder::begin(mem::take(&mut self.schema), self.settings)?;
        self.begun = Some((file, Arc::new(encoder)));
        output(&start)
    }

    fn end_group(&mut self) -> io::Result<()> {
        let Some((_, encoder)) = &self.begun else { return Ok(()) };
        let (encoder, group) = (Arc::clone(encoder), mem::take(&mut self.group));
        self.group_size = (0, 0);
        let bytes = self.spare_bytes.pop().unwrap_or_default();
        self.tasks.push(move || encoder.encode(group, bytes))
    }

    fn write_group(&mut self, group: EncodedRows, output: &mut Output<'_>) -> io::Result<()> {
        let bytes = match group {
            EncodedRows::Bytes(bytes) => bytes,
            #[cfg(feature = "arrow")]
            EncodedRows::Columns(columns) => match &mut self.begun {
                Some((TableFile::Parquet(file), _)) => file.append(columns)?,
                _ => Vec::new(),
            },
        };
        output(&bytes)?;
        if self.spare_bytes.len() < MOST_SPARE {
            self.spare_bytes.push(bytes);
        }
        Ok(())
    }
}
