//! The opening at each position of a game: that of the last named position up to and including it;
//! and the opening of the whole game.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use pgn::{TagPair, known_value};
use san::{Move, Position, SanError};

use crate::move_graph::{MoveGraph, NodeOperations};
use crate::name::{Name, Opening};
use crate::table::Openings;

/// Source of opening names.
#[derive(Clone, Debug, Default)]
pub enum NameSource {
    /// No names.
    #[default]
    Off,
    /// The tags `ECO`, `NIC`, `Opening`, `Variation` and `SubVariation` (PGN standard 9.3, 9.4).
    Tags,
    /// The built-in table, which is parsed when the first game is named.
    Embedded,
    /// A table.
    Table(Arc<Openings>),
}

impl NameSource {
    /// Returns whether records may have a NIC code.
    pub fn has_nic(&self) -> bool {
        match self {
            // A test checks that the built-in table has none.
            NameSource::Off | NameSource::Embedded => false,
            NameSource::Tags => true,
            NameSource::Table(table) => table.has_nic(),
        }
    }
}

/// Follows the opening through a game and its variations.
#[derive(Debug)]
pub struct OpeningTracker<'n> {
    table: Option<&'n Openings>,
    /// The last ply at which a position may have a name.
    deepest: u32,
    /// The move graph of the table and its names, if the game started in the graph.
    graph: Option<(&'n MoveGraph, &'n [Name])>,
    /// Node of the next position, while the game follows the graph.
    next: Option<u32>,
    /// Node of the last position, if it is in the graph.
    last: Option<u32>,
    /// Found by its name, not by a move: the node's difference is one to another opening.
    is_entered: bool,
    /// Opening at the last position; outdated while `last` is set.
    opening: Opening<'n>,
    /// Number of plies before the last named position of the line.
    named_ply: Option<u32>,
    /// After each ply, if variations are played: one overwrites the plies after its first position.
    plies: Option<Vec<Opening<'n>>>,
    reads_tags: bool,
    tags: Name,
}

impl<'n> OpeningTracker<'n> {
    /// Makes a tracker for names from `source`; `variations` indicates whether those are played.
    pub fn of(source: &'n NameSource, variations: bool) -> Self {
        let table = match source {
            NameSource::Embedded => Some(&**Openings::embedded()),
            NameSource::Table(table) => Some(&**table),
            NameSource::Off | NameSource::Tags => None,
        };
        let reads_tags = matches!(source, NameSource::Tags);
        OpeningTracker { reads_tags, ..OpeningTracker::of_table(table, variations) }
    }

    /// Makes a tracker for the names of a table.
    pub fn of_table(table: Option<&'n Openings>, variations: bool) -> Self {
        OpeningTracker {
            table,
            deepest: table.map_or(0, Openings::deepest),
            graph: None,
            next: None,
            last: None,
            is_entered: false,
            opening: Opening::default(),
            named_ply: None,
            plies: variations.then(Vec::new),
            reads_tags: false,
            tags: Name::default(),
        }
    }

    /// Begins a game.
    pub fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.opening = Opening::default();
        (self.next, self.last, self.named_ply) = (None, None, None);
        self.plies.iter_mut().for_each(Vec::clear);
        if self.reads_tags {
            let [eco, nic, opening] = texts_of_tags(tags);
            self.tags = Name::new(Some(&eco), Some(&nic), &opening);
        }
    }

    /// Returns the ply from which on no main line position has a name of its own.
    pub fn static_from_ply(&self) -> u32 {
        self.table.map_or(0, |_| self.deepest.saturating_add(1))
    }

    /// Advances to the position after `ply` plies; returns whether the opening may have changed.
    #[inline(always)]
    pub fn follow(&mut self, position: &Position, next: Option<Move>, ply: u32) -> bool {
        let Some(table) = self.table else { return false };
        if ply > self.deepest {
            self.leave_graph();
            return false;
        }
        if ply == 0 {
            self.enter_graph(table, position);
        }
        let is_named = if let (Some(node), Some((graph, _))) = (self.next, self.graph) {
            self.next = next.and_then(|next| graph.child(node, next));
            self.last = Some(node);
            self.is_entered = false;
            graph.is_named(node)
        } else {
            self.leave_graph();
            let index = table.index(position);
            if index.is_some() || self.plies.is_some() {
                self.note_ply(table, index, ply);
            }
            if let (Some(index), Some((graph, _))) = (index, self.graph)
                && let Some(node) = graph.node_of_name(index)
            {
                (self.last, self.is_entered) = (Some(node), true);
                self.next = next.and_then(|next| graph.child(node, next));
            }
            index.is_some()
        };
        if is_named {
            self.named_ply = Some(ply);
        }
        is_named
    }

    /// Takes note of the name of a position that is not in the graph.
    #[inline(never)]
    fn note_ply(&mut self, table: &'n Openings, index: Option<u32>, ply: u32) {
        if let Some(plies) = &mut self.plies {
            plies.truncate(ply as usize);
            self.opening = plies.last().copied().unwrap_or_default();
        }
        if let Some(index) = index {
            self.opening.update(&table.names[index as usize]);
        }
        if let Some(plies) = &mut self.plies {
            plies.push(self.opening);
        }
    }

    /// If the game begins at its start; variations would need several nodes at once.
    #[inline(never)]
    fn enter_graph(&mut self, table: &'n Openings, position: &Position) {
        let is_start = self.plies.is_none() && *position == Position::default();
        self.graph = table.move_graph().filter(|_| is_start);
        self.next = self.graph.map(|_| 0);
    }

    #[inline]
    fn leave_graph(&mut self) {
        if let Some(node) = self.last.take() {
            self.opening = self.opening_at(node);
        }
    }

    /// Returns the node of the last position, while the game follows the graph.
    #[inline]
    pub fn node(&self) -> Option<u32> {
        self.last
    }

    /// Returns the graph and the operations of the record of the last position, if it stores all of
    /// them. Only valid if the reader's registers hold the opening of the previous position.
    #[inline]
    pub fn stored_operations(&self) -> Option<(&'n MoveGraph, &'n NodeOperations)> {
        if self.is_entered {
            return None;
        }
        let (graph, _) = self.graph?;
        Some((graph, graph.operations(self.last?)?))
    }

    /// Returns the opening at a node of the graph.
    pub fn opening_at(&self, node: u32) -> Opening<'n> {
        self.graph.map_or_else(Opening::default, |(graph, names)| graph.opening(node, names))
    }

    /// Returns the opening at the last position according to the table.
    #[inline]
    pub fn named(&self) -> Opening<'n> {
        self.last.map_or(self.opening, |node| self.opening_at(node))
    }

    /// Returns the number of plies before the last named position, which gives the game its name.
    pub fn named_ply(&self) -> Option<u32> {
        self.named_ply
    }

    /// Returns the opening at the last position.
    pub fn opening(&self) -> Opening<'_> {
        let mut opening = self.named();
        if self.table.is_none() {
            opening.update(&self.tags);
        }
        opening
    }
}

