//! Divides a compressed stream into batches of whole frames.

use std::io::{self, Read};

use super::super::{Format, SourceError};
use super::bgzf;
use super::zstd_frames::{self, FrameBytes, Start};

/// Frames are collected up to this compressed size, in bytes, so that the cost of a batch is small.
const BATCH: usize = 256 << 10;

/// Longest text of a frame that is read whole, in bytes; others are decompressed as they come.
const LONGEST_TEXT: u64 = 4 << 20;

/// Maximum compressed size of such a frame, in bytes, and of one that states no length of text.
const LARGEST: u64 = 8 << 20;
const LARGEST_UNKNOWN: u64 = 1 << 20;

/// Maximum compressed size of a frame announced by pzstd, which divides all files, in bytes.
const LARGEST_ANNOUNCED: u64 = 32 << 20;

/// Its text, in bytes: four times the window, which has 8 MiB at level 19.
const TEXT_ANNOUNCED: u64 = 32 << 20;

/// Text is collected up to this length, in bytes, as far as it is known.
const TEXT: u64 = 8 << 20;

/// The skippable frame before a frame of pzstd contains the size of that frame in four bytes.
const ANNOUNCEMENT: u64 = 4;

pub(super) enum Part {
    /// Whole frames, and the length of the text that they should have at most, in bytes.
    Batch(Vec<u8>, u64),
    /// The first bytes of the rest, which is not divided, and the error that ended the stream after
    /// them, if any.
    Rest(Vec<u8>, Option<io::Error>),
    End,
}

pub(super) struct Batches<R> {
    reader: R,
    format: Format,
    /// Bytes read of the current batch.
    bytes: Vec<u8>,
    /// The length that they may have.
    most: u64,
    /// The length of their text, as far as it is known.
    text: u64,
    announced: Option<u64>,
    /// The header of the next block, which was read to check where it begins.
    ahead: Vec<u8>,
    /// Whether the last block of BGZF has text: the file is cut.
    lacks_end: bool,
    /// Bytes of the rest that follows the current batch.
    rest: Option<(Vec<u8>, Option<io::Error>)>,
}

enum Piece {
    Frame,
    End,
    Other,
}

impl<R: Read> Batches<R> {
    pub(super) fn new(reader: R, format: Format) -> Self {
        let (bytes, ahead) = (Vec::new(), Vec::new());
        let (announced, lacks_end, rest) = (None, false, None);
        Batches { reader, format, bytes, most: 0, text: 0, announced, ahead, lacks_end, rest }
    }

    /// Returns the next part, in `buffer`. Nothing follows the rest or the end.
    pub(super) fn next(&mut self, mut buffer: Vec<u8>) -> Part {
        if let Some((bytes, error)) = self.rest.take() {
            return Part::Rest(bytes, error);
        }
        buffer.clear();
        (self.bytes, self.text) = (buffer, 0);
        while self.bytes.len() < BATCH && self.text < TEXT {
            let start = self.bytes.len();
            let piece = self.piece();
            let error = match piece {
                Ok(Piece::Frame) => continue,
                Ok(Piece::End) if !self.lacks_end => break,
                Ok(Piece::End) => Some(SourceError::Truncated(self.format).into()),
                Ok(Piece::Other) => None,
                Err(error) => Some(error),
            };
            let rest = self.bytes.split_off(start);
            if start == 0 {
                return Part::Rest(rest, error);
            }
            self.rest = Some((rest, error));
            break;
        }
        let bytes = std::mem::take(&mut self.bytes);
        if bytes.is_empty() { Part::End } else { Part::Batch(bytes, self.text.max(TEXT)) }
    }

    pub(super) fn into_reader(self) -> R {
        self.reader
    }

    /// Reads a frame into the batch.
    fn piece(&mut self) -> io::Result<Piece> {
        let start = self.bytes.len();
        self.most = start as u64 + LARGEST_UNKNOWN;
        let read = match self.format {
            Format::Zstd => self.zstd_frame()?,
            Format::Gzip => self.block()?,
            _ => None,
        };
        Ok(match read {
            Some(()) => Piece::Frame,
            None if self.bytes.len() == start && self.is_at_end()? => Piece::End,
            None => Piece::Other,
        })
    }

    /// Reads a frame of zstd. Returns `None` if there is none that is read as a whole.
    fn zstd_frame(&mut self) -> io::Result<Option<()>> {
        let start = self.bytes.len() as u64;
        let header = match zstd_frames::start(self)? {
            Some(Start::Frame(header)) => header,
            Some(Start::Skippable(size)) => {
                let skipped = self.skip(size)?;
                self.announced = (size == ANNOUNCEMENT).then(|| self.last_number());
                return Ok(skipped);
            }
            None => return Ok(None),
        };
        let announced = self.announced.take();
        self.most = start
            + match (announced, header.text) {
                (Some(_), _) => LARGEST_ANNOUNCED,
                (None, Some(text)) if text > LONGEST_TEXT => return Ok(None),
                (None, Some(_)) => LARGEST,
                (None, None) => LARGEST_UNKNOWN,
            };
        if announced.is_some_and(|size| size > LARGEST_ANNOUNCED) {
            return Ok(None);
        }
        self.text += announced.map_or(header.text.unwrap_or(0), |_| TEXT_ANNOUNCED);
        header.skip_rest(self)
    }

