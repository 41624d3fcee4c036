//! Who names positions: a small trait, which the crate of openings implements.

use std::fmt;

use san::Position;

use crate::MoveTree;
use crate::string::legal_string;

/// The most parts that a name has: `v0` to `v9` (EPD 5.26).
pub const MOST_NAME_PARTS: usize = 10;

/// Knows the names of positions.
///
/// Of a game's named positions each counts until the next one: what stands at a ply is the latest code and the latest name
/// up to there. What a [`Name`] leaves out, the NIC code say, stays as it was.
pub trait Names: fmt::Debug + Send + Sync {
    /// How many plies of a game need be asked about: no position behind so many has a name.
    fn deepest(&self) -> u32;

    /// Whether any position has a NIC code: else there is no `nic` in any record.
    fn has_nic(&self) -> bool;

    /// The name of the position after `ply` plies of a game, if it has one. Transpositions count: only the position is looked
    /// at, except that nothing is known behind [`Names::deepest`].
    fn name(&self, position: &Position, ply: u32) -> Option<&Name>;

    /// The moves that lead to named positions, and the names that it speaks of, where they are known. Along the moves nobody is
    /// asked for names: the tree must say what [`Names::name`] says.
    fn tree(&self) -> Option<(&MoveTree, &[Name])> {
        None
    }
}

/// What is known of a position: an ECO code, a NIC code, the name of an opening; one of them at least.
///
/// All texts are legal string operands (EPD 4.1).
///
/// ```
/// use emit::Name;
///
/// let name = Name::new(Some("B90"), None, "Sicilian Defense: Najdorf Variation, English Attack");
/// assert_eq!(name.eco(), Some("B90"));
/// assert_eq!(name.parts().collect::<Vec<_>>(), ["Sicilian Defense", "Najdorf Variation", "English Attack"]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Name {
    /// The name of the opening, then the operations of the codes, then those of the parts, as records have them: in one piece,
    /// for a name that is found is read from memory that nobody has touched lately.
    text: Box<str>,
    opening: u16,
    /// Where the operation of each code ends.
    eco: u16,
    nic: u16,
    count: u8,
    /// Where the operation of each part ends.
    parts: [u16; MOST_NAME_PARTS],
}

impl Name {
    /// A name, split into its parts at `:` and `,`; what is more than ten parts stays in the tenth. A code or an opening without
    /// a printing character is none.
    pub fn new(eco: Option<&str>, nic: Option<&str>, opening: &str) -> Self {
        let opening = legal_string(opening);
        // A legal string has less than 256 bytes: all ends fit.
        let mut text = String::with_capacity(2 * opening.len() + 64);
        text += &opening;
        let mut name = Name { opening: end(&text), ..Name::default() };
        add_operation(&mut text, "eco", &legal_string(eco.unwrap_or_default()));
        name.eco = end(&text);
        add_operation(&mut text, "nic", &legal_string(nic.unwrap_or_default()));
        name.nic = end(&text);
        let mut rest = &*opening;
        while !rest.is_empty() {
            let rank = usize::from(name.count);
            let is_last = rank == MOST_NAME_PARTS - 1;
            let ends = |byte: u8| matches!(byte, b':' | b',') && !is_last;
            let len = rest.bytes().position(ends).unwrap_or(rest.len());
            if add_operation(&mut text, RANKS[rank], rest[..len].trim()) {
                name.parts[rank] = end(&text);
                name.count += 1;
            }
            rest = rest.get(len + 1..).unwrap_or_default();
        }
        name.text = text.into_boxed_str();
        name
    }

    /// ` eco "B90";`, or nothing.
    #[inline]
    pub(crate) fn eco_operation(&self) -> &str {
        self.piece(self.opening, self.eco)
    }

    /// ` nic "SI 8.1";`, or nothing.
    #[inline]
    pub(crate) fn nic_operation(&self) -> &str {
        self.piece(self.eco, self.nic)
    }

    /// ` v1 "Najdorf Variation"; v2 "English Attack";`: the operations of the parts from a rank on.
    #[inline]
    pub(crate) fn part_operations(&self, from: usize) -> &str {
        let count = usize::from(self.count);
        let from = from.min(count);
        self.piece(self.before_part(from), self.before_part(count))
    }

    /// How many of the parts, from the first on, are those of `other`.
    pub(crate) fn parts_shared_with(&self, other: &Name) -> usize {
        let both = usize::from(self.count.min(other.count));
        let differs = |rank: &usize| self.part_operation(*rank) != other.part_operation(*rank);
        (0..both).find(differs).unwrap_or(both)
    }

    /// The operation of one of the parts.
    #[inline]
    fn part_operation(&self, rank: usize) -> &str {
        self.piece(self.before_part(rank), self.parts[rank])
    }

    /// Where the operation of a part begins.
    #[inline]
    fn before_part(&self, rank: usize) -> u16 {
        if rank == 0 { self.nic } else { self.parts[rank - 1] }
    }

