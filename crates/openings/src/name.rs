//! The name of a position, with the operations that write it; and the opening at a position, with
//! its difference from that of an earlier one.

use std::fmt;

use epd::{OperationWriter, legal_string};

/// Maximum number of parts of a name: `v0` to `v9` (EPD 5.26).
pub const MOST_NAME_PARTS: usize = 10;

/// The name of a position: an ECO code, a NIC code, or an opening name; at least one of them.
///
/// All texts are legal string operands (EPD 4.1).
///
/// ```
/// use openings::Name;
///
/// let name = Name::new(Some("B90"), None, "Sicilian Defense: Najdorf Variation, English Attack");
/// assert_eq!(name.eco(), Some("B90"));
/// assert_eq!(name.parts().collect::<Vec<_>>(), ["Sicilian Defense", "Najdorf Variation", "English Attack"]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Name {
    /// The opening, then operations as in records. One allocation, as it is rarely in the cache.
    text: Box<str>,
    opening: u16,
    /// End of the operation of each code.
    eco: u16,
    nic: u16,
    count: u8,
    /// End of the operation of each part.
    parts: [u16; MOST_NAME_PARTS],
}

impl Name {
    /// Makes a name and splits it into parts at `:` and `,`; anything after the ninth part is in
    /// the tenth. A code or opening without a printing character counts as missing.
    pub fn new(eco: Option<&str>, nic: Option<&str>, opening: &str) -> Self {
        let opening = legal_string(opening);
        // A legal string has fewer than 256 bytes, so all offsets fit.
        let mut text = Vec::with_capacity(2 * opening.len() + 64);
        text.extend_from_slice(opening.as_bytes());
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
            if add_operation(&mut text, RANKS[rank], rest[..len].trim_ascii()) {
                name.parts[rank] = end(&text);
                name.count += 1;
            }
            rest = rest.get(len + 1..).unwrap_or_default();
        }
        // A copy of the right size costs less than shrinking the buffer.
        name.text = str::from_utf8(&text).expect("only text was added").into();
        name
    }

    /// Returns ` eco "B90";`, or an empty string.
    #[inline]
    pub fn eco_operation(&self) -> &str {
        self.piece(self.opening, self.eco)
    }

    /// Returns ` nic "SI 8.1";`, or an empty string.
    #[inline]
    pub fn nic_operation(&self) -> &str {
        self.piece(self.eco, self.nic)
    }

    /// Returns the operations of the parts from rank `from` on, such as ` v1 "Najdorf Variation";`.
    #[inline]
    pub fn part_operations(&self, from: usize) -> &str {
        let count = usize::from(self.count);
        let from = from.min(count);
        self.piece(self.before_part(from), self.before_part(count))
    }

    /// Returns the number of leading parts shared with `other`.
    fn parts_shared_with(&self, other: &Name) -> u8 {
        let both = self.count.min(other.count);
        let differs = |rank: &u8| {
            let rank = usize::from(*rank);
            self.part_operation(rank) != other.part_operation(rank)
        };
        (0..both).find(differs).unwrap_or(both)
    }

    #[inline]
    fn part_operation(&self, rank: usize) -> &str {
        self.piece(self.before_part(rank), self.parts[rank])
    }

    #[inline]
    fn before_part(&self, rank: usize) -> u16 {
        if rank == 0 { self.nic } else { self.parts[rank - 1] }
    }

    #[inline]
    fn piece(&self, start: u16, end: u16) -> &str {
        &self.text[usize::from(start)..usize::from(end)]
    }

    /// Returns the code of the *Encyclopaedia of Chess Openings* (EPD 5.12).
    #[inline]
    pub fn eco(&self) -> Option<&str> {
        operand(self.eco_operation(), "eco")
    }

    /// Returns the code of the *New In Chess* yearbooks (EPD 5.16).
    #[inline]
    pub fn nic(&self) -> Option<&str> {
        operand(self.nic_operation(), "nic")
    }

    /// Returns the full name of the opening.
    #[inline]
    pub fn opening(&self) -> Option<&str> {
        (self.opening > 0).then(|| &self.text[..usize::from(self.opening)])
    }

    /// Returns the operands of `v0`, `v1`, … (EPD 5.26), at most [`MOST_NAME_PARTS`].
    pub fn parts(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..usize::from(self.count)).map(|rank| self.part(rank).unwrap_or_default())
    }

    /// Returns the part with a rank: the operand of `vN`.
    #[inline]
    pub fn part(&self, rank: usize) -> Option<&str> {
        if rank >= usize::from(self.count) {
            return None;
        }
        operand(self.part_operation(rank), "v0")
    }

    /// Overwrites codes and name with those that `other` has.
    pub fn update(&mut self, other: &Name) {
        let eco = other.eco().or(self.eco());
        let nic = other.nic().or(self.nic());
        let opening = other.opening().or(self.opening()).unwrap_or_default();
        *self = Name::new(eco, nic, opening);
    }
}

/// Opcodes of the parts.
const RANKS: [&str; MOST_NAME_PARTS] = ["v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"];

