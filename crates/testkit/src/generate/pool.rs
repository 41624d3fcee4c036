//! Random games, played once and written many times.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, KnownOutcome, Move, Outcome, Position, Role};

use super::{chess960, variations};
use crate::rng::Rng;

/// Number of games: enough to avoid noticeable repetition, few enough to be played in negligible
/// time.
const GAMES: usize = 200;

/// Maximum number of plies of a written game; the minimum is [`MIN_PLIES`], if the pooled game is
/// long enough.
const MAX_PLIES: usize = 160;
const MIN_PLIES: usize = 20;

/// Number of plies played beyond the maximum, as material for principal variations.
const FORESEEN_PLIES: usize = 64;

/// Start position of the games of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Standard,
    Chess960,
}

/// The games that a generator draws from.
#[derive(Debug)]
pub(super) struct Pool {
    games: Vec<PooledGame>,
}

/// A game, with its moves as text.
#[derive(Debug)]
struct PooledGame {
    start: Chess,
    /// The FEN of the start position, if it is not the standard one.
    fen: Option<String>,
    moves: Vec<Move>,
    /// The moves in SAN, each followed by a space.
    sans: Vec<u8>,
    /// Start and end of each move in `sans`.
    bounds: Vec<(u32, u32)>,
    /// The result by the rules; `None` if the game was broken off.
    result: Option<Result>,
    /// A variation for each move, or an empty text. Empty if variations were not requested.
    variations: Vec<Vec<u8>>,
}

/// Result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Result {
    White,
    Black,
    Draw,
    Unknown,
}

impl Result {
    pub(super) fn text(self) -> &'static str {
        match self {
            Result::White => "1-0",
            Result::Black => "0-1",
            Result::Draw => "1/2-1/2",
            Result::Unknown => "*",
        }
    }
}

/// The beginning of a pooled game, written as a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'p> {
    game: &'p PooledGame,
    pub(super) plies: usize,
    pub(super) result: Result,
}

impl Pool {
    pub(super) fn play(rng: &mut Rng, start: Start) -> Self {
        Self { games: (0..GAMES).map(|_| PooledGame::play(rng, start)).collect() }
    }

    /// Adds variations to some of the moves.
    pub(super) fn add_variations(&mut self, rng: &mut Rng) {
        for game in &mut self.games {
            let mut position = game.start.clone();
            for (ply, &played) in game.moves.iter().enumerate() {
                let mut text = Vec::new();
                if rng.one_in(6) {
                    variations::append(&position, played, ply, rng, &mut text);
                }
                game.variations.push(text);
                position.play_unchecked(played);
            }
        }
    }

    /// Returns a random part of a random game.
    pub(super) fn draw(&self, rng: &mut Rng) -> Part<'_> {
        let game = &self.games[rng.below(self.games.len() as u32) as usize];
        let most = game.moves.len().min(MAX_PLIES);
        let least = most.min(MIN_PLIES);
        let plies =
            if rng.one_in(4) { most } else { rng.between(least as u32, most as u32) as usize };
        let result = match game.result {
            Some(result) if plies == game.moves.len() => result,
            _ => rng.pick(&[
                Result::White,
                Result::White,
                Result::Black,
                Result::Black,
                Result::Draw,
                Result::Unknown,
            ]),
        };
        Part { game, plies, result }
    }
}

impl<'p> Part<'p> {
    /// Returns the FEN of the start position, if it is not the standard one.
    pub(super) fn fen(&self) -> Option<&'p str> {
        self.game.fen.as_deref()
    }

    /// Returns the move in SAN.
    pub(super) fn san(&self, ply: usize) -> &'p [u8] {
        self.line(ply, 1)
    }

    /// Returns the move and its successors in the pooled game, `plies` in total if available,
    /// separated by spaces.
    pub(super) fn line(&self, ply: usize, plies: usize) -> &'p [u8] {
        let bounds = &self.game.bounds;
        let last = (ply + plies - 1).min(bounds.len() - 1);
        &self.game.sans[bounds[ply].0 as usize..bounds[last].1 as usize]
    }

    /// Returns a variation on the move, including its parentheses.
    pub(super) fn variation(&self, ply: usize) -> Option<&'p [u8]> {
        self.game.variations.get(ply).filter(|text| !text.is_empty()).map(Vec::as_slice)
    }
}

impl PooledGame {
    fn play(rng: &mut Rng, start: Start) -> Self {
        let number = rng.below(960);
        let (start, fen) = match start {
            Start::Standard => (Chess::default(), None),
            Start::Chess960 => (chess960::position(number), Some(chess960::fen(number))),
        };
        let mut position = start.clone();
        let (mut moves, mut sans, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        while moves.len() < MAX_PLIES + FORESEEN_PLIES && !position.is_game_over() {
            let chosen = choose(&position, rng);
            moves.push(chosen);
            let begin = sans.len() as u32;
            SanPlus::from_move_and_play_unchecked(&mut position, chosen).append_ascii_to(&mut sans);
            bounds.push((begin, sans.len() as u32));
            sans.push(b' ');
        }
        let result = match position.outcome() {
            Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => Some(Result::White),
            Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => Some(Result::Black),
            Outcome::Known(KnownOutcome::Draw) => Some(Result::Draw),
            Outcome::Unknown => None,
        };
        Self { start, fen, moves, sans, bounds, result, variations: Vec::new() }
    }
}

/// Returns the legal moves in a fixed order, so that the games do not depend on the move generator.
pub(super) fn sorted_moves(position: &Chess) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
    moves.sort_unstable_by_key(|m| (m.from(), m.to(), m.promotion()));
    moves
}

/// Returns a random move, with a preference for moves that are rare and hard to parse. The game
/// must not be over.
pub(super) fn choose(position: &Chess, rng: &mut Rng) -> Move {
    let moves = sorted_moves(position);
    let total = moves.iter().map(|&m| weight(m)).sum();
    let mut at = rng.below(total);
    for &m in &moves {
        match at.checked_sub(weight(m)) {
            Some(rest) => at = rest,
            None => return m,
        }
    }
    unreachable!("the number drawn is below the sum of all weights")
}

fn weight(m: Move) -> u32 {
    if m.is_castle() {
        20
    } else if m.is_en_passant() {
        40
    } else if m.is_promotion() {
        4
    } else if m.is_capture() || m.role() == Role::Pawn {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_holds_the_rare_moves() {
        let pool = Pool::play(&mut Rng::new(1), Start::Standard);
        let count = |wanted: fn(&Move) -> bool| {
            pool.games.iter().flat_map(|game| &game.moves).filter(|m| wanted(m)).count()
        };
        assert!(count(|m| m.is_castle()) > 50);
        let en_passant = count(|m| m.is_en_passant());
        assert!(en_passant > 20, "{en_passant}");
        assert!(count(|m| m.promotion() == Some(Role::Knight)) > 5);
        let results = |wanted| pool.games.iter().filter(|game| game.result == wanted).count();
        assert!(results(Some(Result::White)) > 0 && results(Some(Result::Black)) > 0);
        assert!(results(Some(Result::Draw)) > 0);
        assert!(results(None) > 0);
    }

    #[test]
    fn a_line_holds_the_moves_that_follow() {
        let pool = Pool::play(&mut Rng::new(1), Start::Standard);
        let part = pool.draw(&mut Rng::new(2));
        let text = [part.san(3), part.san(4)].join(&b' ');
        assert_eq!(part.line(3, 2), text);
        let last = part.game.moves.len() - 1;
        assert_eq!(part.line(last, 50), part.san(last));
    }
}
