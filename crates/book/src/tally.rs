//! What is counted of a position, or of a move in it. Tallies are merged, in any order, to the same sum.

use std::cmp::Ordering;
use std::ops::AddAssign;

/// How a game ended, as its `Result` tag says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody won.
    Draw,
    /// The tag is missing, or says something else: `*`.
    #[default]
    Unknown,
}

impl Outcome {
    /// The outcome that a `Result` tag tells.
    pub fn of(tag: &[u8]) -> Self {
        pgn::Outcome::of_text(tag.trim_ascii()).map_or(Outcome::Unknown, Outcome::from)
    }

    /// What files have for it.
    #[inline]
    pub(crate) fn of_byte(byte: u8) -> Option<Self> {
        [Outcome::White, Outcome::Black, Outcome::Draw, Outcome::Unknown]
            .get(usize::from(byte))
            .copied()
    }

    /// The text of the tag.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::White => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }
}

impl From<pgn::Outcome> for Outcome {
    fn from(outcome: pgn::Outcome) -> Self {
        match outcome {
            pgn::Outcome::WhiteWins => Outcome::White,
            pgn::Outcome::BlackWins => Outcome::Black,
            pgn::Outcome::Draw => Outcome::Draw,
            pgn::Outcome::Unknown => Outcome::Unknown,
        }
    }
}

/// What is known of a game but for its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// The sum of both ratings; 0 if one is unknown.
    pub elo_sum: u16,
    /// The year; 0 if unknown.
    pub year: u16,
    /// How it ended.
    pub outcome: Outcome,
}

/// Where a game reached the position. The order is that of the input: files by name, games by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Occurrence {
    /// The file, as its place among all names of files in the order of their bytes.
    pub file: u32,
    /// The game in the file, counted from 1.
    pub game: u64,
    /// Plies played before.
    pub ply: u32,
    /// The halfmove clock.
    pub halfmoves: u16,
    /// The fullmove number.
    pub fullmoves: u16,
}

/// The strongest game that reached the position: the one with the highest mean rating, and of equals the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strongest {
    /// The sum of both ratings; 0 if one is unknown.
    pub elo_sum: u16,
    /// Where it is.
    pub at: Occurrence,
    /// How it ended.
    pub outcome: Outcome,
    /// Its year; 0 if unknown.
    pub year: u16,
    /// Its players, and how it came there.
    pub story: Story,
}

/// Who played a game, and its moves up to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Story {
    /// The player of the white pieces; empty if unknown.
    pub white: Box<str>,
    /// The player of the black pieces; empty if unknown.
    pub black: Box<str>,
    /// The FEN that the game starts from; empty for the usual array.
    pub start: Box<str>,
    /// The moves before the position, as [codes](crate::MoveCode), if they are kept.
    pub moves: Box<[u16]>,
}

/// What is counted. `+=` merges: sums, minima and maxima, so that it is associative and commutative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games, with those whose result is unknown.
    pub games: u64,
    /// Games that White won.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
    /// Games in which both players have a rating.
    pub rated: u64,
    /// The sum of both ratings of those games.
    pub rating_sum: u64,
    /// The first year; 0 if none is known.
    pub first_year: u16,
    /// The last year; 0 if none is known.
    pub last_year: u16,
    /// Where it was met first.
    pub first: Occurrence,
    /// The strongest game.
    pub strongest: Strongest,
}

impl Tally {
    /// The mean rating of the players.
    pub fn mean_rating(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.rating_sum as f64 / (2.0 * self.rated as f64))
    }

    /// White's share of the points, in millionths, of the games with a result.
    pub fn score_millionths(&self) -> Option<u64> {
        let [white, draws, black] = [self.white, self.draws, self.black].map(u128::from);
        let decided = white + draws + black;
        (decided > 0).then(|| ((2 * white + draws) * 1_000_000 / (2 * decided)) as u64)
    }

    /// What is counted if only the strongest game counts.
    pub fn of_strongest(&self) -> Tally {
        let Strongest { elo_sum, at, outcome, year, .. } = self.strongest;
        Tally {
            games: 1,
            white: u64::from(outcome == Outcome::White),
            draws: u64::from(outcome == Outcome::Draw),
            black: u64::from(outcome == Outcome::Black),
            rated: u64::from(elo_sum > 0),
            rating_sum: elo_sum.into(),
            first_year: year,
            last_year: year,
            first: at,
            strongest: self.strongest.clone(),
        }
    }
}

impl Strongest {
    /// Stronger games are less; of equally strong ones the first, and of equal places that with the lesser story, so that
    /// the order is total.
    fn order(&self, other: &Self) -> Ordering {
        let key = |s: &Self| (std::cmp::Reverse(s.elo_sum), s.at, s.outcome, s.year);
        key(self).cmp(&key(other)).then_with(|| self.story.cmp(&other.story))
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        if other.games == 0 {
            return;
        }
        if self.games == 0 {
            *self = other;
            return;
        }
        self.games = self.games.saturating_add(other.games);
        self.white = self.white.saturating_add(other.white);
        self.draws = self.draws.saturating_add(other.draws);
        self.black = self.black.saturating_add(other.black);
        self.rated = self.rated.saturating_add(other.rated);
        self.rating_sum = self.rating_sum.saturating_add(other.rating_sum);
        self.first_year = first_year(self.first_year, other.first_year);
        self.last_year = self.last_year.max(other.last_year);
        self.first = self.first.min(other.first);
        if other.strongest.order(&self.strongest).is_lt() {
            self.strongest = other.strongest;
        }
    }
}

/// The lesser of two years, of which 0 is unknown.
#[inline]
pub(crate) fn first_year(a: u16, b: u16) -> u16 {
    if a == 0 || (b != 0 && b < a) { b } else { a }
}
