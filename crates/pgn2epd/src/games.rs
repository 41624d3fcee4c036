//! The games of a stream as values.

use std::io::{self, Read};

use emit::{Game, Problem};

use crate::feed::Feed;
use crate::options::{OptionConflict, Options};
use crate::played_games::{options_of_values, plan_of_values, play_games};
use crate::summary::Summary;

/// An error in the games of a stream, or of reading it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// An error in a game. The games after it can be read.
    #[error(transparent)]
    Problem(#[from] Box<Problem>),
    /// An option that has no meaning for values; no game is read.
    #[error(transparent)]
    Options(#[from] OptionConflict),
    /// The input could not be read to its end.
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
}

impl GameError {
    /// Returns the reason why a run ended.
    pub(crate) fn of_run(error: io::Error) -> Self {
        error.downcast().map_or_else(GameError::Read, GameError::Options)
    }
}

/// Returns an iterator over the games of `input`, in order, with their positions, records and
/// problems.
///
/// The input is read as by [`convert`](crate::convert): in any encoding, compressed or not. Threads
/// read ahead of the iterator, from its first item on, in memory that is bounded by
/// [`jobs`](Options::jobs), [`chunk_bytes`](Options::chunk_bytes) and the size of the largest game.
///
/// Options that select positions, such as `first_ply` and `filter`, apply to the positions of each
/// game; a game whose tags rule out the filter is omitted. Those for text (`format`, `castling`,
/// `en_passant`, `blank_line`) have no effect.
///
/// The item is an error if the input cannot be read, or if an option selects or orders the records
/// of all games (`unique`, `skip`, `limit`, `sample`, `sort`, `shuffle`, `split`,
/// `rows_per_file`); it is the last item. Errors in games are in [`Game::problems`]; see [`Game::into_result`]. Games of variants are errors.
///
/// ```
/// use pgn2epd::{Options, games};
///
/// let pgn = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 *\n\n[White \"?\"]\n\n1. e5 *";
/// let mut games = games(&pgn[..], &Options::default());
/// let game = games.next().unwrap()?;
/// assert_eq!(game.tag("White"), Some("Anderssen"));
/// assert_eq!(game.positions.len(), 5);
/// assert!(game.problems.is_empty());
///
/// let bad = games.next().unwrap()?;
/// assert_eq!(bad.problems[0].to_string(), "7:4: game 2 (? - ?), 1. e5: illegal: no white pawn can reach e5");
/// assert!(games.next().is_none());
/// assert_eq!(games.summary().unwrap().bad_games, 1);
/// # Ok::<_, pgn2epd::GameError>(())
/// ```
///
/// With `?`, an error ends the function:
///
/// ```
/// use pgn2epd::{GameError, Options, games};
///
/// fn plies(pgn: &'static [u8]) -> Result<usize, GameError> {
///     let mut plies = 0;
///     for game in games(pgn, &Options::default()) {
///         plies += game?.into_result()?.moves().count();
///     }
///     Ok(plies)
/// }
/// assert_eq!(plies(b"1. e4 e5 *").unwrap(), 2);
/// let error = plies(b"1. e4 e5 *\n\n1. e4 e5 2. e5 *").unwrap_err();
/// assert_eq!(error.to_string(), "3:13: game 2, 2. e5: illegal: the pawn on e4 is blocked by the pawn on e5");
/// ```
pub fn games(input: impl Read + Send + 'static, options: &Options) -> Games {
    let options = options_of_values(options);
    Games(Feed::new(move |sender| {
        let options = options?;
        let plan = plan_of_values(&options);
        let mut summary = Summary::default();
        play_games(input, &options, &plan, &mut summary, &mut |played, summary| {
            let games: Vec<Game> = played.games.collect();
            summary.positions += games.iter().map(|game| game.positions.len() as u64).sum::<u64>();
            sender.send(games)
        })?;
        summary.has_output = summary.positions > 0;
        Ok(summary)
    }))
}

/// The iterator that [`games`] returns.
#[derive(Debug)]
pub struct Games(Feed<Game>);

impl Games {
    /// Returns the totals of the run, once the iterator has ended without an error of reading.
    pub fn summary(&self) -> Option<&Summary> {
        self.0.summary()
    }
}

impl Iterator for Games {
    type Item = Result<Game, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.0.next()?.map_err(GameError::of_run))
    }
}
