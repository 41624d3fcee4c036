//! A table of positions and their names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

use san::{Color, EnPassantPolicy, Position, PositionKey, PositionMap, Square};

use crate::move_graph::{KnownLines, LazyMoveGraph, MoveGraph};
use crate::name::Name;

/// ECO code, name and moves of each named position, sorted by the moves.
const TABLE: &str = include_str!("../data/openings.tsv");

impl Openings {
    /// Returns the built-in table: ECO codes and English names of about 3,800 positions, from
    /// Lichess. It has no NIC codes. It is parsed on first use, which takes a few milliseconds.
    ///
    /// ```
    /// use openings::Openings;
    ///
    /// assert!(Openings::embedded().len() > 3_500);
    /// ```
    pub fn embedded() -> &'static Arc<Openings> {
        static EMBEDDED: LazyLock<Arc<Openings>> = LazyLock::new(|| {
            let mut openings = Openings::default();
            openings.layer_embedded();
            Arc::new(openings)
        });
        &EMBEDDED
    }

    /// Adds the built-in table as a layer over the existing names.
    pub fn layer_embedded(&mut self) {
        self.layer(TABLE.as_bytes()).expect("a test reads the table");
    }
}

/// Names of positions, from one or more files.
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
    filter: NameFilter,
    /// The same for the squares of the two sides, which are at hand without a key.
    squares: NameFilter,
    pub(crate) names: Vec<Name>,
    pub(crate) entries: PositionMap<NamedPosition>,
    deepest: u32,
    has_nic: bool,
    /// Whether any name depends on the preceding pawn advance.
    has_written: bool,
    pub(crate) known_lines: KnownLines,
    /// Built from the other fields.
    graph: LazyMoveGraph,
}

/// Which positions match that of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassant {
    /// All with the same legal moves: en passant squares matter only if a capture is legal.
    #[default]
    WhereLegal,
    /// Of these, only those with the same preceding two-square pawn advance, or none: Perl's
    /// Chess::PGN::EPD compares texts that always include the square.
    AsWritten,
}

/// Names by the square that a pawn has just crossed.
type CrossedSquares = Vec<(Option<Square>, Index)>;

type Index = u32;

#[derive(Clone, Debug, Default)]
pub(crate) struct NamedPosition {
    /// Independent of the preceding move.
    any: Option<Index>,
    /// The openings after one pawn advance, or after none, and those in `any`; boxed, as rare.
    #[allow(clippy::box_collection)]
    written: Option<Box<CrossedSquares>>,
}

impl NamedPosition {
    fn written(&self) -> &[(Option<Square>, Index)] {
        self.written.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl Openings {
    /// Names a position. `ply` is the number of plies before it, if known; otherwise names are
    /// looked up at all plies of a game. Parts that `name` lacks are kept from the previous name.
    pub fn insert(
        &mut self,
        position: &Position,
        ply: Option<u32>,
        en_passant: EnPassant,
        name: Name,
    ) {
        let key = PositionKey::of(position);
        self.graph = LazyMoveGraph::default();
        self.filter.add(key.stable_hash());
        self.squares.add(hash_of_squares(position));
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

    /// Returns the number of named positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no position is named.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the name of a position, if any.
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
        self.index(position).map(|index| &self.names[index as usize])
    }

    #[inline(always)]
    pub(crate) fn index(&self, position: &Position) -> Option<Index> {
        // Nearly all positions without a name end here.
        if self.squares.may_have(hash_of_squares(position)) { self.look_up(position) } else { None }
    }

    /// Whether the position with this key may have a name: nearly all others are rejected.
    #[inline]
    pub fn may_have(&self, key: &PositionKey) -> bool {
        self.filter.may_have(key.stable_hash())
    }

    #[inline(never)]
    fn look_up(&self, position: &Position) -> Option<Index> {
        let key = PositionKey::of(position);
        if !self.filter.may_have(key.stable_hash()) {
            return None;
        }
        let entry = self.entries.get(&key)?;
        match entry.written() {
            [] => entry.any,
            written => {
                let square = position.en_passant(EnPassantPolicy::Always);
                let written = written.iter().find(|(other, _)| *other == square);
                written.map(|(_, index)| *index).or(entry.any)
            }
        }
    }

    /// Builds the graph now instead of after some thousand games, for benchmarks and tests.
    ///
    /// ```
    /// use openings::Openings;
    ///
    /// Openings::embedded().prepare();
    /// ```
    pub fn prepare(&self) {
        self.graph.build_at_next_game();
    }

    /// Returns the graph of the known lines and its names; must be called once per game.
    pub(crate) fn move_graph(&self) -> Option<(&MoveGraph, &[Name])> {
        // Nodes are found by moves, so the graph cannot represent names that depend on more than the
        // position.
        if self.has_written || self.known_lines.is_empty() {
            return None;
        }
        let any = |key: &PositionKey| self.entries.get(key)?.any;
        let graph = self.graph.get(|| self.known_lines.graph(&self.names, any))?;
        Some((graph, &self.names))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &Name> {
        self.entries.values().flat_map(|entry| {
            let written = entry.written().iter().map(|(_, index)| *index);
            let any = entry.any.filter(|_| entry.written().is_empty());
            written.chain(any).map(|index| &self.names[index as usize])
        })
    }

    /// Returns the last ply at which a position may have a name; later positions are not looked up.
    pub fn deepest(&self) -> u32 {
        self.deepest
    }

    /// Whether any position has a NIC code.
    pub fn has_nic(&self) -> bool {
        self.has_nic
    }

    /// Returns the name of the position after `ply` plies, see [`Openings::classify`].
    #[inline]
    pub fn name(&self, position: &Position, ply: u32) -> Option<&Name> {
        if ply <= self.deepest { self.classify(position) } else { None }
    }
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Openings({} positions)", self.len())
    }
}

#[inline(always)]
fn hash_of_squares(position: &Position) -> u64 {
    let [white, black] = [Color::White, Color::Black].map(|side| position.side(side).0);
    let mixed = (white.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ black.rotate_left(32))
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
    mixed >> 48
}

/// Rejects most unnamed positions (a Bloom filter); at 8 KiB it stays in the cache.
/// One in sixteen unnamed positions passes with the four thousand of a typical table.
#[derive(Clone)]
struct NameFilter(Box<[u64; WORDS]>);

const WORDS: usize = 1024;

impl Default for NameFilter {
    fn default() -> Self {
        NameFilter(Box::new([0; WORDS]))
    }
}

impl NameFilter {
    #[inline]
    fn place(hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize % WORDS, 1 << (hash % 64))
    }

    fn add(&mut self, hash: u64) {
        let (word, bit) = NameFilter::place(hash);
        self.0[word] |= bit;
    }

    #[inline]
    fn may_have(&self, hash: u64) -> bool {
        let (word, bit) = NameFilter::place(hash);
        self.0[word] & bit != 0
    }
}

// Names as a tree of openings, variations and subvariations.

/// A part of a name, with its subtree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameTree {
    /// The ECO codes of the positions with exactly this name.
    pub eco: BTreeSet<String>,
    /// The number of positions with exactly this name.
    pub positions: usize,
    /// Subvariations, by the next part of their names.
    pub below: BTreeMap<String, NameTree>,
}

