//! The name of the opening that counts at a record: that of the last named position before it, or at it.

use pgn::TagPair;

use crate::problem::text_of;
use crate::{Branch, Name, NameSource, Names, Ply};

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
    /// The opening of the main line, then those of the variations that are being played.
    lines: Vec<Opening<'n>>,
    /// Where the variation of the last position left the others.
    branches: Vec<Branch>,
    /// The name that the tags of the game give.
    tags: Name,
}

impl<'n> Naming<'n> {
    pub(crate) fn new(source: &'n NameSource) -> Self {
        let table = match source {
            NameSource::Table(names) => Some(&**names),
            _ => None,
        };
        Naming {
            table,
            deepest: table.map_or(0, Names::deepest),
            lines: vec![Opening::default()],
            branches: Vec::new(),
            tags: Name::default(),
        }
    }

    /// A game begins.
    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>], source: &NameSource) {
        self.lines.clear();
        self.lines.push(Opening::default());
        self.branches.clear();
        if matches!(source, NameSource::Tags) {
            self.tags = name_of_tags(tags);
        }
    }

    /// From which ply on no position of the main line has a name of its own.
    pub(crate) fn quiet_from(&self) -> u32 {
        self.table.map_or(0, |_| self.deepest.saturating_add(1))
    }

    /// The next position; `true` if it has a name.
    #[inline(always)]
    pub(crate) fn follow(&mut self, ply: &Ply<'_>) -> bool {
        match self.table {
            Some(table) if ply.number <= self.deepest || self.is_in_variation(ply) => {
                self.look_up(table, ply)
            }
            _ => false,
        }
    }

    #[inline(always)]
    fn is_in_variation(&self, ply: &Ply<'_>) -> bool {
        !ply.branches.is_empty() || !self.branches.is_empty()
    }

    #[inline(never)]
    fn look_up(&mut self, table: &'n dyn Names, ply: &Ply<'_>) -> bool {
        if self.is_in_variation(ply) {
            self.find_line(ply);
        }
        if ply.number > self.deepest {
            return false;
        }
        let Some(name) = table.name(ply.position, ply.number) else { return false };
        self.lines[ply.branches.len()].update(name);
        true
    }

    /// A variation begins with the opening of the line that it leaves, at the position where it leaves it.
    fn find_line(&mut self, ply: &Ply<'_>) {
        let Ply { number, branches, .. } = *ply;
        let same = self.branches.iter().zip(branches).take_while(|(a, b)| a == b).count();
        self.lines.truncate(same + 1);
        if branches.last().is_some_and(|branch| number == branch.ply + 1) {
            self.lines.truncate(branches.len());
        }
        let outer = *self.lines.last().expect("the main line is always there");
        self.lines.resize(branches.len() + 1, outer);
        self.branches.clear();
        self.branches.extend_from_slice(branches);
    }

    /// The opening at the last position.
    pub(crate) fn opening(&self, depth: usize) -> Opening<'_> {
        if self.table.is_none() {
            let mut opening = Opening::default();
            opening.update(&self.tags);
            return opening;
        }
        self.lines[depth]
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
