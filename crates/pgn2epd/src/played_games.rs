//! Plays the games of a stream as values, chunk by chunk, in input order.

use std::io::{self, Read};
use std::ops::ControlFlow;

use dataset::equal::{Conflicts, Preference};
use emit::{Counts, Fact, Game, GameList, GameSink, LookAhead, Plan, Problem, Replay};
use pgn::{Chunk, ChunkEnd, GameCutter};
use stream::ordered::{ChunkWorker, Pipeline, Threads, in_order};

use crate::game_numbers::{GameNumbers, GamesBefore};
use crate::inputs::for_each_text;
use crate::options::{Format, GAME_OF_VALUES, Options};
use crate::summary::Summary;

/// The games of a chunk, and the problems after the last of them.
pub(crate) struct PlayedGames<'g> {
    pub(crate) games: std::vec::Drain<'g, Game>,
    pub(crate) problems: std::vec::Drain<'g, Problem>,
}

/// Returns the options that apply to values: those of text have no effect.
pub(crate) fn options_of_values(options: &Options) -> Options {
    let options = options.clone().format(Format::Epd).conflicts(Conflicts::Keep);
    let unique = options.unique.map(|_| Preference::First);
    options.unique(unique).shuffle(false).split(None)
}

/// Returns the plan for values.
pub(crate) fn plan_of_values(options: &Options) -> Plan {
    Plan {
        facts: [Fact::Line].into_iter().collect(),
        raw_comments: true,
        blank_line: false,
        max_game_bytes: options.game_limit(GAME_OF_VALUES),
        ..options.plan()
    }
}

/// Passes the games of `input` to `deliver`, in order, until it breaks. The positions of the summary
/// are counted by the caller.
pub(crate) fn play_games(
    input: impl Read,
    options: &Options,
    plan: &Plan,
    summary: &mut Summary,
    deliver: &mut dyn FnMut(PlayedGames<'_>, &mut Summary) -> ControlFlow<()>,
) -> io::Result<()> {
    let pipeline = Pipeline {
        threads: Threads::new(options.workers()),
        chunk_bytes: options.chunk_bytes,
        max_item_bytes: plan.max_game_bytes,
    };
    for_each_text(input, &mut (), std::convert::identity, |text, _| {
        let text = text.of_games()?;
        let games = GameNumbers::default();
        let games_before = summary.games;
        let work = Play { plan, games: &games };
        let mut flow = ControlFlow::Continue(());
        in_order(text, &pipeline, &work, &mut |played: &mut Played, bytes| {
            flow = played.deliver(bytes, summary, deliver);
            games.deliver(summary.games - games_before);
            flow
        })?;
        Ok(flow)
    })
}

/// The worker that plays the games of a chunk.
struct Play<'p> {
    plan: &'p Plan,
    games: &'p GameNumbers,
}

/// Result of a chunk.
#[derive(Debug, Default)]
struct Played {
    list: GameList,
    counts: Counts,
    games_before: GamesBefore,
}

impl ChunkWorker for Play<'_> {
    type Cutter = GameCutter;
    type Output = Played;

    fn chunk(&self, chunk: Chunk<'_>, played: &mut Played) -> ChunkEnd {
        *played = Played::default();
        if self.plan.counts_games() {
            played.games_before = self.games.before(chunk);
        }
        let mut sink = GameSink::new(&mut played.list, self.plan, played.games_before.games);
        let replay = Replay::new(chunk, self.plan);
        let (counts, end) = if self.plan.looks_ahead() {
            let mut ahead = LookAhead::new(sink, self.plan);
            let (counts, end) = replay.run(&mut ahead);
            sink = ahead.into_inner();
            (counts, end)
        } else {
            replay.run(&mut sink)
        };
        sink.finish(&counts);
        played.counts = counts;
        end
    }

    fn count_items(&self, chunk: Chunk<'_>) -> Option<u64> {
        GameNumbers::count(self.plan, chunk)
    }

    fn is_valid(&self, played: &Played) -> bool {
        self.games.are_right(played.games_before)
    }

    fn too_large(&self, chunk: Chunk<'_>, played: &mut Played) {
        *played = Played::default();
        let mut sink = GameSink::new(&mut played.list, self.plan, 0);
        let counts = Replay::new(chunk, self.plan).too_large(&mut sink);
        sink.finish(&counts);
        played.counts = counts;
    }
}

impl Played {
    /// Converts the numbers of the chunk to those of the whole input, and passes the games on.
    fn deliver(
        &mut self,
        bytes: u64,
        summary: &mut Summary,
        deliver: &mut dyn FnMut(PlayedGames<'_>, &mut Summary) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Played { list: GameList { games, problems, losses, omitted }, counts, .. } = self;
        for game in games.iter_mut() {
            game.renumber(summary.games + game.number);
        }
        let of_games = games.iter().flat_map(|game| &game.problems);
        for problem in of_games.chain(&*problems) {
            summary.count(problem.severity());
        }
        summary.add(counts);
        summary.losses += *losses;
        summary.omitted += *omitted;
        summary.bytes_read += bytes;
        let played = PlayedGames { games: games.drain(..), problems: problems.drain(..) };
        deliver(played, summary)?;
        if summary.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
