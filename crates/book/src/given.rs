//! What a book that is read says of its positions.

/// What a book that is read says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Games, with those whose result is unknown; one at least.
    pub games: u32,
    /// Games that White won.
    pub white: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games that Black won.
    pub black: u32,
}

impl Default for Given {
    /// One game, of which nothing is known.
    fn default() -> Self {
        Given { games: 1, white: 0, draws: 0, black: 0 }
    }
}

impl Given {
    /// What the operand of `c0` says that [`Form::Epd`](crate::Form::Epd) writes: `games 12 white 5 draws 4 black 3`.
    ///
    /// ```
    /// use book::Given;
    ///
    /// let given = Given::of_comment("games 12 white 5 draws 4 black 2").unwrap();
    /// assert_eq!((given.games, given.black), (12, 2));
    /// assert_eq!(Given::of_comment("games 1 white 5 draws 4 black 2"), None);
    /// ```
    pub fn of_comment(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut number = |name: &str| -> Option<u32> {
            (words.next()? == name).then_some(words.next()?.parse().ok()?)
        };
        let given = Given {
            games: number("games")?,
            white: number("white")?,
            draws: number("draws")?,
            black: number("black")?,
        };
        let decided = [given.white, given.draws, given.black].iter().map(|n| u64::from(*n)).sum();
        let is_whole = words.next().is_none() && given.games > 0;
        (is_whole && u64::from(given.games) >= decided).then_some(given)
    }
}
