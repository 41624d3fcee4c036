//! Decompresses the frames of a stream with several threads.

use std::collections::VecDeque;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::{Arc, OnceLock};

use super::super::Format;
use super::super::codec::decoder;
use super::batches::{Batches, Part};
use crate::error_at_end::ErrorAtEnd;
use crate::ordered::{OrderedTasks, Threads};

/// Compressed data is read in pieces of this size, in bytes.
const PIECE: usize = 64 << 10;

/// Compressed bytes of batches in flight, to bound memory: a pzstd frame may be 32 MiB of text.
const MOST_IN_FLIGHT: usize = 16 << 20;

/// The threads that help to decompress an input. An input is opened before it is known how it is
/// processed, so the threads of the run are added later; until then there are none.
#[derive(Clone, Debug, Default)]
pub struct DecodingThreads(Arc<OnceLock<Threads>>);

impl DecodingThreads {
    /// Adds the threads of a run, once.
    pub fn add(&self, threads: &Threads) {
        self.0.get_or_init(|| threads.clone());
    }

    fn get(&self) -> Option<&Threads> {
        self.0.get()
    }
}

/// The text, and where it ends at damage, does not depend on the number of threads.
pub(in super::super) struct FrameDecoder<'r> {
    format: Format,
    threads: DecodingThreads,
    state: State<'r>,
    /// Batches decompressed by whoever is first: a thread of the run, or the reader when it must.
    tasks: OrderedTasks<Decoded>,
    /// Their compressed sizes, in bytes.
    in_flight: VecDeque<usize>,
    /// The text decompressed last, with its compressed bytes, and how much of it was returned.
    current: Stored,
    given: usize,
    /// The error that follows the text.
    error: Option<io::Error>,
    more: Option<Box<dyn Read>>,
    old_buffers: Vec<Stored>,
}

