//! The bytes of a file, counted.

use std::io::{self, Read};

use crate::error::{Damage, ReadError};

/// Bytes read in pieces of known size.
#[derive(Debug)]
pub(crate) struct Input<R> {
    read: io::BufReader<R>,
    offset: u64,
}

impl<R: Read> Input<R> {
    pub(crate) fn new(read: R) -> Self {
        Input { read: io::BufReader::with_capacity(1 << 16, read), offset: 0 }
    }

    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// `None` if the file ends before the bytes; `what` names them if it ends within them.
    pub(crate) fn next<const N: usize>(
        &mut self,
        what: &'static str,
    ) -> Result<Option<[u8; N]>, ReadError> {
        let mut bytes = [0; N];
        let mut filled = 0;
        while filled < N {
            match self.read.read(&mut bytes[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(self.error(Damage::Truncated(what), filled)),
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error(Damage::Unreadable(error), filled)),
            }
        }
        self.offset += N as u64;
        Ok(Some(bytes))
    }

    /// Memory grows only as far as the file goes; returns the error that ends the bytes early.
    pub(crate) fn block(&mut self, len: u32, block: &mut Vec<u8>) -> Option<ReadError> {
        block.clear();
        let outcome = (&mut self.read).take(len.into()).read_to_end(block);
        let damage = match outcome {
            Err(error) => Damage::Unreadable(error),
            Ok(_) if block.len() < len as usize => Damage::Truncated("a block"),
            Ok(_) => {
                self.offset += u64::from(len);
                return None;
            }
        };
        Some(self.error(damage, block.len()))
    }

    fn error(&self, damage: Damage, read: usize) -> ReadError {
        ReadError { offset: self.offset + read as u64, damage }
    }
}
