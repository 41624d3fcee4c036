//! UTF-16 text as UTF-8.

use std::io::{self, Read};

use encoding_rs::{CoderResult, Decoder, UTF_16BE, UTF_16LE};

use super::Format;

/// Read size, in bytes.
const PIECE: usize = 32 << 10;

/// To UTF-8: a byte order mark is kept, and unpaired surrogates become U+FFFD.
pub(super) struct Utf16<R> {
    reader: R,
    decoder: Decoder,
    raw: Vec<u8>,
    /// The part of `raw` that is not decoded yet.
    undecoded: std::ops::Range<usize>,
    text: Vec<u8>,
    given: usize,
    ended: bool,
}

impl<R: Read> Utf16<R> {
    pub(super) fn new(reader: R, format: Format) -> Self {
        let encoding = if format == Format::Utf16Be { UTF_16BE } else { UTF_16LE };
        Utf16 {
            reader,
            decoder: encoding.new_decoder_without_bom_handling(),
            raw: vec![0; PIECE],
            undecoded: 0..0,
            text: Vec::with_capacity(2 * PIECE),
            given: 0,
            ended: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.given = 0;
        while self.text.is_empty() && !self.ended {
            if self.undecoded.is_empty() {
                let read = self.reader.read(&mut self.raw)?;
                self.undecoded = 0..read;
            }
            let last = self.undecoded.is_empty();
            self.text.resize(2 * PIECE, 0);
            let raw = &self.raw[self.undecoded.clone()];
            let (result, read, written, _) = self.decoder.decode_to_utf8(raw, &mut self.text, last);
            self.text.truncate(written);
            self.undecoded.start += read;
            self.ended = last && result == CoderResult::InputEmpty;
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.text.len() {
            self.fill()?;
        }
        let len = buffer.len().min(self.text.len() - self.given);
        buffer[..len].copy_from_slice(&self.text[self.given..self.given + len]);
        self.given += len;
        Ok(len)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn utf_16_becomes_the_same_text(text in ".{0,300}", repeat in 1usize..200) {
            let text = text.repeat(repeat);
            let units: Vec<u16> = text.encode_utf16().collect();
            let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            for (bytes, format) in [(little, Format::Utf16Le), (big, Format::Utf16Be)] {
                let mut read = String::new();
                Utf16::new(&bytes[..], format).read_to_string(&mut read).unwrap();
                prop_assert_eq!(&read, &text);
            }
        }
    }
}
