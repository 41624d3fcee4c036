//! One rank at a time, with the table lookup of NEON, which every 64-bit ARM processor has.
//!
//! Compiled, a rank takes some 10 instructions; on x86-64 ordinary registers take 16 more than the
//! byte shuffle. No such processor was available for measuring time.
#![allow(unsafe_code)]

use std::arch::aarch64::{vcombine_u8, vcreate_u8, vld1q_u8, vorrq_u8, vqtbl1q_u8, vst1q_u8};

use super::{LENGTHS, PATTERNS, ROOM};

#[inline]
pub(super) fn write(letters: &[u8; 64], occupied: &[u8; 8], room: &mut [u8; ROOM]) -> usize {
    // SAFETY: this module is compiled only where NEON is always available.
    unsafe { look_up(letters, occupied, room) }
}

#[inline]
#[target_feature(enable = "neon")]
fn look_up(letters: &[u8; 64], occupied: &[u8; 8], room: &mut [u8; ROOM]) -> usize {
    let mut at = 0;
    for rank in (0..8).rev() {
        let squares: [u8; 8] = letters[8 * rank..8 * rank + 8].try_into().expect("eight squares");
        let squares = vcombine_u8(vcreate_u8(u64::from_le_bytes(squares)), vcreate_u8(0));
        let pattern = &PATTERNS[usize::from(occupied[rank])];
        // SAFETY: both arrays have sixteen bytes; loads may be unaligned.
        let (files, digits) =
            unsafe { (vld1q_u8(pattern.files.as_ptr()), vld1q_u8(pattern.digits.as_ptr())) };
        let text = vorrq_u8(vqtbl1q_u8(squares, files), digits);
        // Seven ranks and their separators take at most 63 bytes: the mask has no effect but elides
        // the bounds check.
        let at_most = at & 63;
        let characters = &mut room[at_most..at_most + 16];
        // SAFETY: the slice has sixteen bytes; the store may be unaligned.
        unsafe { vst1q_u8(characters.as_mut_ptr(), text) };
        at += usize::from(LENGTHS[usize::from(occupied[rank])]);
    }
    at - 1
}
