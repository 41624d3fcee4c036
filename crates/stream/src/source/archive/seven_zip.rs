//! 7-Zip archives. Sizes requested by an untrusted archive are checked before allocation.

use std::io::{self, Read, SeekFrom};

use sevenz_rust2::{Archive, ArchiveReader, Block, EncoderMethod, Error, Password};

use super::super::MEMORY;
use super::{ArchiveEntry, Each, Format, SourceError};
use crate::read_at::ReadSeek;

pub(super) fn walk(archive: &mut dyn ReadSeek, each: Each<'_>) -> io::Result<()> {
    refuse_header_above_limit(archive)?;
    let index = Archive::read(&mut &mut *archive, &Password::empty()).map_err(error)?;
    let wanted = index.blocks.iter().map(memory).max().unwrap_or_default();
    if wanted > MEMORY {
        return Err(too_much());
    }
    let mut reader = ArchiveReader::from_archive(index, archive, Password::empty());
    // Each thread needs the same amount of memory.
    reader.set_thread_count((MEMORY / wanted.max(1)).clamp(1, 8) as u32);
    let mut stopped = None;
    reader
        .for_each_entries(|entry, reader| {
            if !entry.is_directory() && stopped.is_none() {
                stopped = each(ArchiveEntry::Text(entry.name(), reader)).err();
            }
            Ok(stopped.is_none())
        })
        .map_err(error)?;
    stopped.map_or(Ok(()), Err)
}

fn too_much() -> io::Error {
    SourceError::too_much_memory(Format::SevenZip, MEMORY).into()
}

fn error(error: Error) -> io::Error {
    match error {
        Error::Io(error, _) => SourceError::of(Format::SevenZip, error),
        error => SourceError::Damaged(Format::SevenZip, error.to_string()).into(),
    }
}

/// Returns the memory that the coders of a block need according to their properties, in bytes.
fn memory(block: &Block) -> u64 {
    let coders = block.coders.iter();
    coders.map(|coder| memory_of(coder.encoder_method_id(), coder.properties())).sum()
}

fn memory_of(method: &[u8], properties: &[u8]) -> u64 {
    match (method, properties) {
        (EncoderMethod::ID_LZMA | EncoderMethod::ID_PPMD, [_, a, b, c, d, ..]) => {
            u32::from_le_bytes([*a, *b, *c, *d]).into()
        }
        (EncoderMethod::ID_LZMA2, [bits, ..]) => {
            let bits = u64::from(*bits).min(40);
            (2 | bits & 1) << (bits / 2 + 11)
        }
        _ => 0,
    }
}

/// Size in bytes of the start header: signature, version, checksum, and the location of the header.
const START: u64 = 32;

/// Maximum size of a packed header, in bytes; it describes a single block.
const LONGEST_PACKED_HEADER: u64 = 1 << 10;

/// The header must be decompressed before the memory needed for the other blocks is known.
fn refuse_header_above_limit(archive: &mut dyn ReadSeek) -> io::Result<()> {
    let mut start = Vec::new();
    archive.seek(SeekFrom::Start(0))?;
    archive.take(START).read_to_end(&mut start)?;
    let number = |at: usize| Some(u64::from_le_bytes(*start.get(at..at + 8)?.first_chunk()?));
    if let (Some(offset), Some(len)) = (number(12), number(20))
        && let Some(at) = offset.checked_add(START)
        && len <= LONGEST_PACKED_HEADER
        && archive.seek(SeekFrom::Start(at)).is_ok()
    {
        let mut header = Vec::new();
        archive.take(len).read_to_end(&mut header)?;
        const PACKED: u8 = 0x17;
        if header.first() == Some(&PACKED) && header_memory(&header) > MEMORY {
            return Err(too_much());
        }
    }
    archive.rewind()
}

/// The largest dictionary in a packed header: methods, lengths of their properties, and these.
fn header_memory(header: &[u8]) -> u64 {
    let methods = [EncoderMethod::ID_LZMA, EncoderMethod::ID_PPMD, EncoderMethod::ID_LZMA2];
    let mut most = 0;
    for (method, len) in methods.into_iter().zip([5, 5, 1]) {
        for at in 0..header.len() {
            if let Some([found, rest @ ..]) = header[at..].strip_prefix(method)
                && *found == len
            {
                most = most.max(memory_of(method, rest));
            }
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coder_memory_is_computed_from_its_properties() {
        assert_eq!(memory_of(EncoderMethod::ID_LZMA, &[0x5d, 0, 0, 0, 4]), 64 << 20);
        assert_eq!(memory_of(EncoderMethod::ID_PPMD, &[6, 0, 0, 0, 0xf0]), 0xf000_0000);
        assert_eq!(memory_of(EncoderMethod::ID_LZMA2, &[24]), 16 << 20);
        assert_eq!(memory_of(EncoderMethod::ID_LZMA2, &[40]), 4 << 30);
        assert_eq!(memory_of(EncoderMethod::ID_COPY, &[]), 0);
        let header = [&[0x17, 0x06, 0x23][..], EncoderMethod::ID_LZMA, &[5, 0x5d, 0, 0, 0, 0xff]];
        assert_eq!(header_memory(&header.concat()), 0xff00_0000);
    }
}
