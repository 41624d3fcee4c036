//! Inputs: plain text, UTF-16, compressed files and archives, detected by content and not by name.
//!
//! A [`Source`] yields one text or, for an archive, one for each of its `.pgn`, `.epd` and `.fen`
//! files. Streams (gzip, bzip2, zstd, xz) are decoded as they are read; [`Source::ahead`] and
//! [`Source::file`] decode on a separate thread. Archives (zip, 7z) have their directory at the
//! end, so one that is not a file is first copied to a temporary one. Texts are never held as a
//! whole.

mod archive;
mod codec;
mod format;
mod frames;
mod meter;
mod read_ahead;

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use crate::read_at::ReadSeek;
use archive::ArchiveEntry;
pub use codec::DecodingThreads;
use codec::Utf16;
pub use format::{Format, SourceError, compression_suffix, sniff, without_compression_suffix};
pub use frames::Frames;
pub(crate) use frames::{SEEK_TABLE, SEEKABLE};
pub use meter::{Meter, Metered, MeteredFile};
pub use read_ahead::Skipped;
use read_ahead::{Event, Member, ReadAhead};

const MOST_LAYERS: usize = 3;

/// Memory limit for decompression, in bytes; more than any preset of xz and 7-Zip needs.
#[cfg_attr(not(any(feature = "xz", feature = "7z")), allow(dead_code))]
const MEMORY: u64 = 512 << 20;

/// An input and the texts that it contains.
///
/// ```
/// use std::io::Read;
///
/// let utf_16 = b"\xff\xfe1\0.\0 \0e\x004\0";
/// let mut source = stream::source::Source::new(&utf_16[..])?;
/// let mut text = source.next_text()?.unwrap();
/// let mut pgn = String::new();
/// text.read_to_string(&mut pgn)?;
/// assert_eq!((&*pgn, text.name), ("\u{feff}1. e4", None));
/// # Ok::<_, std::io::Error>(())
/// ```
pub struct Source<'r> {
    texts: SourceTexts<'r>,
    /// The threads that help to decompress, to which those of a run can be added.
    pub threads: DecodingThreads,
    /// Whether the input is a text as it is stored, not compressed or in UTF-16.
    pub is_plain: bool,
}

enum SourceTexts<'r> {
    One(Option<Box<dyn Read + 'r>>),
    Members(Rc<RefCell<ReadAhead>>),
}

/// A text of a [`Source`], to be read. A text of an archive ends when the next one is requested.
pub struct Text<'r> {
    reader: Box<dyn Read + 'r>,
    /// The member's name if the text is a file in an archive.
    pub name: Option<String>,
}

impl<'r> Source<'r> {
    /// Opens an input, which is decoded, if necessary, as it is read. Fails if its first bytes
    /// cannot be read, or its format is not supported: a [`SourceError`] inside.
    pub fn new(reader: impl Read + 'r) -> io::Result<Self> {
        // In a box, as below: the many kinds of readers would be compiled each.
        let (reader, format) = sniff(Box::new(reader) as Box<dyn Read + 'r>)?;
        if !format.is_archive() {
            return Source::of_stream(reader, format);
        }
        Source::members(format, Box::new(spooled(format, reader)?))
    }

    /// Returns the next text, if any, and discards the rest of the previous one. Fails if an
    /// archive is damaged.
    pub fn next_text(&mut self) -> io::Result<Option<Text<'r>>> {
        match &mut self.texts {
            SourceTexts::One(reader) => Ok(reader.take().map(|reader| Text { reader, name: None })),
            SourceTexts::Members(ahead) => {
                let next = ahead.borrow_mut().next_member()?;
                Ok(next.map(|(name, number)| {
                    let member = Member { ahead: Rc::clone(ahead), number };
                    Text { reader: Box::new(member), name: Some(name) }
                }))
            }
        }
    }

    /// Returns the members of an archive that were skipped because of their names.
    pub fn skipped(&self) -> Skipped {
        match &self.texts {
            SourceTexts::One(_) => Skipped::default(),
            SourceTexts::Members(ahead) => ahead.borrow().skipped.clone(),
        }
    }

    /// Returns a source of one text, which is read as it is.
    pub fn one(reader: Box<dyn Read + 'r>) -> Self {
        let (texts, threads) = (SourceTexts::One(Some(reader)), DecodingThreads::default());
        Source { texts, threads, is_plain: true }
    }

    fn of_stream(reader: impl Read + 'r, format: Format) -> io::Result<Self> {
        let is_plain = format == Format::Plain;
        let threads = DecodingThreads::default();
        let text = decoded(Box::new(reader), format, &threads)?;
        Ok(Source { threads, is_plain, ..Source::one(text) })
    }
}

