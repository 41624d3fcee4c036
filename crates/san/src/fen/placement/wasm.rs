//! One rank at a time, with the swizzle of WebAssembly's 128-bit SIMD.
//!
//! Used where the program is compiled with `-Ctarget-feature=+simd128`.

use std::arch::wasm32::{i64x2, i64x2_extract_lane, u8x16_swizzle, v128, v128_or};

use super::{LENGTHS, PATTERNS, ROOM};

#[inline]
pub(super) fn write(letters: &[u8; 64], occupied: &[u8; 8], room: &mut [u8; ROOM]) -> usize {
    let mut at = 0;
    for rank in (0..8).rev() {
        let squares: [u8; 8] = letters[8 * rank..8 * rank + 8].try_into().expect("eight squares");
        let squares = i64x2(i64::from_le_bytes(squares), 0);
        let pattern = &PATTERNS[usize::from(occupied[rank])];
        let text = v128_or(u8x16_swizzle(squares, vector(pattern.files)), vector(pattern.digits));
        // Seven ranks and their separators take at most 63 bytes: the mask has no effect but elides
        // the bounds check.
        let at_most = at & 63;
        room[at_most..at_most + 16].copy_from_slice(&bytes(text));
        at += usize::from(LENGTHS[usize::from(occupied[rank])]);
    }
    at - 1
}

/// Compiled to one load.
fn vector(bytes: [u8; 16]) -> v128 {
    let value = u128::from_le_bytes(bytes);
    i64x2(value as i64, (value >> 64) as i64)
}

/// Compiled to one store.
fn bytes(vector: v128) -> [u8; 16] {
    let low = i64x2_extract_lane::<0>(vector) as u64;
    let high = i64x2_extract_lane::<1>(vector) as u64;
    (u128::from(high) << 64 | u128::from(low)).to_le_bytes()
}
