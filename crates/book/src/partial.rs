//! Partial results: the counts of some games in a file, to be merged with those of others.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

#[cfg(feature = "arrow")]
use crate::columns::{Batches, ColumnForm, PartialColumns, Unsorted};
use crate::merge::{Counted, Merge, Run};
use crate::run::{RunReader, RunWriter};
use crate::temporary::Temporary;
use crate::{Aggregate, BookError};

/// What a file of a partial result begins with: the number is that of the form.
const MAGIC: &[u8] = b"pgn2epd book, partial result 1\n";

/// What Parquet, Arrow's files and Arrow's streams begin with.
pub(crate) const PARQUET: &[u8] = b"PAR1";
pub(crate) const ARROW_FILE: &[u8] = b"ARROW1";
const ARROW_STREAM: &[u8] = &[0xff; 4];

/// What is said of the counts in a partial result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The files of games, in the order of their names.
    pub files: Vec<String>,
    /// How the games were counted: only what was counted in the same way can be merged.
    pub counted: String,
    /// Whether moves were kept.
    pub moves: bool,
}

/// The form of a partial result. All hold the same; docs/books.md describes the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PartialForm {
    /// Our own: the smallest and fastest.
    #[default]
    Own,
    /// A stream of Arrow's batches.
    Arrow,
    /// Parquet.
    Parquet,
}

impl PartialForm {
    /// Whether this program was built with it.
    pub fn is_built(self) -> bool {
        self == PartialForm::Own || cfg!(feature = "arrow")
    }
}

/// A partial result that was opened.
pub struct Part {
    name: String,
    content: Content,
}

enum Content {
    Own(Header, BufReader<File>),
    #[cfg(feature = "arrow")]
    Columns(Batches),
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The longest header, in bytes.
const LONGEST_HEADER: u64 = 64 << 20;

/// How a file begins.
fn beginning(file: &mut File) -> io::Result<Vec<u8>> {
    let mut mark = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut mark)?;
    file.rewind()?;
    Ok(mark)
}

fn begins_with_columns(mark: &[u8]) -> bool {
    [PARQUET, ARROW_FILE, ARROW_STREAM].iter().any(|columns| mark.starts_with(columns))
}

impl Part {
    /// Whether a file is a partial result, in any of its forms, by what it begins with.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn is_part(path: &Path) -> io::Result<bool> {
        let mark = beginning(&mut File::open(path)?)?;
        Ok(mark == MAGIC || begins_with_columns(&mark))
    }

    /// Opens a partial result, in any of its forms.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is none.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        let failed = |error: io::Error| BookError::partial(&name, &error);
        let refused = |reason: String| BookError::Partial { name: name.clone(), reason };
        let mut file = File::open(path).map_err(failed)?;
        let mark = beginning(&mut file).map_err(failed)?;
        if begins_with_columns(&mark) {
            #[cfg(feature = "arrow")]
            return Ok(Part {
                content: Content::Columns(Batches::open(file).map_err(failed)?),
                name,
            });
            #[cfg(not(feature = "arrow"))]
            return Err(BookError::NoColumns);
        }
        if mark != MAGIC {
            return Err(refused("it was not written by `pgn2epd book --partial`".into()));
        }
        let mut input = BufReader::with_capacity(64 << 10, file);
        let mut header = Vec::new();
        let read = |input: &mut BufReader<File>, header: &mut Vec<u8>| {
            input.read_exact(&mut [0; MAGIC.len()])?;
            input.take(LONGEST_HEADER).read_until(b'\n', header)
        };
        read(&mut input, &mut header).map_err(failed)?;
        let header = serde_json::from_slice(&header)
            .map_err(|error| refused(format!("its header is damaged: {error}")))?;
        Ok(Part { content: Content::Own(header, input), name })
    }
}

/// The counts of a part in our own form, whose files have these numbers.
fn own_run(name: String, input: BufReader<File>, files: Vec<u32>) -> Run<'static> {
    let mut reader = RunReader::new(input, Some(files));
    Box::new(std::iter::from_fn(move || {
        let named = |error: io::Error| io::Error::other(BookError::partial(&name, &error));
        reader.read().map_err(named).transpose()
    }))
}

/// Writes the counts of everything that was added.
///
/// # Errors
///
/// If the output, or a temporary file, cannot be written.
pub fn write_partial(
    aggregate: Aggregate,
    header: &Header,
    form: PartialForm,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let mut sum = aggregate.finish()?;
    let temporary = sum.temporary.clone();
    let counts = sum.counts(1);
    write_counts(counts, header, form, &temporary, output)
}

/// Merges partial results into one. `memory` is what sorting may take, in bytes; files go to `folder`.
///
/// # Errors
///
/// If one cannot be read, or they do not belong together; if the output, or a temporary file, cannot be written.
pub fn merge_partials(
    parts: Vec<Part>,
    form: PartialForm,
    memory: usize,
    folder: &Path,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let temporary = Temporary { folder: folder.to_owned() };
    let (header, merge) = merged(parts, memory, &temporary)?;
    write_counts(merge, &header, form, &temporary, output)
}

