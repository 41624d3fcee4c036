//! Compressed outputs: independent frames, so that several threads compress one file and readers
//! have random access: zstd with a seek table, or gzip members of at most 64 KiB (BGZF). All
//! programs that read zstd or gzip read them. The bytes depend on the text and on nothing else.

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Write};
use std::mem;
use std::path::Path;
use std::str::FromStr;

#[cfg(feature = "gzip")]
use flate2::{Compress, Crc, FlushCompress, Status};

use crate::ordered::{OrderedTasks, Threads};
use crate::source::{SEEK_TABLE, SEEKABLE};

/// A format of compressed outputs and its level: fast for low ones, small for high ones.
///
/// ```
/// use stream::compress::Compression;
///
/// let compression: Compression = "zstd:19".parse()?;
/// assert_eq!(compression, Compression::Zstd { level: 19 });
/// assert_eq!("gzip".parse::<Compression>()?.to_string(), "gzip:6");
/// assert_eq!("zstd:99".parse::<Compression>().unwrap_err().to_string(), "the levels of zstd are 1 to 22");
/// # Ok::<_, stream::compress::UnknownCompression>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// zstd (RFC 8878) with a seek table at the end.
    Zstd {
        /// From 1 to 22.
        level: u8,
    },
    /// gzip (RFC 1952) in blocks (BGZF, SAM specification 4.1).
    Gzip {
        /// From 1 to 9.
        level: u8,
    },
}

/// The default levels of the programs `zstd` and `gzip`.
const ZSTD: Compression = Compression::Zstd { level: 3 };
const GZIP: Compression = Compression::Gzip { level: 6 };

/// A text that names no compression, or a level that the format does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownCompression(String);

impl Compression {
    /// Returns the compression that a suffix states: `.zst`, `.gz` or `.bgz`, in any case.
    ///
    /// ```
    /// use std::path::Path;
    /// use stream::compress::Compression;
    ///
    /// let of = |name| Compression::of_suffix(Path::new(name));
    /// assert_eq!(of("x.epd.zst"), Some(Compression::Zstd { level: 3 }));
    /// assert_eq!(of("x.epd.GZ"), Some(Compression::Gzip { level: 6 }));
    /// assert_eq!(of("x.epd"), None);
    /// ```
    pub fn of_suffix(path: &Path) -> Option<Self> {
        let suffix = path.extension()?.to_str()?.to_ascii_lowercase();
        match &*suffix {
            "zst" => Some(ZSTD),
            "gz" | "bgz" => Some(GZIP),
            _ => None,
        }
    }

    /// Returns the suffix of compressed files: `zst` or `gz`.
    pub fn suffix(self) -> &'static str {
        match self {
            Compression::Zstd { .. } => "zst",
            Compression::Gzip { .. } => "gz",
        }
    }

    fn format(self) -> &'static str {
        match self {
            Compression::Zstd { .. } => "zstd",
            Compression::Gzip { .. } => "gzip",
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Compression::Zstd { level } | Compression::Gzip { level }) = self;
        write!(f, "{}:{level}", self.format())
    }
}

impl FromStr for Compression {
    type Err = UnknownCompression;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let split = text.split_once(':');
        let (format, level) = split.map_or((text, None), |(format, level)| (format, Some(level)));
        let (default, most) = match format {
            "zstd" => (ZSTD, 22),
            "gzip" => (GZIP, 9),
            _ => {
                return Err(UnknownCompression(format!(
                    "unknown compression {format:?}; choose zstd or gzip, with a level as in zstd:19"
                )));
            }
        };
        let Some(level) = level else { return Ok(default) };
        let level = level.parse().ok().filter(|level| (1..=most).contains(level));
        let wrong = || UnknownCompression(format!("the levels of {format} are 1 to {most}"));
        let level = level.ok_or_else(wrong)?;
        Ok(match default {
            Compression::Zstd { .. } => Compression::Zstd { level },
            Compression::Gzip { .. } => Compression::Gzip { level },
        })
    }
}

/// Size in bytes of the text of a frame; readers hold whole frames in memory.
const FRAME_TEXT: usize = 2 << 20;

/// The most texts and frames whose memory is kept: hundreds of files may be open.
const MOST_SPENT: usize = 2;

