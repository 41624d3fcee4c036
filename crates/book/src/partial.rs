//! Partial results: the counts of some games in a file, to be merged with others.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stream::ordered::Threads;
use stream::read_at::ExtentReader;
use stream::spill::merge::Merge;
use table::{ARROW_FILE, ARROW_STREAM, PARQUET, TableFormat};

#[cfg(feature = "arrow")]
use crate::columns::Unsorted;
use crate::error::BookError;
use crate::part_reader::{CHECKSUM, Counts, PartReader, Summed, read_in_advance, refused};
use crate::run::RunReader;
use crate::totals::OpenedCounts;

/// Magic text of our own format; the version and a line end follow. Then come the header as a line
/// of JSON, the counts, and the CRC-32 of both in four bytes, little-endian.
pub const MARK: &[u8] = b"pgn2epd book, partial result ";
/// Current version.
pub(crate) const VERSION: u32 = 5;
/// Maximum number of digits of a version.
const LONGEST_VERSION: usize = 9;
/// Describes the counts in a partial result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The files of the games, in name order.
    pub files: Vec<String>,
    /// How the games were counted; only results counted in the same way can be merged.
    pub counted: String,
    /// Whether moves were kept.
    pub moves: bool,
}

impl Header {
    /// Returns the [classes of games](crate::GroupBy) that were counted separately, as text.
    pub(crate) fn grouped_by(&self) -> Option<&str> {
        self.counted.rsplit(", ").find_map(|option| option.strip_prefix("group-by "))
    }

    /// Returns the last component of the path of a file, which a published book may contain.
    pub(crate) fn published_name(&self, file: u32) -> Option<&str> {
        let path = self.files.get(file as usize)?;
        Some(Path::new(path).file_name().and_then(OsStr::to_str).unwrap_or(path))
    }
}

/// Format of a partial result. All formats hold the same information; the columns are described in
/// docs/books.md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PartialForm {
    /// Our own format: the smallest and fastest.
    #[default]
    Own,
    /// An Arrow stream.
    Arrow,
    /// Parquet.
    Parquet,
}

impl PartialForm {
    /// Whether this build supports the format.
    pub fn is_built(self) -> bool {
        self.table().is_none_or(TableFormat::is_built)
    }

    /// Returns the format of a table, if it is one.
    pub(crate) fn table(self) -> Option<TableFormat> {
        match self {
            PartialForm::Own => None,
            PartialForm::Arrow => Some(TableFormat::Arrow),
            PartialForm::Parquet => Some(TableFormat::Parquet),
        }
    }

    /// Returns the suffixes of files and their formats.
    pub fn suffixes() -> impl Iterator<Item = (&'static str, PartialForm)> {
        let tables = [PartialForm::Arrow, PartialForm::Parquet].into_iter().flat_map(|form| {
            let suffixes = TableFormat::SUFFIXES.into_iter();
            let suffixes = suffixes.filter(move |(_, format)| form.table() == Some(*format));
            suffixes.map(move |(suffix, _)| (suffix, form))
        });
        [("part", PartialForm::Own)].into_iter().chain(tables)
    }
}

/// An open partial result.
pub struct Part {
    name: String,
    content: Content,
}

enum Content {
    Own(Header, Counts),
    #[cfg(feature = "arrow")]
    Columns(table::Batches),
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Maximum size of a header, in bytes.
const LONGEST_HEADER: u64 = 64 << 20;

/// Reads the beginning of a file.
fn beginning(file: &mut File) -> io::Result<Vec<u8>> {
    let mut mark = Vec::new();
    file.take((MARK.len() + LONGEST_VERSION + 1) as u64).read_to_end(&mut mark)?;
    Ok(mark)
}

/// Returns the version stated in the magic text of our own format, and the length of that text.
fn version_of(mark: &[u8]) -> Option<(u32, u64)> {
    let rest = mark.strip_prefix(MARK)?;
    let digits = rest.iter().position(|byte| *byte == b'\n')?;
    let is_number = digits > 0 && rest[..digits].iter().all(u8::is_ascii_digit);
    let version = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    is_number.then_some((version, (MARK.len() + digits + 1) as u64))
}

fn begins_with_columns(mark: &[u8]) -> bool {
    [PARQUET, ARROW_FILE, ARROW_STREAM].iter().any(|columns| mark.starts_with(columns))
}

impl Part {
    /// Whether a file begins like a partial result, in any format.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn is_part(path: &Path) -> io::Result<bool> {
        let mark = beginning(&mut File::open(path)?)?;
        Ok(version_of(&mark).is_some() || begins_with_columns(&mark))
    }

