//! Streams as text: gzip, bzip2, zstd and xz, each with any number of concatenated members or
//! frames, and UTF-16. One thread decompresses a stream; the frames of `pzstd`, which announces
//! their sizes, are decompressed by all threads of a run.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::mem;
use std::sync::{Arc, OnceLock};

use encoding_rs::{CoderResult, Decoder, UTF_16BE, UTF_16LE};

use super::{Format, SourceError};
use crate::ordered::{OrderedTasks, Threads};
use crate::read_at::ErrorAtEnd;

/// Maximum window of a zstd frame, in bytes, and the library's message for a larger one.
pub(super) const ZSTD_WINDOW: u64 = 128 << 20;
pub(super) const ZSTD_WINDOW_TOO_LARGE: &str = "Frame requires too much memory for decoding";

/// Compressed data and UTF-16 are read in pieces of this size, in bytes.
const PIECE: usize = 64 << 10;

/// Size of all output pieces in bytes; small, since a decoder drops the piece that has damage.
const ASKED: usize = 4 << 10;

/// The text of a stream, and where it ends at damage, do not depend on the threads.
pub(super) fn decompressor<'r>(
    format: Format,
    reader: Box<dyn Read + 'r>,
    threads: &DecodingThreads,
) -> io::Result<Box<dyn Read + 'r>> {
    match format {
        Format::Zstd => Ok(Box::new(ZstdDecoder::new(reader, threads.clone()))),
        #[cfg(feature = "gzip")]
        Format::Gzip => {
            let reader = BufReader::with_capacity(PIECE, LastBytes { reader, last: [0; 4] });
            Ok(named(format, GzipDecoder(flate2::bufread::MultiGzDecoder::new(reader))))
        }
        _ => decoder(format, reader),
    }
}

pub(super) fn decoder<'r>(
    format: Format,
    reader: Box<dyn Read + 'r>,
) -> io::Result<Box<dyn Read + 'r>> {
    Ok(named(format, library_decoder(format, reader)?))
}

fn named<'r>(format: Format, decoder: impl Read + 'r) -> Box<dyn Read + 'r> {
    Box::new(Named { format, decoder: in_pieces(decoder) })
}

#[cfg_attr(not(feature = "compression"), allow(unused_variables))]
fn library_decoder<'r>(format: Format, reader: impl Read + 'r) -> io::Result<Box<dyn Read + 'r>> {
    let reader = BufReader::with_capacity(PIECE, reader);
    match format {
        #[cfg(feature = "gzip")]
        Format::Gzip => Ok(Box::new(flate2::bufread::MultiGzDecoder::new(reader))),
        #[cfg(feature = "bzip2")]
        Format::Bzip2 => Ok(Box::new(bzip2::bufread::MultiBzDecoder::new(reader))),
        #[cfg(feature = "zstd")]
        Format::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(reader)?;
            decoder.window_log_max(ZSTD_WINDOW.ilog2())?;
            Ok(Box::new(decoder))
        }
        #[cfg(feature = "xz")]
        Format::Xz => {
            use liblzma::stream::{CONCATENATED, Stream};

            let stream = Stream::new_stream_decoder(super::MEMORY, CONCATENATED)?;
            Ok(Box::new(liblzma::bufread::XzDecoder::new_stream(reader, stream)))
        }
        _ => Err(SourceError::not_built_for(format).into()),
    }
}

pub(super) fn in_pieces<D: Read>(decoder: D) -> BufReader<InPieces<D>> {
    BufReader::with_capacity(ASKED, InPieces(decoder))
}

pub(super) struct InPieces<D>(D);

impl<D: Read> Read for InPieces<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(ASKED);
        self.0.read(&mut buffer[..len])
    }
}

struct Named<D> {
    format: Format,
    decoder: D,
}

impl<D: Read> Read for Named<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| SourceError::of(self.format, error))
    }
}

/// The threads that help to decompress an input. An input is opened before it is known how it is
/// processed, so the threads of the run are added later; until then there are none.
#[derive(Clone, Debug, Default)]
pub struct DecodingThreads(Arc<OnceLock<Threads>>);

