//! Games and records of a stream as values, and visitors of the crate pgn-reader over games.

use std::fmt;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::panic;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use dataset::Conflicts;
use emit::{Fact, Game, GameList, GameSink, Plan, PlayedPosition, Problem, Sink, Text};
use pgn_reader::Visitor;

use crate::inputs::{InputText, for_each_text};
use crate::options::option_spec::first_set;
use crate::options::{Format, GAME_OF_VALUES, OptionConflict, Options};
use crate::run::games::{
    ChunkGames, Consumer, OnChunk, PassOn, Played, PlySource, TextRun, run_games,
};
use crate::run::run_source;
use crate::summary::{Observer, Summary, flow};

/// The maximum number of batches in the queue, which bounds memory.
const BATCHES_AHEAD: usize = 1;
type GameBatch<T> = Vec<Result<T, GameError>>;
type GamesRun<T> = Box<dyn FnOnce(&SyncSender<GameBatch<T>>) -> io::Result<Summary> + Send>;

/// The iterator that [`games`] and [`records`] return. An error of reading is the last item.
pub struct Values<T> {
    state: RunState<T>,
    batch: std::vec::IntoIter<Result<T, GameError>>,
    summary: Option<Summary>,
}

enum RunState<T> {
    Waiting(GamesRun<T>),
    Running(Receiver<GameBatch<T>>, JoinHandle<io::Result<Summary>>),
    Ended,
}

impl<T> Values<T> {
    fn new(
        run: impl FnOnce(&SyncSender<GameBatch<T>>) -> io::Result<Summary> + Send + 'static,
    ) -> Self {
        let state = RunState::Waiting(Box::new(run));
        Values { state, batch: Vec::new().into_iter(), summary: None }
    }

    /// Returns the totals of the run, once the iterator has ended without an error of reading.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }
}

impl<T: Send + 'static> Iterator for Values<T> {
    type Item = Result<T, GameError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.batch.next() {
                return Some(item);
            }
            match std::mem::replace(&mut self.state, RunState::Ended) {
                RunState::Waiting(run) => {
                    let (sender, receiver) = sync_channel(BATCHES_AHEAD);
                    match thread::Builder::new().spawn(move || run(&sender)) {
                        Ok(thread) => self.state = RunState::Running(receiver, thread),
                        Err(error) => return Some(Err(GameError::of_run(error))),
                    }
                }
                RunState::Running(receiver, thread) => match receiver.recv() {
                    Ok(batch) => {
                        self.batch = batch.into_iter();
                        self.state = RunState::Running(receiver, thread);
                    }
                    // The sender is gone, so the thread has ended.
                    Err(_) => match thread.join() {
                        Ok(Ok(summary)) => self.summary = Some(summary),
                        Ok(Err(error)) => return Some(Err(GameError::of_run(error))),
                        Err(panic) => panic::resume_unwind(panic),
                    },
                },
                RunState::Ended => return None,
            }
        }
    }
}

impl<T> fmt::Debug for Values<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Values").field("summary", &self.summary).finish_non_exhaustive()
    }
}

pub(crate) struct PlayedGames<'g> {
    pub(crate) games: std::vec::Drain<'g, Game>,
    pub(crate) problems: std::vec::Drain<'g, Problem>,
}

/// Returns the options that apply to values; those of text have no effect.
pub(crate) fn options_of_values(options: &Options) -> io::Result<Options> {
    let of_order = ["sort", "shuffle", "split", "rows-per-file"];
    let of_selection = ["unique-games", "unique", "sample", "skip", "limit"];
    let unused = first_set(options, &of_order).or_else(|| first_set(options, &of_selection));
    if let Some(name) = unused {
        let conflict = OptionConflict::Unused(name, FILES);
        return Err(io::Error::new(io::ErrorKind::InvalidInput, conflict));
    }
    Ok(options.clone().format(Format::Epd).conflicts(Conflicts::Keep))
}

const FILES: &str = "files, not for values in the order of the input";

pub(crate) fn plan_of_values(options: &Options) -> Plan {
    Plan {
        facts: [Fact::Line].into_iter().collect(),
        raw_comments: true,
        blank_line: false,
        max_game_bytes: options.game_limit(GAME_OF_VALUES),
        ..options.plan()
    }
}

