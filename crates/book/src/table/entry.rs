//! An entry: the counts of a move in a position.

use pgn::Outcome;
use san::{MoveCode, PositionKey};

use crate::evaluation::Evaluation;
use crate::games::{GamePly, Games};
use crate::row::{GameInfoRef, Row};
use crate::tally::{GameFacts, NotableGame, SourceLocation, Tally, first_year};
use crate::visits::PositionVisit;

/// The counts of a move in games of a class: one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Entry {
    pub(super) key: PositionKey,
    pub(super) next: MoveCode,
    pub(super) class: u16,
    first: GamePly,
    pub(super) games: u32,
    white: u32,
    draws: u32,
    black: u32,
}

/// The strongest and the most recent game of an entry, and the ratings and years of all.
#[derive(Clone, Copy, Debug)]
pub(super) struct NotableGames {
    rating_sum: u64,
    pub(super) rated: u32,
    pub(super) strongest: GamePly,
    latest: GamePly,
    elo_sum: u16,
    first_year: u16,
    last_year: u16,
    /// The evaluations in these games, and in the first one of the entry.
    evaluation: Evaluation,
    latest_evaluation: Evaluation,
    first_evaluation: Evaluation,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedGame {
    pub(crate) index: u32,
    pub(crate) class: u16,
    pub(crate) facts: GameFacts,
    pub(crate) games: u32,
    pub(crate) white: u32,
    pub(crate) draws: u32,
    pub(crate) black: u32,
    /// Whether its ratings count.
    pub(crate) is_rated: bool,
}

impl Entry {
    #[inline]
    pub(super) fn new(visit: &PositionVisit, game: &CountedGame) -> Self {
        let CountedGame { index, class, games, white, draws, black, .. } = *game;
        let PositionVisit { key, next, .. } = *visit;
        Entry { key, next, class, first: visit.seen(index), games, white, draws, black }
    }

    /// Whether this entry counts the move and its counters have room for the game.
    #[inline]
    pub(super) fn is_of(&self, visit: &PositionVisit, game: &CountedGame) -> bool {
        let [a, b, c, d] = self.key.0;
        let [e, f, g, h] = visit.key.0;
        // Branch-free: all comparisons at once.
        (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h) == 0
            && (self.next == visit.next)
                & (self.class == game.class)
                & (self.games.checked_add(game.games).is_some())
    }

    /// Counts a game; returns whether the entry now refers to it.
    #[inline]
    pub(super) fn count(
        &mut self,
        visit: &PositionVisit,
        game: &CountedGame,
        notable: Option<&mut NotableGames>,
        with_latest: bool,
    ) -> bool {
        self.games += game.games;
        self.white += game.white;
        self.draws += game.draws;
        self.black += game.black;
        let seen = visit.seen(game.index);
        let is_named =
            notable.is_some_and(|notable| notable.count(visit, game, self.first, with_latest));
        // Later games have higher numbers, but a game may reach a position several times.
        if seen < self.first {
            self.first = seen;
        }
        is_named
    }

    pub(super) fn row<'s>(&self, notable: Option<&NotableGames>, games: &'s Games) -> Row<'s> {
        let Entry { key, next, class, first, .. } = *self;
        let mut tally = Tally {
            games: self.games.into(),
            white: self.white.into(),
            draws: self.draws.into(),
            black: self.black.into(),
            first: games.occurrence(first),
            ..Tally::of_one(NotableGame {
                elo_sum: 0,
                at: games.occurrence(first),
                // So that the row of a single game is short.
                outcome: match (self.games, self.white, self.draws, self.black) {
                    (1, 1, ..) => Outcome::WhiteWins,
                    (1, _, 1, _) => Outcome::Draw,
                    (1, .., 1) => Outcome::BlackWins,
                    _ => Outcome::Unknown,
                },
                year: 0,
                info: GameInfoRef::of_game(games, None, 0),
            })
        };
        if let Some(notable) = notable {
            let game = |at: GamePly, evaluation| {
                let info = GameInfoRef::of_game(games, games.index_if_known(at.game), at.ply);
                let location = SourceLocation { evaluation, ..games.occurrence(at) };
                NotableGame::of(games.facts(at.game), location, info)
            };
            let NotableGames { strongest, latest, evaluation, latest_evaluation, .. } = *notable;
            let is_other = (latest, latest_evaluation) != (strongest, evaluation);
            tally = Tally {
                rated: notable.rated.into(),
                rating_sum: notable.rating_sum,
                first_year: notable.first_year,
                last_year: notable.last_year,
                first: SourceLocation { evaluation: notable.first_evaluation, ..tally.first },
                strongest: game(strongest, evaluation),
                latest: is_other.then(|| game(latest, latest_evaluation)),
                ..tally
            };
        }
        Row { key, next, class: games.class(class.into()), tally }
    }
}

impl NotableGames {
    #[inline]
    pub(super) fn new(visit: &PositionVisit, game: &CountedGame) -> Self {
        let GameFacts { elo_sum, year, .. } = game.facts;
        NotableGames {
            rating_sum: if game.is_rated { elo_sum.into() } else { 0 },
            rated: game.is_rated.into(),
            strongest: visit.seen(game.index),
            latest: visit.seen(game.index),
            elo_sum,
            first_year: year,
            last_year: year,
            evaluation: visit.evaluation,
            latest_evaluation: visit.evaluation,
            first_evaluation: visit.evaluation,
        }
    }

    /// Returns whether it is now notable. Unless wanted, `latest` follows `strongest` to say none.
    #[inline]
    fn count(
        &mut self,
        visit: &PositionVisit,
        game: &CountedGame,
        first: GamePly,
        with_latest: bool,
    ) -> bool {
        let GameFacts { elo_sum, year, .. } = game.facts;
        let (seen, evaluation) = (visit.seen(game.index), visit.evaluation);
        if game.is_rated {
            self.rated += 1;
            self.rating_sum += u64::from(elo_sum);
        }
        let is_latest = with_latest
            && (year, seen, evaluation) > (self.last_year, self.latest, self.latest_evaluation);
        if is_latest {
            (self.latest, self.latest_evaluation) = (seen, evaluation);
        }
        self.first_year = first_year(self.first_year, year);
        self.last_year = self.last_year.max(year);
        if (seen, evaluation) < (first, self.first_evaluation) {
            self.first_evaluation = evaluation;
        }
        // The first of equally strong games, and within a game the first position.
        let is_strongest = elo_sum > self.elo_sum
            || elo_sum == self.elo_sum && (seen, evaluation) < (self.strongest, self.evaluation);
        if is_strongest {
            (self.strongest, self.elo_sum, self.evaluation) = (seen, elo_sum, evaluation);
            if !with_latest {
                (self.latest, self.latest_evaluation) = (seen, evaluation);
            }
        }
        is_strongest || is_latest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_cache_line() {
        assert_eq!((size_of::<Entry>(), size_of::<NotableGames>()), (64, 48));
    }
}