impl DecodingThreads {
    /// Adds the threads of a run, once.
    pub fn add(&self, threads: &Threads) {
        self.0.get_or_init(|| threads.clone());
    }
}

/// What `pzstd` writes before each frame: a skippable frame with four bytes, the size of the next.
const ANNOUNCEMENT: &[u8] = b"\x50\x2a\x4d\x18\x04\0\0\0";

/// The largest frame that is read whole, stored or as text: four times the window of level 19.
const LARGEST: usize = 32 << 20;

const MOST_IN_FLIGHT: usize = 8;

/// Decompresses the announced frames at the beginning as tasks, and the rest as it is read.
struct ZstdDecoder<'r> {
    /// Reads what follows the frames in flight.
    reader: Box<dyn Read + 'r>,
    threads: DecodingThreads,
    frames: OrderedTasks<AnnouncedFrame>,
    in_flight: usize,
    /// The number of frames that are decompressed while the text of another is used.
    most: usize,
    /// Whether the next frame may be announced.
    is_divided: bool,
    text: Cursor<Vec<u8>>,
    rest: Option<Box<dyn Read + 'r>>,
    spare: Vec<AnnouncedFrame>,
}

#[derive(Default)]
struct AnnouncedFrame {
    /// The announcement and the frame.
    stored: Vec<u8>,
    text: Vec<u8>,
    /// Whether this is all of the text, without damage.
    is_whole: bool,
}

impl<'r> ZstdDecoder<'r> {
    fn new(reader: Box<dyn Read + 'r>, threads: DecodingThreads) -> Self {
        ZstdDecoder {
            reader,
            threads,
            frames: OrderedTasks::new(Threads::new(1)).with_most(0),
            in_flight: 0,
            most: 0,
            is_divided: true,
            text: Cursor::default(),
            rest: None,
            spare: Vec::new(),
        }
    }

    fn next_frame(&mut self) -> io::Result<Option<AnnouncedFrame>> {
        if self.in_flight == 0 {
            if let Some(threads) = self.threads.0.get() {
                // Without others this thread decompresses while the text is used.
                self.is_divided &= threads.count() > 1;
                self.most = (threads.count() - 1).min(MOST_IN_FLIGHT);
                self.frames = OrderedTasks::new(threads.clone()).with_most(self.most);
            }
            self.read_ahead(1)?;
        }
        let frame = self.frames.wait();
        self.in_flight -= usize::from(frame.is_some());
        self.read_ahead(self.most)?;
        Ok(frame)
    }

    fn read_ahead(&mut self, most: usize) -> io::Result<()> {
        while self.is_divided && self.in_flight < most {
            let AnnouncedFrame { mut stored, text, .. } = self.spare.pop().unwrap_or_default();
            stored.clear();
            match self.read_announced(&mut stored) {
                Ok(true) => {
                    self.in_flight += 1;
                    self.frames.push(move || AnnouncedFrame::decode(stored, text))?;
                }
                outcome => {
                    self.is_divided = false;
                    let rest = ErrorAtEnd::from(outcome.err()).chain(self.take_reader());
                    self.reader = Box::new(Cursor::new(stored).chain(rest));
                }
            }
        }
        Ok(())
    }

    fn read_announced(&mut self, stored: &mut Vec<u8>) -> io::Result<bool> {
        let with_size = ANNOUNCEMENT.len() + 4;
        (&mut self.reader).take(with_size as u64).read_to_end(stored)?;
        let size = stored.strip_prefix(ANNOUNCEMENT).and_then(<[u8]>::as_array);
        let size = size.map_or(usize::MAX, |size| u32::from_le_bytes(*size) as usize);
        if size > LARGEST {
            return Ok(false);
        }
        stored.reserve(size);
        Ok((&mut self.reader).take(size as u64).read_to_end(stored)? == size)
    }