    /// What stands between two places.
    #[inline]
    fn piece(&self, start: u16, end: u16) -> &str {
        &self.text[usize::from(start)..usize::from(end)]
    }

    /// The code of the *Encyclopaedia of Chess Openings* (EPD 5.12).
    #[inline]
    pub fn eco(&self) -> Option<&str> {
        operand(self.eco_operation(), "eco")
    }

    /// The code of the *New In Chess* yearbooks (EPD 5.16).
    #[inline]
    pub fn nic(&self) -> Option<&str> {
        operand(self.nic_operation(), "nic")
    }

    /// The whole name of the opening.
    #[inline]
    pub fn opening(&self) -> Option<&str> {
        (self.opening > 0).then(|| &self.text[..usize::from(self.opening)])
    }

    /// The parts of the name, from the opening to the finest variation: the operands of `v0`, `v1`, … (EPD 5.26). There are at
    /// most [`MOST_NAME_PARTS`].
    pub fn parts(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..usize::from(self.count)).map(|rank| self.part(rank).unwrap_or_default())
    }

    /// How many parts there are.
    #[inline]
    pub(crate) fn part_count(&self) -> usize {
        usize::from(self.count)
    }

    /// The part with a rank: the operand of `vN`.
    #[inline]
    pub fn part(&self, rank: usize) -> Option<&str> {
        if rank >= usize::from(self.count) {
            return None;
        }
        operand(self.part_operation(rank), "v0")
    }

    /// Takes from `other` what it has: its codes, its name.
    pub fn update(&mut self, other: &Name) {
        let eco = other.eco().or(self.eco());
        let nic = other.nic().or(self.nic());
        let opening = other.opening().or(self.opening()).unwrap_or_default();
        *self = Name::new(eco, nic, opening);
    }
}

/// The names of the opcodes of the parts.
const RANKS: [&str; MOST_NAME_PARTS] = ["v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"];

fn end(text: &str) -> u16 {
    u16::try_from(text.len()).expect("a legal string is short")
}

/// Adds an operation as a record has it, unless there is nothing to say; `true` if there is.
fn add_operation(text: &mut String, opcode: &str, operand: &str) -> bool {
    if operand.is_empty() {
        return false;
    }
    for piece in [" ", opcode, " \"", operand, "\";"] {
        *text += piece;
    }
    true
}

/// The operand of such an operation.
#[inline]
fn operand<'t>(operation: &'t str, opcode: &str) -> Option<&'t str> {
    operation.get(opcode.len() + 3..operation.len().saturating_sub(2))
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Name({self})")
    }
}

impl fmt::Display for Name {
    /// Codes and name, as far as there are any: `B90 Sicilian Defense: Najdorf Variation`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = [self.eco(), self.nic(), self.opening()].into_iter().flatten();
        f.write_str(&known.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::is_legal_string;

    #[track_caller]
    fn assert_parts(opening: &str, expected: &[&str]) {
        assert_eq!(Name::new(None, None, opening).parts().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn names_are_split_at_colons_and_commas() {
        assert_parts("Ruy Lopez", &["Ruy Lopez"]);
        assert_parts("Ruy Lopez: Closed, Chigorin", &["Ruy Lopez", "Closed", "Chigorin"]);
        assert_parts(" a :: b,, ", &["a", "b"]);
        assert_parts("a,b", &["a", "b"]);
        assert_parts(":", &[]);
        assert_parts("", &[]);
        assert_parts("Göring, \"x\"", &["Göring", "'x'"]);
    }

    #[test]
    fn more_than_ten_parts_stay_together_in_the_tenth() {
        assert_parts(
            "a,b,c,d,e,f,g,h,i,j,k",
            &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j,k"],
        );
    }

    #[test]
    fn an_empty_code_is_none() {
        let name = Name::new(Some(" "), Some(""), " ");
        assert_eq!((name.eco(), name.nic(), name.opening()), (None, None, None));
    }

    #[test]
    fn what_a_name_leaves_out_stays_as_it_was() {
        let mut name = Name::new(Some("B90"), None, "Sicilian");
        name.update(&Name::new(None, Some("SI 1"), ""));
        assert_eq!(name, Name::new(Some("B90"), Some("SI 1"), "Sicilian"));
        name.update(&Name::new(Some("B91"), None, "Sicilian: g3"));
        assert_eq!(name.to_string(), "B91 SI 1 Sicilian: g3");
    }

    proptest! {
        #[test]
        fn all_parts_of_any_text_are_legal_strings(opening in ".{0,300}|[a:, é]{0,400}") {
            let name = Name::new(Some(&opening), None, &opening);
            for part in name.parts().chain(name.eco()) {
                prop_assert!(is_legal_string(part) && !part.is_empty() && part.trim() == part);
            }
        }
    }
}
