//! The frames of a zstd file (RFC 8878, 3.1), and its optional seek table.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::Table;

const FRAME: u32 = 0xfd2f_b528;
/// The low four bits are arbitrary.
const SKIPPABLE: u32 = 0x184d_2a50;
/// The skippable frame that holds a seek table.
const SEEK_TABLE: u32 = 0x184d_2a5e;
const SEEKABLE: u32 = 0x8f92_eab1;

/// In bytes: the number of frames, a byte of flags, and the magic number of the format.
const FOOTER: u64 = 9;

/// Read size in bytes; block headers are far apart, so reading more would be wasted.
const READ_AT_ONCE: usize = 64;

/// `None` if the file of `len` bytes does not state the sizes of its texts.
pub(super) fn table(file: &mut (impl Read + Seek), len: u64) -> io::Result<Option<Table>> {
    if let Some(table) = seek_table(file, len)? {
        return Ok(Some(table));
    }
    file.rewind()?;
    let mut walk = Walk { file: BufReader::with_capacity(READ_AT_ONCE, file), at: 0, len };
    walk.frames()
}

fn seek_table(file: &mut (impl Read + Seek), len: u64) -> io::Result<Option<Table>> {
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
    let mut table = Table::default();
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

/// A file or a stream that is read from frame to frame.
pub(super) trait FrameBytes {
    /// Reads a little-endian number of `bytes` bytes; `None` if the bytes end first.
    fn number(&mut self, bytes: usize) -> io::Result<Option<u64>>;

    /// Passes over bytes; `None` if they end first.
    fn skip(&mut self, bytes: u64) -> io::Result<Option<()>>;
}

pub(super) enum Start {
    Frame(Header),
    /// The size of its content in bytes.
    Skippable(u64),
}

pub(super) struct Header {
    /// The length of the text in bytes, if the frame states it.
    pub(super) text: Option<u64>,
    has_checksum: bool,
}

/// Reads the beginning of a frame; `None` if there is something else.
pub(super) fn start(bytes: &mut impl FrameBytes) -> io::Result<Option<Start>> {
    let Some(magic) = bytes.number(4)? else { return Ok(None) };
    match magic as u32 {
        FRAME => Ok(header(bytes)?.map(Start::Frame)),
        magic if magic & !0xf == SKIPPABLE => Ok(bytes.number(4)?.map(Start::Skippable)),
        _ => Ok(None),
    }
}

fn header(bytes: &mut impl FrameBytes) -> io::Result<Option<Header>> {
    let Some(flags) = bytes.number(1)? else { return Ok(None) };
    let is_single_segment = flags & 0x20 != 0;
    let window = if is_single_segment { 0 } else { 1 };
    let dictionary = [0, 1, 2, 4][flags as usize & 3];
    if bytes.skip(window + dictionary)?.is_none() {
        return Ok(None);
    }
    let has_checksum = flags & 4 != 0;
    let size = match flags >> 6 {
        0 if is_single_segment => 1,
        0 => return Ok(Some(Header { text: None, has_checksum })),
        power => 1 << power,
    };
    // The two-byte form has an offset of 256.
    let offset = if size == 2 { 256 } else { 0 };
    let text = bytes.number(size)?.map(|text| text.saturating_add(offset));
    Ok(text.map(|text| Header { text: Some(text), has_checksum }))
}

impl Header {
    /// Passes over the rest of the frame; `None` if it is damaged, or the bytes end first.
    pub(super) fn skip_rest(&self, bytes: &mut impl FrameBytes) -> io::Result<Option<()>> {
        loop {
            let Some(header) = bytes.number(3)? else { return Ok(None) };
            let size = match header >> 1 & 3 {
                // Run-length block: one byte, repeated.
                1 => 1,
                3 => return Ok(None),
                _ => header >> 3,
            };
            if bytes.skip(size)?.is_none() {
                return Ok(None);
            }
            if header & 1 != 0 {
                return bytes.skip(if self.has_checksum { 4 } else { 0 });
            }
        }
    }
}

struct Walk<R> {
    file: R,
    at: u64,
    len: u64,
}

impl<R: Read + Seek> Walk<BufReader<R>> {
    fn frames(&mut self) -> io::Result<Option<Table>> {
        let mut table = Table::default();
        while self.at < self.len {
            let at = self.at;
            let (skipped, text) = match start(self)? {
                Some(Start::Frame(header)) if header.text.is_some() => {
                    (header.skip_rest(self)?, header.text)
                }
                Some(Start::Skippable(size)) => (self.skip(size)?, Some(0)),
                _ => (None, None),
            };
            let text = skipped.and(text);
            if text.and_then(|text| table.push(at, self.at - at, text)).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(table))
    }
}

impl<R: Read + Seek> FrameBytes for Walk<BufReader<R>> {
    fn number(&mut self, bytes: usize) -> io::Result<Option<u64>> {
        let mut number = [0; 8];
        self.at += bytes as u64;
        if self.at > self.len {
            return Ok(None);
        }
        self.file.read_exact(&mut number[..bytes])?;
        Ok(Some(u64::from_le_bytes(number)))
    }

    fn skip(&mut self, bytes: u64) -> io::Result<Option<()>> {
        self.at += bytes;
        if self.at > self.len {
            return Ok(None);
        }
        self.file.seek_relative(bytes as i64)?;
        Ok(Some(()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Returns a frame of one raw block: its flags, and the bytes of window, dictionary and content
    /// size.
    fn frame(flags: u8, header: &[u8], text: &[u8]) -> Vec<u8> {
        let block = ((text.len() as u32) << 3 | 1).to_le_bytes();
        [&FRAME.to_le_bytes()[..], &[flags], header, &block[..3], text].concat()
    }

    /// Returns where the frames of a file begin, with the lengths of their text; `None` if they are
    /// not known.
    fn found(file: &[u8]) -> Option<Vec<(u64, u64, u64)>> {
        let table = table(&mut Cursor::new(file), file.len() as u64).unwrap()?;
        Some(table.0.iter().map(|frame| (frame.stored_at, frame.stored, frame.text)).collect())
    }

    #[test]
    fn a_frame_header_states_the_length_of_the_text() {
        let text = [b'x'; 300];
        // Flags, the rest of the header, and the length of the text that it states.
        let cases: [(u8, &[u8], Option<u64>); 12] = [
            // A single segment has no window; its size has 1, 2, 4 or 8 bytes.
            (0x20, &[7], Some(7)),
            (0x60, &[44, 0], Some(300)),
            (0x60, &[0, 1], Some(512)),
            (0xa0, &[1, 2, 0, 0], Some(0x201)),
            (0xe0, &[1, 2, 3, 0, 0, 0, 0, 0], Some(0x30201)),
            // A window before the size.
            (0x40, &[0x88, 44, 0], Some(300)),
            (0x80, &[0x88, 5, 0, 0, 0], Some(5)),
            // The size is not stated.
            (0x00, &[0x88], None),
            // A dictionary of 1, 2 or 4 bytes.
            (0x21, &[0, 7], Some(7)),
            (0x22, &[0, 0, 7], Some(7)),
            (0x23, &[0, 0, 0, 0, 7], Some(7)),
            (0x43, &[0x88, 0, 0, 0, 0, 44, 0], Some(300)),
        ];
        for (flags, header, len) in cases {
            let first = frame(flags, header, &text);
            let second = frame(0x20, &[2], b"ab");
            let (start, stored) = (first.len() as u64, second.len() as u64);
            let expected = len.map(|len| vec![(0, start, len), (start, stored, 2)]);
            let whole = [first.clone(), second].concat();
            assert_eq!(found(&whole), expected, "{flags:x} {header:?}");
            // A checksum follows the blocks.
            let mut summed = first;
            summed[4] |= 4;
            summed.extend(*b"sum!");
            let expected = len.map(|len| vec![(0, start + 4, len)]);
            assert_eq!(found(&summed), expected, "{flags:x} {header:?}");
            assert_eq!(found(&summed[..summed.len() - 1]), None, "{flags:x} {header:?}");
        }
    }

    #[test]
    fn frames_end_with_their_last_block() {
        let header = [&FRAME.to_le_bytes()[..], &[0x20, 9]].concat();
        // The blocks, and whether they are whole: not last, run-length, last; the third kind is
        // reserved.
        let cases: [(&[u8], bool); 8] = [
            (&[0x10, 0, 0, b'a', b'b', 0x11, 0, 0, b'c', b'd'], true),
            (&[0x42, 0, 0, b'a', 0x01, 0, 0], true),
            (&[0x43, 0, 0, b'a'], true),
            (&[0x15, 0, 0, 1, 2], true),
            (&[0x17, 0, 0, 1, 2], false),
            (&[0x10, 0, 0, b'a', b'b'], false),
            (&[0x11, 0, 0, b'a'], false),
            (&[0x11, 0], false),
        ];
        for (blocks, is_whole) in cases {
            let file = [&header[..], blocks].concat();
            let expected = is_whole.then(|| vec![(0, file.len() as u64, 9)]);
            assert_eq!(found(&file), expected, "{blocks:?}");
        }
    }

    #[test]
    fn skippable_frames_have_no_text() {
        let skippable = |last: u8, len: u8| {
            [&[0x50 | last, 0x2a, 0x4d, 0x18, len, 0, 0, 0][..], &[b'-'; 3]].concat()
        };
        let text = frame(0x20, &[2], b"ab");
        for last in [0, 7, 15] {
            let file = [skippable(last, 3), text.clone()].concat();
            assert_eq!(found(&file), Some(vec![(11, text.len() as u64, 2)]), "{last}");
        }
        assert_eq!(
            found(&[text.clone(), skippable(0, 3)].concat()),
            Some(vec![(0, text.len() as u64, 2)])
        );
        assert_eq!(found(&[text.clone(), skippable(0, 4)].concat()), None);
        // Other magic numbers.
        assert_eq!(found(&[text.clone(), vec![0x60, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]].concat()), None);
        assert_eq!(found(&[text.clone(), b"[Ev".to_vec()].concat()), None);
        assert_eq!(found(b""), Some(vec![]));
    }

    /// Returns two frames and a seek table, with the size that its header states.
    fn seekable(flags: u8, entries: &[[u32; 2]], stated: u32) -> Vec<u8> {
        let mut file = [frame(0x20, &[2], b"ab"), frame(0x20, &[3], b"cde")].concat();
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
            Some(
                table
                    .0
                    .iter()
                    .map(|frame| (frame.stored_at, frame.stored, frame.text))
                    .collect::<Vec<_>>(),
            )
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
