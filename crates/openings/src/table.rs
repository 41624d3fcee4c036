//! The table: positions and their names.

use std::collections::HashMap;
use std::fmt;
use std::hash::BuildHasherDefault;

use emit::{MoveTree, Name, Names};
use san::{EnPassantPolicy, Position, Square};

use crate::key::{Key, Mixed};
use crate::known_lines::KnownLines;
use crate::late_tree::LateTree;

/// Names of positions, from one file or several.
///
/// ```
/// use openings::{EnPassant, Name, Openings};
/// use san::Position;
///
/// let mut openings = Openings::default();
/// openings.insert(&Position::default(), Some(0), EnPassant::WhereLegal, Name::new(None, None, "The beginning"));
/// assert_eq!(openings.classify(&Position::default()).unwrap().opening(), Some("The beginning"));
/// ```
#[derive(Clone, Default)]
pub struct Openings {
    filter: Filter,
    /// Each name for one entry.
    names: Vec<Name>,
    entries: HashMap<Key, Entry, BuildHasherDefault<Mixed>>,
    deepest: u32,
    has_nic: bool,
    /// Whether any name depends on the last advance of a pawn.
    has_written: bool,
    known_lines: KnownLines,
    /// Made of all the others.
    tree: LateTree,
}

/// Which positions are the same as that of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassant {
    /// All from which the same moves can be played: en passant squares count where a capture is legal.
    #[default]
    WhereLegal,
    /// Of these only those behind, or not behind, the same advance of a pawn by two squares: Perl's Chess::PGN::EPD compares
    /// texts which always have the square.
    AsWritten,
}

/// Names by the square that a pawn has just passed over.
type Written = Vec<(Option<Square>, Index)>;

/// Which of the names.
type Index = u32;

/// The names of one position.
#[derive(Clone, Debug, Default)]
struct Entry {
    /// By whichever move it was reached.
    any: Option<Index>,
    /// Only behind this advance of a pawn, or only behind none; all that `any` has is in there too. Few tables have any, so
    /// they lie elsewhere.
    #[allow(clippy::box_collection)]
    written: Option<Box<Written>>,
}

impl Entry {
    fn written(&self) -> &[(Option<Square>, Index)] {
        self.written.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl Openings {
    /// Names a position that is reached after `ply` plies, if that is known: where it is not, all plies of a game are asked
    /// about. What the position was named before stays where `name` leaves it out.
    pub fn insert(
        &mut self,
        position: &Position,
        ply: Option<u32>,
        en_passant: EnPassant,
        name: Name,
    ) {
        let key = Key::of(position);
        self.tree = LateTree::default();
        self.filter.add(key.mixed());
        self.has_nic |= name.nic().is_some();
        self.has_written |= en_passant == EnPassant::AsWritten;
        self.deepest = self.deepest.max(ply.unwrap_or(u32::MAX));
        let Openings { names, entries, .. } = self;
        let entry = entries.entry(key).or_default();
        let next = names.len() as Index;
        match en_passant {
            EnPassant::WhereLegal => {
                for (_, written) in entry.written() {
                    names[*written as usize].update(&name);
                }
                match entry.any {
                    Some(any) => names[any as usize].update(&name),
                    None => {
                        entry.any = Some(next);
                        names.push(name);
                    }
                }
            }
            EnPassant::AsWritten => {
                let square = position.en_passant(EnPassantPolicy::Always);
                match entry.written().iter().find(|(other, _)| *other == square) {
                    Some(&(_, written)) => names[written as usize].update(&name),
                    None => {
                        let any = entry.any.map(|any| names[any as usize].clone());
                        let mut first = any.unwrap_or_default();
                        first.update(&name);
                        names.push(first);
                        entry.written.get_or_insert_default().push((square, next));
                    }
                }
            }
        }
    }

    /// The lines of moves that were read so far, to be gone on with.
    pub(crate) fn known_lines(&mut self) -> &mut KnownLines {
        &mut self.known_lines
    }

    /// Makes room for so many positions more.
    pub(crate) fn reserve(&mut self, positions: usize) {
        self.entries.reserve(positions);
    }

    /// How many positions have a name.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no position has a name.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The name of a position, if it has one.
    ///
    /// ```
    /// let mut position = san::Position::default();
    /// position.play_unchecked(san::resolve(&position, b"e4")?);
    /// let name = openings::Openings::embedded().classify(&position).unwrap();
    /// assert_eq!((name.eco(), name.opening()), (Some("B00"), Some("King's Pawn Game")));
    /// # Ok::<_, san::SanError>(())
    /// ```
    #[inline]
    pub fn classify(&self, position: &Position) -> Option<&Name> {
        let key = Key::of(position);
        if self.filter.may_have(key.mixed()) { self.look_up(&key, position) } else { None }
    }

    #[inline(never)]
    fn look_up(&self, key: &Key, position: &Position) -> Option<&Name> {
        let entry = self.entries.get(key)?;
        let index = match entry.written() {
            [] => entry.any,
            written => {
                let square = position.en_passant(EnPassantPolicy::Always);
                let written = written.iter().find(|(other, _)| *other == square);
                written.map(|(_, index)| *index).or(entry.any)
            }
        };
        index.map(|index| &self.names[index as usize])
    }

    /// Makes for the next game what is otherwise made once some thousand games were named: a tree of the moves that lead to named
    /// positions. It changes no name; it is for those who measure or test.
    ///
    /// ```
    /// use openings::Openings;
    ///
    /// Openings::embedded().prepare();
    /// ```
    pub fn prepare(&self) {
        self.tree.hurry();
    }

    /// The tree of the known lines, and the names that it speaks of; to be asked for once a game.
    pub(crate) fn tree_of_moves(&self) -> Option<(&MoveTree, &[Name])> {
        // A node is found by its moves: it knows nothing of names that depend on more than the position.
        if self.has_written {
            return None;
        }
        let any = |key: &Key| self.entries.get(key)?.any;
        let tree = self.tree.get(|| self.known_lines.tree(&self.names, any))?;
        (!tree.is_empty()).then_some((tree, &*self.names))
    }

    /// All names, in no order; one that several positions have comes several times.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.entries.values().flat_map(|entry| {
            let written = entry.written().iter().map(|(_, index)| *index);
            let any = entry.any.filter(|_| entry.written().is_empty());
            written.chain(any).map(|index| &self.names[index as usize])
        })
    }
}

