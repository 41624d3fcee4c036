//! The counts of a position, or of a move in it. Merging is independent of the order.

use std::cmp::{Ordering, Reverse};
use std::mem;
use std::ops::AddAssign;

use pgn::Outcome;
use san::keywords;

/// An evaluation in centipawns from the side to move's point of view, as the operand of `ce` (EPD
/// 5.6), or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Evaluation(u16);

/// Offset of the stored value; 0 means none, since the least operand of `ce` is -32767.
const BIAS: i32 = 1 << 15;

impl Evaluation {
    /// No evaluation.
    pub const NONE: Evaluation = Evaluation(0);

    /// Creates an evaluation; [`Evaluation::NONE`] if the value is out of the range of `ce`.
    pub fn new(centipawns: i32) -> Self {
        let is_operand = (1 - BIAS..BIAS).contains(&centipawns);
        if is_operand { Evaluation((centipawns + BIAS) as u16) } else { Evaluation::NONE }
    }

    /// Returns the value in centipawns.
    pub fn get(self) -> Option<i32> {
        (self != Evaluation::NONE).then(|| i32::from(self.0) - BIAS)
    }

    #[inline]
    pub(crate) fn of_bits(bits: u16) -> Self {
        Evaluation(bits)
    }

    #[inline]
    pub(crate) fn bits(self) -> u16 {
        self.0
    }
}

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

keywords! {
    /// How games without a result count in scores and weights.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum UnknownResult {
        /// They count as draws.
        Draw = "draw",
        /// They do not count.
        #[default]
        Skip = "skip",
    }
}

/// Facts about a game, without its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// The sum of both ratings; 0 if one is unknown.
    pub elo_sum: u16,
    /// The year; 0 if unknown.
    pub year: u16,
    /// The result.
    pub outcome: Outcome,
}

/// Where a game reached the position. Ordered as the input: files by name, games by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLocation {
    /// Index of the file among all file names, sorted bytewise.
    pub file: u32,
    /// Number of the game in its file, from 1; less than 2^48, the maximum file size.
    pub game: u64,
    /// Number of plies played before.
    pub ply: u32,
    /// The halfmove clock.
    pub halfmoves: u16,
    /// The fullmove number.
    pub fullmoves: u16,
    /// The evaluation that selected the position.
    pub evaluation: Evaluation,
}

/// A notable game that reached the position. `I` is what is known of its players and moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotableGame<I = GameInfo> {
    /// The sum of both ratings; 0 if one is unknown.
    pub elo_sum: u16,
    /// Its location.
    pub at: SourceLocation,
    /// The result.
    pub outcome: Outcome,
    /// Its year; 0 if unknown.
    pub year: u16,
    /// Its players and moves.
    pub info: I,
}

/// The players of a game, and its moves up to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameInfo {
    /// The player of the white pieces; empty if unknown.
    pub white: Box<str>,
    /// The player of the black pieces; empty if unknown.
    pub black: Box<str>,
    /// The FEN that the game starts from; empty for the starting position.
    pub start: Box<str>,
    /// The moves before the position, if they are kept: [codes](san::MoveCode) of two bytes each,
    /// little-endian.
    pub moves: Box<[u8]>,
}

/// Counts of games. `+=` merges: all fields are sums, minima or maxima, so it is associative and
/// commutative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally<I = GameInfo> {
    /// Number of games, including those without a result.
    pub games: u64,
    /// Games won by White.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games won by Black.
    pub black: u64,
    /// Games in which both players have a rating.
    pub rated: u64,
    /// The sum of both ratings of those games.
    pub rating_sum: u64,
    /// The first year; 0 if none is known.
    pub first_year: u16,
    /// The last year; 0 if none is known.
    pub last_year: u16,
    /// The first occurrence.
    pub first: SourceLocation,
    /// The strongest game: the one with the highest mean rating, the first of equals.
    pub strongest: NotableGame<I>,
    /// The most recent game, if it is another one and was [counted](crate::Details::latest): the
    /// one of the last year, the last of equals.
    pub latest: Option<NotableGame<I>>,
}

impl<I> Tally<I> {
    /// Returns the mean rating of the players.
    pub fn mean_rating(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.rating_sum as f64 / (2.0 * self.rated as f64))
    }

    /// Returns the number of games without a result.
    pub fn unknown(&self) -> u64 {
        let decided = self.white.saturating_add(self.draws).saturating_add(self.black);
        self.games.saturating_sub(decided)
    }

    /// Returns the number of draws, including games without a result if those count as draws.
    pub fn draws_with(&self, unknown: UnknownResult) -> u64 {
        match unknown {
            UnknownResult::Skip => self.draws,
            UnknownResult::Draw => self.draws.saturating_add(self.unknown()),
        }
    }

    /// Returns White's score in millionths of a point per game; `None` if no game counts.
    pub fn score_millionths(&self, unknown: UnknownResult) -> Option<u64> {
        let [white, draws, black] = self.results(unknown);
        let decided = white + draws + black;
        (decided > 0).then(|| ((2 * white + draws) * 1_000_000 / (2 * decided)) as u64)
    }

    /// Returns the share of draws in millionths; `None` if no game counts.
    pub fn draws_millionths(&self, unknown: UnknownResult) -> Option<u64> {
        let [white, draws, black] = self.results(unknown);
        let decided = white + draws + black;
        (decided > 0).then(|| (draws * 1_000_000 / decided) as u64)
    }

    fn results(&self, unknown: UnknownResult) -> [u128; 3] {
        [self.white, self.draws_with(unknown), self.black].map(u128::from)
    }

    /// Returns the counts for the strongest game alone.
    pub fn of_strongest(&self) -> Self
    where
        I: Clone,
    {
        Tally::of_one(self.strongest.clone())
    }
}