/// What is known of several partial results together.
#[derive(Default)]
pub(crate) struct Together {
    files: Vec<String>,
    /// How they were counted, and whether moves were kept; nothing yet if no part has said it.
    counted: Option<(String, bool)>,
}

impl Together {
    pub(crate) fn add_header(&mut self, name: &str, header: &Header) -> Result<(), BookError> {
        self.files.extend_from_slice(&header.files);
        self.add_counted(name, &header.counted, header.moves)
    }

    /// Makes sure that what comes was counted as the rest was.
    pub(crate) fn add_counted(
        &mut self,
        name: &str,
        counted: &str,
        moves: bool,
    ) -> Result<(), BookError> {
        match &self.counted {
            None => self.counted = Some((counted.to_owned(), moves)),
            Some((ours, our_moves)) if ours == counted && *our_moves == moves => {}
            Some((ours, _)) => {
                return Err(BookError::Different {
                    name: name.to_owned(),
                    theirs: counted.to_owned(),
                    ours: ours.clone(),
                });
            }
        }
        Ok(())
    }

    fn header(self) -> Header {
        let (counted, moves) = self.counted.unwrap_or_default();
        let mut files = self.files;
        files.sort();
        files.dedup();
        Header { files, counted, moves }
    }
}

/// The header and the counts of several partial results together.
pub(crate) fn merged(
    parts: Vec<Part>,
    memory: usize,
    temporary: &Temporary,
) -> Result<(Header, Merge<'static>), BookError> {
    let mut together = Together::default();
    let mut own = Vec::new();
    #[cfg(feature = "arrow")]
    let mut unsorted = Unsorted::new(memory, temporary.clone());
    #[cfg(not(feature = "arrow"))]
    let _ = memory;
    for Part { name, content } in parts {
        match content {
            Content::Own(header, input) => {
                together.add_header(&name, &header)?;
                own.push((name, header.files, input));
            }
            #[cfg(feature = "arrow")]
            Content::Columns(batches) => unsorted.take(&name, batches, &mut together)?,
        }
    }
    #[cfg(feature = "arrow")]
    together.files.extend_from_slice(unsorted.files());
    let header = together.header();
    let place = |name: &String| header.files.binary_search(name).expect("it is in the list") as u32;
    let own = own.into_iter().map(|(name, files, input)| {
        let places = files.iter().map(place).collect();
        own_run(name, input, places)
    });
    #[allow(unused_mut)]
    let mut runs: Vec<Run<'static>> = own.collect();
    #[cfg(feature = "arrow")]
    runs.extend(unsorted.finish(&header.files)?);
    let merge = Merge::new(runs).map_err(|error| temporary.failed(error))?;
    Ok((header, merge))
}

fn write_counts(
    counts: impl Iterator<Item = io::Result<Counted>>,
    header: &Header,
    form: PartialForm,
    temporary: &Temporary,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    match form {
        PartialForm::Own => write_own(counts, header, temporary, output),
        #[cfg(feature = "arrow")]
        PartialForm::Arrow => write_columns(counts, header, ColumnForm::Stream, temporary, output),
        #[cfg(feature = "arrow")]
        PartialForm::Parquet => {
            write_columns(counts, header, ColumnForm::Parquet, temporary, output)
        }
        #[cfg(not(feature = "arrow"))]
        PartialForm::Arrow | PartialForm::Parquet => Err(BookError::NoColumns),
    }
}

fn write_own(
    counts: impl Iterator<Item = io::Result<Counted>>,
    header: &Header,
    temporary: &Temporary,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let mut output = BufWriter::with_capacity(64 << 10, output);
    let write = |output: &mut dyn Write| -> io::Result<()> {
        output.write_all(MAGIC)?;
        output.write_all(serde_json::to_string(header)?.as_bytes())?;
        output.write_all(b"\n")
    };
    write(&mut output).map_err(BookError::Write)?;
    let mut writer = RunWriter::new(output);
    for counted in counts {
        let counted = counted.map_err(|error| temporary.failed(error))?;
        writer.write(&counted).map_err(BookError::Write)?;
    }
    writer.finish().map(drop).map_err(BookError::Write)
}

#[cfg(feature = "arrow")]
fn write_columns(
    counts: impl Iterator<Item = io::Result<Counted>>,
    header: &Header,
    form: ColumnForm,
    temporary: &Temporary,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let mut output = BufWriter::with_capacity(64 << 10, output);
    let mut columns = PartialColumns::new(form, header, &mut output).map_err(BookError::Write)?;
    for counted in counts {
        let counted = counted.map_err(|error| temporary.failed(error))?;
        columns.write(&counted).map_err(BookError::Write)?;
    }
    columns.finish().map_err(BookError::Write)?;
    output.flush().map_err(BookError::Write)
}
