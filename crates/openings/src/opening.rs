//! The opening at a position, and its difference from that of an earlier one.

use crate::name::{MOST_NAME_PARTS, Name};

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

/// The register operations that lead from one opening to another; registers are never cleared
/// implicitly.
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
            held.name.map_or((0, 0), |held| (name.parts_shared_with(held), held.part_count()));
        let ends = shared == name.part_count() && shared < held;
        let parts = ends || shared < name.part_count();
        OpeningChange { eco, nic, parts, shared: shared as u8, ends }
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
