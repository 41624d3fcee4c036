//! Graph of the moves between named positions, which replaces lookups while a game follows it.

use std::cmp::Reverse;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use san::{Line, Move, MoveCode, Position, PositionKey, PositionMap};

use crate::name::{Name, Opening, OpeningChange};

/// The moves from the starting position that lead to named positions, in any order.
///
/// A node is a position with the opening before it. It stores how the opening changes, so a game
/// that follows the graph costs a few comparisons per ply. Once a game leaves it, positions are
/// looked up one by one, until one of them has a name.
#[derive(Clone, Debug, Default)]
pub struct MoveGraph {
    /// The first node is the starting position.
    nodes: Vec<Node>,
    /// The moves from each node and the nodes they lead to; those of a node are adjacent.
    moves: Vec<(MoveCode, u32)>,
    /// The first has no operations.
    operations: Vec<NodeOperations>,
    /// The part of operations that exceeds the space in [`NodeOperations`], padded at the end.
    rest: Vec<u8>,
    /// For each name, a node at which it alone is the opening; or [`NO_NODE`].
    of_names: Vec<u32>,
    openings: Vec<Sources>,
}

const NO_NODE: u32 = u32::MAX;

/// The indices of the names that supply the ECO code, the NIC code and the opening.
type Sources = [Option<u32>; 3];

/// A position of a [`MoveGraph`], whatever the opening before it.
#[derive(Debug)]
pub(crate) struct GraphPosition {
    pub(crate) name: Option<u32>,
    /// The moves from it, frequent ones first, and the indices of the positions they lead to.
    pub(crate) moves: Vec<(MoveCode, u32)>,
}

/// A position in the graph: small, so that the cache holds all of them.
#[derive(Clone, Copy, Debug)]
struct Node {
    first_move: u32,
    /// Index of what its record needs after the one before, or [`NOT_STORED`].
    operations: u32,
    /// At most 218, as in any position.
    moves: u8,
    is_named: bool,
}

const NOT_STORED: u32 = u32::MAX;

/// The operations of the opening in the record of a node after the one before, in a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct NodeOperations {
    eco_len: u8,
    parts_len: u8,
    /// ` eco "B90";`
    eco: [u8; ECO],
    /// The operations of the name parts, or their beginning.
    parts: [u8; PARTS_HERE],
    /// Offset of the remainder in [`MoveGraph::rest`].
    rest_at: u32,
}

const ECO: usize = r#" eco "B90";"#.len();

/// Number of bytes of the part operations that are stored in [`NodeOperations`].
const PARTS_HERE: usize = 40;

/// Length of [`MoveGraph::rest`], in bytes: a record fits in a [`Line`], others are not stored.
const REST: usize = 48;

const _: () = assert!(size_of::<NodeOperations>() == 64);

impl NodeOperations {
    const NONE: Self = NodeOperations {
        eco_len: 0,
        parts_len: 0,
        eco: [0; ECO],
        parts: [0; PARTS_HERE],
        rest_at: 0,
    };
}

impl MoveGraph {
    /// Builds the graph of positions, of which the first is the start.
    pub(crate) fn new(names: &[Name], positions: &[GraphPosition]) -> Self {
        let mut graph = MoveGraph {
            of_names: vec![NO_NODE; names.len()],
            operations: vec![NodeOperations::NONE],
            ..MoveGraph::default()
        };
        let has_nic = names.iter().any(|name| name.nic().is_some());
        let mut found = PositionMap::<u32, (u32, Sources)>::default();
        let mut places = vec![(0, [None; 3])];
        while let Some(&(position, before)) = places.get(graph.nodes.len()) {
            let GraphPosition { name, moves } = &positions[position as usize];
            let opening = name.map_or(before, |index| {
                let name = &names[index as usize];
                let has = [name.eco(), name.nic(), name.opening()].map(|text| text.is_some());
                std::array::from_fn(|i| if has[i] { Some(index) } else { before[i] })
            });
            if let Some(index) = *name
                && opening == [Some(index), Some(index).filter(|_| has_nic), Some(index)]
            {
                graph.of_names[index as usize] = graph.nodes.len() as u32;
            }
            graph.openings.push(opening);
            let [before, now] = [before, opening].map(|sources| Opening::of(sources, names));
            let operations = graph.store(OpeningChange::between(&before, &now), &now);
            graph.nodes.push(Node {
                first_move: graph.moves.len() as u32,
                operations,
                moves: moves.len() as u8,
                is_named: name.is_some(),
            });
            for &(code, next) in moves {
                let target = *found.entry((next, opening)).or_insert_with(|| {
                    places.push((next, opening));
                    places.len() as u32 - 1
                });
                graph.moves.push((code, target));
            }
        }
        graph.rest.extend([0; REST]);
        graph
    }

