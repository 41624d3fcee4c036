//! The frames of a zstd file (RFC 8878, 3.1), and its optional seek table.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::Table;

const FRAME: u32 = 0xfd2f_b528;
/// The low four bits are arbitrary.
const SKIPPABLE: u32 = 0x184d_2a50;
/// The skippable frame that holds a seek table.
const SEEK_TABLE: u32 = 0x184d_2a5e;
const SEEKABLE: u32 = 0x8f92_eab1;

/// Size of the footer in bytes: the number of frames, a byte of flags, and the magic number of the format.
const FOOTER: u64 = 9;

/// Read size in bytes; block headers are far apart, so reading more would be wasted.
const READ_AT_ONCE: usize = 64;

/// Returns the frames of a file of `len` bytes; `None` if it does not state the sizes of their texts.
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

/// Walks from frame to frame.
struct Walk<R> {
    file: R,
    at: u64,
    len: u64,
}

impl<R: Read + Seek> Walk<BufReader<R>> {
    fn frames(&mut self) -> io::Result<Option<Table>> {
        let mut table = Table::default();
        while self.at < self.len {
            let start = self.at;
            let Some(magic) = self.number(4)? else { return Ok(None) };
            let text = match magic as u32 {
                FRAME => self.frame()?,
                magic if magic & !0xf == SKIPPABLE => {
                    let size = self.number(4)?;
                    size.and_then(|size| self.skip(size).transpose()).transpose()?.map(|()| 0)
                }
                _ => None,
            };
            let pushed = text.and_then(|text| table.push(start, self.at - start, text));
            if pushed.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(table))
    }

    /// Skips a frame after its magic number and returns its content size, if stated.
    fn frame(&mut self) -> io::Result<Option<u64>> {
        let Some(flags) = self.number(1)? else { return Ok(None) };
        let is_single_segment = flags & 0x20 != 0;
        let window = if is_single_segment { 0 } else { 1 };
        let dictionary = [0, 1, 2, 4][flags as usize & 3];
        if self.skip(window + dictionary)?.is_none() {
            return Ok(None);
        }
        let bytes = match flags >> 6 {
            0 if is_single_segment => 1,
            0 => return Ok(None),
            power => 1 << power,
        };
        let Some(text) = self.number(bytes)? else { return Ok(None) };
        // The two-byte form has an offset of 256.
        let text = if bytes == 2 { text + 256 } else { text };
        if self.blocks()?.is_none() {
            return Ok(None);
        }
        let checksum = if flags & 4 != 0 { 4 } else { 0 };
        Ok(self.skip(checksum)?.map(|()| text))
    }

    fn blocks(&mut self) -> io::Result<Option<()>> {
        loop {
            let Some(header) = self.number(3)? else { return Ok(None) };
            let size = match header >> 1 & 3 {
                // Run-length block: one byte, repeated.
                1 => 1,
                3 => return Ok(None),
                _ => header >> 3,
            };
            if self.skip(size)?.is_none() {
                return Ok(None);
            }
            if header & 1 != 0 {
                return Ok(Some(()));
            }
        }
    }

    /// Reads a little-endian number of `bytes` bytes; `None` if the file ends first.
    fn number(&mut self, bytes: usize) -> io::Result<Option<u64>> {
        let mut number = [0; 8];
        self.at += bytes as u64;
        if self.at > self.len {
            return Ok(None);
        }
        self.file.read_exact(&mut number[..bytes])?;
        Ok(Some(u64::from_le_bytes(number)))
    }

    /// Skips bytes; `None` if the file ends first.
    fn skip(&mut self, bytes: u64) -> io::Result<Option<()>> {
        self.at += bytes;
        if self.at > self.len {
            return Ok(None);
        }
        self.file.seek_relative(bytes as i64)?;
        Ok(Some(()))
    }
}
