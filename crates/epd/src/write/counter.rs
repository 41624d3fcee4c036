//! Precomputed `fmvn` and `hmvc` operations (EPD 5.13, 5.14).
//!
//! Move numbers and clocks of nearly all games are small. A table holds their operations,
//! consisting of space, opcode, number and semicolon, so that each is a single store of sixteen
//! bytes. Worth 2 % on 8moves_v3 (bench `throughput`, `fields`).

use san::Line;

/// The largest number in the tables, plus one.
const COUNT: usize = 256;

/// The operations of one opcode for all small numbers.
#[derive(Debug)]
pub struct Counter {
    prefix: [u8; 6],
    texts: [[u8; 16]; COUNT],
    lens: [u8; COUNT],
}

/// `fmvn`, the fullmove number.
pub static FMVN: Counter = counter(*b" fmvn ");
/// `hmvc`, the halfmove clock.
pub static HMVC: Counter = counter(*b" hmvc ");

const fn counter(prefix: [u8; 6]) -> Counter {
    let mut counter = Counter { prefix, texts: [[b' '; 16]; COUNT], lens: [0; COUNT] };
    let mut number = 0;
    while number < COUNT {
        let text = &mut counter.texts[number];
        let mut len = 0;
        while len < prefix.len() {
            text[len] = prefix[len];
            len += 1;
        }
        let mut unit = if number >= 100 {
            100
        } else if number >= 10 {
            10
        } else {
            1
        };
        while unit > 0 {
            text[len] = b'0' + (number / unit % 10) as u8;
            len += 1;
            unit /= 10;
        }
        text[len] = b';';
        counter.lens[number] = len as u8 + 1;
        number += 1;
    }
    counter
}

impl Counter {
    /// Writes the operation, preceded by a space.
    #[inline(always)]
    pub fn write(&self, number: u32, line: &mut Line<'_>) {
        match self.texts.get(number as usize) {
            Some(text) => line.text_of_len(text, usize::from(self.lens[number as usize])),
            None => {
                line.text(&self.prefix);
                line.number(number);
                line.push(b';');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use san::Buffer;

    use super::*;

    #[test]
    fn counters_are_written_as_formatting_writes_them() {
        for number in (0..1000).chain([u32::MAX]) {
            let mut buffer = Buffer::default();
            let mut line = buffer.line();
            FMVN.write(number, &mut line);
            HMVC.write(number, &mut line);
            line.finish();
            let expected = format!(" fmvn {number}; hmvc {number};");
            assert_eq!(buffer.as_bytes(), expected.as_bytes());
        }
    }
}