    fn take_reader(&mut self) -> Box<dyn Read + 'r> {
        mem::replace(&mut self.reader, Box::new(io::empty()))
    }
}

impl AnnouncedFrame {
    fn decode(stored: Vec<u8>, mut text: Vec<u8>) -> Self {
        text.clear();
        let most = LARGEST as u64 + 1;
        let read = library_decoder(Format::Zstd, &stored[..])
            .and_then(|decoder| decoder.take(most).read_to_end(&mut text));
        let is_whole = read.is_ok_and(|len| len <= LARGEST);
        AnnouncedFrame { stored, text, is_whole }
    }
}

impl Read for ZstdDecoder<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(rest) = &mut self.rest {
                return rest.read(buffer);
            }
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let mut stored = Vec::new();
            match self.next_frame()? {
                Some(mut frame) if frame.is_whole => {
                    mem::swap(&mut frame.text, self.text.get_mut());
                    self.text.set_position(0);
                    self.spare.push(frame);
                    continue;
                }
                // One decoder for everything from here on finds the damage where any other does.
                Some(frame) => {
                    stored = frame.stored;
                    while let Some(next) = self.frames.wait() {
                        stored.extend_from_slice(&next.stored);
                    }
                }
                None => {}
            }
            let mut rest = BufReader::new(Cursor::new(stored).chain(self.take_reader()));
            self.rest = Some(match rest.fill_buf()?.is_empty() {
                true => Box::new(io::empty()),
                false => decoder(Format::Zstd, Box::new(rest))?,
            });
        }
    }
}

/// The start of a gzip member: magic, method, flags, time, system, length of the extra field.
pub(super) const BLOCK_HEADER: usize = 12;

/// Returns the size of a block of BGZF from the extra field of a gzip member.
pub(super) fn stated_size(extra: &[u8]) -> Option<u64> {
    let mut fields = extra;
    while let [a, b, low, high, rest @ ..] = fields {
        let field = usize::from(u16::from_le_bytes([*low, *high]));
        if let (b'B', b'C', [low, high, ..]) = (a, b, rest) {
            let size = u64::from(u16::from_le_bytes([*low, *high])) + 1;
            let least = BLOCK_HEADER + extra.len() + 8;
            return Some(size).filter(|size| *size >= least as u64);
        }
        fields = rest.get(field..).unwrap_or_default();
    }
    None
}

/// Finds BGZF that is cut between blocks: its last one has text (SAM specification 4.1.2).
#[cfg(feature = "gzip")]
struct GzipDecoder<R>(flate2::bufread::MultiGzDecoder<BufReader<LastBytes<R>>>);

#[cfg(feature = "gzip")]
impl<R: Read> Read for GzipDecoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buffer)?;
        let extra = || self.0.header()?.extra();
        // A member ends with the length of its text.
        let has_text = self.0.get_ref().get_ref().last != [0; 4];
        if read == 0 && has_text && extra().is_some_and(|extra| stated_size(extra).is_some()) {
            return Err(SourceError::Truncated(Format::Gzip).into());
        }
        Ok(read)
    }
}

#[cfg(feature = "gzip")]
struct LastBytes<R> {
    reader: R,
    last: [u8; 4],
}

#[cfg(feature = "gzip")]
impl<R: Read> Read for LastBytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let new = &buffer[read.saturating_sub(4)..read];
        self.last.rotate_left(new.len());
        self.last[4 - new.len()..].copy_from_slice(new);
        Ok(read)
    }
}

/// Converts to UTF-8: a byte order mark is kept, and unpaired surrogates become U+FFFD.
pub(super) struct Utf16<R> {
    reader: BufReader<R>,
    decoder: Decoder,
    text: Cursor<Vec<u8>>,
    ended: bool,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(reader: R, format: Format) -> Self {
        let encoding = if format == Format::Utf16Be { UTF_16BE } else { UTF_16LE };
        let decoder = encoding.new_decoder_without_bom_handling();
        let reader = BufReader::with_capacity(PIECE, reader);
        Utf16 { reader, decoder, text: Cursor::default(), ended: false }
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.text.read(buffer)?;
            if read > 0 || buffer.is_empty() || self.ended {
                return Ok(read);
            }
            let raw = self.reader.fill_buf()?;
            let last = raw.is_empty();
            let text = self.text.get_mut();
            text.resize(2 * PIECE, 0);
            let (result, used, written, _) = self.decoder.decode_to_utf8(raw, text, last);
            text.truncate(written);
            self.text.set_position(0);
            self.reader.consume(used);
            self.ended = last && result == CoderResult::InputEmpty;
        }
    }
}

