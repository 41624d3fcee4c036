//! Writes the piece placement field from the mailbox (EPD 3.1). A rank has only 256 patterns of
//! occupied and empty squares, and for each a table contains how digits and letters make its text:
//! no branch is needed. If an x86-64 processor can permute sixteen bytes at once, it does so;
//! otherwise eight bytes move in ordinary registers. A test compares them with a naive function.

#[cfg(target_arch = "x86_64")]
mod x86_64;

use crate::buffer::Line;
use crate::position::Position;

/// Bytes: the longest placement has 71, and its last rank is stored as sixteen.
const ROOM: usize = 80;

/// The text of a rank with one pattern of occupied squares, followed by `/`.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct RankPattern {
    /// For each character the file whose letter it is; [`NONE`] for digits, `/` and the rest.
    #[allow(dead_code, reason = "`portable` has a table of its own")]
    files: [u8; 16],
    /// For each character the digit, or 0; then `/`.
    digits: [u8; 16],
}

/// No letter. The permutations yield 0 for it.
const NONE: u8 = 0x80;

static PATTERNS: [RankPattern; 256] = {
    let none = RankPattern { files: [NONE; 16], digits: [0; 16] };
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

#[inline(always)]
pub(super) fn write(position: &Position, line: &mut Line<'_>) {
    let letters = &position.letters.0;
    let occupied = position.occupied().0.to_le_bytes();
    line.fill(|room: &mut [u8; ROOM]| {
        #[cfg(target_arch = "x86_64")]
        if let Some(len) = x86_64::write(letters, &occupied, room) {
            return len;
        }
        write_portable(letters, &occupied, room)
    });
}

// Eight bytes at a time in ordinary registers, for any machine.
//
// Digits are added to the letters of a rank, each on the first of the empty squares that it
// counts; the other empty squares are zero bytes. These are removed by moving the bytes after them
// towards the front, in three steps by 1, 2 and 4 bytes (Warren, Hacker's Delight, 7-4). Which
// bytes move in a step depends only on the pattern of the rank.
//
// With this instead of `x86_64`, and the replay compiled once, 8moves_v3 (`--ops fmvn,hmvc`) takes
// 1.18 times the instructions and 1.15 times the time; byte by byte it took 1.7 and 2.5.

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
fn write_portable(letters: &[u8; 64], occupied: &[u8; 8], room: &mut [u8; ROOM]) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    type Write = fn(&[u8; 64], &[u8; 8], &mut [u8; ROOM]) -> Option<usize>;

    /// The implementations available on this machine.
    const WAYS: &[Write] = &[
        |letters, occupied, room| Some(write_portable(letters, occupied, room)),
        #[cfg(target_arch = "x86_64")]
        x86_64::write,
    ];

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
