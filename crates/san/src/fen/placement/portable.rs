//! Byte by byte, for any machine.

use super::{LENGTHS, NONE, PATTERNS, ROOM};

/// Writes the placement and returns its length.
pub(super) fn write(letters: &[u8; 64], occupied: &[u8; 8], room: &mut [u8; ROOM]) -> usize {
    let mut at = 0;
    for rank in (0..8).rev() {
        let squares: &[u8; 8] = letters[8 * rank..8 * rank + 8].try_into().expect("eight squares");
        let pattern = &PATTERNS[usize::from(occupied[rank])];
        for (i, character) in room[at..at + 9].iter_mut().enumerate() {
            let file = pattern.files[i];
            let letter = if file == NONE { 0 } else { squares[usize::from(file & 7)] };
            *character = letter | pattern.digits[i];
        }
        at += usize::from(LENGTHS[usize::from(occupied[rank])]);
    }
    at - 1
}
