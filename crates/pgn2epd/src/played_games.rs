//! Plays the games of a stream as values, chunk by chunk, in input order.

use std::io::{self, Read};
use std::ops::ControlFlow;

use dataset::Conflicts;
use emit::{Fact, Game, GameList, GameSink, Plan, Problem};

use crate::inputs::{InputText, for_each_text};
use crate::observer::Observer;
use crate::options::{Format, GAME_OF_VALUES, OptionConflict, Options};
use crate::run::games::{ChunkGames, GameConsumer, OnChunk, Played, PlySource, TextRun};
use crate::run::records::RecordConsumer;
use crate::run::source::run_source;
use crate::summary::Summary;
use crate::text_plan::plan_of;

/// The games of a chunk, and the problems after the last of them.
pub(crate) struct PlayedGames<'g> {
    pub(crate) games: std::vec::Drain<'g, Game>,
    pub(crate) problems: std::vec::Drain<'g, Problem>,
}

/// Returns the options that apply to values; those of text have no effect.
///
/// # Errors
///
/// Returns an error for options that select among, order or divide all records.
pub(crate) fn options_of_values(options: &Options) -> io::Result<Options> {
    let unused = [
        ("sort", options.sort.is_some()),
        ("shuffle", options.shuffle),
        ("split", options.split.is_some()),
        ("rows-per-file", options.rows_per_file.is_some()),
        ("unique-games", options.unique_games.is_some()),
        ("unique", options.unique.is_some()),
        ("sample", options.sample.is_some()),
        ("skip", options.skip > 0),
        ("limit", options.limit.is_some()),
    ];
    if let Some((name, _)) = unused.into_iter().find(|(_, is_given)| *is_given) {
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

/// Passes games on, in order, until `deliver` breaks; the caller counts the positions.
pub(crate) fn play_games(
    input: impl Read,
    options: &Options,
    plan: &Plan,
    summary: &mut Summary,
    deliver: &mut dyn FnMut(PlayedGames<'_>, &mut Summary) -> ControlFlow<()>,
) -> io::Result<()> {
    for_each_text(input, &mut (), options.input, std::convert::identity, |text, _| {
        play_text(text, options, plan, summary, deliver)
    })
}

/// The same for one text; breaks if no other is wanted.
pub(crate) fn play_text(
    text: InputText<'_>,
    options: &Options,
    plan: &Plan,
    summary: &mut Summary,
    deliver: &mut dyn FnMut(PlayedGames<'_>, &mut Summary) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let plan = &*plan_of(plan, options, text.kind(), &[]);
    let mut take = |list: &mut GameList, games_before: u64, summary: &mut Summary| {
        for game in &mut list.games {
            game.renumber(games_before + game.number);
        }
        summary.losses += list.losses;
        summary.omitted += list.omitted;
        let (games, problems) = (list.games.drain(..), list.problems.drain(..));
        deliver(PlayedGames { games, problems }, summary)
    };
    run_text(text, options, plan, &Play { plan }, summary, &mut (), &mut take)
}

/// Delivers what a consumer makes of a text; breaks if no other text is wanted.
pub(crate) fn run_text<C: RecordConsumer>(
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

struct Play<'p> {
    plan: &'p Plan,
}

impl GameConsumer for Play<'_> {
    type Result = GameList;

    fn chunk(&self, games: ChunkGames<'_>, list: &mut GameList) -> Played {
        self.consume(games, list)
    }

    fn problems(list: &mut GameList) -> impl Iterator<Item = &mut Problem> {
        let of_games = list.games.iter_mut().flat_map(|game| &mut game.problems);
        of_games.chain(&mut list.problems)
    }
}

impl RecordConsumer for Play<'_> {
    fn consume<G: PlySource>(&self, source: G, list: &mut GameList) -> G::Read {
        *list = GameList::default();
        let before = source.games_before();
        let (sink, read) = source.play(GameSink::new(list, self.plan, before));
        sink.finish(read.as_ref());
        read
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