/// A zstd frame without text (RFC 8878, 3.1.1): magic number, header, an empty last block.
const EMPTY_FRAME: [u8; 9] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0];

/// A block of BGZF without text, the last one of a file.
const EMPTY_BLOCK: [u8; 28] = [
    0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0, 27, 0, 3, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
];

/// Bytes of text in a block: also one that cannot be compressed must fit into 64 KiB.
#[cfg(feature = "gzip")]
const LARGEST_BLOCK: usize = 0xff00;

/// Size in bytes of the header of a stored text (RFC 1951, 3.2.4).
#[cfg(feature = "gzip")]
const STORED: usize = 5;

/// Passes bytes on to an output, compressed if a compression is given; all threads compress.
///
/// ```
/// use std::io::{Read, Write};
/// use stream::compress::Compressor;
/// use stream::ordered::Threads;
///
/// let mut stored = Vec::new();
/// let mut file = Compressor::new(&mut stored, Some("zstd".parse()?), Threads::new(2));
/// file.write_all(b"4k3/8/8/8/8/8/8/4K3 w - -\n")?;
/// file.finish()?;
/// let mut text = String::new();
/// let mut source = stream::source::Source::new(&stored[..])?;
/// source.next_text()?.expect("a text").read_to_string(&mut text)?;
/// assert_eq!(text, "4k3/8/8/8/8/8/8/4K3 w - -\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Compressor<W> {
    pub(crate) output: W,
    /// Nothing after the end.
    pub(crate) compression: Option<Compression>,
    pending: Vec<u8>,
    frames: OrderedTasks<io::Result<CompressedFrame>>,
    spent: Vec<CompressedFrame>,
    /// The stored size of each frame and that of its text, in bytes.
    sizes: Vec<(u32, u32)>,
}

#[derive(Debug, Default)]
struct CompressedFrame {
    text: Vec<u8>,
    bytes: Vec<u8>,
}

impl<W: Write> Compressor<W> {
    /// Begins an output.
    pub fn new(output: W, compression: Option<Compression>, threads: Threads) -> Self {
        let frames = OrderedTasks::new(threads);
        let (pending, spent, sizes) = (Vec::new(), Vec::new(), Vec::new());
        Compressor { output, compression, pending, frames, spent, sizes }
    }

    fn compress_pending(&mut self, compression: Compression) -> io::Result<()> {
        let mut frame = self.spent.pop().unwrap_or_default();
        frame.text.clear();
        frame.bytes.clear();
        mem::swap(&mut frame.text, &mut self.pending);
        self.frames.push(move || frame.compress(compression))
    }

    fn write_frame(&mut self, frame: io::Result<CompressedFrame>) -> io::Result<()> {
        let frame = frame?;
        self.output.write_all(&frame.bytes)?;
        // Both are far below 4 GiB.
        self.sizes.push((frame.bytes.len() as u32, frame.text.len() as u32));
        if self.spent.len() < MOST_SPENT {
            self.spent.push(frame);
        }
        Ok(())
    }

