//! A run over a text of games.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use emit::{Counts, Plan, Problem, Replay, Sink};
use pgn::{Chunk, ChunkEnd, Game, GameCutter, Games, count_games};
use stream::ordered::{ChunkWorker, Pipeline};

use crate::inputs::InputText;
use crate::summary::{Observer, Summary};

/// The games before chunks: delivered, or, for chunks processed at the same time, expected.
#[derive(Debug, Default)]
pub(crate) struct GameNumbers {
    delivered: AtomicU64,
    /// What must be added to counted games, since an earlier chunk was not cut between games.
    correction: AtomicU64,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GamesBefore {
    pub(crate) games: u64,
    /// The games counted before the chunk, if all earlier ones had not been delivered.
    counted: Option<u64>,
}

impl GameNumbers {
    pub(crate) fn before(&self, chunk: Chunk<'_>) -> GamesBefore {
        let counted = chunk.items_before();
        let games = match counted {
            Some(counted) => counted.wrapping_add(self.correction.load(Ordering::Relaxed)),
            None => self.delivered.load(Ordering::Relaxed),
        };
        GamesBefore { games, counted }
    }

    /// Whether as many games were delivered before the chunk.
    pub(crate) fn are_right(&self, before: GamesBefore) -> bool {
        let delivered = self.delivered.load(Ordering::Relaxed);
        let Some(counted) = before.counted.filter(|_| before.games != delivered) else {
            return true;
        };
        self.correction.store(delivered.wrapping_sub(counted), Ordering::Relaxed);
        false
    }

    pub(crate) fn deliver(&self, games: u64) {
        self.delivered.store(games, Ordering::Relaxed);
    }
}

pub(crate) trait Consumer: Sync {
    /// What is made of a chunk. It is passed back, to be filled anew.
    type Result: Send + Default;

    fn consume<S: PlySource>(&self, source: S, result: &mut Self::Result) -> S::Read;

    /// A huge game at the beginning may be passed on in parts, to save memory: `result` is last.
    fn games(
        &self,
        games: ChunkGames<'_>,
        result: &mut Self::Result,
        _pass_on: Option<PassOn<'_, Self::Result>>,
    ) -> Played {
        self.consume(games, result)
    }

    /// Receives the next piece of a game beyond the size limit, whose beginning was a chunk.
    fn skipped(&self, _text: &[u8], _result: &mut Self::Result) {}

    fn problems(result: &mut Self::Result) -> impl Iterator<Item = &mut Problem>;
}

pub(crate) type PassOn<'p, R> = &'p mut dyn FnMut(&mut R);

pub(crate) struct ChunkGames<'c> {
    pub(crate) chunk: Chunk<'c>,
    plan: &'c Plan,
    pub(crate) games_before: u64,
    /// Whether the chunk begins with a game beyond the size limit.
    is_too_large: bool,
}

#[derive(Default)]
pub(crate) struct Played {
    pub(crate) counts: Counts,
    /// Nothing after a game beyond the size limit.
    end: Option<ChunkEnd>,
}

impl Played {
    /// The text without a cut game; the rest of one too large is [skipped](Consumer::skipped).
    pub(crate) fn text_of<'c>(&self, chunk: Chunk<'c>) -> &'c [u8] {
        let bytes = chunk.bytes();
        self.end.map_or(bytes, |end| &bytes[..end.up_to])
    }
}

pub(crate) trait PlySource {
    type Read: Default + AsRef<Counts>;

    fn games_before(&self) -> u64 {
        0
    }

    fn play<S: Sink>(self, sink: S) -> (S, Self::Read);

    /// The same, with a copy of the loop over games for this sink: for records as text and books.
    fn play_inlined<S: Sink>(self, sink: S) -> (S, Self::Read)
    where
        Self: Sized,
    {
        self.play(sink)
    }
}

