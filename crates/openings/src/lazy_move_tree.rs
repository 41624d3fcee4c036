//! A tree of moves that is built once it pays off.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::move_tree::MoveTree;

/// Number of games that are named position by position first. Building the tree of the built-in table takes a millisecond, as
/// much as it saves on a few thousand games.
const GAMES_WITHOUT: u32 = 2000;

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
