//! Blocks with checksums, the container of partial results in our own format.
//!
//! A block consists of its length (4 bytes, little-endian), a CRC-32 (4 bytes), and its bytes. The checksum covers the block
//! number (8 bytes, from 0), the length and the bytes. The last block is empty: its checksum is followed by eight bytes with
//! the total number of bytes in all blocks, which it covers too.

use std::io::{self, BufRead, Read, Write};

use crate::run::damaged;

/// Maximum block length, in bytes.
const LONGEST: usize = 64 << 10;

/// Size of length and checksum, in bytes.
const HEAD: usize = 8;

fn checksum(number: u64, len: u32, bytes: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&number.to_le_bytes());
    crc.update(&len.to_le_bytes());
    crc.update(bytes);
    crc.finalize()
}

/// Writes bytes in blocks.
#[derive(Debug)]
pub(crate) struct BlockWriter<W> {
    output: W,
    block: Vec<u8>,
    number: u64,
    total: u64,
}

impl<W: Write> BlockWriter<W> {
    pub(crate) fn new(output: W) -> Self {
        BlockWriter { output, block: Vec::with_capacity(LONGEST), number: 0, total: 0 }
    }

    /// Writes a block of length `len`, which is 0 in the last one.
    fn write_block(&mut self, len: usize) -> io::Result<()> {
        let len = len as u32;
        let checksum = checksum(self.number, len, &self.block);
        self.output.write_all(&len.to_le_bytes())?;
        self.output.write_all(&checksum.to_le_bytes())?;
        self.output.write_all(&self.block)?;
        self.number += 1;
        self.total += u64::from(len);
        self.block.clear();
        Ok(())
    }

    /// Writes the final block.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.write_block(self.block.len())?;
        }
        self.block.extend_from_slice(&self.total.to_le_bytes());
        self.write_block(0)?;
        self.output.flush()
    }
}

impl<W: Write> Write for BlockWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(LONGEST - self.block.len());
        self.block.extend_from_slice(&bytes[..taken]);
        if self.block.len() == LONGEST {
            self.write_block(LONGEST)?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Reads the output of a [`BlockWriter`]; bytes are returned only after the checksum of their block is verified.
#[derive(Debug)]
pub(crate) struct BlockReader<R> {
    input: R,
    block: Vec<u8>,
    at: usize,
    number: u64,
    total: u64,
    is_over: bool,
}

impl<R: Read> BlockReader<R> {
    pub(crate) fn new(input: R) -> Self {
        BlockReader { input, block: Vec::new(), at: 0, number: 0, total: 0, is_over: false }
    }

    fn read_block(&mut self) -> io::Result<()> {
        let (len, expected) = read_head(&mut self.input)?;
        self.is_over = len == 0;
        self.at = 0;
        self.block.resize(if self.is_over { size_of::<u64>() } else { len as usize }, 0);
        self.input.read_exact(&mut self.block)?;
        if checksum(self.number, len, &self.block) != expected {
            return Err(failed("a checksum does not match"));
        }
        if self.is_over && self.block != self.total.to_le_bytes() {
            return Err(failed("its length does not match its end"));
        }
        if self.is_over {
            self.block.clear();
        }
        self.number += 1;
        self.total += u64::from(len);
        Ok(())
    }

    /// Verifies that all bytes were read, and that the final block follows.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        if self.fill_buf()?.is_empty() { Ok(()) } else { Err(damaged()) }
    }
}

impl<R: Read> BufRead for BlockReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.block.len() && !self.is_over {
            self.read_block()?;
        }
        Ok(&self.block[self.at..])
    }

    fn consume(&mut self, len: usize) {
        self.at += len;
    }
}

impl<R: Read> Read for BlockReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Returns the length in bytes of the blocks at the start of an input; `skip` advances it by a number of bytes.
pub(crate) fn len_of_blocks<R: Read>(
    input: &mut R,
    mut skip: impl FnMut(&mut R, u64) -> io::Result<()>,
) -> io::Result<u64> {
    let mut all = 0;
    loop {
        let (len, _) = read_head(input)?;
        let bytes = if len == 0 { size_of::<u64>() as u64 } else { len.into() };
        all += HEAD as u64 + bytes;
        if len == 0 {
            return Ok(all);
        }
        skip(input, bytes)?;
    }
}

/// Reads the length and the checksum of a block.
fn read_head(input: &mut impl Read) -> io::Result<(u32, u32)> {
    let mut head = [0; HEAD];
    input.read_exact(&mut head)?;
    let [a, b, c, d, e, f, g, h] = head;
    let len = u32::from_le_bytes([a, b, c, d]);
    if len as usize > LONGEST {
        return Err(damaged());
    }
    Ok((len, u32::from_le_bytes([e, f, g, h])))
}

fn failed(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("it is damaged: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u8]) -> Vec<u8> {
        let mut blocks = Vec::new();
        let mut writer = BlockWriter::new(&mut blocks);
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap();
        blocks
    }

    fn read(blocks: &[u8]) -> io::Result<Vec<u8>> {
        let (mut reader, mut bytes) = (BlockReader::new(blocks), Vec::new());
        reader.read_to_end(&mut bytes)?;
        reader.finish()?;
        Ok(bytes)
    }

    #[test]
    fn any_number_of_bytes_survives_a_round_trip() {
        for len in [0, 1, LONGEST - 1, LONGEST, LONGEST + 1, 3 * LONGEST] {
            let bytes: Vec<u8> = (0..len).map(|byte| byte as u8).collect();
            let blocks = written(&bytes);
            assert_eq!(read(&blocks).unwrap(), bytes);
            let skip = |input: &mut &[u8], len: u64| {
                *input = &input[len as usize..];
                Ok(())
            };
            assert_eq!(len_of_blocks(&mut &blocks[..], skip).unwrap(), blocks.len() as u64);
        }
    }

    #[test]
    fn changed_bits_and_swapped_or_missing_blocks_are_detected() {
        let blocks = written(b"some bytes");
        for bit in 0..8 * blocks.len() {
            let mut changed = blocks.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&changed).is_err(), "{bit}");
        }
        let (len, block) = (2 * LONGEST, HEAD + LONGEST);
        let blocks = written(&vec![7; len]);
        let (first, rest) = blocks.split_at(block);
        let (second, end) = rest.split_at(block);
        assert!(read(&[second, first, end].concat()).is_err());
        assert!(read(&[first, end].concat()).is_err());
        assert!(read(&[first, second].concat()).is_err());
    }
}
