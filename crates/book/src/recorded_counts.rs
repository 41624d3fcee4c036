//! Game counts parsed from the `c0` operation of an existing book.

/// Game counts that an existing book records for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedCounts {
    /// Number of games, including those without a result; at least one.
    pub games: u32,
    /// Games won by White.
    pub white: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games won by Black.
    pub black: u32,
}

impl Default for RecordedCounts {
    /// One game with unknown result.
    fn default() -> Self {
        RecordedCounts { games: 1, white: 0, draws: 0, black: 0 }
    }
}

impl RecordedCounts {
    /// Parses the operand of `c0` as written by [`Form::Epd`](crate::Form::Epd): `games 12 white 5
    /// draws 4 black 3`.
    ///
    /// ```
    /// use book::RecordedCounts;
    ///
    /// let recorded = RecordedCounts::of_comment("games 12 white 5 draws 4 black 2").unwrap();
    /// assert_eq!((recorded.games, recorded.black), (12, 2));
    /// assert_eq!(RecordedCounts::of_comment("games 1 white 5 draws 4 black 2"), None);
    /// ```
    pub fn of_comment(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut number = |name: &str| -> Option<u32> {
            (words.next()? == name).then_some(words.next()?.parse().ok()?)
        };
        let recorded = RecordedCounts {
            games: number("games")?,
            white: number("white")?,
            draws: number("draws")?,
            black: number("black")?,
        };
        let decided =
            [recorded.white, recorded.draws, recorded.black].iter().map(|n| u64::from(*n)).sum();
        let is_whole = words.next().is_none() && recorded.games > 0;
        (is_whole && u64::from(recorded.games) >= decided).then_some(recorded)
    }
}