    /// `None` without a block of BGZF, or if its size, which gzip does not need, is wrong.
    fn block(&mut self) -> io::Result<Option<()>> {
        let start = self.bytes.len();
        self.bytes.append(&mut self.ahead);
        let header = bgzf::HEADER - (self.bytes.len() - start);
        if self.skip(header as u64)?.is_none() {
            return Ok(None);
        }
        let Some(extra) = bgzf::extra_len(&self.bytes[start..]) else { return Ok(None) };
        if self.skip(extra)?.is_none() {
            return Ok(None);
        }
        let Some(size) = bgzf::stated_size(&self.bytes[start + bgzf::HEADER..]) else {
            return Ok(None);
        };
        if self.skip(size - (self.bytes.len() - start) as u64)?.is_none() {
            return Ok(None);
        }
        let end = self.bytes.len();
        (&mut self.reader).take(bgzf::HEADER as u64).read_to_end(&mut self.bytes)?;
        if end < self.bytes.len() && !self.bytes[end..].starts_with(bgzf::MAGIC) {
            return Ok(None);
        }
        self.ahead = self.bytes.split_off(end);
        self.lacks_end = !bgzf::is_end(&self.bytes);
        Ok(Some(()))
    }

    fn last_number(&self) -> u64 {
        self.bytes.last_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes).into())
    }

    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok((&mut self.reader).take(1).read_to_end(&mut self.bytes)? == 0)
    }
}

impl<R: Read> FrameBytes for Batches<R> {
    fn number(&mut self, bytes: usize) -> io::Result<Option<u64>> {
        let start = self.bytes.len();
        if self.skip(bytes as u64)?.is_none() {
            return Ok(None);
        }
        let mut number = [0; 8];
        number[..bytes].copy_from_slice(&self.bytes[start..]);
        Ok(Some(u64::from_le_bytes(number)))
    }

    fn skip(&mut self, bytes: u64) -> io::Result<Option<()>> {
        if bytes > self.most.saturating_sub(self.bytes.len() as u64) {
            return Ok(None);
        }
        let read = (&mut self.reader).take(bytes).read_to_end(&mut self.bytes)?;
        Ok((read as u64 == bytes).then_some(()))
    }
}

#[cfg(feature = "compression")]
#[cfg(test)]
mod tests {
    use testkit::generate::{Generator, Style};
    use testkit::pack;

    use super::*;

    /// The numbers of bytes in the batches, and in the part of the rest that was read before it was
    /// known not to be divided.
    fn parts(file: &[u8], format: Format) -> (Vec<usize>, Option<usize>) {
        let mut batches = Batches::new(file, format);
        let mut sizes = Vec::new();
        loop {
            match batches.next(Vec::new()) {
                Part::Batch(bytes, _) => sizes.push(bytes.len()),
                Part::Rest(bytes, _) => return (sizes, Some(bytes.len())),
                Part::End => return (sizes, None),
            }
        }
    }

    #[test]
    fn frames_that_can_be_read_as_a_whole_are_divided() {
        let text = Generator::text(Style::Lichess, 4, 10_000_000);
        let long = pack::zstd_frames(&text, 5 << 20);
        // The file, whether it is divided to its end, and the most that is read of what is not
        // divided.
        let cases = [
            ("seekable zstd", Format::Zstd, pack::seekable_zstd(&text, 1 << 20), true, 0),
            ("zstd frames", Format::Zstd, pack::zstd_frames(&text, 4 << 20), true, 0),
            ("frames with long texts", Format::Zstd, long, false, 20),
            ("pzstd, long texts", Format::Zstd, pack::pzstd(&text, 5 << 20), true, 0),
            ("one frame", Format::Zstd, pack::zstd(&text), false, LARGEST_UNKNOWN),
            ("BGZF", Format::Gzip, pack::bgzf(&text, 60_000), true, 0),
            ("gzip", Format::Gzip, pack::gzip(&text), false, bgzf::HEADER as u64),
            ("xz", Format::Xz, pack::xz(&text), false, 1),
        ];
        for (name, format, file, is_divided, most) in cases {
            let (sizes, rest) = parts(&file, format);
            let divided: usize = sizes.iter().sum();
            assert_eq!(divided == file.len() && rest.is_none(), is_divided, "{name}");
            assert_eq!(sizes.len() > 1, is_divided, "{name}: {sizes:?}");
            assert!(rest.unwrap_or(0) as u64 <= most, "{name}: {rest:?}");
        }
    }

    #[test]
    fn a_frame_that_is_longer_than_announced_is_not_kept_in_memory() {
        let text = vec![b'x'; 100];
        let block = [&((100_u32) << 3).to_le_bytes()[..3], &text].concat();
        let header = b"\x28\xb5\x2f\xfd\x20\x05".to_vec();
        let file = [header, block.repeat(LARGEST as usize / 100)].concat();
        let (sizes, rest) = parts(&file, Format::Zstd);
        assert!(sizes.is_empty() && rest.unwrap() as u64 <= LARGEST);
    }
}
