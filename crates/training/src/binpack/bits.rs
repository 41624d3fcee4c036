//! Numbers of any number of bits, the highest bits of a byte first.

use crate::error::Damage;

/// Bits of the digits of numbers with any number of them.
const DIGIT: u32 = 4;

/// Numbers that follow each other, at most 56 bits in all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits {
    /// The last number in the lowest bits.
    word: u64,
    count: u32,
}

impl Bits {
    /// Adds a number below `1 << count`.
    #[inline(always)]
    pub(crate) fn add(&mut self, number: u8, count: u32) {
        self.word = self.word << count | u64::from(number);
        self.count += count;
    }

    /// Digits of four bits, the lowest first, each after a bit that says whether more follow.
    #[inline(always)]
    pub(crate) fn add_digits(&mut self, mut number: u16) {
        loop {
            let digit = number as u8 & 15;
            number >>= DIGIT;
            let more = u8::from(number > 0) << DIGIT;
            self.add(more | digit, DIGIT + 1);
            if number == 0 {
                return;
            }
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BitWriter {
    /// Unused bits of the last byte.
    room: u32,
}

impl BitWriter {
    /// All at once: one by one, encoding a binpack takes 1.1 times the instructions.
    #[inline(always)]
    pub(crate) fn push(&mut self, numbers: Bits, bytes: &mut Vec<u8>) {
        let Bits { word, count } = numbers;
        debug_assert!(count <= 56);
        let (used, len) = match self.room {
            0 => (0, bytes.len()),
            room => (8 - room, bytes.len() - 1),
        };
        let first = if used > 0 { bytes[len] } else { 0 };
        let end = used + count;
        // Above the lowest bit: a shift by 64 bits would be an overflow.
        let word = (word << 1 << (63 - count) >> used) | u64::from(first) << 56;
        bytes.truncate(len);
        bytes.extend_from_slice(&word.to_be_bytes());
        bytes.truncate(len + end.div_ceil(8) as usize);
        self.room = end.wrapping_neg() % 8;
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BitReader {
    /// The number of bits read.
    at: usize,
}

impl BitReader {
    /// Reads a number of `count` bits, at most 8.
    #[inline]
    pub(crate) fn next(&mut self, count: u32, bytes: &[u8]) -> Result<u8, Damage> {
        if count == 0 {
            return Ok(0);
        }
        let end = self.at + count as usize;
        if end > 8 * bytes.len() {
            return Err(Damage::Truncated("a chain"));
        }
        let (byte, bit) = (self.at / 8, self.at % 8);
        let low = bytes.get(byte + 1).copied().unwrap_or_default();
        let both = u16::from_be_bytes([bytes[byte], low]) << bit;
        self.at = end;
        Ok((both >> (16 - count)) as u8)
    }

    #[inline]
    pub(crate) fn next_digits(&mut self, bytes: &[u8]) -> Result<u16, Damage> {
        let mut number = 0;
        for place in 0..4 {
            let digit = self.next(DIGIT + 1, bytes)?;
            number |= u16::from(digit & 15) << (place * DIGIT);
            if digit >> DIGIT == 0 {
                return Ok(number);
            }
        }
        Err(Damage::LongNumber)
    }

    /// Returns the number of bytes read, counting the last one as whole.
    pub(crate) fn bytes(self) -> usize {
        self.at.div_ceil(8)
    }
}

/// Returns the number of bits for numbers below `count`.
#[inline(always)]
pub(crate) fn bits_below(count: u32) -> u32 {
    u32::BITS - count.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_written() {
        let numbers = [(1, 1), (5, 3), (0, 0), (200, 8), (3, 7), (0, 5), (255, 8), (1, 2)];
        let (mut bytes, mut writer) = (Vec::new(), BitWriter::default());
        for (number, count) in numbers {
            let mut numbers = Bits::default();
            numbers.add(number, count);
            numbers.add_digits(u16::from(number) * 257);
            writer.push(numbers, &mut bytes);
        }
        let mut reader = BitReader::default();
        for (number, count) in numbers {
            assert_eq!(reader.next(count, &bytes).unwrap(), number);
            assert_eq!(reader.next_digits(&bytes).unwrap(), u16::from(number) * 257);
        }
        assert_eq!(reader.bytes(), bytes.len());
        assert!(reader.next(8, &bytes).is_err());
    }

    #[test]
    fn the_highest_bits_come_first() {
        let (mut bytes, mut writer) = (Vec::new(), BitWriter::default());
        for (number, count) in [(0b1, 1), (0b01, 2), (0b11111, 5), (0b1011, 4), (0b110011, 6)] {
            let mut numbers = Bits::default();
            numbers.add(number, count);
            writer.push(numbers, &mut bytes);
        }
        writer.push(Bits::default(), &mut bytes);
        assert_eq!(bytes, [0b1011_1111, 0b1011_1100, 0b1100_0000]);
    }

    #[test]
    fn five_digits_are_too_many() {
        let bytes = [0xff; 8];
        assert!(matches!(BitReader::default().next_digits(&bytes), Err(Damage::LongNumber)));
    }

    #[test]
    fn enough_bits_for_each_number() {
        for (count, bits) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (16, 4), (17, 5)] {
            assert_eq!(bits_below(count), bits, "{count}");
        }
    }
}
