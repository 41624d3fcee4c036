//! The contents of records as bytes: the registers that they set, and a text or a row.

use std::io::{self, BufRead};

use dataset::{Chunk, Records};
use epd::RegisterPlace;
use stream::spill::number::{read_number, write_number};

use crate::convert::worker::ConvertedChunk;

impl Chunk for ConvertedChunk {
    fn records(&self) -> &Records {
        &self.index.records
    }

    fn records_mut(&mut self) -> &mut Records {
        &mut self.index.records
    }

    fn write(&self, index: usize, out: &mut Vec<u8>) {
        let registers = self.index.registers(index);
        write_number(registers.len() as u64, out);
        registers.iter().for_each(|register| out.extend_from_slice(&register.to_bytes()));
        match self.rows.columns.is_empty() {
            true => out.extend_from_slice(&self.output().0[self.index.stored_range(index)]),
            false => self.rows.write_row(index, out),
        }
    }
}

/// Returns the registers of a stored record, and its text or row.
pub(super) fn read_contents(mut contents: &[u8]) -> io::Result<(Vec<RegisterPlace>, &[u8])> {
    let size = 5 * read_number(&mut contents)? as usize;
    let (registers, _) = contents.get(..size).ok_or(io::ErrorKind::InvalidData)?.as_chunks();
    let registers = registers.iter().map(|bytes| RegisterPlace::from_bytes(*bytes)).collect();
    contents.consume(size);
    Ok((registers, contents))
}