#[cfg(feature = "compression")]
#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use testkit::generate::{Generator, Style};
    use testkit::pack;

    use proptest::prelude::*;

    use super::*;

    static TEXT: LazyLock<Vec<u8>> = LazyLock::new(|| Generator::text(Style::Lichess, 3, 400_000));
    static FILES: LazyLock<Vec<(&str, Format, Vec<u8>)>> = LazyLock::new(|| files(&TEXT));

    fn files(text: &[u8]) -> Vec<(&'static str, Format, Vec<u8>)> {
        let (first, second) = text.split_at(text.len() / 2);
        let mixed = [pack::pzstd(first, 9000), pack::zstd(second)].concat();
        vec![
            ("seekable zstd", Format::Zstd, pack::seekable_zstd(text, 70_000)),
            ("pzstd", Format::Zstd, pack::pzstd(text, 100_000)),
            ("zstd", Format::Zstd, pack::zstd_with_checksum(text)),
            ("pzstd and zstd", Format::Zstd, mixed),
            ("BGZF", Format::Gzip, pack::bgzf(text, 20_000)),
            ("gzip", Format::Gzip, pack::gzip(text)),
            ("BGZF and gzip", Format::Gzip, [pack::bgzf(first, 9000), pack::gzip(second)].concat()),
            ("bzip2", Format::Bzip2, pack::bzip2(text)),
        ]
    }

    /// The text of a stream, and the error that ends it, with this number of threads; 0 is that of
    /// one decoder for the whole stream.
    fn read(file: &[u8], format: Format, threads: usize) -> (Vec<u8>, Option<String>) {
        let shared = DecodingThreads::default();
        let mut reader = match threads {
            0 if format != Format::Gzip => decoder(format, Box::new(file)).unwrap(),
            _ => {
                shared.add(&Threads::new(threads));
                decompressor(format, Box::new(file), &shared).unwrap()
            }
        };
        let mut text = Vec::new();
        let error = reader.read_to_end(&mut text).err();
        (text, error.map(|error| error.to_string()))
    }

    #[test]
    fn the_text_does_not_depend_on_the_number_of_threads() {
        let text = Generator::text(Style::Lichess, 3, 3_000_000);
        for (name, format, file) in files(&text) {
            for threads in [0, 1, 2, 5] {
                let (read, error) = read(&file, format, threads);
                assert!(read == text && error.is_none(), "{name}, {threads} threads: {error:?}");
            }
        }
    }

    #[test]
    fn only_announced_frames_are_read_whole() {
        for (name, format, file) in &*FILES {
            if *format == Format::Zstd {
                let mut zstd = ZstdDecoder::new(Box::new(&file[..]), DecodingThreads::default());
                zstd.read_exact(&mut [0]).unwrap();
                assert_eq!(zstd.rest.is_none(), name.starts_with("pzstd"), "{name}");
            }
        }
    }

    #[test]
    fn a_frame_that_is_too_large_for_memory_is_read_to_its_end() {
        for len in [LARGEST, LARGEST + 1] {
            let file = [pack::pzstd(&vec![b' '; len], len), pack::pzstd(b"1. e4", 5)].concat();
            let (read, error) = read(&file, Format::Zstd, 2);
            assert_eq!((read.len(), error), (len + 5, None));
            assert!(read.ends_with(b" 1. e4"));
        }
    }

    #[test]
    fn a_bgzf_file_that_is_cut_between_blocks_lacks_its_end() {
        let text = &TEXT[..100_000];
        let file = pack::bgzf(text, 9000);
        let (mut at, mut end) = (0, 0);
        while at < file.len() {
            at += usize::from(u16::from_le_bytes([file[at + 16], file[at + 17]])) + 1;
            end = (end + 9000).min(text.len());
            let (read, error) = read(&file[..at], Format::Gzip, 1);
            assert!(read == text[..end], "{at}");
            let expected = (at < file.len()).then_some("the gzip data ends too early");
            assert_eq!(error.as_deref(), expected, "{at}");
        }
    }

    #[test]
    fn text_before_a_read_error_is_returned_first() {
        for (name, format, file) in &*FILES {
            let error = io::Error::from_raw_os_error(5);
            let broken = file[..file.len() / 2].chain(ErrorAtEnd::from(Some(error)));
            let threads = DecodingThreads::default();
            let mut reader = decompressor(*format, Box::new(broken), &threads).unwrap();
            let mut read = Vec::new();
            let error = reader.read_to_end(&mut read).unwrap_err();
            assert_eq!(error.raw_os_error(), Some(5), "{name}: {error}");
            assert!(TEXT.starts_with(&read) && read.len() > 50_000, "{name}: {}", read.len());
        }
    }

    proptest! {
        #[test]
        fn damage_ends_the_text_at_one_place_for_any_number_of_threads(
            kind in 0..8_usize,
            at in any::<prop::sample::Index>(),
            bytes in prop::collection::vec(any::<u8>(), 0..3),
        ) {
            let (_, format, mut file) = FILES[kind].clone();
            let at = at.index(file.len());
            match bytes[..] {
                [] => file.truncate(at),
                _ => drop(file.splice(at..(at + bytes.len()).min(file.len()), bytes)),
            }
            let one = read(&file, format, 1);
            prop_assert!(one == read(&file, format, 3));
            // The whole stream has the same error, and perhaps less text, since a decoder returns
            // none of the piece with the damage.
            let (text, error) = read(&file, format, 0);
            prop_assert_eq!(one.1, error);
            let both = text.len().min(one.0.len());
            prop_assert!(text[..both] == one.0[..both]);
        }
    }

    #[test]
    fn the_text_before_damage_does_not_depend_on_how_much_is_asked_for() {
        let text = Generator::text(Style::Lichess, 8, 200_000);
        let members = |pack: fn(&[u8]) -> Vec<u8>| text.chunks(50_000).flat_map(pack).collect();
        let files: [(Format, Vec<u8>); 4] = [
            (Format::Gzip, members(pack::gzip)),
            (Format::Bzip2, members(pack::bzip2)),
            (Format::Zstd, members(pack::zstd_with_checksum)),
            (Format::Xz, members(pack::xz)),
        ];
        for (format, mut file) in files {
            let at = file.len() / 2;
            file[at] ^= 0x10;
            let read = |asked: usize| {
                let mut decoder = decoder(format, Box::new(&file[..])).unwrap();
                let (mut text, mut piece) = (Vec::new(), vec![0; asked]);
                while let Ok(len @ 1..) = decoder.read(&mut piece) {
                    text.extend_from_slice(&piece[..len]);
                }
                text
            };
            let expected = read(1 << 20);
            assert!(!expected.is_empty() && expected.len() < text.len(), "{format}");
            for asked in [1, 7, 32, 4095, 4096, 4097, 10_000] {
                assert!(read(asked) == expected, "{format}, {asked}");
            }
        }
    }
}

#[cfg(test)]
mod utf16_tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn utf_16_becomes_the_same_text(text in ".{0,300}", repeat in 1usize..200) {
            let text = text.repeat(repeat);
            let units: Vec<u16> = text.encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            for (bytes, format) in [(little, Format::Utf16Le), (big, Format::Utf16Be)] {
                let mut read = String::new();
                Utf16::new(&bytes[..], format).read_to_string(&mut read).unwrap();
                prop_assert_eq!(&read, &text);
            }
        }
    }
}
