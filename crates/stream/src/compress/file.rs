//! A compressed file, written from texts or from frames that other threads have made.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex};

use super::Compression;
use super::encoder::{EMPTY_BLOCK, EncodedFrames, FrameEncoder};
use crate::ordered::{OrderedTasks, Threads, lock};

/// Size in bytes of the text of frames made here.
const FRAME_TEXT: usize = 2 << 20;

/// The most encoders, texts and frames whose memory is kept: hundreds of files may be open.
const MOST_SPENT: usize = 2;

/// A skippable frame with a seek table, and the mark at its end (zstd seekable format 0.1.0).
const SEEK_TABLE: u32 = 0x184d_2a5e;
const SEEKABLE: u32 = 0x8f92_eab1;

/// A zstd frame without text (RFC 8878, 3.1.1): magic number, header, an empty last block.
const EMPTY_FRAME: [u8; 9] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0];

/// The frames of a compressed file. All threads compress.
///
/// ```
/// use std::io::Read;
/// use stream::compress::file::CompressedFile;
/// use stream::ordered::Threads;
///
/// let mut stored = Vec::new();
/// let mut file = CompressedFile::new("zstd".parse()?, Threads::new(2))?;
/// file.write(b"4k3/8/8/8/8/8/8/4K3 w - -\n", &mut stored)?;
/// file.finish(&mut stored)?;
/// let mut text = String::new();
/// let mut source = stream::source::Source::new(&stored[..])?;
/// source.next_text()?.expect("a text").read_to_string(&mut text)?;
/// assert_eq!(text, "4k3/8/8/8/8/8/8/4K3 w - -\n");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CompressedFile {
    compression: Compression,
    /// Encoders that no thread uses now.
    encoders: Arc<Mutex<Vec<FrameEncoder>>>,
    pending: Vec<u8>,
    tasks: OrderedTasks<Encoded>,
    /// Memory for other texts and frames.
    spent: Vec<(Vec<u8>, EncodedFrames)>,
    sizes: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct Encoded {
    outcome: io::Result<()>,
    text: Vec<u8>,
    frames: EncodedFrames,
}

impl CompressedFile {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or this build was made without the format.
    pub fn new(compression: Compression, threads: Threads) -> io::Result<Self> {
        Ok(CompressedFile {
            compression,
            encoders: Arc::new(Mutex::new(vec![FrameEncoder::new(compression)?])),
            pending: Vec::new(),
            tasks: OrderedTasks::new(threads),
            spent: Vec::new(),
            sizes: Vec::new(),
        })
    }

    /// Adds a text; frames are written when they are full.
    ///
    /// # Errors
    ///
    /// Those of `output`.
    pub fn write(&mut self, mut text: &[u8], output: &mut impl Write) -> io::Result<()> {
        while self.pending.len() + text.len() >= FRAME_TEXT {
            let (now, later) = text.split_at(FRAME_TEXT - self.pending.len());
            self.pending.extend_from_slice(now);
            self.encode_pending()?;
            while let Some(encoded) = self.tasks.next_ready() {
                self.write_encoded(encoded, output)?;
            }
            text = later;
        }
        self.pending.extend_from_slice(text);
        Ok(())
    }

    /// Writes frames of the same compression, after the text that has been added.
    ///
    /// # Errors
    ///
    /// Those of `output`.
    pub fn write_frames(
        &mut self,
        frames: &EncodedFrames,
        output: &mut impl Write,
    ) -> io::Result<()> {
        self.write_all(output)?;
        self.sizes.extend_from_slice(&frames.sizes);
        output.write_all(&frames.bytes)
    }

