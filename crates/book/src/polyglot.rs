//! Polyglot books: entries of 16 bytes, big-endian, sorted by key: the key of a position (8 bytes),
//! a move (2), its weight (2) and learning data (4).

use std::io::{self, BufReader, Read};

use san::{Move, MoveCode, Position, Square};
use stream::read_at::fill;

pub(crate) const ENTRY_BYTES: usize = 16;

/// Upper bound on the entries of one position; a position has at most 218 legal moves.
const MOST_ENTRIES: usize = 1024;

/// A move of a position in a Polyglot book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolyglotEntry {
    /// The number of the entry in the book, counted from 1.
    pub number: u64,
    /// The move as in the book: target, origin, promotion.
    pub code: u16,
    /// How often to play the move, relative to the other moves of the position.
    pub weight: u16,
    /// Learning data; 0 in most books.
    pub learn: u32,
}

/// Why a file is not a valid Polyglot book.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum PolyglotError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error(
        "it is not a Polyglot book, or it is damaged: {0} bytes are not a multiple of 16, the size of an entry"
    )]
    Incomplete(u64),
    #[error(
        "it is not a Polyglot book, or it is damaged: entries are sorted by key, and entry {0} has a smaller key than entry {before}", before = .0 - 1
    )]
    Unsorted(u64),
    #[error(
        "it is not a Polyglot book, or it is damaged: more than {MOST_ENTRIES} entries have the same key"
    )]
    TooMany,
}

/// Returns the entries of a position in a Polyglot book, in the order of the book. The book is read
/// to its end, in constant memory, so that damage anywhere in it is found. Fails if the book cannot
/// be read, is not a sequence of complete entries, or is not sorted by key.
///
/// ```
/// use san::{Position, resolve};
///
/// // e2e4 with weight 3, for the starting position.
/// let book = b"\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\x00\x03\0\0\0\0";
/// let start = Position::default();
/// let entries = book::polyglot_entries(&book[..], &start)?;
/// assert_eq!(entries[0].played(&start), Some(resolve(&start, b"e4")?));
/// assert_eq!(entries[0].weight, 3);
/// assert!(book::polyglot_entries(&book[..15], &start).is_err());
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn polyglot_entries(
    book: impl Read,
    position: &Position,
) -> Result<Vec<PolyglotEntry>, PolyglotError> {
    let (wanted, mut entries) = (position.key(), Vec::new());
    let mut book = BufReader::with_capacity(1 << 16, book);
    let (mut number, mut before) = (0, 0);
    let mut bytes = [0; ENTRY_BYTES];
    loop {
        match fill(&mut book, &mut bytes) {
            (_, Err(error)) => return Err(error.into()),
            (0, _) => return Ok(entries),
            (ENTRY_BYTES, _) => number += 1,
            (rest, _) => {
                let bytes = number * ENTRY_BYTES as u64 + rest as u64;
                return Err(PolyglotError::Incomplete(bytes));
            }
        }
        let [key @ .., a, b, c, d, e, f, g, h] = bytes;
        let key = u64::from_be_bytes(key);
        if key < before {
            return Err(PolyglotError::Unsorted(number));
        }
        before = key;
        if key == wanted {
            entries.push(PolyglotEntry {
                number,
                code: u16::from_be_bytes([a, b]),
                weight: u16::from_be_bytes([c, d]),
                learn: u32::from_be_bytes([e, f, g, h]),
            });
        }
        if entries.len() > MOST_ENTRIES {
            return Err(PolyglotError::TooMany);
        }
    }
}

impl PolyglotEntry {
    /// Returns the move, if it is legal in the position. Castling is the king's move to the square
    /// of its rook. Some programs write the square where the king arrives; this is accepted unless
    /// it is a normal move of the king.
    pub fn played(self, position: &Position) -> Option<Move> {
        let (from, to) = self.squares();
        let promotion = self.code >> 12 & 7;
        let role = if promotion == 0 { 0 } else { promotion + 1 };
        let code = MoveCode(from as u16 | (to as u16) << 6 | role << 12);
        code.find(position).or_else(|| {
            let is_castling =
                |mv: &Move| mv.castling().is_some() && (mv.from(), mv.to()) == (from, to);
            position.legal_moves().into_iter().find(|mv| role == 0 && is_castling(mv))
        })
    }

