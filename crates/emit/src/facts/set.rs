//! Sets of facts.

use super::Fact;
use super::table::{
    COUNT, FROM_COMMENTS, FROM_NAMES, FROM_RATINGS, FROM_TIME_TAGS, OF_PLAYER, facts_with,
};

/// A set of facts, such as those used by a filter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FactSet(u128);

const _: () = assert!(COUNT <= u128::BITS as usize, "the set has a bit for each fact");

impl FactSet {
    /// Adds a fact.
    pub fn insert(&mut self, fact: Fact) {
        self.0 |= 1 << fact as u8;
    }

    /// Returns whether the set contains a fact.
    pub fn has(self, fact: Fact) -> bool {
        self.0 & 1 << fact as u8 != 0
    }

    /// Returns the union of two sets.
    #[must_use]
    pub fn union(self, other: FactSet) -> FactSet {
        FactSet(self.0 | other.0)
    }

    /// Returns whether any of the facts is read from machine-written parts of comments.
    pub fn needs_comments(self) -> bool {
        self.0 & const { facts_with(FROM_COMMENTS) } != 0
    }

    pub(crate) fn needs_ratings(self) -> bool {
        self.0 & const { facts_with(FROM_RATINGS) } != 0
    }

    pub(crate) fn needs_time_tags(self) -> bool {
        self.0 & const { facts_with(FROM_TIME_TAGS) } != 0
    }

    pub(crate) fn needs_result(self) -> bool {
        self.has(Fact::Result) || self.has(Fact::Points) || self.has(Fact::Score)
    }

    pub(crate) fn names_players(self) -> bool {
        self.0 & const { facts_with(OF_PLAYER) } != 0
    }

    /// Returns whether any of the facts depends on the name of the opening.
    pub fn needs_names(self) -> bool {
        self.0 & const { facts_with(FROM_NAMES) } != 0
    }
}

impl FromIterator<Fact> for FactSet {
    fn from_iter<T: IntoIterator<Item = Fact>>(facts: T) -> Self {
        let mut set = FactSet::default();
        facts.into_iter().for_each(|fact| set.insert(fact));
        set
    }
}