/// Returns the texts of the tags for `eco`, `nic`, and `v0` to `v9`; empty if unknown. A [`Name`]
/// has only the beginning of a long one.
pub fn texts_of_tags<'t>(tags: &[TagPair<'t>]) -> [Cow<'t, str>; 3] {
    let value = |name: &[u8]| known_value(tags, name);
    let names = [value(b"Opening"), value(b"Variation"), value(b"SubVariation")];
    let names: Vec<_> = names.into_iter().flatten().collect();
    let code = |name: &[u8]| value(name).unwrap_or_default();
    [code(b"ECO"), code(b"NIC"), names.join(": ").into()]
}

/// The opening of a game: ECO code, NIC code and name, each from the deepest position that has one.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameName<'o> {
    opening: Opening<'o>,
    ply: Option<u32>,
}

impl<'o> GameName<'o> {
    /// Returns the name of the game that a tracker has followed.
    pub fn of(tracker: &OpeningTracker<'o>) -> Self {
        GameName { opening: tracker.named(), ply: tracker.named_ply() }
    }

    /// Returns the ECO code.
    pub fn eco(&self) -> Option<&'o str> {
        self.opening.eco()
    }

    /// Returns the NIC code.
    pub fn nic(&self) -> Option<&'o str> {
        self.opening.nic()
    }

    /// Returns the name of the opening.
    pub fn opening(&self) -> Option<&'o str> {
        self.opening.name().and_then(Name::opening)
    }

    /// Iterates over the parts of the opening's name.
    pub fn parts(&self) -> impl Iterator<Item = &'o str> {
        self.opening.name().into_iter().flat_map(Name::parts)
    }

    /// Returns the number of plies before the deepest named position.
    ///
    /// ```
    /// let game = openings::Openings::embedded().classify_game(["e4", "e5", "a3", "a6"])?;
    /// assert_eq!((game.opening(), game.ply()), (Some("King's Pawn Game: Mengarini's Opening"), Some(3)));
    /// # Ok::<_, san::SanError>(())
    /// ```
    pub fn ply(&self) -> Option<u32> {
        self.ply
    }
}

impl fmt::Display for GameName<'_> {
    /// Writes codes and name, as far as known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = [self.eco(), self.nic(), self.opening()].into_iter().flatten();
        f.write_str(&known.collect::<Vec<_>>().join(" "))
    }
}

impl Openings {
    /// Names a game from the starting position by its moves, in any notation. Fails if a move
    /// cannot be played.
    ///
    /// ```
    /// let openings = openings::Openings::embedded();
    /// let game = openings.classify_game(["c4", "e6", "d4", "d5"])?;
    /// assert_eq!(game.to_string(), "D30 Queen's Gambit Declined");
    /// # Ok::<_, san::SanError>(())
    /// ```
    pub fn classify_game<T: AsRef<[u8]>>(
        &self,
        moves: impl IntoIterator<Item = T>,
    ) -> Result<GameName<'_>, SanError> {
        let mut position = Position::default();
        let mut tracker = OpeningTracker::of_table(Some(self), false);
        let mut ply = 0;
        for token in moves {
            let next = san::resolve(&position, token.as_ref())?;
            tracker.follow(&position, Some(next), ply);
            position.play_unchecked(next);
            ply += 1;
        }
        tracker.follow(&position, None, ply);
        Ok(GameName::of(&tracker))
    }
}
