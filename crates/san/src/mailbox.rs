//! The board as an array of letters.

use std::ops::{Index, IndexMut};

use shakmaty::Square;

/// The FEN letter of the piece on each square, 0 for an empty one: A1, B1, …, H8.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Mailbox(pub(crate) [u8; 64]);

impl Mailbox {
    pub(crate) const EMPTY: Mailbox = Mailbox([0; 64]);
}

impl Index<Square> for Mailbox {
    type Output = u8;

    #[inline]
    fn index(&self, square: Square) -> &u8 {
        // The mask has no effect but elides the bounds check.
        &self.0[square.to_usize() & 63]
    }
}

impl IndexMut<Square> for Mailbox {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut u8 {
        &mut self.0[square.to_usize() & 63]
    }
}
