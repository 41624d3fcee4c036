//! A tree of moves that is made once it pays.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use emit::MoveTree;

/// So many games are named position by position first: to make the tree of the embedded table takes as long as it saves on some
/// thousand games (a millisecond).
const GAMES_WITHOUT: u32 = 2000;

#[derive(Debug, Default)]
pub(crate) struct LateTree {
    asked: AtomicU32,
    tree: OnceLock<MoveTree>,
}

impl LateTree {
    /// The tree, to be asked for once a game.
    #[inline]
    pub(crate) fn get(&self, make: impl FnOnce() -> MoveTree) -> Option<&MoveTree> {
        match self.tree.get() {
            None if self.asked.fetch_add(1, Ordering::Relaxed) < GAMES_WITHOUT => None,
            None => Some(self.tree.get_or_init(make)),
            tree => tree,
        }
    }

    /// The next game gets the tree.
    pub(crate) fn hurry(&self) {
        self.asked.fetch_max(GAMES_WITHOUT, Ordering::Relaxed);
    }
}

impl Clone for LateTree {
    fn clone(&self) -> Self {
        LateTree::default()
    }
}
