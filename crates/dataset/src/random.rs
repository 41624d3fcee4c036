//! Reproducible pseudo-random numbers, which depend only on a seed and an index.

/// Returns a uniformly distributed number for item `number`. The items with the smallest numbers
/// are a uniform sample.
///
/// The generator is splitmix64, so results are the same in every version and on every machine.
///
/// ```
/// assert_eq!(dataset::random_rank(1, 2), dataset::random_rank(1, 2));
/// assert_ne!(dataset::random_rank(1, 2), dataset::random_rank(2, 2));
/// ```
pub fn random_rank(seed: u64, number: u64) -> u64 {
    mix(mix(seed).wrapping_add(number))
}

/// Returns a uniformly distributed number for a text, which depends on its bytes and the seed.
///
/// ```
/// assert_eq!(dataset::random_rank_of(1, b"1. e4"), dataset::random_rank_of(1, b"1. e4"));
/// assert_ne!(dataset::random_rank_of(1, b"1. e4"), dataset::random_rank_of(1, b"1. e4 "));
/// ```
pub fn random_rank_of(seed: u64, text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]);
    let rank = random_rank(seed, text.len() as u64);
    words.fold(rank, |rank, word| mix(rank ^ u64::from_le_bytes(*word)))
}

fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_ranks_are_those_of_splitmix64() {
        // The first output of splitmix64 for the seeds 0 and 1.
        let (zero, one) = (0xe220_a839_7b1d_cdaf_u64, 0x910a_2dec_8902_5cc1);
        let seed = |output: u64| 0_u64.wrapping_sub(output);
        assert_eq!(random_rank(0, seed(zero)), zero);
        assert_eq!(random_rank(0, seed(zero).wrapping_add(1)), one);
        assert_eq!(random_rank(1, seed(one)), zero);
    }
}
