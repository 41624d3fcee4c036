//! A line of moves of a game: where it is, and which comments are pending.

use san::Position;

/// The main line of a game, or a variation.
#[derive(Debug)]
pub(super) struct Line {
    /// The current position.
    pub(super) position: Position,
    /// The position before the last move, where an alternative to that move begins; only set if
    /// variations are played.
    pub(super) before_last: Option<Position>,
    /// Number of plies played before the position.
    pub(super) number: u32,
    /// Index of the first comment on the position.
    pub(super) comments_from: usize,
    /// Index of the first NAG on the position.
    pub(super) nags_from: usize,
    /// Whether it is the main line.
    pub(super) is_main: bool,
    /// Whether the position should be passed to the sink. The position where a variation begins
    /// already was.
    pub(super) is_shown: bool,
}

impl Line {
    pub(super) fn main(position: Position) -> Self {
        Line {
            position,
            before_last: None,
            number: 0,
            comments_from: 0,
            nags_from: 0,
            is_main: true,
            is_shown: true,
        }
    }
}