    /// Writes the remaining text and the end of the file, also of an empty one; nothing may be
    /// written after it. Fails like the output, or if this build was made without the format.
    pub fn finish(&mut self) -> io::Result<()> {
        let Some(compression) = self.compression.take() else { return Ok(()) };
        if !self.pending.is_empty() {
            self.compress_pending(compression)?;
        }
        while let Some(frame) = self.frames.wait() {
            self.write_frame(frame)?;
        }
        match compression {
            Compression::Gzip { .. } => self.output.write_all(&EMPTY_BLOCK),
            Compression::Zstd { .. } => {
                if self.sizes.is_empty() {
                    self.output.write_all(&EMPTY_FRAME)?;
                }
                self.output.write_all(&seek_table(&self.sizes))
            }
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(compression) = self.compression else { return self.output.write(bytes) };
        let mut text = bytes;
        while self.pending.len() + text.len() >= FRAME_TEXT {
            let (now, later) = text.split_at(FRAME_TEXT - self.pending.len());
            self.pending.extend_from_slice(now);
            self.compress_pending(compression)?;
            while let Some(frame) = self.frames.next_ready() {
                self.write_frame(frame)?;
            }
            text = later;
        }
        self.pending.extend_from_slice(text);
        Ok(bytes.len())
    }

    /// Frames are written when they are full.
    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl CompressedFrame {
    fn compress(mut self, compression: Compression) -> io::Result<Self> {
        thread_local! {
            /// The last one, as it takes some megabytes.
            static ENCODER: RefCell<Option<(Compression, CodecEncoder)>> = const { RefCell::new(None) };
        }
        ENCODER.with_borrow_mut(|known| {
            let (_, encoder) = match known {
                Some(known) if known.0 == compression => known,
                other => other.insert((compression, CodecEncoder::new(compression)?)),
            };
            encoder.encode(&self.text, &mut self.bytes)
        })?;
        Ok(self)
    }
}

enum CodecEncoder {
    #[cfg(feature = "zstd")]
    Zstd(zstd::bulk::Compressor<'static>),
    #[cfg(feature = "gzip")]
    Gzip(Box<Compress>),
}

impl CodecEncoder {
    fn new(compression: Compression) -> io::Result<Self> {
        match compression {
            #[cfg(feature = "zstd")]
            Compression::Zstd { level } => {
                let mut encoder = zstd::bulk::Compressor::new(level.into())?;
                encoder.set_parameter(zstd::zstd_safe::CParameter::ChecksumFlag(true))?;
                Ok(CodecEncoder::Zstd(encoder))
            }
            #[cfg(feature = "gzip")]
            Compression::Gzip { level } => {
                let encoder = Compress::new(flate2::Compression::new(level.into()), false);
                Ok(CodecEncoder::Gzip(Box::new(encoder)))
            }
            #[cfg(not(all(feature = "gzip", feature = "zstd")))]
            _ => Err(io::Error::new(
                io::ErrorKind::Unsupported,
                format!("this build does not write {}", compression.format()),
            )),
        }
    }

    fn encode(&mut self, text: &[u8], bytes: &mut Vec<u8>) -> io::Result<()> {
        #[cfg(not(any(feature = "gzip", feature = "zstd")))]
        let _ = (text, bytes);
        match *self {
            #[cfg(feature = "zstd")]
            CodecEncoder::Zstd(ref mut encoder) => {
                bytes.resize(zstd::zstd_safe::compress_bound(text.len()), 0);
                let stored = encoder.compress_to_buffer(text, bytes)?;
                bytes.truncate(stored);
                Ok(())
            }
            #[cfg(feature = "gzip")]
            CodecEncoder::Gzip(ref mut encoder) => {
                text.chunks(LARGEST_BLOCK).try_for_each(|piece| gzip_block(encoder, piece, bytes))
            }
        }
    }
}

#[cfg(feature = "gzip")]
/// Appends a block: a gzip member whose extra field states its size less one.
fn gzip_block(encoder: &mut Compress, text: &[u8], bytes: &mut Vec<u8>) -> io::Result<()> {
    let start = bytes.len();
    bytes.extend_from_slice(&EMPTY_BLOCK[..18]);
    encoder.reset();
    let deflated = bytes.len();
    // The encoder uses spare capacity only; zlib-rs 0.6.8 panics at level 1 if that is short.
    bytes.reserve(2 * text.len() + 1024);
    let status = encoder.compress_vec(text, bytes, FlushCompress::Finish)?;
    // A text that cannot be compressed is stored.
    if status != Status::StreamEnd || bytes.len() - deflated > text.len() + STORED {
        bytes.truncate(deflated);
        let len = text.len() as u16;
        bytes.push(1);
        bytes.extend_from_slice(&len.to_le_bytes());
        bytes.extend_from_slice(&(!len).to_le_bytes());
        bytes.extend_from_slice(text);
    }
    let mut crc = Crc::new();
    crc.update(text);
    bytes.extend_from_slice(&crc.sum().to_le_bytes());
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    let size = u16::try_from(bytes.len() - start - 1)
        .map_err(|_| io::Error::other("a block of gzip is above 64 KiB"))?;
    bytes[start + 16..start + 18].copy_from_slice(&size.to_le_bytes());
    Ok(())
}

/// Returns a seek table without checksums: the frames have their own.
fn seek_table(sizes: &[(u32, u32)]) -> Vec<u8> {
    let count = sizes.len() as u32;
    let numbers = sizes.iter().flat_map(|(stored, text)| [*stored, *text]);
    let header = [SEEK_TABLE, 8 * count + 9];
    let mut table: Vec<u8> = header.into_iter().chain(numbers).flat_map(u32::to_le_bytes).collect();
    table.extend_from_slice(&count.to_le_bytes());
    table.push(0);
    table.extend_from_slice(&SEEKABLE.to_le_bytes());
    table
}

#[cfg(all(feature = "gzip", feature = "zstd"))]
#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use proptest::prelude::*;

    use super::*;
    use crate::source::{Frames, Source};

    #[test]
    fn a_compression_is_read_as_it_is_displayed() {
        for text in ["zstd:1", "zstd:3", "zstd:22", "gzip:1", "gzip:9"] {
            assert_eq!(text.parse::<Compression>().unwrap().to_string(), text);
        }
        for text in [
            "", "lz4", "ZSTD", "zstd:", "zstd:0", "zstd:23", "zstd:-1", "zstd:+x", "gzip:10",
            "gzip:300",
        ] {
            assert!(text.parse::<Compression>().is_err(), "{text}");
        }
    }

    fn stored(compression: Compression, texts: &[Vec<u8>]) -> Vec<u8> {
        let [one, several] = [1, 3].map(|threads| {
            let mut output = Vec::new();
            let mut file = Compressor::new(&mut output, Some(compression), Threads::new(threads));
            texts.iter().for_each(|text| file.write_all(text).unwrap());
            file.finish().unwrap();
            output
        });
        assert_eq!(one, several, "{compression}");
        one
    }

    /// Reads the text, also of a damaged file up to the damage.
    fn text(stored: &[u8]) -> (Vec<u8>, io::Result<usize>) {
        let (mut text, mut source) = (Vec::new(), Source::new(stored).unwrap());
        let outcome = source.next_text().unwrap().unwrap().read_to_end(&mut text);
        (text, outcome)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn a_file_has_its_texts_for_all_readers(
            texts in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..100_000), 0..5),
            repeats in 1..4_usize,
            compression in proptest::sample::select(vec!["zstd:1", "zstd:3", "gzip:1", "gzip:6"]),
        ) {
            let texts: Vec<Vec<u8>> = texts.into_iter().map(|text| text.repeat(repeats)).collect();
            let stored = stored(compression.parse().unwrap(), &texts);
            let whole = texts.concat();
            let (read, outcome) = text(&stored);
            prop_assert!(outcome.is_ok());
            prop_assert_eq!(&read, &whole);
            // With random access.
            if let Ok(mut frames) = Frames::of(Cursor::new(&stored[..])).unwrap() {
                let mut read = Vec::new();
                frames.read_to_end(&mut read).unwrap();
                prop_assert_eq!(&read, &whole);
            }
        }
    }

