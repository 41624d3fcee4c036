//! The records of a stream as values.

use std::io::Read;
use std::ops::ControlFlow;

use emit::{Game, Plan, PlayedPosition, Problem};
use epd::RegisterKeeper;
use san::PositionKey;

use crate::choose::selection::Selection;
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
/// Games of variants are errors.
///
/// ```
/// use pgn2epd::epd::{Opcode, Operand};
/// use pgn2epd::{Options, records};
///
/// let options = Options::default().min_ply(1);
/// for record in records(&b"[White \"Ruy\"]\n\n1. e4 e5 *"[..], &options) {
///     let record = record?;
///     assert_eq!(record.tags.get("White"), Some("Ruy"));
///     assert_eq!(record.san().map(|san| san.to_string()), (record.ply == 1).then(|| "e5".to_owned()));
///     assert_eq!(record.record.get(Opcode::Hmvc), Some(&Operand::Integer(0)));
///     println!("{record}"); // rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 c0 "Ruy - ?"; …
/// }
/// # Ok::<_, pgn2epd::GameError>(())
/// ```
pub fn records(input: impl Read + Send + 'static, options: &Options) -> Records {
    let options = options_of_values(options);
    Records(Feed::new(move |sender| {
        let plan = plan_of_values(&options);
        let mut summary = Summary::default();
        let mut choice = options.chooses().then(|| Choice::new(&options, &plan));
        play_games(input, &options, &plan, &mut summary, &mut |played, summary| {
            let mut items = Vec::new();
            for game in played.games {
                items_of(game, &mut choice, summary, &mut items);
            }
            items.extend(played.problems.filter(Problem::is_error).map(Into::into).map(Err));
            sender.send(items)?;
            match choice.as_ref().is_some_and(|choice| choice.selection.is_full()) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        if let Some(mut choice) = choice {
            let sample: Vec<Item> = choice.sample().map(Ok).collect();
            summary.positions += sample.len() as u64;
            // At the end, it does not matter whether the iterator has been dropped.
            let _ = sender.send(sample);
        }
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
            Err(error) => Err(GameError::Read(error)),
        })
    }
}

/// Adds the selected records of a game, then its errors.
fn items_of(game: Game, choice: &mut Option<Choice>, summary: &mut Summary, items: &mut Vec<Item>) {
    let before = items.len();
    match choice {
        None => items.extend(game.positions.into_iter().map(Ok)),
        Some(choice) => {
            let chosen = game.positions.into_iter().filter_map(|position| choice.take(position));
            items.extend(chosen.map(Ok));
            summary.duplicates += choice.selection.take_duplicates();
        }
    }
    summary.positions += (items.len() - before) as u64;
    items.extend(game.problems.into_iter().filter(Problem::is_error).map(Into::into).map(Err));
}

/// Selects records, and completes their registers.
struct Choice {
    selection: Selection<PlayedPosition>,
    /// Adds the register operations of omitted records to those selected.
    keeper: Option<RegisterKeeper>,
}

impl Choice {
    fn new(options: &Options, plan: &Plan) -> Self {
        Choice { selection: Selection::new(options), keeper: options.register_keeper(plan) }
    }

    /// Returns the position if it is selected now.
    fn take(&mut self, position: PlayedPosition) -> Option<PlayedPosition> {
        if self.selection.is_full()
            || !self.selection.is_new(|| PositionKey::of(&position.position))
        {
            return None;
        }
        let is_admitted = self.selection.admits(|| position.clone());
        is_admitted.then(|| complete(&mut self.keeper, position))
    }

    /// Returns the sample that is known at the end.
    fn sample(&mut self) -> impl Iterator<Item = PlayedPosition> {
        let Choice { selection, keeper } = self;
        selection.take_sample().map(|position| complete(keeper, position))
    }
}

fn complete(keeper: &mut Option<RegisterKeeper>, mut position: PlayedPosition) -> PlayedPosition {
    if let Some(keeper) = keeper {
        keeper.begin();
        keeper.complete(&mut position.record);
    }
    position
}
