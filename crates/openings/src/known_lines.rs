//! The move sequences of a table: its [`MoveTree`] while files are being read.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use san::{Move, PositionKey};

use crate::move_tree::{MoveNode, MoveTree};
use crate::name::Name;

/// A node of the tree: the start, or the position after a move of a known line.
pub(crate) type Node = usize;

/// The node of the starting position.
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
    /// Returns the node after a move, creating it if necessary; `key` computes the key of its
    /// position.
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

    /// Builds the tree; `name` returns the index of the name of a position.
    pub(crate) fn tree(
        &self,
        names: &[Name],
        name: impl Fn(&PositionKey) -> Option<u32>,
    ) -> MoveTree {
        let sizes = self.sizes();
        // Breadth first, large subtrees first, because many games pass through them.
        let mut order: Vec<(u32, Node)> = vec![(0, START)];
        let mut at = 0;
        while let Some(&(_, node)) = order.get(at) {
            let first = order.len();
            let mut child = self.last_child.get(node).copied().unwrap_or(START);
            while child != START {
                order.push((at as u32, child));
                child = self.nodes[child - 1].sibling;
            }
            order[first..].sort_by_key(|(_, node)| std::cmp::Reverse(sizes[*node]));
            at += 1;
        }
        let nodes: Vec<MoveNode> = order[1..]
            .iter()
            .map(|&(parent, node)| {
                let Known { played, key, .. } = &self.nodes[node - 1];
                MoveNode { parent, played: *played, name: name(key) }
            })
            .collect();
        MoveTree::new(names, &nodes)
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

/// Number of games that are named position by position first. Building the tree of the built-in
/// table takes a millisecond, as much as it saves on a few thousand games.
const GAMES_WITHOUT: u32 = 2000;

/// A tree of moves that is built once it pays off.
#[derive(Debug, Default)]
pub(crate) struct LazyMoveTree {
    asked: AtomicU32,
    tree: OnceLock<MoveTree>,
}

impl LazyMoveTree {
    /// Returns the tree, if it has been built; must be called once per game.
    #[inline]
    pub(crate) fn get(&self, make: impl FnOnce() -> MoveTree) -> Option<&MoveTree> {
        match self.tree.get() {
            None if self.asked.fetch_add(1, Ordering::Relaxed) < GAMES_WITHOUT => None,
            None => Some(self.tree.get_or_init(make)),
            tree => tree,
        }
    }

    /// Builds the tree at the next game.
    pub(crate) fn build_at_next_game(&self) {
        self.asked.fetch_max(GAMES_WITHOUT, Ordering::Relaxed);
    }
}

impl Clone for LazyMoveTree {
    fn clone(&self) -> Self {
        LazyMoveTree::default()
    }
}
