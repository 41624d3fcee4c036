//! Puts chains into blocks.

use std::io::{self, Write};

/// The first bytes of a block; its size follows in four bytes, little-endian.
pub(crate) const MAGIC: &[u8; 4] = b"BINP";
/// A block of this size is complete; that of Stockfish's tools.
const FULL: usize = 1 << 20;

/// The blocks of a binpack: chains are collected until there is about a mebibyte of them.
///
/// Blocks depend on the chains only, not on the pieces in which they are added.
#[derive(Debug, Default)]
pub struct Blocks {
    block: Vec<u8>,
}

impl Blocks {
    /// Adds chains, of which each ends at an offset in `ends`, and writes complete blocks. Returns
    /// the number of bytes written.
    ///
    /// # Errors
    ///
    /// If `output` cannot be written.
    pub fn add(
        &mut self,
        chains: &[u8],
        ends: &[usize],
        output: &mut impl Write,
    ) -> io::Result<u64> {
        let (mut start, mut written) = (0, 0);
        for end in ends {
            if self.block.len() >= FULL {
                written += self.finish(output)?;
            }
            self.block.extend_from_slice(&chains[start..*end]);
            start = *end;
        }
        Ok(written)
    }

    /// Writes the last block, if there are any chains left. Returns the number of bytes written.
    ///
    /// # Errors
    ///
    /// If `output` cannot be written.
    pub fn finish(&mut self, output: &mut impl Write) -> io::Result<u64> {
        if self.block.is_empty() {
            return Ok(0);
        }
        output.write_all(MAGIC)?;
        output.write_all(&(self.block.len() as u32).to_le_bytes())?;
        output.write_all(&self.block)?;
        let written = MAGIC.len() as u64 + 4 + self.block.len() as u64;
        self.block.clear();
        Ok(written)
    }
}
