//! Selection and order of the positions of a book, once counting is complete: those that a book
//! wants are picked, an engine may be asked, and they are sorted in bounded memory.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::path::Path;

use dataset::random_rank;
use openings::{Name, Openings};
use san::{AnyPosition, Buffer, Color, EnPassantPolicy, FieldStyle, MoveCode, Position, keywords};
use stream::spill::{SortedPairs, Sorter};

use crate::block::{
    CountsEntry, MoveCount, Numbers, add_up, read_entry, sort_key, total, write_entry,
};
use crate::error::BookError;
use crate::table::Table;
use crate::tally::{Evaluation, Occurrence, Tally, UnknownResult};
use crate::totals::{EntriesIter, EntryNumber, Totals, entry_of, map_entries};

/// Says which positions a book has, and what is known of them, in the order of the positions.
pub trait Evaluate {
    /// Receives the number of positions, of which some may not be asked for.
    fn expect(&mut self, positions: u64);

    /// Takes a position, and returns the answers known so far. Fails if there cannot be others.
    fn add(&mut self, position: &Position) -> Result<Vec<Option<Evaluated>>, BookError>;

    /// Returns the answers for all positions that are left. Fails if some are missing.
    fn finish(&mut self) -> Result<Vec<Option<Evaluated>>, BookError>;

    /// Returns the engine and its limits.
    fn description(&self) -> String;
}

/// What is known of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Other operations, one a line: `acd 12`.
    pub operations: String,
}

/// Which positions to select, and their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Minimum number of games of a position.
    pub min_games: u64,
    /// Minimum score of White, in millionths of a point per game; without a result there is none.
    pub min_score: Option<u64>,
    /// Maximum score of White, in millionths.
    pub max_score: Option<u64>,
    /// Maximum share of draws, in millionths; excludes positions without a result.
    pub max_draws: Option<u64>,
    /// How games without a result count in scores, shares of draws, and weights of a Polyglot book.
    pub unknown_result: UnknownResult,
    /// Of all games that reached a position, count only the strongest.
    pub best_rated: bool,
    /// Exclude positions in which the game is over: no legal move, or neither side can win.
    pub omits_finished: bool,
    /// Select as many positions with White as with Black to move; the excess is removed at random.
    pub equal_turns: bool,
    /// Size of a random sample.
    pub sample: Option<u64>,
    /// Seed of random decisions.
    pub seed: u64,
    /// The order of the positions.
    pub order: Order,
    /// Which moves a Polyglot book has, and their weights.
    pub moves: MoveChoice,
}

/// Which moves of the selected positions a Polyglot book has: never those without a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveChoice {
    /// Minimum number of games in which the move was played from its position.
    pub min_games: u64,
    /// Minimum score of the side that plays the move, in millionths of a point per game.
    pub min_score: Option<u64>,
    /// What the weights are.
    pub weights: Weights,
}

keywords! {
    /// The weights of the moves of a Polyglot book.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Weights {
        /// Two for each win and one for each draw of the side that plays the move.
        #[default]
        Points = "points",
        /// The same for all moves of a position.
        Uniform = "uniform",
    }
}

/// The number of distinct positions after each step of a [`Selection`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// Positions with enough games.
    pub with_games: u64,
    /// Of these, positions with a score and a share of draws in the range.
    pub with_score: u64,
    /// Of these, those in which the game goes on, if wanted: with Black and with White to move.
    pub sides: [u64; 2],
    /// Of these, positions with the wanted evaluation, if an engine says it; no more than needed.
    pub with_evaluation: u64,
    /// Of these, positions left after drawing.
    pub selected: u64,
}

keywords! {
    /// The order of a book.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Order {
        /// In the order in which games reached the positions: files by name, games by number.
        #[default]
        Input = "input",
        /// Most games first.
        Count = "count",
        /// By the text of the four fields.
        Key = "key",
        /// By the position, as explorer files are sorted.
        Position = "position",
        /// Best score for White first.
        Score = "score",
        /// In random order.
        Shuffle = "shuffle",
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SelectedPosition {
    pub entry: CountsEntry<'static>,
    /// Its source: the first game that reached it, or the strongest one if only that is counted.
    pub source: Occurrence,
    /// What an engine says of it besides the evaluation: operations, one a line.
    pub operations: String,
}

impl SelectedPosition {
    /// Returns the position with the clocks of its source.
    pub(crate) fn position(&self) -> Position {
        self.entry.key.position_unchecked(self.source.halfmoves.into(), self.fullmoves())
    }

    pub(crate) fn has_moves(&self) -> bool {
        self.entry.counts.iter().any(|(code, _)| !code.is_none())
    }

    pub(crate) fn fullmoves(&self) -> u32 {
        self.source.fullmoves.max(1).into()
    }

    pub(crate) fn name<'n>(&self, names: Option<&'n Openings>) -> Option<&'n Name> {
        let (names, ply) = (names?, self.source.ply.into());
        if names.may_have(&self.entry.key) { names.name(&self.position(), ply) } else { None }
    }

    /// Returns the counts of the moves, which `has_pins` tells apart by [pins](MoveCode::has_pin).
    pub(crate) fn moves(&self, has_pins: bool) -> Vec<MoveCount> {
        let mut moves = self.entry.counts.clone();
        if !has_pins {
            moves.iter_mut().for_each(|(code, _)| *code = code.without_pin());
        }
        add_up(&mut moves, &self.entry.games, false);
        moves
    }
}

