//! The name of the opening that counts at a record: that of the last named position before it, or at it.

use pgn::TagPair;

use crate::problem::text_of;
use crate::{Name, NameSource, Names, Plan, Ply};

/// What is known of the opening at a position.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening<'n> {
    pub(crate) eco: Option<&'n str>,
    pub(crate) nic: Option<&'n str>,
    pub(crate) name: Option<&'n Name>,
}

impl<'n> Opening<'n> {
    fn update(&mut self, name: &'n Name) {
        self.eco = name.eco().or(self.eco);
        self.nic = name.nic().or(self.nic);
        if name.opening().is_some() {
            self.name = Some(name);
        }
    }
}

/// Follows a game and its variations.
#[derive(Debug)]
pub(crate) struct Naming<'n> {
    table: Option<&'n dyn Names>,
    /// No position behind so many plies has a name of its own.
    deepest: u32,
    /// The opening after each ply of the line being played, as far as positions have names. A variation leaves from a
    /// position that was there before it, so its plies overwrite those behind that.
    plies: Vec<Opening<'n>>,
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
            plies: Vec::new(),
            reads_tags: is_wanted && matches!(plan.names, NameSource::Tags),
            tags: Name::default(),
        }
    }

    /// A game begins.
    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.plies.clear();
        if self.reads_tags {
            self.tags = name_of_tags(tags);
        }
    }

    /// From which ply on no position of the main line has a name of its own.
    pub(crate) fn quiet_from(&self) -> u32 {
        self.table.map_or(0, |_| self.deepest.saturating_add(1))
    }

    /// The next position; `true` if it has a name.
    pub(crate) fn follow(&mut self, ply: &Ply<'_>) -> bool {
        let Some(table) = self.table.filter(|_| ply.number <= self.deepest) else { return false };
        self.plies.truncate(ply.number as usize);
        let mut opening = self.plies.last().copied().unwrap_or_default();
        let name = table.name(ply.position, ply.number);
        if let Some(name) = name {
            opening.update(name);
        }
        self.plies.push(opening);
        name.is_some()
    }

    /// The opening at the last position.
    pub(crate) fn opening(&self) -> Opening<'_> {
        let mut opening = self.plies.last().copied().unwrap_or_default();
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
