//! Plays the games of a stream into sinks of the caller, on all cores.

use std::io::{self, Read};
use std::ops::ControlFlow;

use emit::{Counts, LookAhead, Plan, Ply, Problem, Replay, Sink, VariantPly};
use pgn::{Chunk, ChunkEnd, GameCutter, Outcome, Place, TagPair};
use stream::ordered::{ChunkWorker, Pipeline, Threads, in_order};

use crate::inputs::for_each_text;
use crate::observer::Observer;
use crate::options::Options;
use crate::played_games::{options_of_values, plan_of_values};
use crate::summary::Summary;

/// Passes the positions of all games of `input` to sinks, on all cores: each chunk of games is played on a
/// worker thread into a sink of its own, which `sink` makes, and `deliver` receives the sinks in the order of the
/// input, on the calling thread, until it breaks.
///
/// This is faster than [`games`](crate::games), whose games are values, and needs less memory. The input is read,
/// and options apply, as there. `observer` receives problems and progress; [`Sink::problem`] is not called. The number
/// of a game that [`Sink::number`] receives counts from the beginning of the chunk.
///
/// # Errors
///
/// Returns an error if the stream cannot be read; the games before it have been passed.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pgn2epd::{Options, Outcome, Ply, Problem, Sink, TagPair, replay};
///
/// /// Counts captures.
/// #[derive(Default)]
/// struct Captures {
///     of_game: u64,
///     total: u64,
/// }
///
/// impl Sink for Captures {
///     fn begin(&mut self, _: &[TagPair<'_>]) {
///         self.of_game = 0;
///     }
///     fn ply(&mut self, ply: Ply<'_>) {
///         self.of_game += u64::from(ply.next.is_some_and(|mv| mv.is_capture()));
///     }
///     fn end(&mut self, _: Option<Outcome>) {
///         self.total += self.of_game;
///     }
///     fn discard_game(&mut self) {}
///     fn problem(&mut self, _: Problem) {}
/// }
///
/// let mut captures = 0;
/// let pgn = &b"1. e4 d5 2. exd5 Qxd5 *\n\n1. d4 d5 *"[..];
/// let summary = replay(pgn, &Options::default(), Captures::default, &mut |sink| {
///     captures += sink.total;
///     ControlFlow::Continue(())
/// }, &mut ())?;
/// assert_eq!((summary.games, summary.positions, captures), (2, 8, 2));
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn replay<S: Sink + Send>(
    input: impl Read,
    options: &Options,
    sink: impl Fn() -> S + Sync,
    deliver: &mut dyn FnMut(S) -> ControlFlow<()>,
    observer: &mut dyn Observer,
) -> io::Result<Summary> {
    let options = options_of_values(options);
    let plan = plan_of_values(&options);
    let pipeline = Pipeline {
        threads: Threads::new(if plan.counts_games() { 1 } else { options.workers() }),
        chunk_bytes: options.chunk_bytes,
        max_item_bytes: plan.max_game_bytes,
    };
    let work = Play { plan: &plan, sink };
    let mut summary = Summary::default();
    for_each_text(input, observer, std::convert::identity, |text, observer| {
        let mut flow = ControlFlow::Continue(());
        in_order(text.of_games()?, &pipeline, &work, &mut |played: &mut Played<S>, bytes| {
            played.report(bytes, &mut summary, observer);
            flow = played.watched.take().map_or(flow, |watched| deliver(watched.sink));
            if summary.stopped {
                flow = ControlFlow::Break(());
            }
            flow
        })?;
        Ok(flow)
    })?;
    Ok(summary)
}

/// The worker that plays the games of a chunk.
struct Play<'p, F> {
    plan: &'p Plan,
    sink: F,
}

/// Result of a chunk.
struct Played<S> {
    watched: Option<Watched<S>>,
    counts: Counts,
}

impl<S> Default for Played<S> {
    fn default() -> Self {
        Played { watched: None, counts: Counts::default() }
    }
}

impl<S> Played<S> {
    /// Adds the chunk to the totals, and reports its problems with the numbers of the whole input.
    fn report(&mut self, bytes: u64, summary: &mut Summary, observer: &mut dyn Observer) {
        let Some(Watched { positions, problems, .. }) = &mut self.watched else { return };
        for problem in problems {
            if problem.game > 0 {
                problem.game += summary.games;
            }
            summary.count(problem.severity());
            observer.problem(problem);
        }
        summary.add(&self.counts);
        summary.positions += *positions;
        summary.bytes_read += bytes;
        observer.progress(summary);
    }
}

impl<S: Sink + Send, F: Fn() -> S + Sync> ChunkWorker for Play<'_, F> {
    type Cutter = GameCutter;
    type Output = Played<S>;

    fn chunk(&self, chunk: Chunk<'_>, played: &mut Played<S>) -> ChunkEnd {
        let mut watched = Watched::new((self.sink)());
        let replay = Replay::new(chunk, self.plan);
        let (counts, end) = if self.plan.looks_ahead() {
            let mut ahead = LookAhead::new(watched, self.plan);
            let result = replay.run(&mut ahead);
            watched = ahead.into_inner();
            result
        } else {
            replay.run(&mut watched)
        };
        *played = Played { watched: Some(watched), counts };
        end
    }

    fn too_large(&self, chunk: Chunk<'_>, played: &mut Played<S>) {
        let mut watched = Watched::new((self.sink)());
        let counts = Replay::new(chunk, self.plan).too_large(&mut watched);
        *played = Played { watched: Some(watched), counts };
    }
}

/// Counts the positions of a sink and keeps its problems.
struct Watched<S> {
    sink: S,
    positions: u64,
    /// The positions of the current game.
    of_game: u64,
    problems: Vec<Problem>,
}

impl<S> Watched<S> {
    fn new(sink: S) -> Self {
        Watched { sink, positions: 0, of_game: 0, problems: Vec::new() }
    }
}

impl<S: Sink> Sink for Watched<S> {
    fn number(&mut self, game: u64, place: Place) {
        self.sink.number(game, place);
    }

    fn length(&mut self, plies: u32) {
        self.sink.length(plies);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.of_game = 0;
        self.sink.begin(tags);
    }

    fn game_filtered_out(&mut self) {
        self.sink.game_filtered_out();
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        self.of_game += 1;
        self.sink.ply(ply);
    }

    #[inline(always)]
    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.sink.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        self.sink.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        self.of_game += 1;
        self.sink.variant(ply);
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        self.sink.skipped_variant(ply);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.sink.text_of_game(text);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.positions += self.of_game;
        self.sink.end(outcome);
    }

    fn discard_game(&mut self) {
        self.sink.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
