//! Numbers in the encoding of Parquet for levels and for keys of dictionaries: runs of equal numbers, and packed bits (“RLE/Bit-Packing
//! Hybrid” of the format).

/// The number of packed numbers is a multiple of this.
const GROUP: usize = 8;

/// Returns the number of bits for numbers up to `largest`, at least 1.
pub(super) fn width(largest: u32) -> u32 {
    (u32::BITS - largest.leading_zeros()).max(1)
}

/// Appends numbers of up to `width` bits.
pub(super) fn encode(numbers: &[u32], width: u32, bytes: &mut Vec<u8>) {
    let (mut start, mut at) = (0, 0);
    while at < numbers.len() {
        let number = numbers[at];
        let run = numbers[at..].iter().take_while(|other| **other == number).count();
        // The first numbers of a run complete the group before it.
        let completing = (at - start).next_multiple_of(GROUP) - (at - start);
        if run < completing + GROUP {
            at += run;
            continue;
        }
        pack(&numbers[start..at + completing], width, bytes);
        varint((run - completing) << 1, bytes);
        bytes.extend_from_slice(&number.to_le_bytes()[..width.div_ceil(8) as usize]);
        at += run;
        start = at;
    }
    pack(&numbers[start..], width, bytes);
}

/// Appends numbers as packed bits; the last group is completed with zeros.
fn pack(numbers: &[u32], width: u32, bytes: &mut Vec<u8>) {
    if numbers.is_empty() {
        return;
    }
    varint(numbers.len().div_ceil(GROUP) << 1 | 1, bytes);
    bytes.reserve(numbers.len().next_multiple_of(GROUP) * width as usize / 8 + 8);
    let (mut bits, mut count) = (0_u64, 0);
    for number in numbers {
        bits |= u64::from(*number) << count;
        count += width;
        if count >= u32::BITS {
            bytes.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= u32::BITS;
            count -= u32::BITS;
        }
    }
    let missing = numbers.len().next_multiple_of(GROUP) - numbers.len();
    let rest = (count as usize + missing * width as usize) / 8;
    let end = bytes.len() + rest;
    bytes.extend_from_slice(&bits.to_le_bytes());
    bytes.resize(end, 0);
}

/// Appends a number in groups of seven bits, the lowest first.
fn varint(mut number: usize, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Reads as many numbers as the naive way does.
    fn decode(bytes: &[u8], width: u32, count: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        let mut at = 0;
        while numbers.len() < count {
            let mut header = 0_usize;
            for shift in (0..).step_by(7) {
                header |= usize::from(bytes[at] & 0x7f) << shift;
                at += 1;
                if bytes[at - 1] < 0x80 {
                    break;
                }
            }
            if header & 1 == 0 {
                let len = width.div_ceil(8) as usize;
                let mut number = [0; 4];
                number[..len].copy_from_slice(&bytes[at..at + len]);
                at += len;
                numbers.extend(std::iter::repeat_n(u32::from_le_bytes(number), header >> 1));
                continue;
            }
            for index in 0..(header >> 1) * GROUP {
                let bit = |bit: usize| u32::from(bytes[at + bit / 8] >> (bit % 8) & 1);
                let from = index * width as usize;
                numbers.push((0..width as usize).fold(0, |sum, n| sum | bit(from + n) << n));
            }
            at += (header >> 1) * width as usize;
        }
        assert_eq!(at, bytes.len());
        numbers.truncate(count);
        numbers
    }

    proptest! {
        #[test]
        fn numbers_are_read_back(
            runs in vec((any::<u32>(), 1..40_usize), 0..30),
            bits in 1..32_u32,
            singles in vec(any::<u32>(), 0..40),
        ) {
            let runs = runs.into_iter().flat_map(|(number, len)| vec![number; len]);
            let numbers: Vec<u32> =
                runs.chain(singles).map(|number| number & ((1 << bits) - 1)).collect();
            let mut bytes = Vec::new();
            encode(&numbers, bits, &mut bytes);
            prop_assert_eq!(decode(&bytes, bits, numbers.len()), numbers);
        }
    }

    #[test]
    fn the_width_is_that_of_the_largest_number() {
        let cases = [(0, 1), (1, 1), (2, 2), (3, 2), (255, 8), (256, 9), (u32::MAX, 32)];
        for (largest, expected) in cases {
            assert_eq!(width(largest), expected, "{largest}");
        }
    }
}