enum State<'r> {
    Divided(Batches<BufReader<Box<dyn Read + 'r>>>),
    /// The rest is decompressed as it is read.
    Rest(Box<dyn Read + 'r>),
    Ended,
}

enum AfterText {
    NextBatch,
    /// More text of these frames.
    More,
    Error(io::Error),
}

#[derive(Default)]
struct Stored {
    bytes: Vec<u8>,
    text: Vec<u8>,
    /// The length up to which it is decompressed, in bytes: damaged frames may have any length.
    most_text: u64,
}

struct Decoded {
    stored: Stored,
    after_text: AfterText,
}

impl<'r> FrameDecoder<'r> {
    pub(in super::super) fn new(
        format: Format,
        reader: Box<dyn Read + 'r>,
        threads: DecodingThreads,
    ) -> Self {
        let reader = BufReader::with_capacity(PIECE, reader);
        FrameDecoder {
            format,
            threads,
            state: State::Divided(Batches::new(reader, format)),
            tasks: OrderedTasks::new(Threads::new(1)),
            in_flight: VecDeque::new(),
            current: Stored::default(),
            given: 0,
            error: None,
            more: None,
            old_buffers: Vec::new(),
        }
    }

    /// Reads batches ahead, so that all threads have work.
    fn read_ahead(&mut self) -> io::Result<()> {
        let threads = self.threads.get();
        if let Some(threads) = threads.filter(|_| self.in_flight.is_empty()) {
            self.tasks = OrderedTasks::new(threads.clone());
        }
        // This thread decompresses too.
        let most = threads.map_or(1, Threads::count).saturating_sub(1).max(1);
        while let State::Divided(batches) = &mut self.state {
            let stored: usize = self.in_flight.iter().sum();
            if self.in_flight.len() >= most || stored >= MOST_IN_FLIGHT {
                break;
            }
            let Stored { bytes, text, .. } = self.old_buffers.pop().unwrap_or_default();
            match batches.next(bytes) {
                Part::Batch(bytes, most_text) => {
                    self.in_flight.push_back(bytes.len());
                    let (format, stored) = (self.format, Stored { bytes, text, most_text });
                    self.tasks.push(move || stored.decode(format))?;
                }
                Part::Rest(bytes, error) => {
                    let state = std::mem::replace(&mut self.state, State::Ended);
                    let State::Divided(batches) = state else { break };
                    let rest = ErrorAtEnd::from(error).chain(batches.into_reader());
                    let rest = Cursor::new(bytes).chain(rest);
                    self.state = State::Rest(decoder(self.format, Box::new(rest))?);
                }
                Part::End => self.state = State::Ended,
            }
        }
        Ok(())
    }

    /// Goes on to the text of the next batch; `false` after the last one.
    fn next_text(&mut self) -> io::Result<bool> {
        self.read_ahead()?;
        let Some(Decoded { stored, after_text }) = self.tasks.wait() else { return Ok(false) };
        self.in_flight.pop_front();
        self.old_buffers.push(std::mem::replace(&mut self.current, stored));
        self.given = 0;
        match after_text {
            AfterText::NextBatch => {}
            AfterText::More => {
                let bytes = std::mem::take(&mut self.current.bytes);
                let mut decoder = decoder(self.format, Box::new(Cursor::new(bytes)))?;
                io::copy(&mut (&mut decoder).take(self.current.most_text), &mut io::sink())?;
                self.more = Some(decoder);
            }
            AfterText::Error(error) => {
                (self.state, self.error) = (State::Ended, Some(error));
                self.tasks = OrderedTasks::new(Threads::new(1));
            }
        }
        // The next batches are decompressed while this text is used.
        self.read_ahead()?;
        Ok(true)
    }
}

impl Read for FrameDecoder<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            let rest = &self.current.text[self.given..];
            if !rest.is_empty() {
                let len = rest.len().min(buffer.len());
                buffer[..len].copy_from_slice(&rest[..len]);
                self.given += len;
                return Ok(len);
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if let Some(more) = &mut self.more {
                let read = more.read(buffer)?;
                if read > 0 {
                    return Ok(read);
                }
                self.more = None;
            }
            if !self.next_text()? {
                return match &mut self.state {
                    State::Rest(rest) => rest.read(buffer),
                    _ => Ok(0),
                };
            }
        }
    }
}

impl Stored {
    fn decode(mut self, format: Format) -> Decoded {
        self.text.clear();
        let read = decoder(format, Box::new(&self.bytes[..]))
            .and_then(|decoder| decoder.take(self.most_text).read_to_end(&mut self.text));
        let after_text = match read {
            Ok(_) if self.text.len() as u64 == self.most_text => AfterText::More,
            Ok(_) => AfterText::NextBatch,
            Err(error) => AfterText::Error(error),
        };
        Decoded { stored: self, after_text }
    }
}

