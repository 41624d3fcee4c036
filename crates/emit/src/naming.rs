//! The name of the opening that counts at a record: that of the last named position before it, or at it.

use pgn::TagPair;
use san::Position;

use crate::move_tree::Node;
use crate::problem::text_of;
use crate::{MOST_NAME_PARTS, MoveTree, Name, NameSource, Names, Plan, Ply};

/// What is known of the opening at a position: of each code and of the name, which named position has the last one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Opening<'n> {
    eco: Option<&'n Name>,
    nic: Option<&'n Name>,
    pub(crate) name: Option<&'n Name>,
}

impl<'n> Opening<'n> {
    /// Of those names.
    pub(crate) fn of(indices: [Option<u32>; 3], names: &'n [Name]) -> Self {
        let [eco, nic, name] = indices.map(|index| index.map(|index| &names[index as usize]));
        Opening { eco, nic, name }
    }

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

    /// ` eco "B90";`, or nothing.
    pub(crate) fn eco_operation(&self) -> &'n str {
        self.eco.map_or("", Name::eco_operation)
    }

    /// ` nic "SI 8.1";`, or nothing.
    pub(crate) fn nic_operation(&self) -> &'n str {
        self.nic.map_or("", Name::nic_operation)
    }
}

/// What is to be said of an opening to somebody who holds another one; what is known once stays known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) eco: bool,
    pub(crate) nic: bool,
    /// Whether the parts of the name are not the same.
    pub(crate) parts: bool,
    /// How many parts, from the first on, are the same.
    pub(crate) shared: u8,
    /// Whether there were more parts, all of which go.
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

    /// The operations of the parts, as far as they are to be said, and the one that ends those that go.
    pub(crate) fn parts<'n>(self, now: &Opening<'n>) -> [&'n str; 2] {
        let Some(name) = now.name.filter(|_| self.parts) else { return ["", ""] };
        let end = if self.ends { END_OF_PARTS[usize::from(self.shared)] } else { "" };
        [name.part_operations(self.shared.into()), end]
    }
}

/// What says that there is no part of a rank any more.
const END_OF_PARTS: [&str; MOST_NAME_PARTS] =
    [" v0;", " v1;", " v2;", " v3;", " v4;", " v5;", " v6;", " v7;", " v8;", " v9;"];

/// Follows a game and its variations.
#[derive(Debug)]
pub(crate) struct Naming<'n> {
    table: Option<&'n dyn Names>,
    /// No position behind so many plies has a name of its own.
    deepest: u32,
    /// The tree of moves of the table, and its names, if the game began to follow it.
    tree: Option<(&'n MoveTree, &'n [Name])>,
    /// The node of the position to come, as long as the game follows the tree.
    next: Option<u32>,
    /// The node of the last position, if that is one of the tree.
    last: Option<u32>,
    /// The opening at the last position, unless its node knows it.
    opening: Opening<'n>,
    /// The opening after each ply of the line being played, as far as positions have names; only if variations are played. One
    /// leaves from a position that was there before it, so its plies overwrite those behind that.
    plies: Option<Vec<Opening<'n>>>,
    reads_tags: bool,
    /// The name that the tags of the game give.
    tags: Name,
}

impl<'n> Naming<'n> {
    /// As far as records have names.
    pub(crate) fn new(plan: &'n Plan) -> Self {
        let source = if plan.has_names() { &plan.names } else { &NameSource::Off };
        Naming::of(source, plan.variations)
    }

    /// With names from there; whether variations are played.
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

    /// A game begins.
    pub(crate) fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.opening = Opening::default();
        (self.next, self.last) = (None, None);
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

    /// The next position, of which the table is asked.
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

    /// Goes to the beginning of the tree, if the game may follow it: one with variations is in several places at once.
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

    /// The node of the last position, as long as the game follows the tree.
    #[inline]
    pub(crate) fn node(&self) -> Option<u32> {
        self.last
    }

    /// What a record of the last position says, with its tree, if its node knows it; for a program that holds the opening of
    /// the position before.
    #[inline]
    pub(crate) fn told(&self) -> Option<(&'n MoveTree, &'n Node)> {
        let (tree, _) = self.tree?;
        Some((tree, tree.told(self.last?)?))
    }

    /// The opening at a node of the tree.
    pub(crate) fn opening_at(&self, node: u32) -> Opening<'n> {
        self.tree.map_or_else(Opening::default, |(tree, names)| tree.opening(node, names))
    }

    /// The opening at the last position, if a table names it.
    #[inline]
    pub(crate) fn named(&self) -> Opening<'n> {
        self.last.map_or(self.opening, |node| self.opening_at(node))
    }

    /// The opening at the last position.
    pub(crate) fn opening(&self) -> Opening<'_> {
        let mut opening = self.named();
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
