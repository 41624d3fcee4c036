//! The records of a stream as values.

use std::io::Read;

use emit::{Game, PlayedPosition, Problem};

use crate::feed::Feed;
use crate::games::GameError;
use crate::options::Options;
use crate::played_games::{options_of_values, plan_of_values, play_games};
use crate::summary::Summary;

/// Returns an iterator over the records that [`convert`](crate::convert) would write with the same
/// options, in the same order, as values: each with its position, the move played, and its game.
///
/// Reads the input as [`games`](crate::games()) does. The errors of a game follow its records; the
/// iterator continues after them, so `?` decides whether the caller stops. Warnings are counted in
/// [`Records::summary`]; [`games`](crate::games()) includes them. An error of reading is the last
/// item.
///
/// Options for text (`format`, `castling`, `en_passant`, `blank_line`, `conflicts`) have no effect.
/// Those that select among, order or divide all records (`unique`, `skip`, `limit`, `sample`,
/// `sort`, `split` and so on) are an error, the only item:
///
/// ```
/// use pgn2epd::{Options, records};
///
/// let error = records(&b"1. e4 *"[..], &Options::default().shuffle(true)).next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "--shuffle is for files, not for values in the order of the input");
/// ```
///
/// Games of variants are errors.
///
/// ```
/// use pgn2epd::epd::{Opcode, Operand};
/// use pgn2epd::{Options, records};
///
/// let options = Options::default().omit("start".parse()?);
/// for record in records(&b"[White \"Ruy\"]\n\n1. e4 e5 *"[..], &options) {
///     let record = record?;
///     assert_eq!(record.tags.get("White"), Some("Ruy"));
///     assert_eq!(record.san().map(|san| san.to_string()), (record.ply == 1).then(|| "e5".to_owned()));
///     assert_eq!(record.record.get(Opcode::Hmvc), Some(&Operand::Integer(0)));
///     println!("{record}"); // rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 c0 "Ruy - ?"; …
/// }
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn records(input: impl Read + Send + 'static, options: &Options) -> Records {
    let options = options_of_values(options);
    Records(Feed::new(move |sender| {
        let options = options?;
        let plan = plan_of_values(&options);
        let mut summary = Summary::default();
        play_games(input, &options, &plan, &mut summary, &mut |played, summary| {
            let mut items = Vec::new();
            let errors = |problem: Problem| problem.is_error().then(|| Err(problem.into()));
            for Game { positions, problems, .. } in played.games {
                summary.positions += positions.len() as u64;
                items.extend(positions.into_iter().map(Ok));
                items.extend(problems.into_iter().filter_map(errors));
            }
            items.extend(played.problems.filter_map(errors));
            sender.send(items)
        })?;
        summary.has_output = summary.positions > 0;
        Ok(summary)
    }))
}

type Item = Result<PlayedPosition, Box<Problem>>;

/// The iterator that [`records`] returns.
#[derive(Debug)]
pub struct Records(Feed<Item>);

impl Records {
    /// Returns the totals of the run, once the iterator has ended without an error of reading.
    pub fn summary(&self) -> Option<&Summary> {
        self.0.summary()
    }
}

impl Iterator for Records {
    type Item = Result<PlayedPosition, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(match self.0.next()? {
            Ok(item) => item.map_err(GameError::Problem),
            Err(error) => Err(GameError::of_run(error)),
        })
    }
}