impl Openings {
    /// Returns the tree of all names that begin with `prefix`, ignoring case; if `prefix` is an ECO
    /// code or the beginning of one, all names with such a code.
    ///
    /// ```
    /// let openings = openings::Openings::embedded();
    /// let tree = openings.tree("Sicilian Defense: Najdorf");
    /// let najdorf = &tree.below["Sicilian Defense"].below["Najdorf Variation"];
    /// assert!(najdorf.below.contains_key("English Attack"));
    /// assert!(openings.tree("B9").below["Sicilian Defense"].below.contains_key("Najdorf Variation"));
    /// ```
    pub fn tree(&self, prefix: &str) -> NameTree {
        let mut tree = NameTree::default();
        // `B`, `B9`, `B90`.
        let is_code = match prefix.as_bytes() {
            [b'A'..=b'E' | b'a'..=b'e', rest @ ..] => {
                rest.len() <= 2 && rest.iter().all(u8::is_ascii_digit)
            }
            _ => false,
        };
        for name in self.names() {
            let wanted = match is_code {
                true => name.eco().is_some_and(|eco| begins(eco, prefix)),
                false => name.opening().is_some_and(|opening| begins(opening, prefix)),
            };
            if wanted && name.opening().is_some() {
                tree.add(name);
            }
        }
        tree
    }
}

impl NameTree {
    fn add(&mut self, name: &Name) {
        let branch = name
            .parts()
            .fold(self, |branch, part| branch.below.entry(part.to_owned()).or_default());
        branch.positions += 1;
        branch.eco.extend(name.eco().map(str::to_owned));
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        for (part, branch) in &self.below {
            write!(f, "{:width$}{part}", "", width = 2 * depth)?;
            if let Some(first) = branch.eco.first() {
                write!(f, "  {first}")?;
                let last = branch.eco.last().filter(|last| *last != first);
                last.map_or(Ok(()), |last| write!(f, "-{last}"))?;
            }
            writeln!(f)?;
            branch.write(f, depth + 1)?;
        }
        Ok(())
    }
}

impl fmt::Display for NameTree {
    /// Writes a line per part of a name, indented by two spaces per level, followed by its codes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

fn begins(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [`NameSource::has_nic`](crate::NameSource::has_nic) relies on it, so that the table need not
    /// be parsed.
    #[test]
    fn the_built_in_table_has_no_nic_codes() {
        assert!(!Openings::embedded().has_nic());
    }

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

    #[test]
    fn a_tree_is_written_with_its_codes() {
        let mut openings = Openings::default();
        let mut text = String::from("eco\tname\tpgn\n");
        text += "A00\tB: C\t1. a3\nA02\tB: C\t1. a4\nA01\tB\t1. b3\nA09\tBc: D, E\t1. c3\n";
        openings.layer(text.as_bytes()).unwrap();
        assert_eq!(openings.tree("").to_string(), "B  A01\n  C  A00-A02\nBc\n  D\n    E  A09\n");
        assert_eq!(openings.tree("b: ").to_string(), "B\n  C  A00-A02\n");
        assert_eq!(openings.tree("A01").to_string(), "B  A01\n");
        assert_eq!(openings.tree("nothing").to_string(), "");
    }
}