    /// Returns the origin and the target as in the book.
    pub fn squares(self) -> (Square, Square) {
        let square = |bits: u16| Square::new(u32::from(bits & 63));
        (square(self.code >> 6), square(self.code))
    }
}

/// Target, origin, promotion; castling is the king's move to the square of its rook.
pub(crate) fn polyglot_move(code: MoveCode) -> u16 {
    let (from, to, promotion) = (code.0 & 63, code.0 >> 6 & 63, code.0 >> 12);
    // Roles are numbered from pawn = 1, Polyglot's promotions from knight = 1.
    to | from << 6 | promotion.saturating_sub(1) << 12
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(code: u16) -> PolyglotEntry {
        PolyglotEntry { number: 1, code, weight: 1, learn: 0 }
    }

    fn bytes(entries: &[(u64, u16, u16, u32)]) -> Vec<u8> {
        let bytes = entries.iter().flat_map(|(key, code, weight, learn)| {
            let (key, code) = (key.to_be_bytes(), code.to_be_bytes());
            [&key[..], &code, &weight.to_be_bytes(), &learn.to_be_bytes()].concat()
        });
        bytes.collect()
    }

    #[test]
    fn castling_is_read_as_the_king_takes_its_rook_or_moves_two_squares() {
        let cases = [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8a8", "O-O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"),
            // Illegal without the right to castle.
            ("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "e1h1", "-"),
            // Chess960: f1g1 is a move of the king, f1h1 is castling.
            ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1g1", "Kg1"),
            ("4k3/8/8/8/8/8/8/5K1R w K - 0 1", "f1h1", "O-O"),
        ];
        for (fen, squares, san) in cases {
            let position = Position::from_fen(fen).unwrap();
            let [from, to] =
                [&squares[..2], &squares[2..]].map(|name| name.parse::<Square>().unwrap());
            let found = entry((from as u16) << 6 | to as u16).played(&position);
            let found = found.map_or("-".to_owned(), |mv| san::san_of(&position, mv).to_string());
            assert_eq!(found, san, "{fen} {squares}");
        }
    }

    #[test]
    fn damage_is_an_error_that_names_the_entry() {
        let position = Position::default();
        let read = |bytes: &[u8]| polyglot_entries(bytes, &position);
        assert_eq!(read(b"").unwrap(), []);
        let sorted = bytes(&[(1, 0, 1, 0), (2, 0, 1, 0), (2, 0, 1, 0)]);
        assert_eq!(read(&sorted).unwrap(), []);
        let unsorted = bytes(&[(1, 0, 1, 0), (3, 0, 1, 0), (2, 0, 1, 0)]);
        assert!(matches!(read(&unsorted), Err(PolyglotError::Unsorted(3))));
        assert!(matches!(read(&sorted[..47]), Err(PolyglotError::Incomplete(47))));
        let many = bytes(&[(position.key(), 0, 1, 0)]).repeat(MOST_ENTRIES + 1);
        assert!(matches!(read(&many), Err(PolyglotError::TooMany)));
        assert_eq!(read(&many[16..]).unwrap().len(), MOST_ENTRIES);
    }

    proptest! {
        #[test]
        fn every_legal_move_is_read_as_it_was_written(choices in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut position = Position::default();
            for choice in choices {
                let moves = position.legal_moves();
                for mv in &moves {
                    prop_assert_eq!(entry(polyglot_move(mv.code())).played(&position), Some(*mv));
                }
                let Some(mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
                position.play_unchecked(*mv);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..200), start in 0usize..200) {
            let position = Position::default();
            // With the key of the position somewhere.
            for (byte, key) in bytes.iter_mut().skip(start & !15).zip(position.key().to_be_bytes()) {
                *byte = key;
            }
            if let Ok(entries) = polyglot_entries(&bytes[..], &position) {
                prop_assert_eq!(bytes.len() % ENTRY_BYTES, 0);
                for entry in entries {
                    let at = (entry.number as usize - 1) * ENTRY_BYTES;
                    prop_assert_eq!(&bytes[at + 8..at + 10], entry.code.to_be_bytes());
                    entry.played(&position);
                }
            }
        }
    }
}
