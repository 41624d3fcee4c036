//! Random access to compressed files that are sequences of independent frames of known sizes:
//!
//! * zstd with a seek table at its end (the *seekable format*), as `t2sz` writes it;
//! * gzip in blocks (BGZF), as `bgzip` writes it.
//!
//! All other files are decompressed from the beginning, as are files with frames larger than
//! [`LARGEST`], because a frame is decompressed as a whole.

use std::io::{self, Read, Seek, SeekFrom};

use super::codec::{BLOCK_HEADER, decoder, stated_size};
use super::{Format, SourceError, sniff};

/// Maximum decompressed size of a frame, in bytes; bounds memory.
const LARGEST: u64 = 64 << 20;

/// A piece of a file and its decompressed text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    stored_at: u64,
    stored: u64,
    text_at: u64,
    text: u64,
}

#[derive(Debug, Default)]
struct FrameTable(Vec<Frame>);

impl FrameTable {
    /// Sizes are in bytes; `None` if the frame is too large.
    fn push(&mut self, stored_at: u64, stored: u64, text: u64) -> Option<()> {
        let text_at = self.text_len();
        if text > LARGEST {
            return None;
        }
        if text > 0 {
            self.0.push(Frame { stored_at, stored, text_at, text });
        }
        Some(())
    }

    fn text_len(&self) -> u64 {
        self.0.last().map_or(0, |frame| frame.text_at + frame.text)
    }
}

/// Reader of the text of a file of frames.
#[derive(Debug)]
pub struct Frames<R> {
    file: R,
    format: Format,
    table: FrameTable,
    at: u64,
    /// Number and text of the frame decompressed last, up to any damage.
    unpacked: Option<(usize, Vec<u8>, Option<SourceError>)>,
}

impl<R: Read + Seek> Frames<R> {
    /// Returns a reader with random access, or the rewound file if it does not consist of frames.
    pub fn of(mut file: R) -> io::Result<Result<Self, R>> {
        let len = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let (_, format) = sniff(&mut file)?;
        let table = match format {
            Format::Zstd if format.has_feature() => seek_table(&mut file, len)?,
            Format::Gzip if format.has_feature() => blocks(&mut file, len)?,
            _ => None,
        };
        file.rewind()?;
        Ok(match table.filter(|table| table.0.len() > 1) {
            Some(table) => Ok(Frames { file, format, table, at: 0, unpacked: None }),
            None => Err(file),
        })
    }

    /// Returns the rest of the current frame; empty at the end of the text.
    fn rest(&mut self) -> io::Result<&[u8]> {
        let frames = &self.table.0;
        let index = frames.partition_point(|frame| frame.text_at + frame.text <= self.at);
        let Some(&frame) = frames.get(index) else { return Ok(&[]) };
        if self.unpacked.as_ref().is_none_or(|(unpacked, ..)| *unpacked != index) {
            let (_, old, _) = self.unpacked.take().unwrap_or_default();
            let (text, damage) = self.unpack(frame, old)?;
            self.unpacked = Some((index, text, damage));
        }
        let Some((_, text, damage)) = &self.unpacked else { return Ok(&[]) };
        match (text.get((self.at - frame.text_at) as usize..), damage) {
            // Reported on every read, because the text before the damage is kept.
            (None | Some([]), Some(damage)) => Err(damage.clone().into()),
            (rest, _) => Ok(rest.unwrap_or_default()),
        }
    }

