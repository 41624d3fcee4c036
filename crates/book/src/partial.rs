//! Partial results: the counts of some games in a file, which are added up with others later.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::mem;
use std::path::Path;

use san::MoveCode;
use serde::{Deserialize, Serialize};
use stream::ordered::Threads;
use stream::spill::Record;

use crate::aggregate::Aggregate;
use crate::disk::{CountOrder, Disk, partition_of_hash};
use crate::error::BookError;
use crate::games::GameClass;
use crate::row::{Counted, END, EncodedRun, RunReader, damaged};
use crate::totals::{CounterRows, RowsIter, Totals};

/// Magic text; the version and a line end follow. Then come the header as a line of JSON, the
/// counts, and the CRC-32 of both in four bytes, little-endian.
pub const MARK: &[u8] = b"pgn2epd book, partial result ";
const VERSION: u32 = 5;
/// Maximum number of digits of a version.
const LONGEST_VERSION: usize = 9;
/// Size of the checksum, in bytes.
const CHECKSUM: u64 = 4;
/// Maximum size of a header, in bytes.
const LONGEST_HEADER: u64 = 64 << 20;

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

/// An open partial result.
#[derive(Debug)]
pub struct Part {
    name: String,
    header: Header,
    counts: BufReader<Summed>,
}

/// What precedes the checksum, which is computed while it is read.
#[derive(Debug)]
struct Summed {
    file: io::Take<File>,
    crc: crc32fast::Hasher,
}

impl Read for Summed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.crc.update(&buffer[..read]);
        Ok(read)
    }
}

/// Returns the version, if the magic text precedes it; leaves the file behind its first line.
fn version_of(file: &mut File) -> io::Result<Option<u32>> {
    let mut mark = Vec::new();
    file.take((MARK.len() + LONGEST_VERSION + 1) as u64).read_to_end(&mut mark)?;
    let line = mark.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    file.seek(io::SeekFrom::Start(line.len() as u64))?;
    let number = line.strip_prefix(MARK).and_then(|rest| rest.strip_suffix(b"\n"));
    let number = number.filter(|digits| digits.iter().all(u8::is_ascii_digit));
    Ok(number.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok()))
}

fn refused<T>(reason: impl Into<String>) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::InvalidData, reason.into()))
}

impl Part {
    /// Whether a file begins like a partial result.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn is_part(path: &Path) -> io::Result<bool> {
        Ok(version_of(&mut File::open(path)?)?.is_some())
    }

    /// Opens a partial result.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a partial result.
    pub fn open(path: &Path) -> Result<Self, BookError> {
        let name = path.display().to_string();
        match header_and_counts(path) {
            Ok((header, counts)) => Ok(Part { name, header, counts }),
            Err(error) => Err(BookError::partial(&name, &error)),
        }
    }

    /// Appends all counts to a file, with the numbers of the files in `places`.
    fn copy(self, places: Vec<u32>, disk: &mut Disk) -> io::Result<()> {
        let mut reader = RunReader::new(self.counts, places);
        let (mut last, mut partition, mut legal) = (None::<Counted>, 0, Vec::new());
        while let Some(counted) = reader.read()? {
            let order = |last: &Counted| {
                last.rank().cmp(&counted.rank()).then_with(|| last.compare(&counted))
            };
            if last.as_ref().is_some_and(|last| order(last).is_ge()) {
                return Err(damaged());
            }
            if last.as_ref().is_none_or(|last| last.key != counted.key) {
                let position = counted.key.position(0, 1);
                let position = position
                    .or_else(|error| refused(format!("a position is not legal: {error}")))?;
                legal = position.legal_moves().into_iter().map(san::Move::code).collect();
                let of_last = mem::replace(&mut partition, partition_of_hash(counted.rank()));
                if of_last != partition {
                    disk.end_run(of_last);
                }
            }
            check(&counted, &legal)?;
            disk.append(&counted.row())?;
            last = Some(counted);
        }
        disk.end_run(partition);
        let counts = reader.into_input();
        if !counts.buffer().is_empty() || counts.get_ref().file.limit() > 0 {
            return refused("other bytes follow its end: pass files that were joined separately");
        }
        let Summed { file, crc } = counts.into_inner();
        let mut expected = [0; CHECKSUM as usize];
        file.into_inner().read_exact(&mut expected)?;
        match crc.finalize().to_le_bytes() == expected {
            true => Ok(()),
            false => refused("it is damaged: its checksum does not match"),
        }
    }
}

