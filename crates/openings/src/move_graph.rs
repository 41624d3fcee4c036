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
    /// The moves from each node, as [`Move::code`]; those of a node are adjacent.
    codes: Vec<MoveCode>,
    /// The nodes they lead to.
    targets: Vec<u32>,
    /// For each name, a node at which it alone is the opening; or [`NO_NODE`].
    of_names: Vec<u32>,
    /// The part of the operations that exceeds the space in the nodes, padded at the end.
    rest: Vec<u8>,
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

/// A position in the graph and what its record needs after the one before, in a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Node {
    first_move: u32,
    /// At most 218, as in any position.
    moves: u8,
    is_named: bool,
    /// Whether the operations are stored completely.
    is_complete: bool,
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

/// Number of bytes of the part operations that are stored in the node.
const PARTS_HERE: usize = 40;

/// Length of [`MoveGraph::rest`], in bytes: a record fits in a [`Line`], others are not stored.
const REST: usize = 48;

const _: () = assert!(size_of::<Node>() == 64);

impl Default for Node {
    fn default() -> Self {
        Node {
            first_move: 0,
            moves: 0,
            is_named: false,
            is_complete: true,
            eco_len: 0,
            parts_len: 0,
            eco: [0; ECO],
            parts: [0; PARTS_HERE],
            rest_at: 0,
        }
    }
}

impl MoveGraph {
    /// Builds the graph of positions, of which the first is the start.
    pub(crate) fn new(names: &[Name], positions: &[GraphPosition]) -> Self {
        let mut graph = MoveGraph { of_names: vec![NO_NODE; names.len()], ..MoveGraph::default() };
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
            graph.add(name.is_some(), moves.len(), OpeningChange::between(&before, &now), &now);
            for &(code, next) in moves {
                graph.codes.push(code);
                graph.targets.push(*found.entry((next, opening)).or_insert_with(|| {
                    places.push((next, opening));
                    places.len() as u32 - 1
                }));
            }
        }
        graph.rest.extend([0; REST]);
        graph
    }

    #[inline]
    pub(crate) fn node_of_name(&self, index: u32) -> Option<u32> {
        self.of_names.get(index as usize).copied().filter(|node| *node != NO_NODE)
    }

    /// Appends a node at which the opening changes by `change`, before its `moves` are appended.
    fn add(&mut self, is_named: bool, moves: usize, change: OpeningChange, now: &Opening<'_>) {
        let mut node = Node {
            first_move: self.codes.len() as u32,
            moves: moves as u8,
            is_named,
            is_complete: !change.nic,
            ..Node::default()
        };
        if change.eco {
            match now.eco_operation().as_bytes().try_into() {
                Ok(eco) => (node.eco, node.eco_len) = (eco, ECO as u8),
                Err(_) => node.is_complete = false,
            }
        }
        let parts = change.parts(now).concat();
        if parts.len() <= PARTS_HERE + REST {
            let here = parts.len().min(PARTS_HERE);
            node.parts[..here].copy_from_slice(&parts.as_bytes()[..here]);
            node.parts_len = parts.len() as u8;
            node.rest_at = self.rest.len() as u32;
            self.rest.extend(&parts.as_bytes()[here..]);
        } else {
            node.is_complete = false;
        }
        self.nodes.push(node);
    }

    #[inline(always)]
    pub(crate) fn child(&self, node: u32, played: Move) -> Option<u32> {
        let Node { first_move, moves, .. } = self.nodes[node as usize];
        let codes = &self.codes[first_move as usize..][..usize::from(moves)];
        let code = played.code();
        let index = codes.iter().position(|other| *other == code)?;
        Some(self.targets[first_move as usize + index])
    }

    #[inline]
    pub(crate) fn is_named(&self, node: u32) -> bool {
        self.nodes[node as usize].is_named
    }

    pub(crate) fn opening<'n>(&self, node: u32, names: &'n [Name]) -> Opening<'n> {
        Opening::of(self.openings[node as usize], names)
    }

    /// Returns the node, if it stores all operations of its record.
    #[inline]
    pub(crate) fn complete_node(&self, node: u32) -> Option<&Node> {
        self.nodes.get(node as usize).filter(|node| node.is_complete)
    }

    /// Writes the operations of the codes.
    #[inline(always)]
    pub fn write_codes(&self, node: &Node, line: &mut Line<'_>) {
        line.text_of_len(&node.eco, usize::from(node.eco_len));
    }

    /// Writes the operations of the name parts.
    #[inline(always)]
    pub fn write_parts(&self, node: &Node, line: &mut Line<'_>) {
        let len = usize::from(node.parts_len);
        line.text_of_len(&node.parts, len.min(PARTS_HERE));
        if len > PARTS_HERE
            && let Some(rest) = self.rest[node.rest_at as usize..].first_chunk::<REST>()
        {
            line.text_of_len(rest, len - PARTS_HERE);
        }
    }
}

impl Node {
    /// Returns whether its record has any operations of the opening.
    #[inline]
    pub fn has_operations(&self) -> bool {
        self.eco_len + self.parts_len > 0
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
