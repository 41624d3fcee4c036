//! Reproducible pseudo-random numbers, which depend only on a seed and an index.

/// Returns a uniformly distributed number for item `number`. The items with the smallest numbers
/// are a uniform sample.
///
/// The generator is splitmix64, so results are the same in every version and on every machine.
///
/// ```
/// assert_eq!(emit::draw(1, 2), emit::draw(1, 2));
/// assert_ne!(emit::draw(1, 2), emit::draw(2, 2));
/// ```
pub fn draw(seed: u64, number: u64) -> u64 {
    mix(mix(seed).wrapping_add(number))
}

/// Returns a uniformly distributed number for a text, which depends on its bytes and the seed.
///
/// ```
/// assert_eq!(emit::draw_text(1, b"1. e4"), emit::draw_text(1, b"1. e4"));
/// assert_ne!(emit::draw_text(1, b"1. e4"), emit::draw_text(1, b"1. e4 "));
/// ```
pub fn draw_text(seed: u64, text: &[u8]) -> u64 {
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]);
    let drawn = draw(seed, text.len() as u64);
    words.fold(drawn, |drawn, word| mix(drawn ^ u64::from_le_bytes(*word)))
}

fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