fn header_and_counts(path: &Path) -> io::Result<(Header, BufReader<Summed>)> {
    let mut file = File::open(path)?;
    let Some(version) = version_of(&mut file)? else {
        return refused("it was not written by `pgn2epd book --partial`");
    };
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
    let rest = file.metadata()?.len().saturating_sub(file.stream_position()?);
    let file = file.take(rest.saturating_sub(CHECKSUM));
    let summed = Summed { file, crc: crc32fast::Hasher::new() };
    let mut counts = BufReader::with_capacity(64 << 10, summed);
    let mut header = Vec::new();
    (&mut counts).take(LONGEST_HEADER).read_until(b'\n', &mut header)?;
    match serde_json::from_slice(&header) {
        Ok(header) => Ok((header, counts)),
        Err(error) => refused(format!("its header is damaged: {error}")),
    }
}

fn check(counted: &Counted, legal: &[MoveCode]) -> io::Result<()> {
    let Counted { next, class, tally, .. } = counted;
    if !next.is_none() && !legal.contains(&next.without_pin()) {
        return refused(format!("the move {} is not legal in its position", next.0));
    }
    let is_class = || GameClass::of_text(class).is_some_and(|read| read.to_text() == **class);
    if tally.games == 0 || !class.is_empty() && !is_class() {
        return Err(damaged());
    }
    Ok(())
}

/// The counts that a book is made from.
pub enum Source {
    /// Counts made in this run.
    Counted(Box<Aggregate>, Header),
    /// Partial results, and the threads that merge them.
    Parts(Vec<Part>, Threads),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Counted(_, header) => f.debug_tuple("Counted").field(header).finish(),
            Source::Parts(parts, _) => f.debug_tuple("Parts").field(parts).finish(),
        }
    }
}

impl Source {
    pub(crate) fn open(self, memory: usize, folder: &Path) -> Result<(Header, Totals), BookError> {
        match self {
            Source::Counted(aggregate, header) => Ok((header, aggregate.finish()?)),
            Source::Parts(parts, threads) => merged(parts, threads, memory, folder),
        }
    }
}

/// Merges as if the games of all partial results had been counted together.
fn merged(
    parts: Vec<Part>,
    threads: Threads,
    memory: usize,
    folder: &Path,
) -> Result<(Header, Totals), BookError> {
    let mut header = Header::default();
    for (number, Part { name, header: Header { files, counted, moves }, .. }) in
        parts.iter().enumerate()
    {
        if number == 0 {
            (header.counted, header.moves) = (counted.clone(), *moves);
        } else if (&header.counted, header.moves) != (counted, *moves) {
            let (theirs, ours) = (counted.clone(), header.counted);
            return Err(BookError::Different { name: name.clone(), theirs, ours });
        }
        header.files.extend_from_slice(files);
    }
    header.files.sort();
    header.files.dedup();
    let place = |name: &String| header.files.binary_search(name).expect("it is in the list") as u32;
    let mut disk = Disk::new(folder);
    for part in parts {
        let (name, places) = (part.name.clone(), part.header.files.iter().map(place).collect());
        part.copy(places, &mut disk).map_err(|error| BookError::of_part(&name, error))?;
    }
    disk.flush()?;
    let rows = CounterRows::of_disk(disk);
    Ok((header, Totals::new(vec![rows], CountOrder::Hash, threads, memory)))
}

/// Writes all counts. Merging uses at most `memory` bytes; temporary files go to `folder`.
///
/// # Errors
///
/// If a part cannot be read, the parts were counted differently, or the output or a temporary file
/// cannot be written.
pub fn write_partial(
    source: Source,
    memory: usize,
    folder: &Path,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let (header, counts) = source.open(memory, folder)?;
    let mut output = BufWriter::with_capacity(64 << 10, output);
    output.write_all(MARK)?;
    writeln!(output, "{VERSION}")?;
    let mut crc = crc32fast::Hasher::new();
    let mut write = |bytes: &[u8]| {
        crc.update(bytes);
        Ok(output.write_all(bytes)?)
    };
    let header = serde_json::to_string(&header).map_err(io::Error::from)?;
    write(format!("{header}\n").as_bytes())?;
    let encode = move |counts: &mut RowsIter<'_, '_>| {
        let mut run = EncodedRun::default();
        for counted in counts {
            run.push(&counted?);
        }
        Ok(run)
    };
    counts.map(1, encode, &mut |run| write(&run.bytes))?;
    write(&[END])?;
    output.write_all(&crc.finalize().to_le_bytes())?;
    Ok(output.flush()?)
}