    fn unpack(
        &mut self,
        frame: Frame,
        mut text: Vec<u8>,
    ) -> io::Result<(Vec<u8>, Option<SourceError>)> {
        text.clear();
        self.file.seek(SeekFrom::Start(frame.stored_at))?;
        let stored = (&mut self.file).take(frame.stored);
        let decoder = decoder(self.format, Box::new(stored))?;
        let read = decoder.take(frame.text + 1).read_to_end(&mut text);
        let damaged = |difference| {
            let reason = format!("a frame is {difference} than its header states");
            SourceError::Damaged(self.format, reason)
        };
        let damage = match read {
            Ok(len) if len as u64 > frame.text => damaged("longer"),
            Ok(len) if len as u64 == frame.text => return Ok((text, None)),
            Ok(_) => damaged("shorter"),
            Err(error) => error.downcast()?,
        };
        // Damage is reported at the end of the text, at the latest in place of the last byte.
        text.truncate(frame.text as usize - 1);
        Ok((text, Some(damage)))
    }
}

impl<R: Read + Seek> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.rest()?;
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at += len as u64;
        Ok(len)
    }
}

impl<R> Seek for Frames<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, offset) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::Current(offset) => (self.at, offset),
            SeekFrom::End(offset) => (self.table.text_len(), offset),
        };
        self.at = from.checked_add_signed(offset).ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// The skippable frame that holds a seek table (RFC 8878, 3.1), and the mark at its end.
pub(crate) const SEEK_TABLE: u32 = 0x184d_2a5e;
pub(crate) const SEEKABLE: u32 = 0x8f92_eab1;

/// Length, in bytes, of the number of frames, a byte of flags, and the mark.
const FOOTER: u64 = 9;

/// `None` without a table that the file of `len` bytes agrees with.
fn seek_table(file: &mut (impl Read + Seek), len: u64) -> io::Result<Option<FrameTable>> {
    let Some(footer_at) = len.checked_sub(FOOTER) else { return Ok(None) };
    let mut footer = [0; FOOTER as usize];
    file.seek(SeekFrom::Start(footer_at))?;
    file.read_exact(&mut footer)?;
    let [a, b, c, d, flags, mark @ ..] = footer;
    if u32::from_le_bytes(mark) != SEEKABLE {
        return Ok(None);
    }
    let has_checksums = flags & 0x80 != 0;
    let entry = if has_checksums { 12 } else { 8 };
    let size = u64::from(u32::from_le_bytes([a, b, c, d])) * entry + FOOTER;
    let Some(table_at) = len.checked_sub(size + 8) else { return Ok(None) };
    file.seek(SeekFrom::Start(table_at))?;
    let mut bytes = Vec::new();
    file.take(size + 8 - FOOTER).read_to_end(&mut bytes)?;
    let (numbers, _) = bytes.as_chunks::<4>();
    let mut numbers = numbers.iter().map(|bytes| u32::from_le_bytes(*bytes));
    if numbers.next() != Some(SEEK_TABLE) || numbers.next().map(u64::from) != Some(size) {
        return Ok(None);
    }
    let mut table = FrameTable::default();
    let mut at = 0;
    while let (Some(stored), Some(text)) = (numbers.next(), numbers.next()) {
        if has_checksums {
            numbers.next();
        }
        if table.push(at, stored.into(), text.into()).is_none() {
            return Ok(None);
        }
        at += u64::from(stored);
    }
    // A table that does not match the file is not trusted.
    Ok((at == table_at).then_some(table))
}

/// The blocks of BGZF: gzip members that state their own size (SAM specification 4.1, RFC 1952).
/// `None` if the file of `len` bytes has anything else, or ends without an empty block.
fn blocks(file: &mut (impl Read + Seek), len: u64) -> io::Result<Option<FrameTable>> {
    let mut table = FrameTable::default();
    let (mut at, mut has_end) = (0, false);
    while at < len {
        let Some(size) = block_size(file, at, len)? else { return Ok(None) };
        let end = at + size;
        let mut text = [0; 4];
        file.seek(SeekFrom::Start(end - text.len() as u64))?;
        file.read_exact(&mut text)?;
        // The last block has no text (SAM specification 4.1.2).
        has_end = text == [0; 4];
        if table.push(at, size, u32::from_le_bytes(text).into()).is_none() {
            return Ok(None);
        }
        at = end;
    }
    Ok(Some(table).filter(|_| has_end))
}

