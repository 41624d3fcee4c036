//! Who names positions: a small trait, which the crate of openings implements.

use std::fmt;

use san::Position;

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
    /// The opening, then the codes, in one piece: a name that is found is read from memory that nobody has touched lately.
    text: Box<str>,
    opening: u8,
    eco: u8,
    nic: u8,
    count: u8,
    /// Where each part begins and ends.
    parts: [(u8, u8); MOST_NAME_PARTS],
}

impl Name {
    /// A name, split into its parts at `:` and `,`; what is more than ten parts stays in the tenth. A code or an opening without
    /// a printing character is none.
    pub fn new(eco: Option<&str>, nic: Option<&str>, opening: &str) -> Self {
        let opening = legal_string(opening);
        let eco = legal_string(eco.unwrap_or_default());
        let nic = legal_string(nic.unwrap_or_default());
        let mut text = String::with_capacity(opening.len() + eco.len() + nic.len());
        text += &opening;
        text += &eco;
        text += &nic;
        // A legal string has less than 256 bytes.
        let [opening_len, eco, nic] = [opening.len(), eco.len(), nic.len()].map(|len| len as u8);
        let text = text.into_boxed_str();
        let mut name = Name { text, opening: opening_len, eco, nic, ..Name::default() };
        let mut start = 0;
        while start < opening.len() {
            let rest = &opening[start..];
            let is_last = usize::from(name.count) == MOST_NAME_PARTS - 1;
            let ends = |byte: &u8| matches!(byte, b':' | b',') && !is_last;
            let len = rest.bytes().position(|byte| ends(&byte)).unwrap_or(rest.len());
            name.add_part(start, &rest[..len]);
            start += len + 1;
        }
        name
    }

    fn add_part(&mut self, start: usize, text: &str) {
        let part = text.trim();
        if part.is_empty() {
            return;
        }
        let begin = start + (text.len() - text.trim_start().len());
        self.parts[usize::from(self.count)] = (begin as u8, (begin + part.len()) as u8);
        self.count += 1;
    }

    /// The text of so many bytes behind the first `start`, if there is any.
    #[inline]
    fn piece(&self, start: usize, len: u8) -> Option<&str> {
        (len > 0).then(|| &self.text[start..start + usize::from(len)])
    }

    /// The code of the *Encyclopaedia of Chess Openings* (EPD 5.12).
    #[inline]
    pub fn eco(&self) -> Option<&str> {
        self.piece(usize::from(self.opening), self.eco)
    }

    /// The code of the *New In Chess* yearbooks (EPD 5.16).
    #[inline]
    pub fn nic(&self) -> Option<&str> {
        self.piece(usize::from(self.opening) + usize::from(self.eco), self.nic)
    }

    /// The whole name of the opening.
    #[inline]
    pub fn opening(&self) -> Option<&str> {
        self.piece(0, self.opening)
    }

    /// The parts of the name, from the opening to the finest variation: the operands of `v0`, `v1`, … (EPD 5.26). There are at
    /// most [`MOST_NAME_PARTS`].
    pub fn parts(&self) -> impl ExactSizeIterator<Item = &str> {
        let parts = &self.parts[..usize::from(self.count)];
        parts.iter().map(|(start, end)| &self.text[usize::from(*start)..usize::from(*end)])
    }

    /// The part with a rank: the operand of `vN`.
    #[inline]
    pub fn part(&self, rank: usize) -> Option<&str> {
        let (start, end) = *self.parts[..usize::from(self.count)].get(rank)?;
        Some(&self.text[usize::from(start)..usize::from(end)])
    }

    /// Takes from `other` what it has: its codes, its name.
    pub fn update(&mut self, other: &Name) {
        let eco = other.eco().or(self.eco());
        let nic = other.nic().or(self.nic());
        let opening = other.opening().or(self.opening()).unwrap_or_default();
        *self = Name::new(eco, nic, opening);
    }
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