    #[inline]
    pub(crate) fn node_of_name(&self, index: u32) -> Option<u32> {
        self.of_names.get(index as usize).copied().filter(|node| *node != NO_NODE)
    }

    /// Stores the operations of a change; returns their index.
    fn store(&mut self, change: OpeningChange, now: &Opening<'_>) -> u32 {
        let eco = if change.eco { now.eco_operation() } else { "" };
        let parts = change.parts(now).concat();
        if change.nic || ![0, ECO].contains(&eco.len()) || parts.len() > PARTS_HERE + REST {
            return NOT_STORED;
        }
        if eco.is_empty() && parts.is_empty() {
            return 0;
        }
        let here = parts.len().min(PARTS_HERE);
        let (eco_len, parts_len) = (eco.len() as u8, parts.len() as u8);
        let mut stored = NodeOperations {
            eco_len,
            parts_len,
            rest_at: self.rest.len() as u32,
            ..NodeOperations::NONE
        };
        stored.eco[..eco.len()].copy_from_slice(eco.as_bytes());
        stored.parts[..here].copy_from_slice(&parts.as_bytes()[..here]);
        self.rest.extend(&parts.as_bytes()[here..]);
        self.operations.push(stored);
        self.operations.len() as u32 - 1
    }

    #[inline(always)]
    pub(crate) fn child(&self, node: u32, played: Move) -> Option<u32> {
        let Node { first_move, moves, .. } = self.nodes[node as usize];
        let moves = &self.moves[first_move as usize..][..usize::from(moves)];
        let code = played.code();
        moves.iter().find(|(other, _)| *other == code).map(|(_, target)| *target)
    }

    #[inline]
    pub(crate) fn is_named(&self, node: u32) -> bool {
        self.nodes[node as usize].is_named
    }

    pub(crate) fn opening<'n>(&self, node: u32, names: &'n [Name]) -> Opening<'n> {
        Opening::of(self.openings[node as usize], names)
    }

    /// Returns all operations of the record of a node, if they are stored.
    #[inline]
    pub(crate) fn operations(&self, node: u32) -> Option<&NodeOperations> {
        self.operations.get(self.nodes[node as usize].operations as usize)
    }

    /// Writes the operations of the codes.
    #[inline(always)]
    pub fn write_codes(&self, stored: &NodeOperations, line: &mut Line<'_>) {
        line.text_of_len(&stored.eco, usize::from(stored.eco_len));
    }

    /// Writes the operations of the name parts.
    #[inline(always)]
    pub fn write_parts(&self, stored: &NodeOperations, line: &mut Line<'_>) {
        let len = usize::from(stored.parts_len);
        line.text_of_len(&stored.parts, len.min(PARTS_HERE));
        if len > PARTS_HERE
            && let Some(rest) = self.rest[stored.rest_at as usize..].first_chunk::<REST>()
        {
            line.text_of_len(rest, len - PARTS_HERE);
        }
    }
}

// The move sequences of a table: its [`MoveGraph`] while files are being read.

