//! The opening at each record: that of the last named position up to and including it.

use pgn::{TagPair, known_value};
use san::Position;

use crate::move_tree::{MoveTree, Node};
use crate::names::{MOST_NAME_PARTS, Name, Names};
use crate::plan::{NameSource, Plan};
use crate::ply::Ply;

/// The opening at a position: the last named positions with an ECO code, a NIC code and a name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening<'n> {
    eco: Option<&'n Name>,
    nic: Option<&'n Name>,
    pub(crate) name: Option<&'n Name>,
}

impl<'n> Opening<'n> {
    /// Makes an opening from indices into `names`.
    pub(crate) fn of(indices: [Option<u32>; 3], names: &'n [Name]) -> Self {
        let [eco, nic, name] = indices.map(|index| index.map(|index| &names[index as usize]));
        Opening { eco, nic, name }
    }

    fn update(&mut self, name: &'n Name) {
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

    pub(crate) fn eco(&self) -> Option<&'n str> {
        self.eco?.eco()
    }

    pub(crate) fn nic(&self) -> Option<&'n str> {
        self.nic?.nic()
    }

    /// Returns whether the opening is unchanged since `other`. Compares identity, not text.
    pub(crate) fn is(&self, other: &Opening<'_>) -> bool {
        let same = |a: Option<&Name>, b: Option<&Name>| {
            a.map(std::ptr::from_ref) == b.map(std::ptr::from_ref)
        };
        same(self.eco, other.eco) && same(self.nic, other.nic) && same(self.name, other.name)
    }

    /// Returns ` eco "B90";`, or an empty string.
    pub(crate) fn eco_operation(&self) -> &'n str {
        self.eco.map_or("", Name::eco_operation)
    }

    /// Returns ` nic "SI 8.1";`, or an empty string.
    pub(crate) fn nic_operation(&self) -> &'n str {
        self.nic.map_or("", Name::nic_operation)
    }
}

/// The register operations that lead from one opening to another; registers are never cleared
/// implicitly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) eco: bool,
    pub(crate) nic: bool,
    /// Whether the parts of the name differ.
    pub(crate) parts: bool,
    /// Number of leading parts that are equal.
    pub(crate) shared: u8,
    /// Whether `held` has further parts, which must be cleared.
    pub(crate) ends: bool,
}

impl Change {
    pub(crate) fn between(held: &Opening<'_>, now: &Opening<'_>) -> Self {
        let changes = |held: &str, now: &str| !now.is_empty() && held != now;
        let eco = changes(held.eco_operation(), now.eco_operation());
        let nic = changes(held.nic_operation(), now.nic_operation());
        let Some(name) = now.name else { return Change { eco, nic, ..Change::default() } };
        let (shared, held) =
            held.name.map_or((0, 0), |held| (name.parts_shared_with(held), held.part_count()));
        let ends = shared == name.part_count() && shared < held;
        let parts = ends || shared < name.part_count();
        Change { eco, nic, parts, shared: shared as u8, ends }
    }

    /// Returns the operations of the changed parts, and the one that clears those that remain.
    pub(crate) fn parts<'n>(self, now: &Opening<'n>) -> [&'n str; 2] {
        let Some(name) = now.name.filter(|_| self.parts) else { return ["", ""] };
        let end = if self.ends { END_OF_PARTS[usize::from(self.shared)] } else { "" };
        [name.part_operations(self.shared.into()), end]
    }
}

/// Operations without operand, which clear a part and those of higher rank.
const END_OF_PARTS: [&str; MOST_NAME_PARTS] =
    [" v0;", " v1;", " v2;", " v3;", " v4;", " v5;", " v6;", " v7;", " v8;", " v9;"];

/// Follows the opening through a game and its variations.
#[derive(Debug)]
pub(crate) struct Naming<'n> {
    table: Option<&'n dyn Names>,
    /// The last ply at which a position may have a name.
    deepest: u32,
    /// The move tree of the table and its names, if the game started in the tree.
    tree: Option<(&'n MoveTree, &'n [Name])>,
    /// Node of the next position, while the game follows the tree.
    next: Option<u32>,
    /// Node of the last position, if it is in the tree.
    last: Option<u32>,
    /// Opening at the last position; outdated while `last` is set.
    opening: Opening<'n>,
    /// The opening after each ply of the current line, only if variations are played. A variation
    /// starts from an earlier position, so its plies overwrite the ones after that position.
    plies: Option<Vec<Opening<'n>>>,
    reads_tags: bool,
    /// The name given by the tags of the game.
    tags: Name,
}

