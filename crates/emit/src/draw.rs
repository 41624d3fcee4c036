//! Chance that a seed repeats: which of many are drawn depends on the seed and on nothing else.

/// A number for the `number`-th of many, all of them equally likely; those with the smallest are a uniform sample.
///
/// It is splitmix64, so it stays the same with every version, on every machine.
///
/// ```
/// assert_eq!(emit::draw(1, 2), emit::draw(1, 2));
/// assert_ne!(emit::draw(1, 2), emit::draw(2, 2));
/// ```
pub fn draw(seed: u64, number: u64) -> u64 {
    mix(mix(seed).wrapping_add(number))
}

fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