/// Passes games on in order, and counts all but positions; breaks if no other text is wanted.
pub(crate) fn play_text(
    text: InputText<'_>,
    options: &Options,
    plan: &Plan,
    summary: &mut Summary,
    deliver: &mut dyn FnMut(PlayedGames<'_>, &mut Summary) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let plan = &*options.plan_of(plan, text.kind(), &[]);
    let mut take = |list: &mut GameList, games_before: u64, summary: &mut Summary| {
        for game in &mut list.games {
            game.renumber(games_before + game.number);
        }
        summary.losses += list.losses;
        summary.omitted += list.omitted;
        let (games, problems) = (list.games.drain(..), list.problems.drain(..));
        deliver(PlayedGames { games, problems }, summary)
    };
    run_text(text, options, plan, &Play(plan), summary, &mut (), &mut take)
}

pub(crate) fn run_text<C: Consumer>(
    text: InputText<'_>,
    options: &Options,
    plan: &Plan,
    consumer: &C,
    summary: &mut Summary,
    observer: &mut dyn Observer,
    deliver: OnChunk<'_, C::Result>,
) -> io::Result<ControlFlow<()>> {
    if let Some(conflict) = options.conflict_with(text.kind()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, conflict));
    }
    let pipeline = &options.pipeline(plan);
    let mut flow = ControlFlow::Continue(());
    let deliver = &mut |result: &mut C::Result, games_before: u64, summary: &mut Summary| {
        flow = deliver(result, games_before, summary);
        flow
    };
    let run = TextRun { pipeline, plan, consumer, summary: &mut *summary, observer, deliver };
    run_source(text, &options.reading(), run)?;
    Ok(if summary.stopped { ControlFlow::Break(()) } else { flow })
}

struct Play<'p>(&'p Plan);

impl Consumer for Play<'_> {
    type Result = GameList;

    fn consume<G: PlySource>(&self, source: G, list: &mut GameList) -> G::Read {
        *list = GameList::default();
        let mut text = Text::default();
        text.games_before = source.games_before();
        let (sink, read) = source.play(GameSink::new(list, &mut text, self.0));
        sink.finish(read.as_ref());
        (list.losses, list.omitted) = (text.losses(), text.counts.omitted);
        read
    }

    fn problems(list: &mut GameList) -> impl Iterator<Item = &mut Problem> {
        let of_games = list.games.iter_mut().flat_map(|game| &mut game.problems);
        of_games.chain(&mut list.problems)
    }
}

