//! The name of the opening that counts at a record: that of the last named position before it, or at it.

use pgn::TagPair;

use crate::problem::text_of;
use crate::{Name, NameSource, Names, Plan, Ply};

/// What is known of the opening at a position: of each code and of the name, which named position has the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening<'n> {
    eco: Option<&'n Name>,
    nic: Option<&'n Name>,
    pub(crate) name: Option<&'n Name>,
}

impl<'n> Opening<'n> {
    fn update(&mut self, name: &'n Name) {
        // Most names have all but the NIC code.
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

    pub(crate) fn eco(&self) -> Option<&'n str> {
        self.eco?.eco()
    }

    pub(crate) fn nic(&self) -> Option<&'n str> {
        self.nic?.nic()
    }

    /// Whether nothing changed since `other`; it is not looked at what names say.
    pub(crate) fn is(&self, other: &Opening<'_>) -> bool {
        let same = |a: Option<&Name>, b: Option<&Name>| {
            a.map(std::ptr::from_ref) == b.map(std::ptr::from_ref)
        };
        same(self.eco, other.eco) && same(self.nic, other.nic) && same(self.name, other.name)
    }

    /// The operation that sets `eco`, if it must be set for a program that has `held`; what is known once stays known.
    pub(crate) fn eco_operation(&self, held: &Opening<'_>) -> &'n str {
        changed(self.eco.map_or("", Name::eco_operation), held.eco.map_or("", Name::eco_operation))
    }

    /// The same of `nic`.
    pub(crate) fn nic_operation(&self, held: &Opening<'_>) -> &'n str {
        changed(self.nic.map_or("", Name::nic_operation), held.nic.map_or("", Name::nic_operation))
    }
}

fn changed<'n>(operation: &'n str, held: &str) -> &'n str {
    if operation == held { "" } else { operation }
}

/// Follows a game and its variations.
#[derive(Debug)]
pub(crate) struct Naming<'n> {
    table: Option<&'n dyn Names>,
    /// No position behind so many plies has a name of its own.
    deepest: u32,
    /// The opening at the last position.
    opening: Opening<'n>,
    /// The opening after each ply of the line being played, as far as positions have names; only if variations are played. One
    /// leaves from a position that was there before it, so its plies overwrite those behind that.
    plies: Option<Vec<Opening<'n>>>,
    reads_tags: bool,
    /// The name that the tags of the game give.
    tags: Name,
}

impl<'n> Naming<'n> {
    pub(crate) fn new(plan: &'n Plan) -> Self {
        let is_wanted = plan.has_names();
        let table = match &plan.names {
            NameSource::Table(names) if is_wanted => Some(&**names),
            _ => None,
        };
        Naming {
            table,
            deepest: table.map_or(0, Names::deepest),
            opening: Opening::default(),
            plies: plan.variations.then(Vec::new),
            reads_tags: is_wanted && matches!(plan.names, NameSource::Tags),
            tags: Name::default(),
        }
    }

    /// A game begins.
    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.opening = Opening::default();
        self.plies.iter_mut().for_each(Vec::clear);
        if self.reads_tags {
            self.tags = name_of_tags(tags);
        }
    }

    /// From which ply on no position of the main line has a name of its own.
    pub(crate) fn quiet_from(&self) -> u32 {
        self.table.map_or(0, |_| self.deepest.saturating_add(1))
    }

    /// The next position; `true` if the opening may be another one than at the position before.
    #[inline]
    pub(crate) fn follow(&mut self, ply: &Ply<'_>) -> bool {
        let Some(table) = self.table.filter(|_| ply.number <= self.deepest) else { return false };
        if let Some(plies) = &mut self.plies {
            plies.truncate(ply.number as usize);
            self.opening = plies.last().copied().unwrap_or_default();
        }
        let name = table.name(ply.position, ply.number);
        if let Some(name) = name {
            self.opening.update(name);
        }
        if let Some(plies) = &mut self.plies {
            plies.push(self.opening);
        }
        name.is_some()
    }

    /// The opening at the last position, if a table names it.
    #[inline]
    pub(crate) fn named(&self) -> Opening<'n> {
        self.opening
    }

    /// The opening at the last position.
    pub(crate) fn opening(&self) -> Opening<'_> {
        let mut opening = self.opening;
        if self.table.is_none() {
            opening.update(&self.tags);
        }
        opening
    }
}

fn name_of_tags(tags: &[TagPair<'_>]) -> Name {
    let value = |name: &[u8]| {
        let tag = tags.iter().find(|tag| tag.name() == name)?;
        Some(text_of(&tag.value())).filter(|text| !matches!(text.trim(), "" | "?" | "-"))
    };
    let names = [value(b"Opening"), value(b"Variation"), value(b"SubVariation")];
    let names: Vec<String> = names.into_iter().flatten().collect();
    Name::new(value(b"ECO").as_deref(), value(b"NIC").as_deref(), &names.join(": "))
}

#[cfg(test)]
mod tests;
