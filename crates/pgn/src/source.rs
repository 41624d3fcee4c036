//! Where texts come from: plain, in UTF-16, compressed, or packed into archives, known by content and not by name.
//!
//! A [`Source`] gives one text, or, of an archive, one for each of its `.pgn` files. Streams (gzip, bzip2, zstd, xz) are
//! decoded as they are read; with [`Source::ahead`] and [`Source::file`] that is done on a thread of its own, so that
//! unpacking goes on beside what is done with the games. Archives (zip, 7z) keep their directories at their ends: what is
//! no file is first put into a temporary one. Memory is bounded whatever is unpacked: texts are never held whole.

#[cfg(feature = "compression")]
mod ahead;
#[cfg(feature = "compression")]
mod archive;
#[cfg(feature = "compression")]
mod codec;
mod error;
#[cfg(feature = "compression")]
mod frames;
mod magic;
mod meter;
mod utf16;

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

pub use error::SourceError;
pub use magic::Format;
pub use meter::Meter;

#[cfg(feature = "compression")]
pub(crate) use frames::Frames;
pub(crate) use magic::sniff;
use utf16::Utf16;

/// Something may be compressed so many times.
const MOST_LAYERS: usize = 3;

/// An input, and the texts in it.
///
/// ```
/// use std::io::Read;
///
/// let utf_16 = b"\xff\xfe1\0.\0 \0e\x004\0";
/// let mut source = pgn::Source::new(&utf_16[..])?;
/// let mut text = source.next_text()?.unwrap();
/// let mut pgn = String::new();
/// text.read_to_string(&mut pgn)?;
/// assert_eq!((&*pgn, text.name()), ("\u{feff}1. e4", None));
/// # Ok::<_, std::io::Error>(())
/// ```
pub struct Source<'r> {
    texts: Texts<'r>,
    meter: Option<Meter>,
}

enum Texts<'r> {
    One(Option<Box<dyn Read + 'r>>),
    #[cfg(feature = "compression")]
    Members(ahead::Ahead),
}

/// A text of a [`Source`], to be read.
pub struct Text<'s> {
    reader: Box<dyn Read + 's>,
    name: Option<String>,
}

impl<'r> Source<'r> {
    /// An input that is decoded, if it has to be, as it is read.
    ///
    /// # Errors
    ///
    /// If its first bytes cannot be read, or say that it is nothing that can be: a [`SourceError`] inside.
    pub fn new(reader: impl Read + 'r) -> io::Result<Self> {
        let (reader, format) = sniff(reader)?;
        if !format.is_archive() {
            return Ok(Source::one(decoded(Box::new(reader), format)?));
        }
        #[cfg(feature = "compression")]
        return Source::members(format, Box::new(spooled(reader)?));
        #[cfg(not(feature = "compression"))]
        Err(SourceError::NotBuiltFor(format).into())
    }

    /// The next text; `None` behind the last one. What is left of the one before is passed over.
    ///
    /// # Errors
    ///
    /// If an archive is damaged.
    pub fn next_text(&mut self) -> io::Result<Option<Text<'_>>> {
        match &mut self.texts {
            Texts::One(reader) => Ok(reader.take().map(|reader| Text { reader, name: None })),
            #[cfg(feature = "compression")]
            Texts::Members(ahead) => {
                let name = ahead.next_member()?;
                Ok(name.map(|name| Text { reader: Box::new(ahead), name: Some(name) }))
            }
        }
    }

    /// How much was read of a file that has to be unpacked; of all others the texts themselves tell.
    pub fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    pub(crate) fn one(reader: Box<dyn Read + 'r>) -> Self {
        Source { texts: Texts::One(Some(reader)), meter: None }
    }
}

