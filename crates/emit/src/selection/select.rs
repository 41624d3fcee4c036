//! The range of positions of a game.

/// Range of positions of a game to write. Position 0 is the start, position `n` is after ply `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Select {
    /// The first position.
    pub first: u32,
    /// The last position.
    pub last: u32,
    /// Whether to write only the final position of the game, if it is in the range.
    pub only_final: bool,
    /// The numbers of the first and the last move before which positions are written.
    pub moves: (u32, u32),
}

impl Default for Select {
    fn default() -> Self {
        Select { first: 0, last: u32::MAX, only_final: false, moves: (0, u32::MAX) }
    }
}

impl Select {
    /// Returns whether the position after `ply` plies is selected; `is_final` marks the last
    /// position of the game.
    #[inline]
    pub fn wants(&self, ply: u32, is_final: bool) -> bool {
        ply >= self.first && ply <= self.last && (is_final || !self.only_final)
    }

    /// Returns the range of a game that starts before a move, as plies alone.
    ///
    /// ```
    /// use emit::Select;
    ///
    /// let select = Select { moves: (10, 12), ..Select::default() };
    /// let range = |(first, last)| Select { first, last, ..Select::default() };
    /// assert_eq!(select.of_game(1, false), range((18, 23)));
    /// assert_eq!(select.of_game(11, true), range((0, 2)));
    /// assert!(!select.of_game(13, false).wants(0, true));
    /// ```
    #[must_use]
    pub fn of_game(self, fullmoves: u32, is_black: bool) -> Select {
        let Select { first, last, moves: (from, to), .. } = self;
        if (from, to) == (0, u32::MAX) {
            return self;
        }
        let start = i64::from(fullmoves) * 2 + i64::from(is_black);
        let ply = |half_moves: i64| half_moves - start;
        let from = ply(i64::from(from) * 2).max(i64::from(first));
        let to = ply(i64::from(to) * 2 + 1).min(i64::from(last));
        let range = if from > to { (1, 0) } else { (from as u32, to as u32) };
        Select { first: range.0, last: range.1, moves: (0, u32::MAX), ..self }
    }

    pub(crate) fn excludes(&self, ply: u32, fullmoves: u32) -> bool {
        let is_of_moves = (self.moves.0..=self.moves.1).contains(&fullmoves);
        ply < self.first || ply > self.last || self.only_final || !is_of_moves
    }
}
