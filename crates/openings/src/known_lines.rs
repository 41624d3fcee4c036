//! The move sequences of a table: its [`MoveGraph`] while files are being read.

use std::cmp::Reverse;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use san::{Move, Position, PositionKey, PositionMap};

use crate::move_graph::{GraphPosition, MoveGraph};
use crate::name::Name;

/// A node of the tree of lines: the start, or the position after a move of a known line.
pub(crate) type Node = usize;

pub(crate) const START: Node = 0;

/// The moves of all lines read so far; a position has one node per path to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownLines {
    /// All nodes except the start, each after its parent.
    nodes: Vec<Known>,
    /// The last child of each node; [`START`] means none.
    last_child: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Known {
    parent: Node,
    played: Move,
    key: PositionKey,
    /// The previous child of the same parent; [`START`] means none.
    sibling: Node,
}

impl KnownLines {
    /// Creates the node if necessary; `key` computes the key of its position.
    pub(crate) fn go_on(
        &mut self,
        parent: Node,
        played: Move,
        key: impl FnOnce() -> PositionKey,
    ) -> Node {
        self.last_child.resize(self.nodes.len() + 1, START);
        let mut child = self.last_child[parent];
        while child != START {
            let Known { played: other, sibling, .. } = &self.nodes[child - 1];
            if *other == played {
                return child;
            }
            child = *sibling;
        }
        let sibling = self.last_child[parent];
        self.nodes.push(Known { parent, played, key: key(), sibling });
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
        let sizes = self.sizes();
        let mut order: Vec<Node> = (1..sizes.len()).collect();
        order.sort_by_key(|node| Reverse(sizes[*node]));
        for Known { key, .. } in &self.nodes {
            of_nodes.push(*found.entry(*key).or_insert_with(|| {
                positions.push(GraphPosition { name: name(key), moves: Vec::new() });
                positions.len() as u32 - 1
            }));
        }
        for node in order {
            let Known { parent, played, .. } = &self.nodes[node - 1];
            let moves = &mut positions[of_nodes[*parent] as usize].moves;
            let next = (played.code(), of_nodes[node]);
            if !moves.contains(&next) {
                moves.push(next);
            }
        }
        MoveGraph::new(names, &positions)
    }

    /// Returns the size of the subtree of each node.
    fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![1; self.nodes.len() + 1];
        for node in (1..sizes.len()).rev() {
            sizes[self.nodes[node - 1].parent] += sizes[node];
        }
        sizes
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
