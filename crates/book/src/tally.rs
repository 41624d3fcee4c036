//! Games, and the counts of a position or of a move in it. Adding is independent of the order.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pgn::{Outcome, TagPair, known_value};
use san::keywords;
use serde::{Deserialize, Serialize};

use crate::games::GameClass;

/// An evaluation in centipawns from the side to move's point of view, as the operand of `ce` (EPD
/// 5.6), or none.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
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
        let recorded = Self::of(|name| words.next().filter(|word| *word == name).and(words.next()));
        recorded.filter(|_| words.next().is_none())
    }

    /// Reads the columns `games`, `white`, `draws` and `black` of a table of counts.
    pub(crate) fn of_row(tags: &[TagPair<'_>]) -> Option<Self> {
        Self::of(|name| known_value(tags, name.as_bytes()))
    }

    fn of<T: AsRef<str>>(mut value: impl FnMut(&str) -> Option<T>) -> Option<Self> {
        let mut number = |name| -> Option<u32> { value(name)?.as_ref().parse().ok() };
        let [games, white, draws, black] =
            [number("games")?, number("white")?, number("draws")?, number("black")?];
        let decided: u64 = [white, draws, black].map(u64::from).iter().sum();
        let is_possible = games > 0 && u64::from(games) >= decided;
        is_possible.then_some(RecordedCounts { games, white, draws, black })
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

/// A game, and what is known of it. Ordered as the input: files by name, games by number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Game {
    /// Index of the file among all file names, sorted bytewise.
    pub file: u32,
    /// Number in its file, from 1; less than 2^48, the maximum file size.
    pub number: u64,
    /// The sum of both ratings; 0 if one is unknown.
    pub elo_sum: u16,
    /// The year; 0 if unknown.
    pub year: u16,
    /// The result.
    #[serde(with = "OutcomeNumber")]
    pub outcome: Outcome,
    /// The player of the white pieces; empty if unknown.
    pub white: Box<str>,
    /// The player of the black pieces; empty if unknown.
    pub black: Box<str>,
    /// The FEN that the game starts from; empty for the starting position.
    pub start: Box<str>,
    /// The moves, if they are kept.
    pub moves: Box<[u16]>,
    /// The class in which it is counted; none if all games are counted together.
    pub class: Option<Box<GameClass>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Outcome")]
enum OutcomeNumber {
    WhiteWins,
    BlackWins,
    Draw,
    Unknown,
}

/// Equal games have equal places.
impl Hash for Game {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.file, self.number).hash(state);
    }
}

impl Game {
    pub(crate) fn text_bytes(&self) -> usize {
        let texts = [&self.white, &self.black, &self.start].map(|text| text.len());
        let class = self.class.as_ref().map_or(0, |class| class.bytes());
        texts.into_iter().sum::<usize>() + size_of_val(&*self.moves) + class
    }
}

/// Where a game reached the position.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Occurrence {
    /// Index of the game in the table of games that belongs to the counts.
    pub game: u32,
    /// Number of plies played before, at most 65,535.
    pub ply: u16,
    /// The halfmove clock.
    pub halfmoves: u16,
    /// The fullmove number.
    pub fullmoves: u16,
    /// The evaluation that selected the position.
    pub evaluation: Evaluation,
}

impl Occurrence {
    /// Returns the game.
    pub fn of(self, games: &[Arc<Game>]) -> &Game {
        &games[self.game as usize]
    }

    /// Compares in the order of the input; equal games may have several numbers.
    pub fn cmp_in(self, other: Self, games: &[Arc<Game>]) -> Ordering {
        if self.game == other.game {
            return self.cmp(&other);
        }
        let in_game = |at| Occurrence { game: 0, ..at };
        self.of(games).cmp(other.of(games)).then_with(|| in_game(self).cmp(&in_game(other)))
    }
}

/// Counts that refer to a table of games: sums, minima or maxima, so the order makes no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
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
    pub first: Occurrence,
    /// In the strongest game: the one with the highest mean rating, the first of equals.
    pub strongest: Occurrence,
    /// In the most recent game, if it is another one and was [counted](crate::Details::latest): the
    /// one of the last year, the last of equals.
    pub latest: Option<Occurrence>,
}

impl Tally {
    /// Returns the counts of a single game.
    #[inline]
    pub fn of_one(at: Occurrence, game: &Game) -> Self {
        let won = |outcome| u64::from(game.outcome == outcome);
        Tally {
            games: 1,
            white: won(Outcome::WhiteWins),
            draws: won(Outcome::Draw),
            black: won(Outcome::BlackWins),
            rated: u64::from(game.elo_sum > 0),
            rating_sum: game.elo_sum.into(),
            first_year: game.year,
            last_year: game.year,
            first: at,
            strongest: at,
            latest: None,
        }
    }

    /// Whether the counts are those of the strongest game alone.
    pub(crate) fn is_one(&self, games: &[Arc<Game>]) -> bool {
        self.games == 1 && *self == Tally::of_one(self.strongest, self.strongest.of(games))
    }

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

    /// Returns the strongest game, and the most recent one if it is another.
    pub fn notable_games(&self) -> impl Iterator<Item = Occurrence> + use<> {
        [self.strongest].into_iter().chain(self.latest)
    }

    pub(crate) fn occurrences(&mut self) -> impl Iterator<Item = &mut Occurrence> {
        [&mut self.first, &mut self.strongest].into_iter().chain(&mut self.latest)
    }

    /// Adds counts which refer to the same table of games.
    #[inline]
    pub fn add(&mut self, other: Tally, games: &[Arc<Game>]) {
        if self.games == 0 || other.games == 0 {
            *self = if self.games == 0 { other } else { *self };
            return;
        }
        let sum = |a: &mut u64, b| *a = a.saturating_add(b);
        sum(&mut self.games, other.games);
        sum(&mut self.white, other.white);
        sum(&mut self.draws, other.draws);
        sum(&mut self.black, other.black);
        sum(&mut self.rated, other.rated);
        sum(&mut self.rating_sum, other.rating_sum);
        self.first_year = first_year(self.first_year, other.first_year);
        self.last_year = self.last_year.max(other.last_year);
        if other.first.cmp_in(self.first, games).is_lt() {
            self.first = other.first;
        }
        let (mine, theirs) = (self.strongest, other.strongest);
        let (my_latest, latest) = (self.latest.unwrap_or(mine), other.latest.unwrap_or(theirs));
        let (my_elo, elo) = (mine.of(games).elo_sum, theirs.of(games).elo_sum);
        let (my_year, year) = (my_latest.of(games).year, latest.of(games).year);
        let is_stronger = my_elo.cmp(&elo).then_with(|| theirs.cmp_in(mine, games)).is_lt();
        let is_later = my_year.cmp(&year).then_with(|| my_latest.cmp_in(latest, games)).is_lt();
        match (is_stronger, is_later) {
            (false, false) => {}
            (false, true) => self.latest = Some(latest),
            (true, true) => (self.strongest, self.latest) = (theirs, other.latest),
            (true, false) => {
                self.strongest = theirs;
                self.latest.get_or_insert(mine);
            }
        }
    }
}

/// Returns the lesser of two years, of which 0 is unknown.
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