impl<I> NotableGame<I> {
    /// Compares games by `key`, and equal ones by their information, so that the order is total.
    #[inline]
    fn is_before<K: Ord>(
        &self,
        other: &Self,
        key: impl Fn(&Self) -> K,
        precedes: impl Fn(&I, &I) -> bool,
    ) -> bool {
        match key(self).cmp(&key(other)) {
            Ordering::Equal => precedes(&self.info, &other.info),
            order => order.is_lt(),
        }
    }

    #[inline]
    pub(crate) fn of(facts: GameFacts, at: SourceLocation, info: I) -> Self {
        let GameFacts { elo_sum, year, outcome } = facts;
        NotableGame { elo_sum, at, outcome, year, info }
    }
}

impl<I> Tally<I> {
    #[inline]
    pub(crate) fn of_one(strongest: NotableGame<I>) -> Self {
        let won = |outcome| u64::from(strongest.outcome == outcome);
        Tally {
            games: 1,
            white: won(Outcome::WhiteWins),
            draws: won(Outcome::Draw),
            black: won(Outcome::BlackWins),
            rated: u64::from(strongest.elo_sum > 0),
            rating_sum: strongest.elo_sum.into(),
            first_year: strongest.year,
            last_year: strongest.year,
            first: strongest.at,
            strongest,
            latest: None,
        }
    }

    /// Whether the counts are those of the strongest game alone.
    #[inline]
    pub(crate) fn is_one(&self) -> bool {
        let Tally { games, white, draws, black, rated, rating_sum, first, .. } = *self;
        let NotableGame { elo_sum, at, outcome, year, .. } = self.strongest;
        let one = Tally::of_one(NotableGame { elo_sum, at, outcome, year, info: () });
        self.latest.is_none()
            && [games, white, draws, black] == [1, one.white, one.draws, one.black]
            && [rated, rating_sum] == [one.rated, one.rating_sum]
            && [self.first_year, self.last_year] == [year; 2]
            && first == at
    }

    pub(crate) fn latest(&self) -> &NotableGame<I> {
        self.latest.as_ref().unwrap_or(&self.strongest)
    }

    /// Returns the notable games: the strongest one, and the most recent one if it is another.
    pub fn notable_games(&self) -> impl Iterator<Item = &NotableGame<I>> {
        std::iter::once(&self.strongest).chain(&self.latest)
    }

    #[inline]
    pub(crate) fn map_info<'t, J>(&'t self, map: impl Fn(&'t I) -> J) -> Tally<J> {
        let game = |game: &'t NotableGame<I>| {
            let NotableGame { elo_sum, at, outcome, year, ref info } = *game;
            NotableGame { elo_sum, at, outcome, year, info: map(info) }
        };
        Tally {
            games: self.games,
            white: self.white,
            draws: self.draws,
            black: self.black,
            rated: self.rated,
            rating_sum: self.rating_sum,
            first_year: self.first_year,
            last_year: self.last_year,
            first: self.first,
            strongest: game(&self.strongest),
            latest: self.latest.as_ref().map(game),
        }
    }

    /// `precedes` breaks ties between games that are equal in all else: the order is total.
    #[inline]
    pub(crate) fn add(&mut self, other: Self, precedes: impl Fn(&I, &I) -> bool) {
        self.games = self.games.saturating_add(other.games);
        self.white = self.white.saturating_add(other.white);
        self.draws = self.draws.saturating_add(other.draws);
        self.black = self.black.saturating_add(other.black);
        self.rated = self.rated.saturating_add(other.rated);
        self.rating_sum = self.rating_sum.saturating_add(other.rating_sum);
        self.first_year = first_year(self.first_year, other.first_year);
        self.last_year = self.last_year.max(other.last_year);
        self.first = self.first.min(other.first);
        let strength =
            |game: &NotableGame<I>| (Reverse(game.elo_sum), game.at, game.outcome, game.year);
        let time = |game: &NotableGame<I>| (game.year, game.at, game.elo_sum, game.outcome);
        let is_stronger = other.strongest.is_before(&self.strongest, strength, &precedes);
        let is_later = self.latest().is_before(other.latest(), time, &precedes);
        match (is_stronger, is_later) {
            (false, false) => {}
            (false, true) => self.latest = Some(other.latest.unwrap_or(other.strongest)),
            (true, true) => (self.strongest, self.latest) = (other.strongest, other.latest),
            (true, false) => {
                let weaker = mem::replace(&mut self.strongest, other.strongest);
                self.latest.get_or_insert(weaker);
            }
        }
    }
}

impl<I: PartialOrd> AddAssign for Tally<I> {
    fn add_assign(&mut self, other: Self) {
        if self.games == 0 {
            *self = other;
        } else if other.games > 0 {
            self.add(other, |a, b| a < b);
        }
    }
}

/// Returns the lesser of two years, of which 0 is unknown.
#[inline]
pub(crate) fn first_year(a: u16, b: u16) -> u16 {
    if a == 0 || (b != 0 && b < a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_operands_of_ce_are_evaluations() {
        for centipawns in [-32767, -1, 0, 1, 32766] {
            assert_eq!(Evaluation::new(centipawns).get(), Some(centipawns));
        }
        for centipawns in [i32::MIN, -32768, 32768, i32::MAX] {
            assert_eq!(Evaluation::new(centipawns), Evaluation::NONE);
        }
        assert_eq!(Evaluation::default().get(), None);
    }
}
