//! Tree of the moves that lead to named positions, which replaces lookups while a game follows it.

use std::sync::OnceLock;

use san::{Move, MoveCode};

use crate::name::Name;
use crate::opening::Opening;
use crate::stored_records::{RecordStyle, StoredRecords};

/// The moves from the starting position that lead to named positions.
///
/// Each node stores the opening at its position, and its record as text, so a game that follows the
/// tree costs a few comparisons and a copy per ply. Once a game leaves it, positions are looked up
/// one by one.
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
    /// The moves themselves.
    moves: Vec<Option<Move>>,
    /// For each node, the indices of the names that supply the ECO code, the NIC code and the
    /// opening.
    openings: Vec<[Option<u32>; 3]>,
    /// The records of the nodes, for the first styles in which they were wanted.
    records: [OnceLock<Box<StoredRecords>>; STYLES],
}

/// Number of styles in which records are stored; a program needs one.
const STYLES: usize = 2;

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

/// A position in the tree.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    first_child: u32,
    children: u8,
    is_named: bool,
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
            moves: vec![None],
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
            tree.moves.push(Some(played));
            tree.nodes.push(Node { is_named: name.is_some(), ..Node::default() });
        }
        tree
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

    /// Returns the nodes after the moves from a node, with the moves.
    pub(crate) fn children(&self, node: u32) -> impl Iterator<Item = (u32, Move)> {
        let Node { first_child, children, .. } = self.nodes[node as usize];
        let children = first_child..first_child + u32::from(children);
        children.filter_map(|child| Some((child, self.moves[child as usize]?)))
    }

    /// Returns the records of the nodes; `None` if those of other styles are stored.
    pub(crate) fn records(&self, names: &[Name], style: RecordStyle) -> Option<&StoredRecords> {
        let make = || Box::new(StoredRecords::new(self, names, style));
        let records = self.records.iter().map(|records| &**records.get_or_init(make));
        records.into_iter().find(|records| records.style == style)
    }
}