    /// Opens a partial result, in any format.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a partial result.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        let failed = |error: io::Error| BookError::partial(&name, &error);
        let mut file = File::open(path).map_err(failed)?;
        let mark = beginning(&mut file).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if begins_with_columns(&mark) {
            #[cfg(feature = "arrow")]
            return Ok(Part {
                content: Content::Columns(table::Batches::open(file).map_err(failed)?),
                name,
            });
            #[cfg(not(feature = "arrow"))]
            return Err(BookError::NoColumns);
        }
        let Some(version) = version_of(&mark) else {
            let reason = "it was not written by `pgn2epd book --partial`".into();
            return Err(BookError::Partial { name, reason });
        };
        let (header, counts) = own_part(file, version).map_err(failed)?;
        Ok(Part { content: Content::Own(header, counts), name })
    }
}

/// Opens a partial result in our own format, given the version of its magic text and the length of
/// that.
fn own_part(mut file: File, (version, start): (u32, u64)) -> io::Result<(Header, Counts)> {
    if version < VERSION {
        return refused(format!(
            "it was written by an older version of pgn2epd (form {version}, not {VERSION}): count the games again"
        ));
    }
    if version > VERSION {
        return refused(format!(
            "it was written by a newer version of pgn2epd (form {version}, this program reads form {VERSION})"
        ));
    }
    let end = file.metadata()?.len().saturating_sub(CHECKSUM).max(start);
    let mut expected = [0; CHECKSUM as usize];
    file.seek(SeekFrom::Start(end))?;
    file.read_exact(&mut expected)?;
    let input = ExtentReader::new(Arc::new(file), start, end);
    let mut counts = Summed::counts(input, expected);
    let mut header = Vec::new();
    (&mut counts).take(LONGEST_HEADER).read_until(b'\n', &mut header)?;
    match serde_json::from_slice(&header) {
        Ok(header) => Ok((header, counts)),
        Err(error) => refused(format!("its header is damaged: {error}")),
    }
}

/// Common header of several partial results.
#[derive(Default)]
pub(crate) struct Together {
    files: Vec<String>,
    /// How they were counted, and whether moves were kept; `None` until a part states it.
    counted: Option<(String, bool)>,
}

impl Together {
    pub(crate) fn add_header(&mut self, name: &str, header: &Header) -> Result<(), BookError> {
        self.files.extend_from_slice(&header.files);
        self.add_counted(name, &header.counted, header.moves)
    }

    /// Checks that another part was counted in the same way.
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

/// The share of memory for counts that are read in advance, as a divisor.
const ADVANCE_SHARE: usize = 16;

/// Returns the merged header and the merged counts of several partial results.
pub(crate) fn merged(
    parts: Vec<Part>,
    threads: Threads,
    memory: usize,
    #[cfg_attr(not(feature = "arrow"), expect(unused_variables))] folder: &Path,
) -> Result<(Header, OpenedCounts), BookError> {
    let mut together = Together::default();
    let mut own = Vec::new();
    #[cfg(feature = "arrow")]
    let mut unsorted = Unsorted::new(memory, threads.clone(), folder);
    for Part { name, content } in parts {
        match content {
            Content::Own(header, counts) => {
                together.add_header(&name, &header)?;
                own.push((name, header.files, counts));
            }
            #[cfg(feature = "arrow")]
            Content::Columns(batches) => unsorted.take(&name, batches, &mut together)?,
        }
    }
    #[cfg(feature = "arrow")]
    together.files.extend_from_slice(unsorted.files());
    let header = together.header();
    let place = |name: &String| header.files.binary_search(name).expect("it is in the list") as u32;
    let own = own.into_iter().map(|(name, files, counts)| {
        let places = files.iter().map(place).collect();
        PartReader::new(name, RunReader::new(counts, places))
    });
    #[allow(unused_mut)]
    let mut runs = read_in_advance(own.collect(), &threads, memory / ADVANCE_SHARE);
    #[cfg(feature = "arrow")]
    runs.push(unsorted.finish(&header.files)?);
    Ok((header, OpenedCounts::Merge(Merge::new(runs)?, threads)))
}
