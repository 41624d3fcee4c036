//! Runs visitors of pgn-reader over the games of a stream, on all cores.

use std::io::{self, Read};
use std::ops::ControlFlow;

use emit::{Plan, Ply, Problem, Sink};
use pgn::TagPair;
use pgn_reader::Visitor;

use crate::inputs::for_each_text;
use crate::observer::Observer;
use crate::options::Options;
use crate::run::games::{ChunkGames, GameConsumer, Played, TextRun, run_games};
use crate::summary::Summary;

/// Presents all games of `input` to visitors written for [`pgn_reader`], on all cores: each chunk
/// of games has a visitor of its own, which `visitor` makes, and `deliver` receives the visitors
/// with their outputs, one for each game, in the order of the input, on the calling thread, until
/// it breaks.
///
/// Games are not played: a visitor receives any moves, see [`pgn::Game::visit`]. The input is read,
/// and [`jobs`](Options::jobs), [`chunk_bytes`](Options::chunk_bytes) and
/// [`max_game_bytes`](Options::max_game_bytes) apply, as for [`games`](crate::games); other options
/// have no effect. A game beyond the size limit is a problem, and is not visited. Faults of the
/// text, such as text outside every game, are not reported: a visitor has no call for them.
///
/// # Errors
///
/// Returns an error if the stream cannot be read; the games before it have been visited.
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
    let plan = Plan { max_game_bytes: options.max_game_bytes, ..Plan::default() };
    let pipeline = options.pipeline(&plan);
    let consumer = Visit(visitor);
    let mut summary = Summary::default();
    for_each_text(input, observer, None, std::convert::identity, |text, observer| {
        let mut flow = ControlFlow::Continue(());
        let mut take = |visited: &mut Visited<V>, _: u64, _: &mut Summary| {
            if let Some(visitor) = visited.visitor.take() {
                flow = deliver(visitor, std::mem::take(&mut visited.outputs));
            }
            flow
        };
        let run = TextRun {
            pipeline: &pipeline,
            plan: &plan,
            consumer: &consumer,
            summary: &mut summary,
            observer,
            deliver: &mut take,
        };
        run_games(text, run)?;
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

impl<V: Visitor<Output: Send> + Send, F: Fn() -> V + Sync> GameConsumer for Visit<F> {
    type Result = Visited<V>;

    fn chunk(&self, games: ChunkGames<'_>, visited: &mut Visited<V>) -> Played {
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

/// Receives the problems of games that are too large.
struct Problems(Vec<Problem>);

impl Sink for Problems {
    fn begin(&mut self, _: &[TagPair<'_>]) {}

    fn ply(&mut self, _: Ply<'_>) {}

    fn end(&mut self, _: Option<pgn::Outcome>) {}

    fn discard_game(&mut self) {}

    fn problem(&mut self, problem: Problem) {
        self.0.push(problem);
    }
}
