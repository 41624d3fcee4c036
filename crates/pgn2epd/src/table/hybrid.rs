//! Numbers in the encoding of Parquet for levels and for keys of dictionaries: runs of equal numbers, and packed bits (“RLE/Bit-Packing
//! Hybrid” of the format).

use super::packed_bits::{GROUP, pack, pack_narrow, varint};

/// Returns the number of bits for numbers up to `largest`, at least 1.
pub(super) fn width(largest: u32) -> u32 {
    (u32::BITS - largest.leading_zeros()).max(1)
}

/// Appends numbers of up to `width` bits.
pub(super) fn encode(numbers: &[u32], width: u32, bytes: &mut Vec<u8>) {
    let (mut start, mut at) = (0, 0);
    // Whole groups are packed, unless all numbers of one are equal: they begin a run.
    while let Some(group) = numbers.get(at..at + GROUP) {
        if group.iter().any(|number| *number != group[0]) {
            at += GROUP;
            continue;
        }
        pack_run(&numbers[start..at], width, bytes);
        start = at + run_len(&numbers[at..]);
        write_run(start - at, group[0], width, bytes);
        at = start;
    }
    pack_run(&numbers[start..], width, bytes);
}

/// Returns how many of the first numbers are equal.
fn run_len(numbers: &[u32]) -> usize {
    const BLOCK: usize = 32;
    let first = numbers[0];
    let blocks = numbers.as_chunks::<BLOCK>().0.iter();
    // All numbers of a block are compared at once.
    let is_equal = |block: &&[u32; BLOCK]| block.iter().fold(0, |sum, n| sum | (n ^ first)) == 0;
    let len = blocks.take_while(is_equal).count() * BLOCK;
    len + numbers[len..].iter().take_while(|number| **number == first).count()
}

/// Appends whether rows have a value, as levels 0 and 1.
pub(super) fn encode_levels(levels: &[bool], bytes: &mut Vec<u8>) {
    let (groups, rest) = levels.as_chunks::<GROUP>();
    // Multiplication moves the lowest bit of each byte to the highest byte.
    let bits = |group: &[bool; GROUP]| {
        (u64::from_le_bytes(group.map(u8::from)).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    };
    let mut packed: Vec<u8> = groups.iter().map(bits).collect();
    if !rest.is_empty() {
        packed.push(rest.iter().rev().fold(0, |bits, level| bits << 1 | u8::from(*level)));
    }
    let (mut start, mut at) = (0, 0);
    while at < groups.len() {
        let group = packed[at];
        let run = packed[at..groups.len()].iter().take_while(|other| **other == group).count();
        // Shorter runs take as much space as packed bits.
        if run < 3 || !matches!(group, 0 | u8::MAX) {
            at += run;
            continue;
        }
        write_packed(&packed[start..at], bytes);
        write_run(run * GROUP, u32::from(group & 1), 1, bytes);
        at += run;
        start = at;
    }
    write_packed(&packed[start..], bytes);
}

/// Appends packed levels.
fn write_packed(packed: &[u8], bytes: &mut Vec<u8>) {
    if !packed.is_empty() {
        varint((packed.len() << 1 | 1) as u64, bytes);
        bytes.extend_from_slice(packed);
    }
}

/// Appends a run of equal numbers.
pub(super) fn write_run(len: usize, number: u32, width: u32, bytes: &mut Vec<u8>) {
    varint((len << 1) as u64, bytes);
    bytes.extend_from_slice(&number.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// Appends numbers as packed bits; the last group is completed with zeros.
fn pack_run(numbers: &[u32], width: u32, bytes: &mut Vec<u8>) {
    if numbers.is_empty() {
        return;
    }
    varint((numbers.len().div_ceil(GROUP) << 1 | 1) as u64, bytes);
    if width <= 16 {
        pack_narrow(numbers.iter().map(|number| (*number).into()), width, bytes);
    } else {
        let numbers: Vec<u64> = numbers.iter().map(|number| (*number).into()).collect();
        pack(&numbers, width, bytes);
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::packed_bits::tests::{read_varint, unpack};
    use super::*;

    /// Reads as many numbers as the naive way does.
    fn decode(mut bytes: &[u8], width: u32, count: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let (header, rest) = read_varint(bytes);
            let len = (header >> 1) as usize;
            let size =
                if header & 1 == 0 { width.div_ceil(8) as usize } else { len * width as usize };
            let (packed, rest) = rest.split_at(size);
            bytes = rest;
            if header & 1 == 0 {
                let number = unpack(packed, packed.len() as u32 * 8, 1)[0] as u32;
                numbers.extend(std::iter::repeat_n(number, len));
            } else {
                numbers.extend(unpack(packed, width, len * GROUP).iter().map(|n| *n as u32));
            }
        }
        assert!(bytes.is_empty());
        numbers.truncate(count);
        numbers
    }

    proptest! {
        #[test]
        fn numbers_are_read_back(
            runs in vec((any::<u32>(), 1..80_usize), 0..30),
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

        #[test]
        fn levels_are_read_back(
            runs in vec((any::<bool>(), 1..80_usize), 0..20), singles in vec(any::<bool>(), 0..40),
        ) {
            let runs = runs.into_iter().flat_map(|(level, len)| vec![level; len]);
            let levels: Vec<bool> = runs.chain(singles).collect();
            let mut bytes = Vec::new();
            encode_levels(&levels, &mut bytes);
            let numbers: Vec<u32> = levels.iter().map(|level| u32::from(*level)).collect();
            prop_assert_eq!(decode(&bytes, 1, levels.len()), numbers);
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
