//! The piece placement field, from the mailbox (EPD 3.1).
//!
//! A rank has only 256 patterns of occupied and empty squares. For each of them a table holds, for every character of
//! the rank's text, either the digit that stands there or the square whose letter does. So a rank is eight steps without
//! a branch: take the letter of the square, or nothing, and add the digit, or nothing.

use crate::{Line, Position};

/// The text of a rank with one pattern of occupied squares.
#[derive(Clone, Copy)]
struct Pattern {
    /// For each character the file whose letter it is; for a digit any.
    files: [u8; 8],
    /// For each character all ones if it is a letter.
    letters: [u8; 8],
    /// For each character the digit, or 0.
    digits: [u8; 8],
    /// How many characters there are.
    len: u8,
}

static PATTERNS: [Pattern; 256] = {
    let none = Pattern { files: [0; 8], letters: [0; 8], digits: [0; 8], len: 0 };
    let mut table = [none; 256];
    let mut occupied = 0;
    while occupied < 256 {
        let pattern = &mut table[occupied];
        let (mut file, mut len) = (0, 0);
        while file < 8 {
            if occupied >> file & 1 != 0 {
                pattern.files[len] = file;
                pattern.letters[len] = 0xff;
                len += 1;
            } else if len > 0 && pattern.digits[len - 1] != 0 {
                pattern.digits[len - 1] += 1;
            } else {
                pattern.digits[len] = b'1';
                len += 1;
            }
            file += 1;
        }
        pattern.len = len as u8;
        occupied += 1;
    }
    table
};

/// Writes the placement: eight ranks from the eighth to the first, `/` between them.
#[inline]
pub(super) fn write(position: &Position, line: &mut Line<'_>) {
    let occupied = position.occupied().0.to_le_bytes();
    for rank in (0..8).rev() {
        let letters: &[u8; 8] =
            position.letters.0[8 * rank..8 * rank + 8].try_into().expect("eight squares");
        let pattern = &PATTERNS[usize::from(occupied[rank])];
        let mut text = [b'/'; 9];
        for i in 0..8 {
            let letter = letters[usize::from(pattern.files[i] & 7)];
            text[i] = letter & pattern.letters[i] | pattern.digits[i];
        }
        text[usize::from(pattern.len)] = b'/';
        let separator = usize::from(rank > 0);
        line.text_of_len(&text, usize::from(pattern.len) + separator);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rank as one would write it by hand.
    fn slow(letters: &[u8; 8]) -> String {
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
    }

    #[test]
    fn every_pattern_of_a_rank_is_written_as_by_hand() {
        for occupied in 0..=255_u8 {
            let mut letters = [0; 8];
            for (file, letter) in letters.iter_mut().enumerate() {
                *letter = if occupied >> file & 1 != 0 { b"RNBQKbnr"[file] } else { 0 };
            }
            let pattern = &PATTERNS[usize::from(occupied)];
            let text: Vec<u8> = (0..usize::from(pattern.len))
                .map(|i| {
                    letters[usize::from(pattern.files[i])] & pattern.letters[i] | pattern.digits[i]
                })
                .collect();
            assert_eq!(String::from_utf8(text).unwrap(), slow(&letters));
        }
    }
}
