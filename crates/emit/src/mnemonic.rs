//! Names of opcodes in one word, so that they sort fast.

/// The name of an opcode (EPD 4.2), up to sixteen bytes in one number: names and numbers sort alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mnemonic(u128);

impl Mnemonic {
    /// Behind all others.
    pub(crate) const LAST: Mnemonic = Mnemonic(u128::MAX);

    /// The mnemonic of a name; what is behind its sixteenth byte does not count.
    pub(crate) const fn new(name: &str) -> Self {
        let (bytes, mut word, mut i) = (name.as_bytes(), 0, 0);
        while i < 16 {
            let byte = if i < bytes.len() { bytes[i] } else { 0 };
            word = word << 8 | byte as u128;
            i += 1;
        }
        Mnemonic(word)
    }

    /// The member of a family with this rank: `c7`.
    pub(crate) const fn ranked(family: u8, rank: usize) -> Self {
        Mnemonic((family as u128) << 120 | (b'0' as u128 + rank as u128) << 112)
    }

    pub(crate) fn write(self, text: &mut Vec<u8>) {
        let bytes = self.0.to_be_bytes();
        text.extend_from_slice(&bytes[..16 - self.0.trailing_zeros() as usize / 8]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mnemonics_sort_as_their_names_do() {
        let names = ["Ae", "acd", "acn", "c0", "c9", "ce", "dm", "draw_claim", "v0", "zz"];
        assert!(names.is_sorted_by_key(|name| Mnemonic::new(name)));
        assert_eq!(Mnemonic::ranked(b'c', 9), Mnemonic::new("c9"));
        for name in names {
            let mut text = Vec::new();
            Mnemonic::new(name).write(&mut text);
            assert_eq!(text, name.as_bytes());
        }
    }
}