    fn encode_pending(&mut self) -> io::Result<()> {
        let (room, mut frames) = self.spent.pop().unwrap_or_default();
        let text = mem::replace(&mut self.pending, room);
        let (encoders, compression) = (Arc::clone(&self.encoders), self.compression);
        self.tasks.push(move || {
            let free = lock(&encoders).pop();
            let outcome =
                free.map_or_else(|| FrameEncoder::new(compression), Ok).and_then(|mut encoder| {
                    encoder.encode(&text, &mut frames)?;
                    let mut free = lock(&encoders);
                    if free.len() < MOST_SPENT {
                        free.push(encoder);
                    }
                    Ok(())
                });
            Encoded { outcome, text, frames }
        })
    }

    fn write_encoded(&mut self, encoded: Encoded, output: &mut impl Write) -> io::Result<()> {
        let Encoded { outcome, mut text, mut frames } = encoded;
        outcome?;
        self.sizes.extend_from_slice(&frames.sizes);
        output.write_all(&frames.bytes)?;
        text.clear();
        frames.clear();
        if self.spent.len() < MOST_SPENT {
            self.spent.push((text, frames));
        }
        Ok(())
    }

    fn write_all(&mut self, output: &mut impl Write) -> io::Result<()> {
        if !self.pending.is_empty() {
            self.encode_pending()?;
        }
        while let Some(encoded) = self.tasks.wait() {
            self.write_encoded(encoded, output)?;
        }
        Ok(())
    }

    /// Writes the remaining text and the end of the file. An empty text is a file that readers
    /// accept.
    ///
    /// # Errors
    ///
    /// Those of `output`.
    pub fn finish(mut self, output: &mut impl Write) -> io::Result<()> {
        self.write_all(output)?;
        match self.compression {
            Compression::Gzip { .. } => output.write_all(&EMPTY_BLOCK),
            Compression::Zstd { .. } => {
                if self.sizes.is_empty() {
                    output.write_all(&EMPTY_FRAME)?;
                }
                output.write_all(&seek_table(&self.sizes))
            }
        }
    }
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

    fn stored(compression: Compression, texts: &[Vec<u8>], in_frames: bool) -> Vec<u8> {
        let [one, several] =
            [1, 3].map(|threads| stored_by(threads, compression, texts, in_frames));
        assert_eq!(one, several, "{compression}");
        one
    }

    fn stored_by(
        threads: usize,
        compression: Compression,
        texts: &[Vec<u8>],
        in_frames: bool,
    ) -> Vec<u8> {
        let mut output = Vec::new();
        let mut file = CompressedFile::new(compression, Threads::new(threads)).unwrap();
        let mut encoder = FrameEncoder::new(compression).unwrap();
        for (index, text) in texts.iter().enumerate() {
            if in_frames && index % 2 == 0 {
                let mut frames = EncodedFrames::default();
                encoder.encode(text, &mut frames).unwrap();
                file.write_frames(&frames, &mut output).unwrap();
            } else {
                file.write(text, &mut output).unwrap();
            }
        }
        file.finish(&mut output).unwrap();
        output
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
            in_frames in any::<bool>(),
            compression in proptest::sample::select(vec!["zstd:1", "zstd:3", "gzip:1", "gzip:6"]),
        ) {
            let texts: Vec<Vec<u8>> = texts.into_iter().map(|text| text.repeat(repeats)).collect();
            let stored = stored(compression.parse().unwrap(), &texts, in_frames);
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
            let stored = stored(compression.parse().unwrap(), std::slice::from_ref(&text), false);
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
            let stored = stored(compression.parse().unwrap(), &[], false);
            let (read, outcome) = text(&stored);
            assert_eq!((read.len(), outcome.unwrap()), (0, 0), "{compression}");
        }
    }

    #[test]
    fn a_cut_file_is_an_error_after_the_text_before_the_cut() {
        let text: Vec<u8> = (0..300_000_u32).flat_map(|i| i.to_string().into_bytes()).collect();
        for compression in ["zstd:1", "gzip:1"] {
            let stored = stored(compression.parse().unwrap(), std::slice::from_ref(&text), false);
            let (read, outcome) = self::text(&stored[..stored.len() / 3]);
            assert!(outcome.is_err() && text.starts_with(&read), "{compression}");
        }
    }
}
