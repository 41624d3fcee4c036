//! Integers as differences, in the encoding `DELTA_BINARY_PACKED` of Parquet.

use super::packed_bits::{pack, varint};

/// The number of differences that have a common smallest one.
const BLOCK: usize = 128;
/// The number of differences that have a common width.
const MINIBLOCK: usize = 32;
const MINIBLOCKS: usize = BLOCK / MINIBLOCK;

/// An integer of Parquet. Differences wrap around, so they have as many bits.
pub(super) trait Integer: Copy + Ord + Default {
    /// Returns the difference from another one.
    fn minus(self, other: Self) -> Self;

    /// Returns the value without a sign.
    fn unsigned(self) -> u64;

    /// Returns the value with its sign.
    fn signed(self) -> i64;

    /// Appends the value in the encoding `PLAIN` of Parquet.
    fn write(self, bytes: &mut Vec<u8>);
}

macro_rules! integer {
    ($signed:ty, $unsigned:ty) => {
        impl Integer for $signed {
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn unsigned(self) -> u64 {
                self as $unsigned as u64
            }

            fn signed(self) -> i64 {
                self as i64
            }

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    };
}

integer!(i32, u32);
integer!(i64, u64);

/// Appends integers.
pub(super) fn encode<T: Integer>(numbers: &[T], bytes: &mut Vec<u8>) {
    varint(BLOCK as u64, bytes);
    varint(MINIBLOCKS as u64, bytes);
    varint(numbers.len() as u64, bytes);
    signed_varint(numbers.first().copied().unwrap_or_default(), bytes);
    for first in (1..numbers.len()).step_by(BLOCK) {
        let last = (first + BLOCK).min(numbers.len());
        block(&numbers[first - 1..last], bytes);
    }
}

/// Appends the differences of up to `BLOCK` integers from those before.
fn block<T: Integer>(numbers: &[T], bytes: &mut Vec<u8>) {
    let mut differences = [T::default(); BLOCK];
    let count = numbers.len() - 1;
    let pairs = numbers.iter().zip(&numbers[1..]);
    for (difference, (before, number)) in differences.iter_mut().zip(pairs) {
        *difference = number.minus(*before);
    }
    let smallest = differences[..count].iter().copied().min().unwrap_or_default();
    signed_varint(smallest, bytes);
    let widths = bytes.len();
    bytes.extend_from_slice(&[0; MINIBLOCKS]);
    for (index, differences) in differences[..count].chunks(MINIBLOCK).enumerate() {
        let mut packed = [0; MINIBLOCK];
        for (packed, difference) in packed.iter_mut().zip(differences) {
            *packed = difference.minus(smallest).unsigned();
        }
        let width = u64::BITS - packed.iter().fold(0, |bits, n| bits | n).leading_zeros();
        bytes[widths + index] = width as u8;
        // The last ones are completed with zeros.
        pack(&packed, width, bytes);
    }
}

/// Appends an integer of which small ones of both signs take few bytes.
fn signed_varint<T: Integer>(number: T, bytes: &mut Vec<u8>) {
    let number = number.signed();
    varint((number << 1 ^ number >> 63) as u64, bytes);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::packed_bits::tests::{read_varint, unpack};
    use super::*;

    /// Reads numbers as the naive way does.
    fn decode(bytes: &[u8]) -> Vec<i64> {
        let signed = |number: u64| (number >> 1) as i64 ^ -((number & 1) as i64);
        let (block, bytes) = read_varint(bytes);
        let (miniblocks, bytes) = read_varint(bytes);
        let (count, bytes) = read_varint(bytes);
        let (first, mut bytes) = read_varint(bytes);
        let len = (block / miniblocks) as usize;
        let mut numbers = vec![signed(first)];
        while numbers.len() < count as usize {
            let (smallest, rest) = read_varint(bytes);
            let (widths, mut rest) = rest.split_at(miniblocks as usize);
            for width in widths {
                if numbers.len() >= count as usize {
                    break;
                }
                let (packed, others) = rest.split_at(len * usize::from(*width) / 8);
                rest = others;
                for difference in unpack(packed, (*width).into(), len) {
                    let last = *numbers.last().unwrap();
                    let next = last.wrapping_add(signed(smallest)).wrapping_add(difference as i64);
                    numbers.push(next);
                }
            }
            bytes = rest;
        }
        assert!(bytes.is_empty());
        numbers.truncate(count as usize);
        numbers
    }

    fn encoded<T: Integer>(numbers: &[T]) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(numbers, &mut bytes);
        bytes
    }

    proptest! {
        #[test]
        fn numbers_are_read_back(
            runs in vec((any::<i64>(), 0..64, 1..200_usize), 0..6), singles in vec(any::<i64>(), 0..40),
        ) {
            let runs = runs.into_iter().flat_map(|(number, shift, len)| vec![number >> shift; len]);
            let numbers: Vec<i64> = runs.chain(singles).collect();
            let small: Vec<i32> = numbers.iter().map(|number| *number as i32).collect();
            if numbers.is_empty() {
                prop_assert_eq!(encoded(&numbers), [128, 1, 4, 0, 0]);
                return Ok(());
            }
            prop_assert_eq!(decode(&encoded(&numbers)), numbers);
            // Only the lower bits count.
            let read: Vec<i32> = decode(&encoded(&small)).iter().map(|n| *n as i32).collect();
            prop_assert_eq!(read, small);
        }
    }
}