fn block_size(file: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<Option<u64>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at))?;
    file.by_ref().take(BLOCK_HEADER as u64).read_to_end(&mut bytes)?;
    let [0x1f, 0x8b, 8, 4, _, _, _, _, _, _, low, high] = *bytes else { return Ok(None) };
    bytes.clear();
    file.take(u16::from_le_bytes([low, high]).into()).read_to_end(&mut bytes)?;
    Ok(stated_size(&bytes).filter(|size| at + size <= len))
}

#[cfg(feature = "compression")]
#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use testkit::generate::{Generator, Style};
    use testkit::pack;

    use super::*;

    const TEXT: &[u8] = b"[Event \"one\"]\n\n1. e4 *\n\n[Event \"two\"]\n\n1. d4 {better} *\n\n";

    fn framed() -> [(&'static str, Vec<u8>); 2] {
        [("seekable zstd", pack::seekable_zstd(TEXT, 10)), ("BGZF", pack::bgzf(TEXT, 13))]
    }

    fn frames(file: &[u8]) -> Option<Frames<Cursor<Vec<u8>>>> {
        Frames::of(Cursor::new(file.to_vec())).unwrap().ok()
    }

    #[test]
    fn text_is_read_from_anywhere() {
        for (name, file) in framed() {
            let mut frames = frames(&file).expect(name);
            assert_eq!(frames.seek(SeekFrom::End(0)).unwrap(), TEXT.len() as u64, "{name}");
            for at in (0..=TEXT.len()).rev() {
                let mut text = Vec::new();
                frames.seek(SeekFrom::Start(at as u64)).unwrap();
                frames.read_to_end(&mut text).unwrap();
                assert!(text == TEXT[at..], "{name} from {at}");
            }
        }
    }

    #[test]
    fn other_files_are_not_treated_as_frames() {
        let one_frame = pack::seekable_zstd(TEXT, 1000);
        let streamed = [pack::zstd(TEXT), pack::zstd(TEXT)].concat();
        let members = [pack::gzip(TEXT), pack::gzip(TEXT)].concat();
        let frames = pack::zstd_frames(TEXT, 7);
        for file in [TEXT, b"", &one_frame, &frames, &streamed, &members, &pack::xz(TEXT)] {
            let Err(mut same) = Frames::of(Cursor::new(file.to_vec())).unwrap() else {
                panic!("{file:?}");
            };
            let mut bytes = Vec::new();
            same.read_to_end(&mut bytes).unwrap();
            assert_eq!(bytes, file);
        }
    }

    #[test]
    fn a_truncated_file_is_not_treated_as_frames() {
        for (name, file) in framed() {
            for len in 0..file.len() {
                assert!(frames(&file[..len]).is_none(), "{name}, {len}");
            }
        }
    }

    #[test]
    fn frames_above_the_size_limit_are_not_read_from_the_middle() {
        for (text, is_frames) in
            [(LARGEST, true), (LARGEST + 1, false), (u64::from(u32::MAX), false)]
        {
            let mut file = pack::seekable_zstd(TEXT, 10);
            let entries = file.windows(4).position(|w| w == b"\x5e\x2a\x4d\x18").unwrap() + 8;
            file[entries + 12..][..4].copy_from_slice(&(text as u32).to_le_bytes());
            assert_eq!(frames(&file).is_some(), is_frames, "{text} in a seek table");
        }
    }

    #[test]
    fn a_frame_of_the_wrong_length_is_damage() {
        for (from, to, difference) in [(10, 9, "longer"), (10, 11, "shorter")] {
            let mut file = pack::seekable_zstd(TEXT, 10);
            let entries = file.windows(4).position(|w| w == b"\x5e\x2a\x4d\x18").unwrap() + 8;
            let second = &mut file[entries + 12..][..4];
            assert_eq!(second, [from, 0, 0, 0]);
            second[0] = to;
            let mut frames = frames(&file).unwrap();
            let mut read = Vec::new();
            let error = frames.read_to_end(&mut read).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("the zstd data is damaged: a frame is {difference} than its header states")
            );
            assert!(read.len() >= 18 && TEXT.starts_with(&read), "{}", read.len());
        }
    }

    #[test]
    fn text_before_damage_is_read_and_the_damage_is_reported() {
        let text = Generator::text(Style::Lichess, 5, 250_000);
        for (name, mut file) in [
            ("seekable zstd", pack::seekable_zstd(&text, 50_000)),
            ("BGZF", pack::bgzf(&text, 50_000)),
        ] {
            let frame = frames(&file).expect(name).table.0[2];
            let middle = (frame.stored_at + frame.stored / 2) as usize;
            file[middle..middle + 8].fill(0xff);
            let mut frames = frames(&file).expect(name);
            let mut read = Vec::new();
            let error = frames.read_to_end(&mut read).unwrap_err();
            assert!(error.get_ref().unwrap().is::<SourceError>(), "{name}: {error}");
            assert!(read.len() >= 100_000 && read[..100_000] == text[..100_000], "{name}");
            // The text after the damage is readable too.
            frames.seek(SeekFrom::Start(150_000)).unwrap();
            read.clear();
            frames.read_to_end(&mut read).unwrap();
            assert!(read[..] == text[150_000..], "{name}");
        }
    }

    /// Returns two frames and a seek table, with the size that its header states.
    fn seekable(flags: u8, entries: &[[u32; 2]], stated: u32) -> Vec<u8> {
        // Frames of one raw block.
        let mut file = b"\x28\xb5\x2f\xfd\x20\x02\x11\0\0ab".to_vec();
        file.extend(b"\x28\xb5\x2f\xfd\x20\x03\x19\0\0cde");
        let has_checksums = flags & 0x80 != 0;
        let entry = if has_checksums { 12 } else { 8 };
        file.extend(SEEK_TABLE.to_le_bytes());
        file.extend((stated + entry * entries.len() as u32 + 9).to_le_bytes());
        for [stored, text] in entries {
            file.extend(stored.to_le_bytes());
            file.extend(text.to_le_bytes());
            file.extend(if has_checksums { &b"sum!"[..] } else { b"" });
        }
        file.extend((entries.len() as u32).to_le_bytes());
        file.push(flags);
        file.extend(SEEKABLE.to_le_bytes());
        file
    }

    #[test]
    fn a_seek_table_is_read_with_and_without_checksums_if_it_matches_the_file() {
        let whole = |file: &[u8]| {
            let table = seek_table(&mut Cursor::new(file), file.len() as u64).unwrap()?;
            let frames = table.0.iter().map(|frame| (frame.stored_at, frame.stored, frame.text));
            Some(frames.collect::<Vec<_>>())
        };
        for flags in [0, 0x80, 0x03] {
            let file = seekable(flags, &[[11, 2], [12, 3]], 0);
            assert_eq!(whole(&file), Some(vec![(0, 11, 2), (11, 12, 3)]), "{flags:x}");
        }
        // Frames without text are left out.
        let file = seekable(0, &[[11, 2], [12, 0]], 0);
        assert_eq!(whole(&file), Some(vec![(0, 11, 2)]));
        for entries in [&[[11, 2]][..], &[[11, 2], [13, 3]], &[[11, 2], [11, 3]], &[]] {
            assert_eq!(whole(&seekable(0, entries, 0)), None, "{entries:?}");
        }
        assert_eq!(whole(&seekable(0, &[[11, 2], [12, 3]], 1)), None);
        for damaged in [46, 23, 24] {
            let mut file = seekable(0, &[[11, 2], [12, 3]], 0);
            let at = if damaged == 46 { file.len() - 1 } else { damaged };
            file[at] ^= 1;
            assert_eq!(whole(&file), None, "{at}");
        }
        assert_eq!(whole(b"short"), None);
    }
}
