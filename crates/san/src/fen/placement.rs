//! Writes the piece placement field from the mailbox (EPD 3.1).
//!
//! A rank has only 256 patterns of occupied and empty squares, and for each a table contains how
//! digits and letters make its text. So writing a rank is branch-free.
//!
//! If the processor can permute sixteen bytes at once, `x86_64`, `neon` or `wasm` does so;
//! `portable` moves eight bytes in ordinary registers. A test compares them with a naive function.

#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::buffer::Line;
use crate::position::Position;

/// Bytes: the longest placement has 71, and its last rank is stored as sixteen.
const ROOM: usize = 80;

/// The text of a rank with one pattern of occupied squares, followed by `/`.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Pattern {
    /// For each character the file whose letter it is; [`NONE`] for digits, `/` and the rest.
    #[allow(dead_code, reason = "`portable` has a table of its own")]
    files: [u8; 16],
    /// For each character the digit, or 0; then `/`.
    digits: [u8; 16],
}

/// No letter. The permutations yield 0 for it.
const NONE: u8 = 0x80;

static PATTERNS: [Pattern; 256] = {
    let none = Pattern { files: [NONE; 16], digits: [0; 16] };
    let mut table = [none; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let pattern = &mut table[occupied];
        let (mut file, mut len) = (0, 0);
        while file < 8 {
            if occupied >> file & 1 != 0 {
                pattern.files[len] = file;
                len += 1;
            } else if len > 0 && pattern.digits[len - 1] != 0 {
                pattern.digits[len - 1] += 1;
            } else {
                pattern.digits[len] = b'1';
                len += 1;
            }
            file += 1;
        }
        pattern.digits[len] = b'/';
        occupied += 1;
    }
    table
};

/// Length of the text of a rank, including `/`.
static LENGTHS: [u8; 256] = {
    let mut table = [0; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let mut len = 0;
        while PATTERNS[occupied].digits[len] != b'/' {
            len += 1;
        }
        table[occupied] = len as u8 + 1;
        occupied += 1;
    }
    table
};

/// Writes the placement: eight ranks from the eighth to the first, separated by `/`.
#[inline(always)]
pub(super) fn write(position: &Position, line: &mut Line<'_>) {
    let letters = &position.letters.0;
    let occupied = position.occupied().0.to_le_bytes();
    line.fill(|room: &mut [u8; ROOM]| {
        permute(letters, &occupied, room)
            .unwrap_or_else(|| portable::write(letters, &occupied, room))
    });
}

/// With the processor's permutation; returns the length, `None` if the processor has none.
#[inline(always)]
fn permute(letters: &[u8; 64], occupied: &[u8; 8], room: &mut [u8; ROOM]) -> Option<usize> {
    cfg_select! {
        target_arch = "x86_64" => x86_64::write(letters, occupied, room),
        target_arch = "aarch64" => Some(neon::write(letters, occupied, room)),
        all(target_arch = "wasm32", target_feature = "simd128") => {
            Some(wasm::write(letters, occupied, room))
        }
        _ => {
            let _ = (letters, occupied, room);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Write = fn(&[u8; 64], &[u8; 8], &mut [u8; ROOM]) -> Option<usize>;

    /// The implementations available on this machine.
    const WAYS: &[Write] =
        &[|letters, occupied, room| Some(portable::write(letters, occupied, room)), permute];

    /// Returns the placement, computed naively.
    fn slow(letters: &[u8; 64]) -> String {
        let rank = |letters: &[u8]| {
            let mut text = String::new();
            let mut empty = 0;
            for letter in letters {
                if *letter == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(char::from(*letter));
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text
        };
        letters.chunks(8).rev().map(rank).collect::<Vec<_>>().join("/")
    }

    fn assert_written(occupied: [u8; 8]) {
        let mut letters = [0; 64];
        for (square, letter) in letters.iter_mut().enumerate() {
            if occupied[square / 8] >> (square % 8) & 1 != 0 {
                *letter = b"RNBQKPrnbqkp"[square * 7 % 12];
            }
        }
        for write in WAYS {
            let mut room = [b'#'; ROOM];
            if let Some(len) = write(&letters, &occupied, &mut room) {
                assert_eq!(std::str::from_utf8(&room[..len]), Ok(&*slow(&letters)));
            }
        }
    }

    #[test]
    fn every_pattern_of_a_rank_is_written_as_by_hand_on_every_rank() {
        // Miri is slow, so only a sample is tested.
        let step = if cfg!(miri) { 37 } else { 1 };
        for pattern in (0..=255_u8).step_by(step) {
            for rank in 0..8 {
                let mut occupied = [0; 8];
                occupied[rank] = pattern;
                occupied[7 - rank] |= pattern.rotate_left(3);
                assert_written(occupied);
            }
            // The longest cases: letters only, or letters and digits alternating.
            assert_written([pattern; 8]);
        }
    }
}