#[derive(Debug, Default)]
struct Picked {
    /// The positions, if they are in order.
    entries: Vec<CountsEntry<'static>>,
    /// Otherwise for each position the key by which it is sorted, and its entry.
    bytes: Vec<u8>,
    /// The lengths of both.
    lens: Vec<(usize, usize)>,
    stages: Stages,
}

pub(crate) const STYLE: FieldStyle =
    FieldStyle { castling: san::CastlingStyle::XFen, en_passant: EnPassantPolicy::Legal };

/// Returns the four fields as books have them: X-FEN castling rights, en passant only if legal.
pub fn fields(position: &Position) -> String {
    let mut buffer = Buffer::default();
    write_fields(position, &mut buffer);
    String::from_utf8_lossy(buffer.as_bytes()).into_owned()
}

pub(crate) fn write_fields(position: &Position, out: &mut Buffer) {
    let mut line = out.line();
    san::write_fields(position, STYLE, &mut line);
    line.finish();
}

pub(crate) type TakePosition<'t> = dyn FnMut(SelectedPosition) -> Result<(), BookError> + 't;

impl Selection {
    /// Whether positions or games are left out, for another reason than how they were counted.
    pub(crate) fn selects(&self) -> bool {
        // A field that is not named here leaves out positions unless it has its default.
        let Selection { unknown_result, omits_finished, seed, order, moves, .. } = *self;
        let min_games = self.min_games.min(1);
        let of_all = Selection { min_games, unknown_result, omits_finished, ..Default::default() };
        *self != Selection { seed, order, moves, ..of_all }
    }

    /// Whether the score and the share of draws are within the bounds.
    fn wants_results(&self, total: &Tally) -> bool {
        let score = total.score_millionths(self.unknown_result);
        let draws = total.draws_millionths(self.unknown_result);
        self.min_score.is_none_or(|least| score.is_some_and(|score| score >= least))
            && self.max_score.is_none_or(|most| score.is_some_and(|score| score <= most))
            && self.max_draws.is_none_or(|most| draws.is_some_and(|draws| draws <= most))
    }

    fn source(&self, total: &Tally) -> Occurrence {
        if self.best_rated { total.strongest } else { total.first }
    }

    /// Appends what the position is sorted by, before its entry. `text` is scratch space.
    fn write_order_key(&self, entry: &CountsEntry<'_>, text: &mut Buffer, key: &mut Vec<u8>) {
        match self.order {
            Order::Input => {
                let at = self.source(&entry.total);
                let game = entry.game(at);
                key.extend_from_slice(&game.file.to_be_bytes());
                key.extend_from_slice(&game.number.to_be_bytes());
                key.extend_from_slice(&at.ply.to_be_bytes());
            }
            Order::Count => key.extend_from_slice(&(!entry.total.games).to_be_bytes()),
            Order::Score => {
                let score = entry.total.score_millionths(self.unknown_result);
                let score = score.map_or(0, |score| score + 1);
                key.extend_from_slice(&(!score).to_be_bytes());
            }
            // The entry begins with it.
            Order::Position => return,
            Order::Key => {}
            Order::Shuffle => {
                let rank = random_rank(self.seed, entry.key.stable_hash());
                return key.extend_from_slice(&rank.to_be_bytes());
            }
        }
        // Many positions are equal in the above, so the text is made once for each.
        text.clear();
        write_fields(&entry.key.position_unchecked(0, 1), text);
        key.extend_from_slice(text.as_bytes());
    }