impl Source<'static> {
    /// The same as [`Source::new`], but what is compressed is unpacked on a thread of its own.
    ///
    /// # Errors
    ///
    /// As [`Source::new`]; that what is compressed is damaged from its beginning is said when it is read.
    pub fn ahead(reader: impl Read + Send + 'static) -> io::Result<Self> {
        let (reader, format) = sniff(reader)?;
        match format {
            #[cfg(feature = "compression")]
            Format::Gzip | Format::Bzip2 | Format::Zstd | Format::Xz => {
                let ahead = ahead::Ahead::new(move |giver| {
                    giver.all(&mut decoded(Box::new(reader), format)?)
                })?;
                Ok(Source::one(Box::new(ahead)))
            }
            _ if !format.is_archive() => Ok(Source::one(decoded(Box::new(reader), format)?)),
            #[cfg(feature = "compression")]
            _ => Source::members(format, Box::new(spooled(reader)?)),
            #[cfg(not(feature = "compression"))]
            _ => Err(SourceError::NotBuiltFor(format).into()),
        }
    }

    /// The same as [`Source::ahead`], for a file: an archive is read where it is.
    ///
    /// # Errors
    ///
    /// As [`Source::ahead`].
    pub fn file(file: File) -> io::Result<Self> {
        Source::seekable(file)
    }

    pub(crate) fn seekable(mut file: impl Read + Seek + Send + 'static) -> io::Result<Self> {
        // What has no beginning to go back to, a pipe, is read once.
        let Ok(start) = file.stream_position() else { return Source::ahead(file) };
        let (_, format) = sniff(&mut file)?;
        file.seek(SeekFrom::Start(start))?;
        match format {
            Format::Plain => Ok(Source::one(Box::new(file))),
            _ => {
                let meter = Meter::default();
                let file = meter.on(file);
                let source = match format {
                    #[cfg(feature = "compression")]
                    Format::Zip | Format::SevenZip => Source::members(format, Box::new(file))?,
                    _ => Source::ahead(file)?,
                };
                Ok(Source { meter: Some(meter), ..source })
            }
        }
    }

    #[cfg(feature = "compression")]
    fn members<'r>(
        format: Format,
        mut archive: Box<dyn archive::Seekable>,
    ) -> io::Result<Source<'r>> {
        let ahead = ahead::Ahead::new(move |giver| {
            archive::walk(format, &mut archive, &mut |name, reader| {
                giver.member(name)?;
                let given = sniff(codec::InPieces(reader))
                    .and_then(|(reader, inner)| decoded(Box::new(reader), inner))
                    .and_then(|mut text| giver.all(&mut text));
                match given {
                    Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                        giver.failed(SourceError::of(format, error))
                    }
                    given => given.and_then(|()| giver.member_ends()),
                }
            })
        })?;
        Ok(Source { texts: Texts::Members(ahead), meter: None })
    }
}

impl Text<'_> {
    /// Its name, if it is a file in an archive.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
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

/// The text in a stream, through all layers of compression.
#[cfg_attr(not(feature = "compression"), allow(unused_mut, clippy::never_loop))]
fn decoded<'r>(
    mut reader: Box<dyn Read + 'r>,
    mut format: Format,
) -> io::Result<Box<dyn Read + 'r>> {
    for _ in 0..=MOST_LAYERS {
        match format {
            Format::Plain => return Ok(reader),
            Format::Utf16Le | Format::Utf16Be => return Ok(Box::new(Utf16::new(reader, format))),
            Format::Utf32 => return Err(SourceError::Unsupported(format).into()),
            Format::Zip | Format::SevenZip => {
                return Err(SourceError::ArchiveInside(format).into());
            }
            #[cfg(feature = "compression")]
            Format::Gzip | Format::Bzip2 | Format::Zstd | Format::Xz => {
                let (inner, found) = sniff(codec::decoder(format, reader)?)?;
                (reader, format) = (Box::new(inner), found);
            }
            #[cfg(not(feature = "compression"))]
            _ => return Err(SourceError::NotBuiltFor(format).into()),
        }
    }
    Err(SourceError::TooManyLayers(MOST_LAYERS).into())
}

/// A stream as a file that can be read from any place.
#[cfg(feature = "compression")]
fn spooled(mut reader: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut reader, &mut file)?;
    file.rewind()?;
    Ok(file)
}
