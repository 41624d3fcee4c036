//! A generator as a stream of bytes.

use std::io::{self, Read};

use super::Generator;

/// Portion size in bytes; fits in the processor's cache.
const PORTION: usize = 64 * 1024;

/// Reads the games of a generator until the requested number of bytes is reached.
#[derive(Debug)]
pub(super) struct GameReader {
    generator: Generator,
    /// Number of bytes still to be generated. The last game is completed.
    left: u64,
    portion: Vec<u8>,
    /// Number of bytes of the portion already read.
    given: usize,
}

impl GameReader {
    pub(super) fn new(generator: Generator, bytes: u64) -> Self {
        Self { generator, left: bytes, portion: Vec::with_capacity(2 * PORTION), given: 0 }
    }

    fn make_portion(&mut self) {
        self.portion.clear();
        self.given = 0;
        while self.left > 0 && self.portion.len() < PORTION {
            let before = self.portion.len();
            self.generator.append_game(&mut self.portion);
            self.left = self.left.saturating_sub((self.portion.len() - before) as u64);
        }
    }
}

impl Read for GameReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.portion.len() {
            self.make_portion();
        }
        let count = buffer.len().min(self.portion.len() - self.given);
        buffer[..count].copy_from_slice(&self.portion[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}
