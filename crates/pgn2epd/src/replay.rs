//! Plays the games of a stream into sinks of the caller, on all cores.

use std::io::{self, Read};
use std::ops::ControlFlow;

use emit::{GameAhead, Plan, Ply, Problem, Sink, VariantPly};
use pgn::{Outcome, Place, TagPair};

use crate::inputs::{InputText, for_each_text};
use crate::observer::Observer;
use crate::options::Options;
use crate::played_games::{options_of_values, plan_of_values, run_text};
use crate::run::games::{ChunkGames, GameConsumer, Played, PlySource};
use crate::run::records::RecordConsumer;
use crate::summary::Summary;
use crate::text_plan::plan_of;

/// Passes the positions of all games of `input` to sinks, on all cores: each chunk of games is
/// played on a worker thread into a sink of its own, which `sink` makes, and `deliver` receives the
/// sinks in the order of the input, on the calling thread, until it breaks.
///
/// This is faster than [`games`](crate::games), whose games are values, and needs less memory. The
/// input is read, and options apply, as there. `observer` receives problems and progress;
/// [`Sink::problem`] is not called. The number of a game that [`Sink::number`] receives counts from
/// the beginning of the chunk.
///
/// # Errors
///
/// Returns an error if the stream cannot be read; the games before it have been passed. Also for
/// options that [`games`](crate::games) refuses.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pgn2epd::{Options, Outcome, Ply, Problem, Sink, replay};
/// use pgn2epd::game::TagPair;
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
    let options = options_of_values(options, true)?;
    let plan = plan_of_values(&options);
    let mut summary = Summary::default();
    for_each_text(input, observer, options.input, std::convert::identity, |text, observer| {
        let mut take = |sink, _| deliver(sink);
        replay_text(text, &options, &plan, &sink, &mut take, &mut summary, observer)
    })?;
    Ok(summary)
}

/// The same for one text, with the number of games before each chunk; breaks if no other text is
/// wanted.
pub(crate) fn replay_text<S: Sink + Send>(
    text: InputText<'_>,
    options: &Options,
    plan: &Plan,
    sink: impl Fn() -> S + Sync,
    deliver: &mut dyn FnMut(S, u64) -> ControlFlow<()>,
    summary: &mut Summary,
    observer: &mut dyn Observer,
) -> io::Result<ControlFlow<()>> {
    let plan = &*plan_of(plan, options, text.kind(), &[]);
    let mut take = |watched: &mut Option<Watched<S>>, games_before: u64, summary: &mut Summary| {
        let Some(watched) = watched.take() else { return ControlFlow::Continue(()) };
        summary.positions += watched.positions;
        deliver(watched.sink, games_before)
    };
    run_text(text, options, plan, &Play(sink), summary, observer, &mut take)
}

/// Plays the games of each chunk into a sink of its own.
struct Play<F>(F);

impl<S: Sink + Send, F: Fn() -> S + Sync> GameConsumer for Play<F> {
    type Result = Option<Watched<S>>;

    fn chunk(&self, games: ChunkGames<'_>, watched: &mut Self::Result) -> Played {
        self.consume(games, watched)
    }

    fn problems(watched: &mut Self::Result) -> impl Iterator<Item = &mut Problem> {
        watched.iter_mut().flat_map(|watched| &mut watched.problems)
    }
}

impl<S: Sink + Send, F: Fn() -> S + Sync> RecordConsumer for Play<F> {
    fn consume<G: PlySource>(&self, source: G, watched: &mut Self::Result) -> G::Read {
        let (sink, read) = source.play(Watched::new((self.0)()));
        *watched = Some(sink);
        read
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

    fn ahead(&mut self, game: GameAhead) {
        self.sink.ahead(game);
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
