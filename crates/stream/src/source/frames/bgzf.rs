//! The blocks of a BGZF file: gzip members that state their own size (SAM specification 4.1, RFC
//! 1952).

use std::io::{self, Read, Seek, SeekFrom};

use super::Table;

/// The start of a member with an extra field: magic, method, flags, time, system, field length.
const HEADER: usize = 12;

/// `None` if the file of `len` bytes has anything else, or ends without an empty block.
pub(super) fn table(file: &mut (impl Read + Seek), len: u64) -> io::Result<Option<Table>> {
    let mut table = Table::default();
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
    file.by_ref().take(HEADER as u64).read_to_end(&mut bytes)?;
    let Some(extra) = extra_len(&bytes) else { return Ok(None) };
    bytes.clear();
    file.take(extra).read_to_end(&mut bytes)?;
    Ok(stated_size(&bytes).filter(|size| at + size <= len))
}

/// Returns the length of the extra field after the first bytes of a member, if it has one.
fn extra_len(header: &[u8]) -> Option<u64> {
    match *header {
        [0x1f, 0x8b, 8, 4, .., low, high] if header.len() == HEADER => {
            Some(u16::from_le_bytes([low, high]).into())
        }
        _ => None,
    }
}

pub(in super::super) fn stated_size(extra: &[u8]) -> Option<u64> {
    let mut fields = extra;
    while let [a, b, low, high, rest @ ..] = fields {
        let field = usize::from(u16::from_le_bytes([*low, *high]));
        if let (b'B', b'C', [low, high, ..]) = (a, b, rest) {
            let size = u64::from(u16::from_le_bytes([*low, *high])) + 1;
            let least = HEADER + extra.len() + 8;
            return Some(size).filter(|size| *size >= least as u64);
        }
        fields = rest.get(field..).unwrap_or_default();
    }
    None
}
