//! Plausibility checks for the counts of partial results, whatever program wrote them.

use pgn::Outcome;
use san::{MoveCode, PositionKey};

use crate::class::GameClass;
use crate::row::Counted;
use crate::tally::Tally;

/// Maximum sum of two ratings of at most four digits each.
const MOST_RATING: u64 = 2 * 9999;
const LAST_YEAR: u16 = 9999;
/// Exclusive upper bound on game numbers, which are positions in files.
const GAMES: u64 = 1 << 48;

/// Checks counts. Counts of the same position are adjacent, so its legal moves are generated once.
#[derive(Debug, Default)]
pub(crate) struct Plausibility {
    key: Option<PositionKey>,
    moves: Vec<MoveCode>,
}

impl Plausibility {
    /// Returns an error message if a count is impossible.
    pub(crate) fn check(&mut self, counted: &Counted) -> Result<(), String> {
        let Counted { key, next, class, tally } = counted;
        if self.key != Some(*key) {
            let position = key.position(0, 1);
            let position = position.map_err(|error| format!("a position is not legal: {error}"))?;
            let moves = position.legal_moves().into_iter();
            self.moves.clear();
            self.moves.extend(moves.map(san::Move::code));
            self.key = Some(*key);
        }
        if !next.is_none() && !self.moves.contains(&next.without_pin()) {
            return Err(format!("the move {} is not legal in its position", next.0));
        }
        let is_class = || GameClass::of_text(class).is_some_and(|read| read.to_text() == **class);
        if !class.is_empty() && !is_class() {
            return Err(format!("{class:?} is not a class of games"));
        }
        check_numbers(tally)
    }
}

fn check_numbers(tally: &Tally) -> Result<(), String> {
    let Tally { games, white, draws, black, rated, rating_sum, first_year, last_year, .. } = *tally;
    let decided: u128 = [white, draws, black].iter().map(|number| u128::from(*number)).sum();
    if games == 0 || decided > games.into() || rated > games {
        return Err(format!(
            "a row has {games} games, of which {decided} have a result and {rated} have ratings"
        ));
    }
    let is_sum =
        (rated.saturating_mul(2)..=rated.saturating_mul(MOST_RATING)).contains(&rating_sum);
    if !is_sum {
        return Err(format!("the ratings of {rated} games add up to {rating_sum}"));
    }
    if (tally.strongest.elo_sum > 0) != (rated > 0) {
        return Err(format!(
            "{rated} games have ratings, and those of the strongest one add up to {}",
            tally.strongest.elo_sum
        ));
    }
    let are_years = (first_year == 0) == (last_year == 0) && first_year <= last_year;
    if !are_years || last_year > LAST_YEAR {
        return Err(format!("the years are {first_year} to {last_year}"));
    }
    if tally.latest.as_ref().is_some_and(|latest| latest.elo_sum > tally.strongest.elo_sum) {
        return Err("the most recent game is stronger than the strongest one".to_owned());
    }
    if tally.latest.as_ref().is_some_and(|latest| latest.year != last_year) {
        return Err(format!("the most recent game is not of the last year, {last_year}"));
    }
    for game in tally.notable_games() {
        let elo_sum = u64::from(game.elo_sum);
        if elo_sum > MOST_RATING || elo_sum > rating_sum {
            return Err(format!("the ratings of a notable game add up to {elo_sum}"));
        }
        if game.year != 0 && !(first_year..=last_year).contains(&game.year) {
            return Err(format!("the year of a notable game is {}", game.year));
        }
        let of_outcome = match game.outcome {
            Outcome::WhiteWins => white,
            Outcome::Draw => draws,
            Outcome::BlackWins => black,
            Outcome::Unknown => games,
        };
        if of_outcome == 0 {
            return Err("no game has the result of a notable game".to_owned());
        }
    }
    let games = tally.notable_games().map(|game| game.at.game);
    if games.chain([tally.first.game]).any(|game| game >= GAMES) {
        return Err("the number of a game is too large".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::NotableGame;

    fn one() -> Tally {
        let strongest = NotableGame {
            elo_sum: 5001,
            year: 1999,
            outcome: Outcome::WhiteWins,
            ..NotableGame::default()
        };
        Tally {
            games: 1,
            white: 1,
            rated: 1,
            rating_sum: 5001,
            first_year: 1999,
            last_year: 1999,
            strongest,
            ..Tally::default()
        }
    }

    fn check(next: u16, tally: Tally) -> Result<(), String> {
        let key = PositionKey::of(&san::Position::default());
        let (next, class) = (MoveCode(next), Box::default());
        Plausibility::default().check(&Counted { key, next, class, tally })
    }

    #[test]
    fn a_count_of_games_is_plausible() {
        // e2-e4, and the end of the game.
        for next in [12 | 28 << 6, 0] {
            assert_eq!(check(next, one()), Ok(()));
        }
    }

    #[test]
    fn illegal_moves_are_rejected() {
        for next in [12 | 36 << 6, 12, 28 << 6, 52 | 36 << 6, 12 | 28 << 6 | 5 << 12, u16::MAX] {
            assert!(check(next, one()).is_err(), "{next}");
        }
        let (key, next, class) = (PositionKey([0; 4]), MoveCode::NONE, Box::default());
        assert!(
            Plausibility::default().check(&Counted { key, next, class, tally: one() }).is_err()
        );
    }

    #[test]
    fn contradictory_numbers_are_rejected() {
        let changes: [fn(&mut Tally); 13] = [
            |tally| tally.games = 0,
            |tally| tally.draws = 1,
            |tally| tally.rated = 2,
            |tally| tally.rating_sum = 0,
            |tally| tally.rating_sum = 20_000,
            |tally| tally.rating_sum = 5000,
            |tally| (tally.rated, tally.rating_sum) = (0, 0),
            |tally| tally.first_year = 0,
            |tally| tally.first_year = 2000,
            |tally| tally.strongest.year = 1998,
            |tally| tally.strongest.outcome = Outcome::Draw,
            |tally| tally.first.game = u64::MAX,
            |tally| tally.strongest.elo_sum = 0,
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut tally = one();
            change(&mut tally);
            assert!(check(0, tally).is_err(), "{number}");
        }
    }

    #[test]
    fn a_most_recent_game_that_contradicts_the_numbers_is_rejected() {
        let two = |change: fn(&mut NotableGame)| {
            let mut latest = NotableGame {
                elo_sum: 4000,
                year: 2001,
                outcome: Outcome::Draw,
                ..Default::default()
            };
            change(&mut latest);
            let sums = Tally { games: 2, draws: 1, rated: 2, rating_sum: 9001, ..one() };
            check(0, Tally { last_year: 2001, latest: Some(latest), ..sums })
        };
        assert_eq!(two(|_| {}), Ok(()));
        let changes: [fn(&mut NotableGame); 5] = [
            |latest| latest.year = 2000,
            |latest| latest.elo_sum = 5002,
            |latest| latest.elo_sum = u16::MAX,
            |latest| latest.outcome = Outcome::BlackWins,
            |latest| latest.at.game = GAMES,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert!(two(change).is_err(), "{number}");
        }
    }
}