impl Names for Openings {
    fn deepest(&self) -> u32 {
        self.deepest
    }

    fn has_nic(&self) -> bool {
        self.has_nic
    }

    #[inline]
    fn name(&self, position: &Position, ply: u32) -> Option<&Name> {
        if ply <= self.deepest { self.classify(position) } else { None }
    }

    fn tree(&self) -> Option<(&MoveTree, &[Name])> {
        self.tree_of_moves()
    }
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Openings({} positions)", self.len())
    }
}

/// Says of most positions that they have no name.
///
/// Eight kilobytes, which stay in the cache while a game is far from every named position; of the four thousand positions
/// of a usual table one in sixteen others is mistaken, and then looked for in vain.
#[derive(Clone)]
struct Filter(Box<[u64; WORDS]>);

const WORDS: usize = 1024;

impl Default for Filter {
    fn default() -> Self {
        Filter(Box::new([0; WORDS]))
    }
}

impl Filter {
    #[inline]
    fn place(mixed: u64) -> (usize, u64) {
        ((mixed >> 6) as usize % WORDS, 1 << (mixed % 64))
    }

    fn add(&mut self, mixed: u64) {
        let (word, bit) = Filter::place(mixed);
        self.0[word] |= bit;
    }

    #[inline]
    fn may_have(&self, mixed: u64) -> bool {
        let (word, bit) = Filter::place(mixed);
        self.0[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &[&str]) -> Position {
        let mut position = Position::default();
        for token in moves {
            position.play_unchecked(san::resolve(&position, token.as_bytes()).unwrap());
        }
        position
    }

    fn name(opening: &str) -> Name {
        Name::new(None, None, opening)
    }

    #[test]
    fn the_order_of_moves_does_not_matter() {
        let mut openings = Openings::default();
        openings.insert(&after(&["e4", "e5", "Nf3"]), Some(3), EnPassant::WhereLegal, name("x"));
        assert_eq!(openings.classify(&after(&["Nf3", "e5", "e4"])), Some(&name("x")));
        assert_eq!(openings.classify(&after(&["Nf3", "e5"])), None);
    }

    #[test]
    fn as_it_is_written_the_last_advance_matters() {
        let mut openings = Openings::default();
        let (quiet, advance) = (after(&["Nf3", "a6", "e4", "h6"]), after(&["Nf3", "h6", "e4"]));
        openings.insert(&advance, Some(3), EnPassant::AsWritten, name("e3"));
        assert_eq!(openings.classify(&advance), Some(&name("e3")));
        assert_eq!(openings.classify(&after(&["e4", "h6", "Nf3"])), None);
        let other_order = after(&["e4", "h6", "Nf3"]);
        openings.insert(&other_order, Some(3), EnPassant::AsWritten, name("-"));
        assert_eq!(openings.classify(&other_order), Some(&name("-")));
        assert_eq!(openings.classify(&advance), Some(&name("e3")));
        assert_eq!(openings.classify(&quiet), None);
    }

    #[test]
    fn a_later_layer_counts_and_leaves_what_it_does_not_know() {
        let start = Position::default();
        let mut openings = Openings::default();
        let first = Name::new(Some("A00"), Some("VO 1"), "first");
        openings.insert(&start, Some(0), EnPassant::WhereLegal, first);
        openings.insert(&start, Some(0), EnPassant::AsWritten, Name::new(Some("A01"), None, ""));
        assert_eq!(openings.classify(&start).unwrap().to_string(), "A01 VO 1 first");
        openings.insert(&start, Some(0), EnPassant::WhereLegal, name("third"));
        assert_eq!(openings.classify(&start).unwrap().to_string(), "A01 VO 1 third");
        assert_eq!(openings.len(), 1);
    }

    #[test]
    fn nobody_need_ask_behind_the_deepest_ply() {
        let mut openings = Openings::default();
        let position = after(&["e4"]);
        openings.insert(&position, Some(1), EnPassant::WhereLegal, name("x"));
        assert_eq!(openings.deepest(), 1);
        assert!(openings.name(&position, 1).is_some());
        assert!(openings.name(&position, 2).is_none());
        openings.insert(&position, None, EnPassant::WhereLegal, name("x"));
        assert!(openings.name(&position, 1000).is_some());
    }
}
