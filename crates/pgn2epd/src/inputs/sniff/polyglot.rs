//! Recognizes Polyglot books, which have no magic bytes: entries of 16 bytes, big-endian, sorted by
//! key.

/// Size of an entry: key, move, weight and learning data.
const ENTRY: usize = 16;

/// Whether bytes of a file, which may be cut, are entries sorted by key, with valid moves.
/// Text and random bytes do not pass, since four bytes of each entry must be zero.
pub(super) fn is_book(first: &[u8], is_cut: bool) -> bool {
    let (entries, rest) = first.as_chunks::<ENTRY>();
    !entries.is_empty()
        && (rest.is_empty() || is_cut)
        && entries.iter().all(is_entry)
        && entries.is_sorted_by_key(|entry| &entry[..8])
}

/// Whether squares differ, the piece has a code, and learning data is absent, as in most books.
fn is_entry(entry: &[u8; ENTRY]) -> bool {
    let mv = u16::from_be_bytes([entry[8], entry[9]]);
    let (to, from, promotion) = (mv & 63, mv >> 6 & 63, mv >> 12);
    to != from && promotion <= 4 && entry[12..] == [0; 4]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, mv: u16) -> Vec<u8> {
        [&key.to_be_bytes()[..], &mv.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat()
    }

    #[test]
    fn sorted_entries_with_moves_are_a_book() {
        const E4: u16 = 12 << 6 | 28;
        let book = [entry(1, E4), entry(1, E4 + 1), entry(0xf000_0000_0000_0000, E4)].concat();
        let cases = [
            ("three entries", book.clone(), true),
            ("one entry", entry(7, E4), true),
            ("a move from a8 to a1", entry(7, 56 << 6), true),
            ("a move from a1 to a1", entry(7, 0), false),
            ("a promotion to a queen", entry(7, 4 << 12 | 52 << 6 | 60), true),
            ("the first bytes of many entries", entry(7, E4).repeat(256), true),
            ("nothing", Vec::new(), false),
            ("an entry that is cut", book[..40].to_vec(), false),
            ("keys out of order", [entry(2, E4), entry(1, E4)].concat(), false),
            ("a move to its own square", entry(7, 0), false),
            ("no such piece", entry(7, 5 << 12 | E4), false),
            ("NUL bytes", vec![0; 5000], false),
            ("16 letters", b"1. e4 e5 2. Nf3*".to_vec(), false),
        ];
        assert!(is_book(&book[..40], true));
        for (name, bytes, expected) in cases {
            assert_eq!(is_book(&bytes, false), expected, "{name}");
        }
    }
}
