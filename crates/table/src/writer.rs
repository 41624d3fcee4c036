//! A file with a table: groups of rows are encoded on all threads and leave in order.

use std::io;
use std::mem;
use std::sync::Arc;

#[cfg(feature = "arrow")]
use arrow_schema::SchemaRef;
use stream::compress::Compression;
use stream::ordered::{OrderedTasks, Threads};

#[cfg(feature = "arrow")]
use crate::arrow;
use crate::rows::{Rows, Schema};
use crate::text::{header, write_lines, write_objects};

/// The format of a table.
///
/// ```
/// use table::TableFormat;
///
/// assert_eq!(TableFormat::of_suffix("NDJSON"), Some(TableFormat::JsonLines));
/// assert_eq!(TableFormat::of_suffix("epd"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableFormat {
    /// Comma-separated values with a header (RFC 4180, but LF). A missing value is empty.
    Csv,
    /// A JSON object per row. A missing value is `null`.
    JsonLines,
    /// The streaming format of Arrow.
    Arrow,
    /// Parquet.
    Parquet,
}

/// Why a binary format cannot be written.
pub const NOT_BUILT: &str = "this program was built without Arrow and Parquet: install it with `cargo install --locked --path . --features arrow` in a clone, or the Python package, whose program has them";

/// The first bytes of Parquet.
pub const PARQUET: &[u8] = b"PAR1";

/// The first bytes of an Arrow file.
pub const ARROW_FILE: &[u8] = b"ARROW1";

/// The first bytes of an Arrow stream.
pub const ARROW_STREAM: &[u8] = &[0xff; 4];

impl TableFormat {
    /// The suffixes of files; the first one of a format is the usual one.
    pub const SUFFIXES: [(&str, TableFormat); 6] = [
        ("csv", TableFormat::Csv),
        ("jsonl", TableFormat::JsonLines),
        ("ndjson", TableFormat::JsonLines),
        ("arrow", TableFormat::Arrow),
        ("arrows", TableFormat::Arrow),
        ("parquet", TableFormat::Parquet),
    ];

    /// Returns the format of files with a suffix, in upper or lower case.
    pub fn of_suffix(suffix: &str) -> Option<Self> {
        let found =
            Self::SUFFIXES.into_iter().find(|(known, _)| suffix.eq_ignore_ascii_case(known));
        found.map(|(_, format)| format)
    }

    /// Returns the usual suffix of files.
    pub fn suffix(self) -> &'static str {
        let mut found = Self::SUFFIXES.into_iter().filter(|(_, format)| *format == self);
        found.next().map_or("", |(suffix, _)| suffix)
    }

    /// Returns whether the format is binary.
    pub fn is_binary(self) -> bool {
        matches!(self, TableFormat::Arrow | TableFormat::Parquet)
    }

    /// Returns whether this build has the format: the feature `arrow` adds the binary ones.
    pub fn is_built(self) -> bool {
        !self.is_binary() || cfg!(feature = "arrow")
    }
}

/// How a table is written.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The format.
    pub format: TableFormat,
    /// The compression of the columns of Parquet, if it is not the default one. A file of another
    /// format is compressed as a whole, by its output.
    pub compression: Option<Compression>,
    /// Whether texts in CSV that spreadsheets take for formulas begin with an apostrophe.
    pub csv_safe: bool,
    /// The size in bytes at which rows are encoded, which bounds the memory for a table.
    pub group_bytes: usize,
}

impl Settings {
    /// Returns the default settings of a format.
    pub fn new(format: TableFormat) -> Self {
        Settings { format, compression: None, csv_safe: false, group_bytes: GROUP_BYTES }
    }
}

#[derive(Debug)]
pub(crate) struct RowEncoder {
    schema: Schema,
    settings: Settings,
    form: EncoderForm,
}

#[derive(Debug)]
enum EncoderForm {
    Csv,
    JsonLines,
    #[cfg(feature = "arrow")]
    Arrow(SchemaRef),
    #[cfg(feature = "arrow")]
    Parquet(crate::arrow::GroupEncoder),
}

#[derive(Debug)]
pub(crate) enum EncodedRows {
    Bytes(Vec<u8>),
    #[cfg(feature = "arrow")]
    Columns(Vec<parquet::arrow::arrow_writer::ArrowColumnChunk>),
}

/// What a file has besides the groups.
#[derive(Debug)]
pub(crate) enum TableFile {
    Plain(Vec<u8>),
    #[cfg(feature = "arrow")]
    Parquet(Box<crate::arrow::ParquetFile>),
}

/// The size of the rows of a group, except the last one.
const GROUP_BYTES: usize = 32 << 20;

/// The number of rows of a group at which it ends before it has this size.
const GROUP_ROWS: usize = 1 << 13;

impl RowEncoder {
    pub(crate) fn is_complete(&self, rows: usize, bytes: usize) -> bool {
        let most_rows = match &self.form {
            #[cfg(feature = "arrow")]
            EncoderForm::Parquet(_) => crate::arrow::GROUP_ROWS,
            _ => GROUP_ROWS,
        };
        rows >= most_rows || bytes >= self.settings.group_bytes
    }

