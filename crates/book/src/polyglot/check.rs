//! Checks a Polyglot book.

use std::collections::HashSet;
use std::io::Read;

use san::{Position, Square};

use super::{Entries, MOST_ENTRIES, PolyglotEntry, PolyglotError};
use crate::select::fields;

/// A fault of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolyglotFault {
    /// The number of the entry in the book, counted from 1.
    pub number: u64,
    /// The kind of fault.
    pub kind: PolyglotFaultKind,
}

/// The kind of fault of an entry of a Polyglot book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolyglotFaultKind {
    /// The move is illegal in the position that has the key.
    #[error("{from}{to} is illegal in {fields}")]
    Illegal {
        /// The origin of the move.
        from: Square,
        /// Its target.
        to: Square,
        /// The position.
        fields: String,
    },
    /// Another entry has the same position and move.
    #[error("the same position and move as entry {0}")]
    Repeated(u64),
}

/// The contents of a Polyglot book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolyglotCounts {
    /// Number of entries.
    pub entries: u64,
    /// Number of keys.
    pub positions: u64,
    /// Number of keys of positions that moves of the book lead to, from the starting position. The
    /// moves of the others cannot be checked, since a key does not contain its position.
    pub reached: u64,
}

/// Checks a Polyglot book: whether its entries are whole and sorted, no move of a position is
/// repeated, and all moves are legal in the positions that the book leads to. Keeps the book in
/// memory.
///
/// # Errors
///
/// If the book cannot be read, is not a sequence of complete entries, or is not sorted by key.
///
/// ```
/// let entry = |key: u64, code: u16| [&key.to_be_bytes()[..], &code.to_be_bytes(), &[0, 1], &[0; 4]].concat();
/// // e2e4 and e2e5 in the starting position.
/// let book = [entry(0x463b_9618_1691_fc9c, 0x031c), entry(0x463b_9618_1691_fc9c, 0x0324)].concat();
/// let mut faults = Vec::new();
/// let counts = book::check_polyglot(&book[..], &mut |fault| faults.push(fault))?;
/// assert_eq!((counts.entries, counts.positions, counts.reached), (2, 1, 1));
/// assert_eq!((faults.len(), faults[0].number), (1, 2));
/// # Ok::<_, book::PolyglotError>(())
/// ```
pub fn check_polyglot(
    book: impl Read,
    tell: &mut dyn FnMut(PolyglotFault),
) -> Result<PolyglotCounts, PolyglotError> {
    let entries = Entries::new(book).collect::<Result<Vec<_>, _>>()?;
    let mut counts = PolyglotCounts { entries: entries.len() as u64, ..PolyglotCounts::default() };
    let mut faults = Vec::new();
    for of_position in entries.chunk_by(|(a, _), (b, _)| a == b) {
        counts.positions += 1;
        if of_position.len() > MOST_ENTRIES {
            return Err(PolyglotError::TooMany);
        }
        for (i, (_, entry)) in of_position.iter().enumerate() {
            let earlier = of_position[..i].iter().find(|(_, other)| other.code == entry.code);
            faults.extend(earlier.map(|(_, other)| PolyglotFault {
                number: entry.number,
                kind: PolyglotFaultKind::Repeated(other.number),
            }));
        }
    }
    let mut seen = HashSet::new();
    let mut next = vec![Position::default()];
    while let Some(position) = next.pop() {
        let own = moves(&entries, position.key());
        if own.is_empty() || !seen.insert(position.key()) {
            continue;
        }
        counts.reached += 1;
        for (_, entry) in own {
            if let Some(played) = entry.played(&position) {
                let mut after = position.clone();
                after.play_unchecked(played);
                next.push(after);
            } else {
                let ((from, to), fields) = (entry.squares(), fields(&position));
                let kind = PolyglotFaultKind::Illegal { from, to, fields };
                faults.push(PolyglotFault { number: entry.number, kind });
            }
        }
    }
    faults.sort_by_key(|fault| fault.number);
    faults.into_iter().for_each(tell);
    Ok(counts)
}

/// Returns the entries with a key.
fn moves(entries: &[(u64, PolyglotEntry)], key: u64) -> &[(u64, PolyglotEntry)] {
    let start = entries.partition_point(|(other, _)| *other < key);
    let len = entries[start..].partition_point(|(other, _)| *other == key);
    &entries[start..start + len]
}