#[cfg(feature = "compression")]
#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use testkit::generate::{Generator, Style};
    use testkit::pack;

    use super::*;

    /// The text of a stream, and the error that ends it, with this number of threads; 0 is that of
    /// one decoder for the whole stream.
    fn read(file: &[u8], format: Format, threads: usize) -> (Vec<u8>, Option<String>) {
        let shared = DecodingThreads::default();
        let mut reader: Box<dyn Read> = match threads {
            0 => decoder(format, Box::new(file)).unwrap(),
            _ => {
                shared.add(&Threads::new(threads));
                Box::new(FrameDecoder::new(format, Box::new(file), shared))
            }
        };
        let mut text = Vec::new();
        let error = reader.read_to_end(&mut text).err();
        (text, error.map(|error| error.to_string()))
    }

    fn files(text: &[u8]) -> Vec<(&'static str, Format, Vec<u8>)> {
        let (first, second) = text.split_at(text.len() / 2);
        let mixed = [pack::zstd_frames(first, 9000), pack::zstd(second)].concat();
        let members = [pack::bgzf(first, 9000), pack::gzip(second)].concat();
        vec![
            ("seekable zstd", Format::Zstd, pack::seekable_zstd(text, 70_000)),
            ("zstd frames", Format::Zstd, pack::zstd_frames(text, 10_000)),
            ("pzstd", Format::Zstd, pack::pzstd(text, 100_000)),
            ("zstd", Format::Zstd, pack::zstd(text)),
            ("mixed zstd", Format::Zstd, mixed),
            ("BGZF", Format::Gzip, pack::bgzf(text, 20_000)),
            ("gzip", Format::Gzip, pack::gzip(text)),
            ("BGZF and gzip", Format::Gzip, members),
            ("bzip2", Format::Bzip2, pack::bzip2(text)),
        ]
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
    fn a_bgzf_file_that_is_cut_between_blocks_lacks_its_end() {
        let text = &TEXT[..100_000];
        let file = pack::bgzf(text, 9000);
        let (mut at, mut end) = (0, 0);
        while at < file.len() {
            at += usize::from(u16::from_le_bytes([file[at + 16], file[at + 17]])) + 1;
            end = (end + 9000).min(text.len());
            for threads in [1, 3] {
                let (read, error) = read(&file[..at], Format::Gzip, threads);
                assert!(read == text[..end], "{at}");
                let expected = (at < file.len()).then_some("the gzip data ends too early");
                assert_eq!(error.as_deref(), expected, "{at}");
            }
        }
    }

    #[test]
    fn blocks_that_state_a_wrong_size_are_read_like_other_members_of_gzip() {
        let text = &TEXT[..100_000];
        let file = pack::bgzf(text, 9000);
        // A block states its size minus one at this offset (SAM specification 4.1).
        const SIZE: usize = 16;
        let mut start = 0;
        while start < file.len() {
            let at = start + SIZE;
            let size = u16::from_le_bytes([file[at], file[at + 1]]);
            for wrong in [0, 30, size - 1, size + 1, size / 2, u16::MAX] {
                let mut file = file.clone();
                file[at..at + 2].copy_from_slice(&wrong.to_le_bytes());
                for threads in [0, 1, 3] {
                    let (read, error) = read(&file, Format::Gzip, threads);
                    assert!(read == text && error.is_none(), "{at}: {wrong}, {error:?}");
                }
            }
            start += usize::from(size) + 1;
        }
    }

    #[test]
    fn text_longer_than_is_decompressed_at_once_is_read_to_its_end() {
        let text = vec![b' '; 20_001_000];
        let file = [pack::zstd(&text), pack::zstd(b"1. e4")].concat();
        let (read, error) = read(&file, Format::Zstd, 2);
        assert_eq!((read.len(), error), (text.len() + 5, None));
        assert!(read.ends_with(b" 1. e4"));
    }

    #[test]
    fn text_before_a_read_error_is_returned_first() {
        for (name, format, file) in &*FILES {
            let error = io::Error::from_raw_os_error(5);
            let broken = file[..file.len() / 2].chain(ErrorAtEnd::from(Some(error)));
            let threads = DecodingThreads::default();
            let mut frames = FrameDecoder::new(*format, Box::new(broken), threads);
            let mut read = Vec::new();
            let error = frames.read_to_end(&mut read).unwrap_err();
            assert_eq!(error.raw_os_error(), Some(5), "{name}: {error}");
            assert!(TEXT.starts_with(&read) && read.len() > 50_000, "{name}: {}", read.len());
        }
    }

    static TEXT: LazyLock<Vec<u8>> = LazyLock::new(|| Generator::text(Style::Lichess, 3, 400_000));
    static FILES: LazyLock<Vec<(&str, Format, Vec<u8>)>> = LazyLock::new(|| files(&TEXT));

    proptest! {
        #[test]
        fn damage_ends_the_text_at_one_place_for_any_number_of_threads(
            kind in 0..9_usize,
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
}