    /// Takes those that have enough games and a score in the range. Those that have a number are
    /// sorted with it instead of their counts.
    fn pick<'t>(
        &self,
        counts: impl Iterator<Item = Result<(Option<EntryNumber>, CountsEntry<'t>), BookError>>,
        with_moves: bool,
        is_sorted: bool,
    ) -> Result<Picked, BookError> {
        let (mut picked, mut text) = (Picked::default(), Buffer::default());
        let mut numbers = Numbers::default();
        for entry in counts {
            let (number, mut entry) = entry?;
            if !with_moves {
                entry.counts.clear();
                entry.counts.push((MoveCode::NONE, entry.total));
            }
            if entry.total.games < self.min_games {
                continue;
            }
            picked.stages.with_games += 1;
            if !self.wants_results(&entry.total) {
                continue;
            }
            picked.stages.with_score += 1;
            if self.omits_finished && entry.key.position_unchecked(0, 1).is_finished() {
                continue;
            }
            if self.best_rated {
                // With variations a game has several moves.
                let CountsEntry { counts, games, total: all, .. } = &mut entry;
                let game = all.strongest.of(games);
                counts.retain(|(_, tally)| tally.strongest.of(games) == game);
                for (_, tally) in counts.iter_mut() {
                    *tally = Tally::of_one(tally.strongest, game);
                }
                *all = total(counts, games);
            }
            picked.stages.sides[entry.key.turn() as usize] += 1;
            if is_sorted {
                picked.entries.push(entry.owned(&mut numbers));
                continue;
            }
            let start = picked.bytes.len();
            if self.is_random() {
                let rank = random_rank(self.seed, entry.key.stable_hash());
                picked.bytes.extend_from_slice(&rank.to_be_bytes());
                picked.bytes.extend_from_slice(&entry.key.to_bytes());
            } else {
                self.write_order_key(&entry, &mut text, &mut picked.bytes);
            }
            let key = picked.bytes.len() - start;
            match number {
                Some(number) => {
                    picked.bytes.extend_from_slice(&sort_key(entry.key));
                    picked.bytes.extend_from_slice(&number.to_be_bytes());
                }
                None => write_entry(&entry, &mut numbers, &mut picked.bytes),
            }
            picked.lens.push((key, picked.bytes.len() - start - key));
        }
        Ok(picked)
    }

    fn is_random(&self) -> bool {
        self.equal_turns || self.sample.is_some()
    }

    pub(crate) fn choose(
        &self,
        counts: Totals,
        with_moves: bool,
        memory: usize,
        folder: &Path,
        mut evaluate: Option<&mut dyn Evaluate>,
        take: &mut TakePosition<'_>,
    ) -> Result<Stages, BookError> {
        let threads = counts.threads.clone();
        let sorter = || Sorter::new(memory / 4, folder, &threads);
        let (mut ordered, mut drawn) = (sorter(), sorter());
        let is_random = self.is_random();
        let mut stages = Stages::default();
        let selection = *self;
        // Nothing is left to sort.
        let is_sorted = self.order == Order::Position && !is_random && evaluate.is_none();
        // Positions of which all games are used stay in the tables until they are written.
        let tables = counts.tables_by_position().filter(|_| !is_sorted && !self.best_rated);
        let mut add_picked = |picked: Picked| {
            stages.with_games += picked.stages.with_games;
            stages.with_score += picked.stages.with_score;
            for (sum, side) in stages.sides.iter_mut().zip(picked.stages.sides) {
                *sum += side;
            }
            for entry in picked.entries {
                stages.selected += 1;
                take(self.selected(entry, ""))?;
            }
            let sorter = if is_random { &mut drawn } else { &mut ordered };
            let mut rest = &picked.bytes[..];
            for (key, value) in picked.lens {
                let (pair, behind) = rest.split_at(key + value);
                let (key, value) = pair.split_at(key);
                sorter.push(key, value)?;
                rest = behind;
            }
            Ok(())
        };
        match &tables {
            Some(tables) => {
                let of_task = tables.clone();
                let pick = move |numbers: Range<EntryNumber>| {
                    let entry = |number| {
                        let entry = entry_of(&of_task, number, selection.min_games)?;
                        Some(Ok((Some(number), entry)))
                    };
                    selection.pick(numbers.filter_map(entry), with_moves, false)
                };
                map_entries(tables, &counts.threads, pick, &mut add_picked)?;
            }
            None => {
                let pick = move |entries: &mut EntriesIter<'_, '_>| {
                    let entries = entries.map(|entry| Ok((None, entry?)));
                    selection.pick(entries, with_moves, is_sorted)
                };
                counts.map(self.min_games, pick, &mut add_picked)?;
            }
        }
        let mut in_tables = tables.as_deref();
        if let Some(evaluate) = &mut evaluate {
            evaluate.expect(stages.sides.iter().sum());
        }
        if is_random {
            let mut drawn = drawn.finish()?;
            let mut sides = stages.sides;
            if let Some(evaluate) = evaluate.take() {
                let mut with_evaluation = sorter();
                let found = Cell::new([0, 0]);
                let wants = |turn: Color| self.wants_more(found.get(), turn);
                self.evaluate(&mut drawn, in_tables, evaluate, &wants, &mut |key, selected| {
                    let mut sides = found.get();
                    sides[selected.entry.key.turn() as usize] += 1;
                    found.set(sides);
                    let mut value = Vec::new();
                    write_entry(&selected.entry, &mut Numbers::default(), &mut value);
                    value.extend_from_slice(selected.operations.as_bytes());
                    Ok(with_evaluation.push(key, &value)?)
                })?;
                sides = found.get();
                stages.with_evaluation = sides.iter().sum();
                if stages.with_evaluation > 0 {
                    stages.sides = sides;
                }
                drawn = with_evaluation.finish()?;
                in_tables = None;
            }
            let mut left = self.quotas(sides);
            let (mut text, mut order_key) = (Buffer::default(), Vec::new());
            while left.iter().any(|left| *left > 0)
                && let Some((_, value)) = drawn.next()?
            {
                let SelectedPosition { entry, .. } = self.read(value, in_tables)?;
                let kind = if self.equal_turns { entry.key.turn() as usize } else { 2 };
                let quota = &mut left[kind];
                if *quota > 0 {
                    *quota -= 1;
                    order_key.clear();
                    self.write_order_key(&entry, &mut text, &mut order_key);
                    ordered.push(&order_key, value)?;
                }
            }
        }
        let mut ordered = ordered.finish()?;
        if let Some(evaluate) = evaluate {
            self.evaluate(&mut ordered, in_tables, evaluate, &|_| true, &mut |_, selected| {
                stages.with_evaluation += 1;
                take(selected)
            })?;
            stages.selected = stages.with_evaluation;
            return Ok(stages);
        }
        while let Some((_, value)) = ordered.next()? {
            stages.selected += 1;
            take(self.read(value, in_tables)?)?;
        }
        Ok(stages)
    }