fn end(text: &[u8]) -> u16 {
    u16::try_from(text.len()).expect("a legal string is short")
}

/// Appends the operation unless the operand is empty; returns whether it did.
fn add_operation(text: &mut Vec<u8>, opcode: &str, operand: &str) -> bool {
    if operand.is_empty() {
        return false;
    }
    OperationWriter::new(opcode, text).string(operand).end();
    true
}

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
    /// Writes the codes and the name that are present: `B90 Sicilian Defense: Najdorf Variation`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = [self.eco(), self.nic(), self.opening()].into_iter().flatten();
        f.write_str(&known.collect::<Vec<_>>().join(" "))
    }
}

/// The opening at a position: the last named positions with an ECO code, a NIC code and a name.
///
/// ```
/// use openings::{Openings, OpeningTracker};
/// use san::Position;
///
/// let mut tracker = OpeningTracker::of_table(Some(Openings::embedded()), false);
/// let mut position = Position::default();
/// tracker.follow(&position, None, 0);
/// position.play_unchecked(san::resolve(&position, b"e4")?);
/// tracker.follow(&position, None, 1);
/// assert_eq!(tracker.opening().eco(), Some("B00"));
/// # Ok::<_, san::SanError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening<'n> {
    eco: Option<&'n Name>,
    nic: Option<&'n Name>,
    name: Option<&'n Name>,
}

impl<'n> Opening<'n> {
    pub(crate) fn of(indices: [Option<u32>; 3], names: &'n [Name]) -> Self {
        let [eco, nic, name] = indices.map(|index| index.map(|index| &names[index as usize]));
        Opening { eco, nic, name }
    }

    /// Overwrites codes and name with those that the name of a position has.
    #[inline]
    pub(crate) fn update(&mut self, name: &'n Name) {
        // Most names have everything except the NIC code.
        if !name.eco_operation().is_empty() {
            self.eco = Some(name);
        }
        if !name.nic_operation().is_empty() {
            self.nic = Some(name);
        }
        if name.opening().is_some() {
            self.name = Some(name);
        }
    }

    /// Returns the ECO code.
    pub fn eco(&self) -> Option<&'n str> {
        self.eco?.eco()
    }

    /// Returns the NIC code.
    pub fn nic(&self) -> Option<&'n str> {
        self.nic?.nic()
    }

    /// Returns the last name that has an opening.
    pub fn name(&self) -> Option<&'n Name> {
        self.name
    }

    /// Returns whether the opening is unchanged since `other`. Compares identity, not text.
    pub fn is(&self, other: &Opening<'_>) -> bool {
        let same = |a: Option<&Name>, b: Option<&Name>| {
            a.map(std::ptr::from_ref) == b.map(std::ptr::from_ref)
        };
        same(self.eco, other.eco) && same(self.nic, other.nic) && same(self.name, other.name)
    }

    /// Returns ` eco "B90";`, or an empty string.
    pub fn eco_operation(&self) -> &'n str {
        self.eco.map_or("", Name::eco_operation)
    }

    /// Returns ` nic "SI 8.1";`, or an empty string.
    pub fn nic_operation(&self) -> &'n str {
        self.nic.map_or("", Name::nic_operation)
    }
}

/// The operations that lead from one opening to another; none is cleared implicitly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningChange {
    /// Whether the ECO code differs.
    pub eco: bool,
    /// Whether the NIC code differs.
    pub nic: bool,
    /// Whether the parts of the name differ.
    pub parts: bool,
    /// Number of leading parts that are equal.
    pub shared: u8,
    /// Whether `held` has further parts, which must be cleared.
    pub ends: bool,
}

impl OpeningChange {
    /// Compares the opening that a reader holds with the current one.
    pub fn between(held: &Opening<'_>, now: &Opening<'_>) -> Self {
        let changes = |held: &str, now: &str| !now.is_empty() && held != now;
        let eco = changes(held.eco_operation(), now.eco_operation());
        let nic = changes(held.nic_operation(), now.nic_operation());
        let Some(name) = now.name else {
            return OpeningChange { eco, nic, ..OpeningChange::default() };
        };
        let (shared, held) =
            held.name.map_or((0, 0), |held| (name.parts_shared_with(held), held.count));
        let ends = shared == name.count && shared < held;
        OpeningChange { eco, nic, parts: ends || shared < name.count, shared, ends }
    }

    /// Returns the operations of the changed parts, and the one that clears those that remain.
    pub fn parts<'n>(self, now: &Opening<'n>) -> [&'n str; 2] {
        let Some(name) = now.name.filter(|_| self.parts) else { return ["", ""] };
        let end = if self.ends { END_OF_PARTS[usize::from(self.shared)] } else { "" };
        [name.part_operations(self.shared.into()), end]
    }
}

/// Operations without operand, which clear a part and those of higher rank.
const END_OF_PARTS: [&str; MOST_NAME_PARTS] =
    [" v0;", " v1;", " v2;", " v3;", " v4;", " v5;", " v6;", " v7;", " v8;", " v9;"];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use epd::is_legal_string;

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