    #[test]
    fn a_large_file_consists_of_frames_with_random_access() {
        let text: Vec<u8> = (0..5 * FRAME_TEXT).map(|i| (i * i / 7) as u8).collect();
        for compression in ["zstd:1", "gzip:1"] {
            let stored = stored(compression.parse().unwrap(), std::slice::from_ref(&text));
            let mut frames = Frames::of(Cursor::new(&stored[..])).unwrap().ok().unwrap();
            let at = 3 * FRAME_TEXT + 5;
            std::io::Seek::seek(&mut frames, io::SeekFrom::Start(at as u64)).unwrap();
            let mut read = vec![0; 1000];
            frames.read_exact(&mut read).unwrap();
            assert_eq!(read, text[at..at + 1000], "{compression}");
        }
    }

    #[test]
    fn a_file_without_text_is_read_as_one() {
        for compression in ["zstd", "gzip"] {
            let stored = stored(compression.parse().unwrap(), &[]);
            let (read, outcome) = text(&stored);
            assert_eq!((read.len(), outcome.unwrap()), (0, 0), "{compression}");
        }
    }

    #[test]
    fn a_cut_file_is_an_error_after_the_text_before_the_cut() {
        let text: Vec<u8> = (0..300_000_u32).flat_map(|i| i.to_string().into_bytes()).collect();
        for compression in ["zstd:1", "gzip:1"] {
            let stored = stored(compression.parse().unwrap(), std::slice::from_ref(&text));
            let (read, outcome) = self::text(&stored[..stored.len() / 3]);
            assert!(outcome.is_err() && text.starts_with(&read), "{compression}");
        }
    }
}