/// An error in the games of a stream, or of reading it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum GameError {
    #[error(transparent)]
    Problem(#[from] Box<Problem>),
    #[error(transparent)]
    Options(#[from] OptionConflict),
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
}

impl GameError {
    fn of_run(error: io::Error) -> Self {
        error.downcast().map_or_else(GameError::Read, GameError::Options)
    }
}

/// Returns an iterator over the games of `input`, with their positions, records and problems.
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
pub fn games(input: impl Read + Send + 'static, options: &Options) -> Values<Game> {
    values(input, options, |played, games| games.extend(played.games.map(Ok)))
}

fn values<T>(
    input: impl Read + Send + 'static,
    options: &Options,
    mut items: impl FnMut(PlayedGames<'_>, &mut GameBatch<T>) + Send + 'static,
) -> Values<T> {
    let options = options_of_values(options);
    Values::new(move |sender| {
        let options = options?;
        let plan = plan_of_values(&options);
        let mut summary = Summary::default();
        let mut deliver = |played: PlayedGames<'_>, summary: &mut Summary| {
            let positions = played.games.as_slice().iter().map(|game| game.positions.len() as u64);
            summary.positions += positions.sum::<u64>();
            let mut batch = Vec::new();
            items(played, &mut batch);
            flow(!batch.is_empty() && sender.send(batch).is_err())
        };
        for_each_text(input, &mut (), options.input, std::convert::identity, |text, _| {
            play_text(text, &options, &plan, &mut summary, &mut deliver)
        })?;
        summary.has_output = summary.positions > 0;
        Ok(summary)
    })
}

/// Returns an iterator over the records that [`convert`](crate::convert) would write with the same
/// options, in the same order, as values: each with its position, the move played, and its game.
///
/// Reads the input as [`games`] does. The errors of a game follow its records; the iterator
/// continues after them, so `?` decides whether the caller stops. Warnings are counted in
/// [`Values::summary`]; [`games`] includes them. An error of reading is the last item, and games of
/// variants are errors.
///
/// Options for text (`format`, `castling`, `en_passant`, `blank_line`, `conflicts`) have no effect.
/// Those that select among, order or divide all records are an error, the only item:
///
/// ```
/// use pgn2epd::{Options, records};
///
/// let error = records(&b"1. e4 *"[..], &Options::default().shuffle(true)).next().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "--shuffle is for files, not for values in the order of the input");
/// ```
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
pub fn records(input: impl Read + Send + 'static, options: &Options) -> Values<PlayedPosition> {
    values(input, options, |played, items| {
        let errors = |problem: Problem| {
            problem.is_error().then(|| Err(GameError::Problem(Box::new(problem))))
        };
        for Game { positions, problems, .. } in played.games {
            items.extend(positions.into_iter().map(Ok));
            items.extend(problems.into_iter().filter_map(errors));
        }
        items.extend(played.problems.filter_map(errors));
    })
}

/// Presents all games of `input` to visitors written for [`pgn_reader`], on all cores: each chunk
/// of games has a visitor of its own, which `visitor` makes, and `deliver` receives the visitors
/// with their outputs, one for each game, in the order of the input, on the calling thread, until
/// it breaks.
///
/// Games are not played: a visitor receives any moves, see [`pgn::Game::visit`]. The input is read,
/// and [`jobs`](Options::jobs), [`chunk_bytes`](Options::chunk_bytes) and
/// [`max_game_bytes`](Options::max_game_bytes) apply, as for [`games`](crate::games); other options
/// have no effect. A game beyond the size limit is a problem, and is not visited. Faults of the
/// text, such as text outside every game, are not reported: a visitor has no call for them. Fails
/// if the stream cannot be read; the games before it have been visited.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pgn_reader::{SanPlus, Visitor};
/// use pgn2epd::{Options, visit};
///
/// /// Counts the moves of each game.
/// struct Moves;
///
/// impl Visitor for Moves {
///     type Tags = ();
///     type Movetext = usize;
///     type Output = usize;
///     fn begin_tags(&mut self) -> ControlFlow<usize> {
///         ControlFlow::Continue(())
///     }
///     fn begin_movetext(&mut self, _: ()) -> ControlFlow<usize, usize> {
///         ControlFlow::Continue(0)
///     }
///     fn san(&mut self, moves: &mut usize, _: SanPlus) -> ControlFlow<usize> {
///         *moves += 1;
///         ControlFlow::Continue(())
///     }
///     fn end_game(&mut self, moves: usize) -> usize {
///         moves
///     }
/// }
///
/// let mut moves = Vec::new();
/// let pgn = &b"1. e4 e5 *\n\n1. d4 *"[..];
/// visit(pgn, &Options::default(), || Moves, &mut |_, of_games| {
///     moves.extend(of_games);
///     ControlFlow::Continue(())
/// }, &mut ())?;
/// assert_eq!(moves, [2, 1]);
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn visit<V: Visitor<Output: Send> + Send>(
    input: impl Read,
    options: &Options,
    visitor: impl Fn() -> V + Sync,
    deliver: &mut dyn FnMut(V, Vec<V::Output>) -> ControlFlow<()>,
    observer: &mut dyn Observer,
) -> io::Result<Summary> {
    let plan = &Plan { max_game_bytes: options.max_game_bytes, ..Plan::default() };
    let (pipeline, consumer) = (&options.pipeline(plan), &Visit(visitor));
    let mut summary = Summary::default();
    for_each_text(input, observer, None, std::convert::identity, |text, observer| {
        let mut flow = ControlFlow::Continue(());
        let deliver = &mut |visited: &mut Visited<V>, _: u64, _: &mut Summary| {
            if let Some(visitor) = visited.visitor.take() {
                flow = deliver(visitor, std::mem::take(&mut visited.outputs));
            }
            flow
        };
        let summary = &mut summary;
        run_games(text, TextRun { pipeline, plan, consumer, summary, observer, deliver })?;
        Ok(flow)
    })?;
    Ok(summary)
}

struct Visit<F>(F);

struct Visited<V: Visitor> {
    visitor: Option<V>,
    outputs: Vec<V::Output>,
    problems: Vec<Problem>,
}

impl<V: Visitor> Default for Visited<V> {
    fn default() -> Self {
        Visited { visitor: None, outputs: Vec::new(), problems: Vec::new() }
    }
}

impl<V: Visitor<Output: Send> + Send, F: Fn() -> V + Sync> Consumer for Visit<F> {
    type Result = Visited<V>;

    /// Records have no moves to visit.
    fn consume<G: PlySource>(&self, source: G, visited: &mut Visited<V>) -> G::Read {
        let (problems, read) = source.play(Problems(Vec::new()));
        visited.problems = problems.0;
        read
    }

    fn games(
        &self,
        games: ChunkGames<'_>,
        visited: &mut Visited<V>,
        _: Option<PassOn<'_, Visited<V>>>,
    ) -> Played {
        let (mut visitor, mut outputs) = ((self.0)(), Vec::new());
        let mut problems = Problems(Vec::new());
        let played = games.read(&mut problems, |game| outputs.push(game.visit(&mut visitor)));
        *visited = Visited { visitor: Some(visitor), outputs, problems: problems.0 };
        played
    }

    fn problems(visited: &mut Visited<V>) -> impl Iterator<Item = &mut Problem> {
        visited.problems.iter_mut()
    }
}

struct Problems(Vec<Problem>);

impl Sink for Problems {
    fn problem(&mut self, problem: Problem) {
        self.0.push(problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_need_all_records_are_refused_and_named() {
        for (name, value, is_refused) in [
            ("sort", "-ply", true),
            ("shuffle", "true", true),
            ("split", "train=0.9,test=0.1", true),
            ("rows-per-file", "2", true),
            ("unique", "first", true),
            ("sample", "2", true),
            ("skip", "1", true),
            ("limit", "1", true),
            ("ply", "1..4", false),
            ("where", "ply > 2", false),
        ] {
            let options = Options::from_names([(name, value)]).unwrap();
            let error = options_of_values(&options).err().map(|error| error.to_string());
            let expected = format!("--{name} is for {FILES}");
            assert_eq!(error, is_refused.then_some(expected), "{name}={value}");
        }
    }
}
