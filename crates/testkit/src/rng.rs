//! A small random number generator whose output never changes.
//!
//! Seeds appear in test names, benchmark notes and bug reports, so the same seed must give the same
//! bytes forever. A dependency may change its algorithm; these ten lines do not.

/// The splitmix64 generator.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a random 64-bit number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number from 0 to `bound`, exclusive. `bound` must not be 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "the bound must not be 0");
        // High half of the product: avoids a division; the bias is far too small for a test to
        // detect.
        ((u64::from(bound) * (self.next_u64() >> 32)) >> 32) as u32
    }

    /// Returns a number in the range, both ends inclusive.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// Returns `true` with probability 1/`n`.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// Returns a random item. `items` must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_match_the_published_algorithm() {
        let mut rng = Rng::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut rng = Rng::new(1);
        let mut seen = [false; 4];
        for _ in 0..1000 {
            seen[rng.between(3, 6) as usize - 3] = true;
        }
        assert_eq!(seen, [true; 4]);
    }
}
