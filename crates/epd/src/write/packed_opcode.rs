//! Names of opcodes packed into one integer, for fast sorting.

use arrayvec::ArrayVec;

/// The name of an opcode (EPD 4.2), up to sixteen bytes as an integer in the same order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PackedOpcode(u128);

impl PackedOpcode {
    /// Sorts after all others.
    pub const LAST: PackedOpcode = PackedOpcode(u128::MAX);

    /// Packs a name; bytes after the sixteenth are ignored.
    pub const fn new(name: &str) -> Self {
        let (bytes, mut word, mut i) = (name.as_bytes(), 0, 0);
        while i < 16 {
            let byte = if i < bytes.len() { bytes[i] } else { 0 };
            word = word << 8 | byte as u128;
            i += 1;
        }
        PackedOpcode(word)
    }

    /// Returns the member of a family with this rank, such as `c7`.
    pub const fn ranked(family: u8, rank: usize) -> Self {
        PackedOpcode((family as u128) << 120 | (b'0' as u128 + rank as u128) << 112)
    }

    /// Returns the name.
    pub fn text(self) -> ArrayVec<u8, 16> {
        let mut text = ArrayVec::from(self.0.to_be_bytes());
        text.truncate(16 - self.0.trailing_zeros() as usize / 8);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mnemonics_sort_as_their_names_do() {
        let names = ["Ae", "acd", "acn", "c0", "c9", "ce", "dm", "draw_claim", "v0", "zz"];
        assert!(names.is_sorted_by_key(|name| PackedOpcode::new(name)));
        assert_eq!(PackedOpcode::ranked(b'c', 9), PackedOpcode::new("c9"));
        for name in names {
            assert_eq!(&*PackedOpcode::new(name).text(), name.as_bytes());
        }
    }
}