impl Source<'static> {
    /// Like [`Source::new`], but decompresses on a separate thread, which [`Source::threads`] may
    /// help; damage at the beginning of compressed data is reported on the first read.
    pub fn ahead(reader: impl Read + Send + 'static) -> io::Result<Self> {
        let (reader, format) = sniff(Box::new(reader) as Box<dyn Read + Send>)?;
        format.refuse_without_feature()?;
        match format {
            Format::Gzip | Format::Bzip2 | Format::Zstd | Format::Xz => {
                let threads = DecodingThreads::default();
                let shared = threads.clone();
                let ahead = ReadAhead::new(move |sender| {
                    sender.all(&mut decoded(Box::new(reader), format, &shared)?)
                })?;
                let source = Source::one(Box::new(ahead));
                Ok(Source { threads, is_plain: false, ..source })
            }
            _ if !format.is_archive() => Source::of_stream(reader, format),
            _ => Source::members(format, Box::new(spooled(format, reader)?)),
        }
    }

    /// Like [`Source::ahead`], for a file: an archive is read in place.
    pub fn file(file: impl Read + Seek + Send + 'static) -> io::Result<Self> {
        let mut file: Box<dyn ReadSeek> = Box::new(file);
        // A pipe cannot be rewound, so it is read as a stream.
        let Ok(start) = file.stream_position() else { return Source::ahead(file) };
        let (_, format) = sniff(&mut file)?;
        file.seek(SeekFrom::Start(start))?;
        match format {
            Format::Plain => Ok(Source::one(file)),
            Format::Zip | Format::SevenZip => Source::members(format, file),
            _ => Source::ahead(file),
        }
    }

    fn members<'r>(format: Format, mut archive: Box<dyn ReadSeek>) -> io::Result<Source<'r>> {
        format.refuse_without_feature()?;
        let threads = DecodingThreads::default();
        let shared = threads.clone();
        let ahead = ReadAhead::new(move |sender| {
            archive::walk(format, &mut archive, &mut |member| {
                let (name, reader) = match member {
                    ArchiveEntry::Other(name) => {
                        return sender.send(Event::Skipped(name.to_owned()));
                    }
                    ArchiveEntry::Failed(name, error) => {
                        sender.send(Event::Member(name.to_owned()))?;
                        return sender.send(Event::Failed(error));
                    }
                    ArchiveEntry::Text(name, reader) => (name, reader),
                };
                sender.send(Event::Member(name.to_owned()))?;
                let given = sniff(codec::in_pieces(reader))
                    .and_then(|(reader, inner)| decoded(Box::new(reader), inner, &shared))
                    .and_then(|mut text| sender.all(&mut text));
                match given {
                    Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                        sender.send(Event::Failed(SourceError::of(format, error)))
                    }
                    given => given.and_then(|()| sender.send(Event::MemberEnd)),
                }
            })
        })?;
        let texts = SourceTexts::Members(Rc::new(RefCell::new(ahead)));
        Ok(Source { texts, threads, is_plain: false })
    }
}

impl Read for Text<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }

    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.reader.read_to_end(buffer)
    }
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").finish_non_exhaustive()
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Text").field("name", &self.name).finish_non_exhaustive()
    }
}

fn decoded<'r>(
    mut reader: Box<dyn Read + 'r>,
    mut format: Format,
    threads: &DecodingThreads,
) -> io::Result<Box<dyn Read + 'r>> {
    for _ in 0..=MOST_LAYERS {
        match format {
            Format::Plain => return Ok(reader),
            Format::Utf16Le | Format::Utf16Be => return Ok(Box::new(Utf16::new(reader, format))),
            Format::Utf32 => {
                let advice = format!("for example with `iconv -f {format} -t UTF-8`");
                let reason = format!("this is {format} text; convert it to UTF-8 first, {advice}");
                return Err(SourceError::NotRead(reason).into());
            }
            Format::Zip | Format::SevenZip => {
                let reason = format!("it contains a {format} archive; unpack it first");
                return Err(SourceError::NotRead(reason).into());
            }
            Format::Gzip | Format::Bzip2 | Format::Zstd | Format::Xz => {
                let (inner, found) = sniff(codec::decompressor(format, reader, threads)?)?;
                (reader, format) = (Box::new(inner), found);
            }
        }
    }
    let reason = format!("it is compressed more than {MOST_LAYERS} times");
    Err(SourceError::NotRead(reason).into())
}

/// Decompresses a stream (gzip, bzip2, zstd, xz) of binary data. Other bytes are read as they are,
/// UTF-16 and archives included. Fails if the first bytes cannot be read, or the library was built
/// without the compression: a [`SourceError`] inside.
///
/// ```
/// use std::io::Read;
///
/// // The bytes of a byte order mark of UTF-16.
/// let mut bytes = Vec::new();
/// stream::source::decompressed(&b"\xff\xfe1\0"[..])?.read_to_end(&mut bytes)?;
/// assert_eq!(bytes, b"\xff\xfe1\0");
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn decompressed<'r>(reader: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    let (reader, format) = sniff(Box::new(reader) as Box<dyn Read + 'r>)?;
    if !format.is_compressed() {
        return Ok(Box::new(reader));
    }
    format.refuse_without_feature()?;
    codec::decompressor(format, Box::new(reader), &DecodingThreads::default())
}

/// Copies an archive from a stream to a temporary file, for random access.
#[cfg(any(feature = "zip", feature = "7z"))]
fn spooled(format: Format, mut reader: impl Read) -> io::Result<std::fs::File> {
    format.refuse_without_feature()?;
    let mut file = tempfile::tempfile()?;
    io::copy(&mut reader, &mut file)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(not(any(feature = "zip", feature = "7z")))]
fn spooled(format: Format, _: impl Read) -> io::Result<std::fs::File> {
    Err(SourceError::not_built_for(format).into())
}
