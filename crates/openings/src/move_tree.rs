//! Tree of the moves that lead to named positions, which replaces lookups while a game follows it.

use san::{Line, Move, MoveCode};

use crate::name::Name;
use crate::opening::{Opening, OpeningChange};

/// The moves from the starting position that lead to named positions.
///
/// Each node stores the opening at its position and how it differs from that of its parent, so a
/// game that follows the tree costs a few comparisons per ply. Once a game leaves it, positions are
/// looked up one by one.
///
/// ```
/// use openings::{MoveNode, MoveTree, Name};
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
    /// The first node is the starting position; siblings are adjacent.
    nodes: Vec<Node>,
    /// The move that leads to each node, as [`Move::code`].
    codes: Vec<MoveCode>,
    /// The part of the operations that exceeds the space in the nodes, padded at the end.
    rest: Vec<u8>,
    /// For each node, the indices of the names that supply the ECO code, the NIC code and the
    /// opening.
    openings: Vec<[Option<u32>; 3]>,
}

/// A node of a [`MoveTree`] other than the root.
#[derive(Clone, Copy, Debug)]
pub struct MoveNode {
    /// Index of the parent; the root is 0, the first node in the list 1.
    pub parent: u32,
    /// The move that leads here.
    pub played: Move,
    /// Index of the name of the position, if it has one.
    pub name: Option<u32>,
}

/// A position in the tree and the operations that its record needs after that of the parent. Fits
/// into one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Node {
    first_child: u32,
    children: u8,
    is_named: bool,
    /// Whether the operations are stored completely.
    is_complete: bool,
    eco_len: u8,
    parts_len: u8,
    /// ` eco "B90";`
    eco: [u8; ECO],
    /// The operations of the name parts, or their beginning.
    parts: [u8; PARTS_HERE],
    /// Offset of the remainder in [`MoveTree::rest`].
    rest_at: u32,
}

const ECO: usize = r#" eco "B90";"#.len();

/// Number of bytes of the part operations that are stored in the node.
const PARTS_HERE: usize = 40;

/// Maximum number of further bytes, stored in [`MoveTree::rest`]. Longer operations are written by
/// the general code path. The limit ensures that a record fits into a [`Line`].
const REST: usize = 48;

const _: () = assert!(size_of::<Node>() == 64);

impl Default for Node {
    fn default() -> Self {
        Node {
            first_child: 0,
            children: 0,
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

impl MoveTree {
    /// Builds a tree from nodes sorted by parent, so that siblings are adjacent. Siblings are
    /// searched in the given order, so frequent moves should come first.
    ///
    /// # Panics
    ///
    /// If a node precedes its parent, is separated from its siblings, or has a name outside of
    /// `names`.
    pub fn new(names: &[Name], nodes: &[MoveNode]) -> Self {
        let mut tree = MoveTree {
            nodes: vec![Node::default()],
            codes: vec![MoveCode::NONE],
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
            tree.add(name.is_some(), OpeningChange::between(&before, &now), &now);
        }
        tree.rest.extend([0; REST]);
        tree
    }

    /// Appends a node at which the opening changes by `change`.
    fn add(&mut self, is_named: bool, change: OpeningChange, now: &Opening<'_>) {
        let mut node = Node { is_named, is_complete: !change.nic, ..Node::default() };
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

    /// Returns the number of nodes, including the root.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the tree consists of the root only.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() <= 1
    }

    /// Returns the node after a move.
    #[inline]
    pub(crate) fn child(&self, node: u32, played: Move) -> Option<u32> {
        let Node { first_child, children, .. } = self.nodes[node as usize];
        let codes = &self.codes[first_child as usize..][..usize::from(children)];
        let code = played.code();
        codes.iter().position(|other| *other == code).map(|index| first_child + index as u32)
    }

    /// Returns whether the position of a node has a name of its own.
    #[inline]
    pub(crate) fn is_named(&self, node: u32) -> bool {
        self.nodes[node as usize].is_named
    }

    /// Returns the opening at a node.
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
