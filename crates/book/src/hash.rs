//! The order of counts: by a hash of the position, and by the position itself where hashes are equal.

use san::Packed;

/// The order in which runs hold positions: by hash, and by key where those are equal.
#[inline]
pub(crate) fn order_of(key: Packed) -> (u64, Packed) {
    (hash(key), key)
}

/// A number from all bits of the key. Files depend on it: it must not change.
#[inline]
pub(crate) fn hash(key: Packed) -> u64 {
    let [a, b, c, d] = key.0;
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        product as u64 ^ (product >> 64) as u64
    };
    let low = fold(a ^ 0xa076_1d64_78bd_642f, b ^ 0xe703_7ed1_a0b4_28db);
    let high = fold(c ^ 0x8ebc_6af0_9c88_c6e3, d ^ 0x5899_65cc_7537_4cc3);
    fold(low ^ high.rotate_left(32), 0x9e37_79b9_7f4a_7c15 ^ high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_files_does_not_change() {
        assert_eq!(hash(Packed([1, 2, 3, 4])), 0x0ee6_2e02_e757_d62f);
    }
}
