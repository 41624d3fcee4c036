//! The records of a stream as values.

use std::io::Read;
use std::ops::ControlFlow;

use dataset::{Numbers, Sample};
use emit::{Game, Plan, PlayedPosition, Problem};
use epd::RegisterKeeper;
use san::{PositionKey, PositionSet};

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
/// Those that need all records at once (`sort`, `shuffle`, `split`, `rows_per_file`,
/// `unique` unless it is the first) are an error, the only item:
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
    let options = options_of_values(options, false);
    Records(Feed::new(move |sender| {
        let options = options?;
        let plan = plan_of_values(&options);
        let mut summary = Summary::default();
        let mut selection = options.chooses().then(|| Selection::new(&options, &plan));
        play_games(input, &options, &plan, &mut summary, &mut |played, summary| {
            let mut items = Vec::new();
            for game in played.games {
                items_of(game, &mut selection, summary, &mut items);
            }
            items.extend(played.problems.filter(Problem::is_error).map(Into::into).map(Err));
            sender.send(items)?;
            match selection.as_ref().is_some_and(Selection::is_full) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        })?;
        if let Some(selection) = selection {
            let sample: Vec<Item> = selection.into_sample().map(Ok).collect();
            summary.positions += sample.len() as u64;
            // At the end, it does not matter whether the iterator has been dropped.
            let _ = sender.send(sample);
        }
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

/// Adds the selected records of a game, then its errors.
fn items_of(
    game: Game,
    selection: &mut Option<Selection>,
    summary: &mut Summary,
    items: &mut Vec<Item>,
) {
    let before = items.len();
    match selection {
        None => items.extend(game.positions.into_iter().map(Ok)),
        Some(selection) => {
            let selected =
                game.positions.into_iter().filter_map(|position| selection.select(position));
            items.extend(selected.map(Ok));
            summary.duplicates += std::mem::take(&mut selection.duplicates);
        }
    }
    summary.positions += (items.len() - before) as u64;
    items.extend(game.problems.into_iter().filter(Problem::is_error).map(Into::into).map(Err));
}

/// Selects records, and completes their registers. These are values, which are not stored: all keys
/// are in memory.
struct Selection {
    seen: Option<PositionSet>,
    duplicates: u64,
    numbers: Numbers,
    sample: Option<Sample<PlayedPosition>>,
    /// Adds the register operations of omitted records to those selected.
    keeper: Option<RegisterKeeper>,
}

impl Selection {
    fn new(options: &Options, plan: &Plan) -> Self {
        let is_empty = options.sample == Some(0);
        Selection {
            seen: options.unique.is_some().then(PositionSet::default),
            duplicates: 0,
            numbers: Numbers::new(options.skip, options.limit.or(is_empty.then_some(0))),
            sample: options.sample.map(|count| Sample::new(count, options.seed)),
            keeper: options.register_keeper(plan),
        }
    }

    fn is_full(&self) -> bool {
        self.numbers.are_over()
    }

    /// Returns the position if it is selected now.
    fn select(&mut self, position: PlayedPosition) -> Option<PlayedPosition> {
        if self.is_full() {
            return None;
        }
        if let Some(seen) = &mut self.seen
            && !seen.insert(PositionKey::of(&position.position))
        {
            self.duplicates += 1;
            return None;
        }
        if !self.numbers.selects_next() {
            return None;
        }
        match &mut self.sample {
            None => Some(complete(&mut self.keeper, position)),
            Some(sample) => {
                let rank = sample.most().rank(self.numbers.count());
                rank.into_iter().for_each(|rank| sample.offer(rank, position.clone()));
                None
            }
        }
    }

    /// Returns the sample that is known at the end.
    fn into_sample(mut self) -> impl Iterator<Item = PlayedPosition> {
        let records = self.sample.take().into_iter().flat_map(Sample::into_records);
        records.map(move |position| complete(&mut self.keeper, position))
    }
}

fn complete(keeper: &mut Option<RegisterKeeper>, mut position: PlayedPosition) -> PlayedPosition {
    if let Some(keeper) = keeper {
        keeper.begin();
        keeper.complete(&mut position.record);
    }
    position
}
