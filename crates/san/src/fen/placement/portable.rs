//! Eight bytes at a time in ordinary registers, for any machine.
//!
//! Digits are added to the letters of a rank, each on the first of the empty squares that it
//! counts; the other empty squares are zero bytes. These are removed by moving the bytes after them
//! towards the front, in three steps by 1, 2 and 4 bytes (Warren, Hacker's Delight, 7-4). Which
//! bytes move in a step depends only on the pattern of the rank.
//!
//! With this instead of `x86_64`, and the replay compiled once, 8moves_v3 (`--ops fmvn,hmvc`) takes
//! 1.18 times the instructions and 1.15 times the time; byte by byte it took 1.7 and 2.5.

use super::{LENGTHS, ROOM};

/// Makes the text of a rank with one pattern of occupied squares; the lowest byte is file a.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct Compaction {
    /// The digit on the first square of each run of empty ones, otherwise 0.
    digits: u64,
    /// The bytes to be moved by 1, by 2 and by 4 bytes.
    moved: [u64; 3],
}

static COMPACTIONS: [Compaction; 256] = {
    let mut table = [Compaction { digits: 0, moved: [0; 3] }; 256];
    let mut occupied = 0;
    while occupied < 256 {
        table[occupied] = Compaction::of(occupied as u8);
        occupied += 1;
    }
    table
};

impl Compaction {
    const fn of(occupied: u8) -> Self {
        let mut compaction = Compaction { digits: 0, moved: [0; 3] };
        // The number of bytes removed before a file.
        let mut gaps = 0;
        let mut file = 0;
        while file < 8 {
            let mut empty = 0;
            while file + empty < 8 && occupied >> (file + empty) & 1 == 0 {
                empty += 1;
            }
            if empty > 0 {
                compaction.digits |= (b'0' as u64 + empty as u64) << (8 * file);
            }
            let mut at = file;
            let mut step = 0;
            while step < 3 {
                if gaps >> step & 1 != 0 {
                    compaction.moved[step] |= 0xFF << (8 * at);
                    at -= 1 << step;
                }
                step += 1;
            }
            if empty > 0 {
                gaps += empty - 1;
                file += empty;
            } else {
                file += 1;
            }
        }
        compaction
    }
}

// Not inlined: the caller would become too large to be inlined with the faster function that most
// processors use (6 % of the time).
#[inline(never)]
pub(super) fn write(letters: &[u8; 64], occupied: &[u8; 8], room: &mut [u8; ROOM]) -> usize {
    let mut at = 0;
    for rank in (0..8).rev() {
        let squares: [u8; 8] = letters[8 * rank..8 * rank + 8].try_into().expect("eight squares");
        let Compaction { digits, moved } = COMPACTIONS[usize::from(occupied[rank])];
        let mut text = u64::from_le_bytes(squares) | digits;
        for (step, moved) in moved.into_iter().enumerate() {
            let moving = text & moved;
            text = text ^ moving | moving >> (8 << step);
        }
        // Seven ranks and their separators take at most 63 bytes: the masks have no effect but
        // elide the bounds checks.
        let at_most = at & 63;
        room[at_most..at_most + 8].copy_from_slice(&text.to_le_bytes());
        at += usize::from(LENGTHS[usize::from(occupied[rank])]);
        if rank > 0 {
            room[(at - 1) & 63] = b'/';
        }
    }
    at - 1
}