/// A node of the tree of lines: the start, or the position after a move of a known line.
pub(crate) type KnownNode = usize;

pub(crate) const START: KnownNode = 0;

/// The moves of all lines read so far; a position has one node per path to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownLines {
    /// All nodes except the start, each after its parent.
    nodes: Vec<KnownStep>,
    /// The last child of each node; [`START`] means none.
    last_child: Vec<KnownNode>,
}

#[derive(Clone, Debug)]
struct KnownStep {
    parent: KnownNode,
    played: Move,
    key: PositionKey,
    /// The previous child of the same parent; [`START`] means none.
    sibling: KnownNode,
}

impl KnownLines {
    /// Creates the node if necessary; `key` computes the key of its position.
    pub(crate) fn go_on(
        &mut self,
        parent: KnownNode,
        played: Move,
        key: impl FnOnce() -> PositionKey,
    ) -> KnownNode {
        self.last_child.resize(self.nodes.len() + 1, START);
        let mut child = self.last_child[parent];
        while child != START {
            let KnownStep { played: other, sibling, .. } = &self.nodes[child - 1];
            if *other == played {
                return child;
            }
            child = *sibling;
        }
        let sibling = self.last_child[parent];
        self.nodes.push(KnownStep { parent, played, key: key(), sibling });
        self.last_child[parent] = self.nodes.len();
        self.nodes.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Builds the graph; `name` returns the index of the name of a position.
    pub(crate) fn graph(
        &self,
        names: &[Name],
        name: impl Fn(&PositionKey) -> Option<u32>,
    ) -> MoveGraph {
        let start = PositionKey::of(&Position::default());
        let mut positions = vec![GraphPosition { name: name(&start), moves: Vec::new() }];
        let mut found = PositionMap::from_iter([(start, 0)]);
        let mut of_nodes = vec![0];
        // Large subtrees first, because many games pass through them.
        let mut sizes = vec![1; self.nodes.len() + 1];
        for node in (1..sizes.len()).rev() {
            sizes[self.nodes[node - 1].parent] += sizes[node];
        }
        let mut order: Vec<KnownNode> = (1..sizes.len()).collect();
        order.sort_by_key(|node| Reverse(sizes[*node]));
        for KnownStep { key, .. } in &self.nodes {
            of_nodes.push(*found.entry(*key).or_insert_with(|| {
                positions.push(GraphPosition { name: name(key), moves: Vec::new() });
                positions.len() as u32 - 1
            }));
        }
        for node in order {
            let KnownStep { parent, played, .. } = &self.nodes[node - 1];
            let moves = &mut positions[of_nodes[*parent] as usize].moves;
            let next = (played.code(), of_nodes[node]);
            if !moves.contains(&next) {
                moves.push(next);
            }
        }
        MoveGraph::new(names, &positions)
    }
}

/// Games before the graph is built, which takes 2 ms: as much as it saves on a few hundred.
const GAMES_WITHOUT: u32 = 2500;

/// A graph of moves that is built once it pays off.
#[derive(Debug, Default)]
pub(crate) struct LazyMoveGraph {
    asked: AtomicU32,
    graph: OnceLock<MoveGraph>,
}

impl LazyMoveGraph {
    /// Returns the graph, if it has been built; must be called once per game.
    #[inline]
    pub(crate) fn get(&self, make: impl FnOnce() -> MoveGraph) -> Option<&MoveGraph> {
        match self.graph.get() {
            None if self.asked.fetch_add(1, Ordering::Relaxed) < GAMES_WITHOUT => None,
            None => Some(self.graph.get_or_init(make)),
            graph => graph,
        }
    }

    pub(crate) fn build_at_next_game(&self) {
        self.asked.fetch_max(GAMES_WITHOUT, Ordering::Relaxed);
    }
}

impl Clone for LazyMoveGraph {
    fn clone(&self) -> Self {
        LazyMoveGraph::default()
    }
}