impl<'n> Naming<'n> {
    /// Makes a tracker for the names required by the plan.
    pub(crate) fn new(plan: &'n Plan) -> Self {
        let is_needed = plan.has_names() || plan.templates_need_names();
        let source = if is_needed { &plan.names } else { &NameSource::Off };
        Naming::of(source, plan.variations)
    }

    /// Makes a tracker for names from `source`; `variations` indicates whether those are played.
    pub(crate) fn of(source: &'n NameSource, variations: bool) -> Self {
        let table = match source {
            NameSource::Table(names) => Some(&**names),
            _ => None,
        };
        Naming {
            table,
            deepest: table.map_or(0, Names::deepest),
            tree: None,
            next: None,
            last: None,
            opening: Opening::default(),
            plies: variations.then(Vec::new),
            reads_tags: matches!(source, NameSource::Tags),
            tags: Name::default(),
        }
    }

    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.opening = Opening::default();
        (self.next, self.last) = (None, None);
        self.plies.iter_mut().for_each(Vec::clear);
        if self.reads_tags {
            self.tags = name_of_tags(tags);
        }
    }

    /// Returns the ply from which on no main line position has a name of its own.
    pub(crate) fn quiet_from(&self) -> u32 {
        self.table.map_or(0, |_| self.deepest.saturating_add(1))
    }

    /// Advances to the next position; returns `true` if the opening may have changed.
    #[inline]
    pub(crate) fn follow(&mut self, ply: &Ply<'_>) -> bool {
        let Some(table) = self.table else { return false };
        if ply.number > self.deepest {
            self.leave_tree();
            return false;
        }
        if ply.number == 0 {
            self.begin_tree(table, ply);
        }
        if let (Some(node), Some((tree, _))) = (self.next, self.tree) {
            self.next = ply.next.and_then(|next| tree.child(node, next));
            self.last = Some(node);
            return tree.is_named(node);
        }
        self.leave_tree();
        self.ask(table, ply)
    }

    /// Advances by looking the position up in the table.
    fn ask(&mut self, table: &'n dyn Names, ply: &Ply<'_>) -> bool {
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

    /// Enters the tree, if the game starts at its root. Not used with variations, which would need
    /// several nodes at once.
    #[inline(never)]
    fn begin_tree(&mut self, table: &'n dyn Names, ply: &Ply<'_>) {
        let is_start = self.plies.is_none() && *ply.position == Position::default();
        self.tree = table.tree().filter(|_| is_start);
        self.next = self.tree.map(|_| 0);
    }

    #[inline]
    fn leave_tree(&mut self) {
        if let Some(node) = self.last.take() {
            self.opening = self.opening_at(node);
        }
    }

    /// Returns the node of the last position, while the game follows the tree.
    #[inline]
    pub(crate) fn node(&self) -> Option<u32> {
        self.last
    }

    /// Returns the node of the last position and its tree, if the node stores all operations of its
    /// record. Only valid if the reader's registers hold the opening of the previous position.
    #[inline]
    pub(crate) fn told(&self) -> Option<(&'n MoveTree, &'n Node)> {
        let (tree, _) = self.tree?;
        Some((tree, tree.told(self.last?)?))
    }

    /// Returns the opening at a node of the tree.
    pub(crate) fn opening_at(&self, node: u32) -> Opening<'n> {
        self.tree.map_or_else(Opening::default, |(tree, names)| tree.opening(node, names))
    }

    /// Returns the opening at the last position according to the table.
    #[inline]
    pub(crate) fn named(&self) -> Opening<'n> {
        self.last.map_or(self.opening, |node| self.opening_at(node))
    }

    /// Returns the opening at the last position.
    pub(crate) fn opening(&self) -> Opening<'_> {
        let mut opening = self.named();
        if self.table.is_none() {
            opening.update(&self.tags);
        }
        opening
    }
}

fn name_of_tags(tags: &[TagPair<'_>]) -> Name {
    let value = |name: &[u8]| known_value(tags, name);
    let names = [value(b"Opening"), value(b"Variation"), value(b"SubVariation")];
    let names: Vec<_> = names.into_iter().flatten().collect();
    Name::new(value(b"ECO").as_deref(), value(b"NIC").as_deref(), &names.join(": "))
}

#[cfg(test)]
mod tests;
