//! The lines of moves of a table: its [`MoveTree`] as it grows while files are read.

use emit::{MoveNode, MoveTree, Name};
use san::Move;

use crate::key::Key;

/// Where a line stands: the start, or behind a move of a known line.
pub(crate) type Node = usize;

/// The node of the usual array.
pub(crate) const START: Node = 0;

/// The moves of all lines that were read, each position once for each way to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownLines {
    /// All nodes but the start, each behind its parent.
    nodes: Vec<Known>,
    /// The child of each node that was added last; [`START`] is none.
    last_child: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Known {
    parent: Node,
    played: Move,
    key: Key,
    /// The child of the same parent that was added before; [`START`] is none.
    sibling: Node,
}

impl KnownLines {
    /// The node behind a move, which leads to the position of that key.
    pub(crate) fn go_on(&mut self, parent: Node, played: Move, key: impl FnOnce() -> Key) -> Node {
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

    /// The lines as a tree, in which `name` says which of the names a position has.
    pub(crate) fn tree(&self, names: &[Name], name: impl Fn(&Key) -> Option<u32>) -> MoveTree {
        let sizes = self.sizes();
        // Breadth first; where a node leads to many others, many games go there.
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

    /// How many nodes there are behind each, itself among them.
    fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![1; self.nodes.len() + 1];
        for node in (1..sizes.len()).rev() {
            sizes[self.nodes[node - 1].parent] += sizes[node];
        }
        sizes
    }
}
