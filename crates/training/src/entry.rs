//! A position of a game with its score.

use san::{Color, Move, Position};

use crate::score::Score;

/// A position of a game with its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position. In bulletformat, which stores it from the view of the side to move, White is
    /// to move, without castling rights, en passant square and clocks.
    pub position: Position,
    /// The move played, if the format has it and the file contains one.
    pub played: Option<Move>,
    /// The score, from the view of the side to move.
    pub score: Score,
    /// Number of plies before the position, as the format counts them; from the fullmove number if
    /// it has no such field.
    pub ply: u32,
    /// The result of the game. In bulletformat, `WhiteWins` means that the side to move wins.
    pub result: GameResult,
    /// Whether the entry does not continue the game of the previous one.
    pub is_start: bool,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `1-0`
    WhiteWins,
}

impl GameResult {
    /// Returns the half points of a side: 0, 1 or 2.
    ///
    /// ```
    /// use san::Color;
    ///
    /// assert_eq!(training::GameResult::BlackWins.halves(Color::Black), 2);
    /// ```
    pub fn halves(self, side: Color) -> u8 {
        let white = self as u8;
        side.fold_wb(white, 2 - white)
    }

    /// Returns the result in which a side gets this many half points; `None` if that is more
    /// than 2.
    pub fn of_halves(halves: u8, side: Color) -> Option<Self> {
        match side.fold_wb(halves, 2_u8.wrapping_sub(halves)) {
            0 => Some(GameResult::BlackWins),
            1 => Some(GameResult::Draw),
            2 => Some(GameResult::WhiteWins),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_points_are_those_of_one_side() {
        for side in Color::ALL {
            for halves in 0..3 {
                let result = GameResult::of_halves(halves, side).unwrap();
                assert_eq!(result.halves(side), halves);
                assert_eq!(result.halves(!side), 2 - halves);
            }
            assert_eq!(GameResult::of_halves(3, side), None);
            assert_eq!(GameResult::of_halves(255, side), None);
        }
    }
}