impl PlySource for ChunkGames<'_> {
    type Read = Played;

    fn games_before(&self) -> u64 {
        self.games_before
    }

    fn play<S: Sink>(self, mut sink: S) -> (S, Played) {
        let played = self.play_to(&mut sink);
        (sink, played)
    }

    fn play_inlined<S: Sink>(self, mut sink: S) -> (S, Played) {
        let played = match self.is_too_large {
            true => self.play_to(&mut sink),
            false => Replay::new(self.chunk, self.plan).run_inlined(&mut sink).into(),
        };
        (sink, played)
    }
}

impl<'c> ChunkGames<'c> {
    fn play_to(self, sink: &mut dyn Sink) -> Played {
        let replay = Replay::new(self.chunk, self.plan);
        if self.is_too_large {
            return Played { counts: replay.too_large(sink), end: None };
        }
        replay.run(sink).into()
    }

    /// Calls `each` with every game, not played; one that is too large is a problem instead.
    pub(crate) fn read(self, sink: &mut dyn Sink, mut each: impl FnMut(&Game<'c>)) -> Played {
        if self.is_too_large {
            return self.play_to(sink);
        }
        let limit = self.plan.max_game_bytes;
        let (mut games, mut counts) = (Games::of_chunk(self.chunk), Counts::default());
        for game in &mut games {
            counts.games += 1;
            if game.span().range().len() <= limit {
                each(&game);
                continue;
            }
            counts.bad_games += 1;
            let place = self.chunk.place(game.span().start);
            sink.problem(Problem::too_large(place, counts.games, game.tags(), limit));
        }
        Played { counts, end: Some(games.chunk_end()) }
    }
}

impl AsRef<Counts> for Played {
    fn as_ref(&self) -> &Counts {
        &self.counts
    }
}

impl From<(Counts, ChunkEnd)> for Played {
    fn from((counts, end): (Counts, ChunkEnd)) -> Self {
        Played { counts, end: Some(end) }
    }
}

/// Gets a chunk's result and the number of games before it in all texts; breaks to end a run.
pub(crate) type OnChunk<'d, R> = &'d mut dyn FnMut(&mut R, u64, &mut Summary) -> ControlFlow<()>;

pub(crate) struct TextRun<'r, C: Consumer> {
    pub(crate) pipeline: &'r Pipeline,
    pub(crate) plan: &'r Plan,
    pub(crate) consumer: &'r C,
    pub(crate) summary: &'r mut Summary,
    pub(crate) observer: &'r mut dyn Observer,
    pub(crate) deliver: OnChunk<'r, C::Result>,
}

/// Plays the games of a text on all threads; problems get the numbers of their games.
pub(crate) fn run_games<C: Consumer>(text: InputText<'_>, run: TextRun<'_, C>) -> io::Result<()> {
    let TextRun { pipeline, plan, consumer, summary, observer, deliver } = run;
    let text = text.of_games()?;
    let worker = GameWorker { consumer, plan, numbers: GameNumbers::default() };
    let games_of_other_texts = summary.games;
    text.in_order(pipeline, &worker, &mut |done, bytes| {
        let ChunkResult { result, counts, .. } = done;
        let flow = deliver_chunk::<C>(result, counts, bytes, summary, observer, deliver);
        worker.numbers.deliver(summary.games - games_of_other_texts);
        flow
    })
}

pub(crate) fn deliver_chunk<C: Consumer>(
    result: &mut C::Result,
    counts: &Counts,
    bytes: u64,
    summary: &mut Summary,
    observer: &mut dyn Observer,
    deliver: OnChunk<'_, C::Result>,
) -> ControlFlow<()> {
    let games_before = summary.games;
    for problem in C::problems(result) {
        if problem.game > 0 {
            problem.game += games_before;
        }
        summary.count(problem.severity());
        observer.problem(problem);
    }
    summary.add(counts);
    summary.bytes_read += bytes;
    let flow = deliver(result, games_before, summary);
    let watched = observer.progress(summary);
    if summary.stopped || watched.is_break() { ControlFlow::Break(()) } else { flow }
}