    fn selected(&self, entry: CountsEntry<'static>, operations: &str) -> SelectedPosition {
        let source = self.source(&entry.total);
        SelectedPosition { entry, source, operations: operations.to_owned() }
    }

    /// Returns the position of a pair, which has the number of its entry if there are tables.
    fn read(&self, bytes: &[u8], tables: Option<&[Table]>) -> Result<SelectedPosition, BookError> {
        let number = || EntryNumber::from_be_bytes(*bytes.last_chunk().expect("eight bytes"));
        if let Some(entry) = tables.and_then(|tables| entry_of(tables, number(), 0)) {
            return Ok(self.selected(entry.owned(&mut Numbers::default()), ""));
        }
        let (entry, operations) = read_entry(bytes).map_err(io::Error::other)?;
        Ok(self.selected(entry, std::str::from_utf8(operations).unwrap_or_default()))
    }

    /// Whether to select further positions with this side to move; `sides` counts those there are.
    pub(crate) fn wants_more(&self, sides: [u64; 2], turn: Color) -> bool {
        self.sample.is_none_or(|sample| match self.equal_turns {
            true => sides[turn as usize] < sample / 2,
            false => sides[0] + sides[1] < sample,
        })
    }

    /// Returns the maximum number with White to move, with Black to move, and in total.
    fn quotas(&self, sides: [u64; 2]) -> [u64; 3] {
        let sample = self.sample.unwrap_or(u64::MAX);
        if !self.equal_turns {
            return [0, 0, sample];
        }
        let each = sides[0].min(sides[1]).min(sample / 2);
        [each, each, 0]
    }
}

type TakeEvaluated<'t> = dyn FnMut(&[u8], SelectedPosition) -> Result<(), BookError> + 't;

impl Selection {
    /// Passes on what the book has; `wants` is whether more with this side to move are needed.
    fn evaluate(
        &self,
        positions: &mut SortedPairs,
        tables: Option<&[Table]>,
        evaluate: &mut dyn Evaluate,
        wants: &dyn Fn(Color) -> bool,
        take: &mut TakeEvaluated<'_>,
    ) -> Result<(), BookError> {
        let mut waiting = VecDeque::new();
        let mut answered = |answers, waiting: &mut VecDeque<(Vec<u8>, SelectedPosition)>| {
            for answer in answers {
                let (key, mut selected) =
                    waiting.pop_front().expect("each answer is of a position");
                let Some(Evaluated { evaluation, operations }) = answer else { continue };
                let CountsEntry { counts, total, .. } = &mut selected.entry;
                let tallies = counts.iter_mut().map(|(_, tally)| tally).chain([total]);
                tallies.flat_map(Tally::occurrences).for_each(|at| at.evaluation = evaluation);
                selected.source.evaluation = evaluation;
                take(&key, SelectedPosition { operations, ..selected })?;
            }
            Ok::<_, BookError>(())
        };
        while let Some((key, value)) = positions.next()? {
            if ![Color::White, Color::Black].into_iter().any(wants) {
                return Ok(());
            }
            let selected = self.read(value, tables)?;
            if wants(selected.entry.key.turn()) {
                let position = selected.position();
                waiting.push_back((key.to_vec(), selected));
                answered(evaluate.add(&position)?, &mut waiting)?;
            }
        }
        answered(evaluate.finish()?, &mut waiting)
    }
}
