//! The moves that lead to named positions, as a tree: while a game follows it, nobody need look its positions up.

use san::{Line, Move};

use crate::Name;
use crate::naming::{Change, Opening};

/// The moves from the start that lead to named positions.
///
/// Each node knows which name counts there and what that changes for a game that came by these moves, so that a game which
/// follows the tree costs a few comparisons a ply. Made by a table of [`Names`](crate::Names); games that leave the tree
/// are named position by position.
///
/// ```
/// use emit::{MoveNode, MoveTree, Name};
/// use san::{Position, resolve};
///
/// let names = [Name::new(Some("B00"), None, "King's Pawn Game")];
/// let e4 = resolve(&Position::default(), b"e4")?;
/// let tree = MoveTree::new(&names, &[MoveNode { parent: 0, played: e4, name: Some(0) }]);
/// assert_eq!(tree.len(), 2);
/// # Ok::<_, san::SanError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MoveTree {
    /// The start is the first node; the children of a node follow each other.
    nodes: Vec<Node>,
    /// The move that leads to each node, as [`Move::code`].
    codes: Vec<u16>,
    /// What of the operations of parts does not stand in the nodes, and room behind it.
    rest: Vec<u8>,
    /// Of each node the names that have the code, the NIC code and the opening that count there.
    openings: Vec<[Option<u32>; 3]>,
}

/// A node of a [`MoveTree`] but the start.
#[derive(Clone, Copy, Debug)]
pub struct MoveNode {
    /// The number of the node before: the start is 0, the first of the others 1.
    pub parent: u32,
    /// The move that leads here.
    pub played: Move,
    /// Which of the names the position has.
    pub name: Option<u32>,
}

/// A position on the way to others, and what its record has to say if the position before had one: in one line of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Node {
    first_child: u32,
    children: u8,
    is_named: bool,
    /// Whether all that is to be said stands here.
    is_told: bool,
    eco_len: u8,
    parts_len: u8,
    /// ` eco "B90";`
    eco: [u8; ECO],
    /// The operations of the parts, or their beginning.
    parts: [u8; PARTS_HERE],
    /// Where the rest of them stands.
    rest_at: u32,
}

const ECO: usize = r#" eco "B90";"#.len();

/// So many bytes of the operations of parts stand in a node.
const PARTS_HERE: usize = 40;

/// So many more may stand elsewhere; what is longer is left to the general way: a record with them has room in a [`Line`].
const REST: usize = 48;

const _: () = assert!(size_of::<Node>() == 64);

impl Default for Node {
    fn default() -> Self {
        Node {
            first_child: 0,
            children: 0,
            is_named: false,
            is_told: true,
            eco_len: 0,
            parts_len: 0,
            eco: [0; ECO],
            parts: [0; PARTS_HERE],
            rest_at: 0,
        }
    }
}

impl MoveTree {
    /// A tree of nodes that stand in the order of their parents: so the children of a node follow each other. They are looked
    /// for in their order, so those that games take more often should come first.
    ///
    /// # Panics
    ///
    /// If a node comes before its parent, or away from its siblings, or has a name that is none of `names`.
    pub fn new(names: &[Name], nodes: &[MoveNode]) -> Self {
        let mut tree = MoveTree {
            nodes: vec![Node::default()],
            codes: vec![0],
            openings: vec![[None; 3]],
            ..MoveTree::default()
        };
        for (number, &MoveNode { parent, played, name }) in (1..).zip(nodes) {
            let parent_node = &mut tree.nodes[parent as usize];
            if parent_node.children == 0 {
                parent_node.first_child = number;
            }
            let next = parent_node.first_child + u32::from(parent_node.children);
            assert_eq!(next, number, "siblings follow each other");
            parent_node.children += 1;
            let before = tree.openings[parent as usize];
            let opening = name.map_or(before, |index| {
                let name = &names[index as usize];
                let has = [name.eco(), name.nic(), name.opening()].map(|text| text.is_some());
                std::array::from_fn(|i| if has[i] { Some(index) } else { before[i] })
            });
            tree.openings.push(opening);
            tree.codes.push(played.code());
            let [before, now] = [before, opening].map(|indices| Opening::of(indices, names));
            tree.add(name.is_some(), Change::between(&before, &now), &now);
        }
        tree.rest.extend([0; REST]);
        tree
    }

    /// Adds a node at which the opening changes so.
    fn add(&mut self, is_named: bool, change: Change, now: &Opening<'_>) {
        let mut node = Node { is_named, is_told: !change.nic, ..Node::default() };
        if change.eco {
            match now.eco_operation().as_bytes().try_into() {
                Ok(eco) => (node.eco, node.eco_len) = (eco, ECO as u8),
                Err(_) => node.is_told = false,
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
            node.is_told = false;
        }
        self.nodes.push(node);
    }

    /// How many nodes there are, the start among them.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing but the start.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// The node behind a move.
    #[inline]
    pub(crate) fn child(&self, node: u32, played: Move) -> Option<u32> {
        let Node { first_child, children, .. } = self.nodes[node as usize];
        let codes = &self.codes[first_child as usize..][..usize::from(children)];
        let code = played.code();
        codes.iter().position(|other| *other == code).map(|index| first_child + index as u32)
    }

    /// Whether the position of a node has a name of its own.
    #[inline]
    pub(crate) fn is_named(&self, node: u32) -> bool {
        self.nodes[node as usize].is_named
    }

    /// The opening that counts at a node.
    pub(crate) fn opening<'n>(&self, node: u32, names: &'n [Name]) -> Opening<'n> {
        Opening::of(self.openings[node as usize], names)
    }

    /// The node, if it holds all that its record has to say.
    #[inline]
    pub(crate) fn told(&self, node: u32) -> Option<&Node> {
        self.nodes.get(node as usize).filter(|node| node.is_told)
    }

    /// Writes what a record says of the codes.
    #[inline(always)]
    pub(crate) fn write_codes(&self, node: &Node, line: &mut Line<'_>) {
        line.text_of_len(&node.eco, usize::from(node.eco_len));
    }

    /// Writes what a record says of the name.
    #[inline(always)]
    pub(crate) fn write_parts(&self, node: &Node, line: &mut Line<'_>) {
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
    /// Whether its record says anything of the opening.
    #[inline]
    pub(crate) fn says_anything(&self) -> bool {
        self.eco_len + self.parts_len > 0
    }
}