/// Entries or rows that are worth a thread.
pub(super) const ENTRIES: usize = 4096;

/// Plays batches, each with its number of bytes, as what `source` makes of them.
pub(super) fn run_batches<C: Consumer, B: Send, S: PlySource<Read = Counts>>(
    run: TextRun<'_, C>,
    source: impl Fn(B) -> io::Result<S> + Sync,
    batches: impl IntoIterator<Item = io::Result<(B, u64)>>,
) -> io::Result<()> {
    let TextRun { pipeline, consumer, summary, observer, deliver, .. } = run;
    let work = |(batch, bytes)| {
        let mut result = C::Result::default();
        let counts = source(batch).map(|source| consumer.consume(source, &mut result));
        (result, counts, bytes)
    };
    let mut take = |(mut result, counts, bytes): (C::Result, io::Result<Counts>, u64)| {
        let counts = counts.map_err(Some)?;
        let flow = deliver_chunk::<C>(&mut result, &counts, bytes, summary, observer, deliver);
        if flow.is_break() { Err(None) } else { Ok(()) }
    };
    let read = pipeline.threads.map_produced(work, &mut take, |give| {
        for batch in batches {
            match batch {
                Ok(batch) => give(batch)?,
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(Ok(()))
    })?;
    match read {
        Ok(read) => read,
        Err(Some(error)) => Err(error),
        Err(None) => Ok(()),
    }
}

struct GameWorker<'r, C> {
    consumer: &'r C,
    plan: &'r Plan,
    numbers: GameNumbers,
}

#[derive(Default)]
struct ChunkResult<R> {
    result: R,
    counts: Counts,
    before: GamesBefore,
}

impl<C: Consumer> GameWorker<'_, C> {
    fn play(
        &self,
        chunk: Chunk<'_>,
        is_too_large: bool,
        done: &mut ChunkResult<C::Result>,
        pass_on: Option<PassOn<'_, C::Result>>,
    ) -> Option<ChunkEnd> {
        let counts_games = self.plan.counts_games() && !is_too_large;
        done.before = if counts_games { self.numbers.before(chunk) } else { Default::default() };
        let games_before = done.before.games;
        let games = ChunkGames { chunk, plan: self.plan, games_before, is_too_large };
        let Played { counts, end } = self.consumer.games(games, &mut done.result, pass_on);
        done.counts = counts;
        end
    }
}

const NOT_PLAYED: &str = "a chunk that is not too large is played to its end";

impl<C: Consumer> ChunkWorker for GameWorker<'_, C> {
    type Cutter = GameCutter;
    type Output = ChunkResult<C::Result>;

    fn chunk(&self, chunk: Chunk<'_>, done: &mut Self::Output) -> ChunkEnd {
        self.play(chunk, false, done, None).expect(NOT_PLAYED)
    }

    fn chunk_in_parts(
        &self,
        chunk: Chunk<'_>,
        done: &mut Self::Output,
        pass_on: &mut dyn FnMut(&mut Self::Output),
    ) -> ChunkEnd {
        let mut part = ChunkResult::default();
        let mut pass_on = |result: &mut C::Result| {
            std::mem::swap(&mut part.result, result);
            pass_on(&mut part);
            std::mem::swap(&mut part.result, result);
        };
        self.play(chunk, false, done, Some(&mut pass_on)).expect(NOT_PLAYED)
    }

    fn skipped(&self, text: &[u8], done: &mut Self::Output) {
        self.consumer.skipped(text, &mut done.result);
    }

    /// The number of games, if it is needed: only records may contain it.
    fn count_items(&self, chunk: Chunk<'_>) -> Option<u64> {
        self.plan.counts_games().then(|| count_games(chunk))
    }

    fn is_valid(&self, done: &Self::Output) -> bool {
        self.numbers.are_right(done.before)
    }

    fn too_large(&self, chunk: Chunk<'_>, done: &mut Self::Output) {
        self.play(chunk, true, done, None);
    }
}