    /// Text uses the memory of `bytes`; of the rows returned, only the memory is of use.
    pub(crate) fn encode(
        &self,
        batches: Vec<Rows>,
        mut bytes: Vec<u8>,
    ) -> io::Result<(EncodedRows, Vec<Rows>)> {
        bytes.clear();
        let fields = &self.schema.fields;
        match &self.form {
            EncoderForm::Csv => {
                let is_safe = self.settings.csv_safe;
                batches.iter().for_each(|rows| write_lines(rows, fields, is_safe, &mut bytes));
            }
            EncoderForm::JsonLines => {
                batches.iter().for_each(|rows| write_objects(rows, fields, &mut bytes));
            }
            #[cfg(feature = "arrow")]
            EncoderForm::Arrow(schema) => {
                let mut batches = batches.into_iter();
                batches.try_for_each(|rows| crate::arrow::append(rows, schema, &mut bytes))?;
                return Ok((EncodedRows::Bytes(bytes), Vec::new()));
            }
            #[cfg(feature = "arrow")]
            EncoderForm::Parquet(encoder) => {
                return Ok((EncodedRows::Columns(encoder.encode(&batches)?), batches));
            }
        }
        Ok((EncodedRows::Bytes(bytes), batches))
    }
}

/// Writes rows as a file. The bytes depend on the batches, not on the number of threads.
#[derive(Debug)]
pub struct TableWriter {
    schema: Schema,
    settings: Settings,
    /// The file, from its first byte on.
    begun: Option<(TableFile, Arc<RowEncoder>)>,
    /// The rows of the next group.
    group: Vec<Rows>,
    group_size: (usize, usize),
    tasks: OrderedTasks<io::Result<(EncodedRows, Vec<Rows>)>>,
    /// Memory used again, as the kernel would clear new pages; of rows, if the caller takes it.
    spare_rows: Option<Vec<Rows>>,
    spare_bytes: Vec<Vec<u8>>,
}

/// The most groups of bytes whose memory is kept.
const MOST_SPARE: usize = 4;

type PartReceiver<'o> = dyn FnMut(&[u8]) -> io::Result<()> + 'o;

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

    /// Adds rows to the group, encodes it when it is large enough, and writes what is ready. Fails
    /// like the output, if this build does not have the format, and if threads cannot be started.
    pub fn write(&mut self, rows: Rows, output: &mut PartReceiver<'_>) -> io::Result<()> {
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

    /// Returns the memory of earlier rows, kept from the first call on: one for each batch.
    pub fn spare(&mut self) -> Option<Rows> {
        self.spare_rows.get_or_insert_default().pop()
    }

    /// Writes the last group and the end of the file.
    pub fn finish(mut self, output: &mut PartReceiver<'_>) -> io::Result<()> {
        self.begin(output)?;
        if !self.group.is_empty() {
            self.end_group()?;
        }
        while let Some(encoded) = self.tasks.wait() {
            self.write_group(encoded?.0, output)?;
        }
        match self.begun {
            Some((TableFile::Plain(end), _)) => output(&end),
            #[cfg(feature = "arrow")]
            Some((TableFile::Parquet(file), _)) => output(&file.finish()?),
            None => Ok(()),
        }
    }

    fn begin(&mut self, output: &mut PartReceiver<'_>) -> io::Result<()> {
        if self.begun.is_some() {
            return Ok(());
        }
        let (schema, settings) = (mem::take(&mut self.schema), self.settings);
        let plain = TableFile::Plain(Vec::new());
        let (start, file, form) = match settings.format {
            TableFormat::Csv => (header(&schema), plain, EncoderForm::Csv),
            TableFormat::JsonLines => (Vec::new(), plain, EncoderForm::JsonLines),
            #[cfg(feature = "arrow")]
            TableFormat::Arrow => {
                let schema = arrow::schema(&schema);
                let (start, end) = arrow::empty_stream(&schema)?;
                (start, TableFile::Plain(end), EncoderForm::Arrow(schema))
            }
            #[cfg(feature = "arrow")]
            TableFormat::Parquet => {
                let (file, encoder) = arrow::begin(&schema, settings.compression)?;
                // The file begins with its first row group.
                (Vec::new(), TableFile::Parquet(Box::new(file)), EncoderForm::Parquet(encoder))
            }
            #[cfg(not(feature = "arrow"))]
            TableFormat::Arrow | TableFormat::Parquet => {
                return Err(io::Error::new(io::ErrorKind::Unsupported, NOT_BUILT));
            }
        };
        self.begun = Some((file, Arc::new(RowEncoder { schema, settings, form })));
        output(&start)
    }

    fn end_group(&mut self) -> io::Result<()> {
        let Some((_, encoder)) = &self.begun else { return Ok(()) };
        let (encoder, group) = (Arc::clone(encoder), mem::take(&mut self.group));
        self.group_size = (0, 0);
        let bytes = self.spare_bytes.pop().unwrap_or_default();
        self.tasks.push(move || encoder.encode(group, bytes))
    }

    fn write_group(&mut self, group: EncodedRows, output: &mut PartReceiver<'_>) -> io::Result<()> {
        #[cfg_attr(not(feature = "arrow"), expect(clippy::infallible_destructuring_match))]
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
