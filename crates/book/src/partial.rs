//! Partial results: the counts of some games in a file, to be merged with those of others.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::merge::{Counted, Merge, Run};
use crate::run::{RunReader, RunWriter};
use crate::{Aggregate, BookError};

/// What a file of a partial result begins with: the number is that of the form.
const MAGIC: &[u8] = b"pgn2epd book, partial result 1\n";

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

impl Header {
    /// The header of all together, and for each part the new numbers of its files.
    fn of_all(parts: &[Part]) -> Result<(Header, Vec<Vec<u32>>), BookError> {
        let mut all = parts.first().map(|part| part.header.clone()).unwrap_or_default();
        for part in parts {
            if part.header.counted != all.counted || part.header.moves != all.moves {
                return Err(BookError::Different {
                    name: part.name.clone(),
                    theirs: part.header.counted.clone(),
                    ours: all.counted,
                });
            }
            all.files.extend_from_slice(&part.header.files);
        }
        all.files.sort();
        all.files.dedup();
        let place =
            |name: &String| all.files.binary_search(name).expect("it is in the list") as u32;
        let places = parts.iter().map(|part| part.header.files.iter().map(place).collect());
        let places = places.collect();
        Ok((all, places))
    }
}

/// A partial result that was opened.
#[derive(Debug)]
pub struct Part {
    name: String,
    header: Header,
    input: BufReader<File>,
}

/// The longest header, in bytes.
const LONGEST_HEADER: u64 = 64 << 20;

impl Part {
    /// Opens a partial result.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is none.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        let failed = |reason: String| BookError::Partial { name: name.clone(), reason };
        let read = || -> io::Result<(Vec<u8>, BufReader<File>)> {
            let mut input = BufReader::with_capacity(64 << 10, File::open(path)?);
            let mut magic = Vec::new();
            (&mut input).take(MAGIC.len() as u64).read_to_end(&mut magic)?;
            let mut header = Vec::new();
            if magic == MAGIC {
                (&mut input).take(LONGEST_HEADER).read_until(b'\n', &mut header)?;
            }
            Ok((header, input))
        };
        let (header, input) = read().map_err(|error| failed(error.to_string()))?;
        if header.is_empty() {
            return Err(failed("it was not written by `pgn2epd book --partial`".into()));
        }
        let header = serde_json::from_slice(&header)
            .map_err(|error| failed(format!("its header is damaged: {error}")))?;
        Ok(Part { name, header, input })
    }

    /// What is said of it.
    pub fn header(&self) -> &Header {
        &self.header
    }

    fn run(self, files: Vec<u32>) -> Run<'static> {
        let mut reader = RunReader::new(self.input, Some(files));
        let name = self.name;
        Box::new(std::iter::from_fn(move || {
            let named = |error: io::Error| {
                let reason = match error.kind() {
                    io::ErrorKind::UnexpectedEof => "it ends early".to_owned(),
                    _ => error.to_string(),
                };
                io::Error::new(error.kind(), format!("{name}: {reason}"))
            };
            reader.read().map_err(named).transpose()
        }))
    }
}

/// Writes the counts of everything that was added.
///
/// # Errors
///
/// If the output, or a temporary file, cannot be written.
pub fn write_partial(
    aggregate: Aggregate,
    header: &Header,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let mut sum = aggregate.finish()?;
    let temporary = sum.temporary.clone();
    let counts = sum.counts(1);
    write_counts(counts, header, output, |error| temporary.failed(error))
}

/// Merges partial results into one.
///
/// # Errors
///
/// If one cannot be read, or they do not belong together; if the output cannot be written.
pub fn merge_partials(parts: Vec<Part>, output: &mut dyn Write) -> Result<(), BookError> {
    let (header, merge) = merged(parts)?;
    write_counts(merge, &header, output, damaged)
}

/// The header of several partial results together.
pub(crate) fn header_of_all(parts: &[Part]) -> Result<Header, BookError> {
    Header::of_all(parts).map(|(header, _)| header)
}

/// The counts of several partial results together.
pub(crate) fn merged(parts: Vec<Part>) -> Result<(Header, Merge<'static>), BookError> {
    let (header, files) = Header::of_all(&parts)?;
    let runs = parts.into_iter().zip(files).map(|(part, files)| part.run(files)).collect();
    let merge = Merge::new(runs).map_err(damaged)?;
    Ok((header, merge))
}

pub(crate) fn damaged(error: io::Error) -> BookError {
    let text = error.to_string();
    let (name, reason) = text.split_once(": ").unwrap_or(("a part", &text));
    BookError::Partial { name: name.to_owned(), reason: reason.to_owned() }
}

fn write_counts(
    counts: impl Iterator<Item = io::Result<Counted>>,
    header: &Header,
    output: &mut dyn Write,
    failed: impl Fn(io::Error) -> BookError,
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
        writer.write(&counted.map_err(&failed)?).map_err(BookError::Write)?;
    }
    writer.finish().map(drop).map_err(BookError::Write)
}
