//! A line of moves of a game: where it is, and which comments are pending.

use san::{Move, Position};

/// The main line of a game, or a variation.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) position: Position,
    /// The position before the last move, where an alternative to that move begins; only set if
    /// variations are played.
    pub(super) before_last: Option<Position>,
    /// Number of plies played before the position.
    pub(super) number: u32,
    /// The first comment and NAG of the line.
    pub(super) begin: Mark,
    /// The first comment and NAG on the position.
    pub(super) from: Mark,
    /// The comments and NAGs on the position where an alternative to the last move begins; before
    /// the first move of a variation, on the position that the variation leaves.
    pub(super) noted: [Mark; 2],
    pub(super) is_main: bool,
    /// The move played from the position, if the position is passed to the sink only together with
    /// the comments after that move.
    pub(super) pending: Option<Pending>,
    /// Whether the position should be passed to the sink; that before a variation already was.
    pub(super) is_shown: bool,
}

/// A place in the lists of comments and of NAGs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) comments: usize,
    pub(super) nags: usize,
}

/// A move that is played on the board only when the next one is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) next: Move,
    /// Index of the first comment after the move.
    pub(super) comments_from: usize,
    /// Index of the first NAG of the move.
    pub(super) nags_from: usize,
}

impl Line {
    /// Returns the position after the pending move.
    #[cold]
    pub(super) fn position_after(&self) -> Position {
        let mut position = self.position.clone();
        if let Some(pending) = self.pending {
            position.play_unchecked(pending.next);
        }
        position
    }

    /// Returns the number of plies played, with the pending one.
    #[inline(always)]
    pub(super) fn played(&self) -> u32 {
        self.number + u32::from(self.pending.is_some())
    }

    pub(super) fn main(position: Position) -> Self {
        Line {
            position,
            before_last: None,
            number: 0,
            begin: Mark::default(),
            from: Mark::default(),
            noted: [Mark::default(); 2],
            pending: None,
            is_main: true,
            is_shown: true,
        }
    }
}
