//! Names the openings of games, each by the deepest position with a name.

mod sink;

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use emit::{Filter, Ops, Plan, Problem};
use openings::{NameSource, Openings};
use stream::ordered::{Pipeline, Threads};

use crate::convert::ConvertError;
use crate::inputs::{InputText, OnDamage, for_each_text};
use crate::observer::Observer;
use crate::options::option_set::OptionSet;
use crate::options::option_spec::options;
use crate::run::games::{ChunkGames, GameConsumer, Played, TextRun, run_games};
use crate::summary::Summary;
use sink::{NamedGame, Naming};

options! {
    /// Options for naming games.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct NameOptions {
        "Output": {
            /// Print a line for each game, separated by tabs: number, ply of the deepest named
            /// position, plies of the game, ECO, NIC, name, players; unknown values are -
            table: bool = false;
        }
        "Games": {
            /// As in [`Options`](crate::Options).
            filter: Option<Filter> = None, name("where"), shared();
        }
        "Running": {
            /// As in [`Options`](crate::Options).
            jobs: Option<NonZeroUsize> = None, shared();

            /// As in [`Options`](crate::Options).
            on_damage: OnDamage = OnDamage::Stop, shared();

            /// As in [`Options`](crate::Options).
            max_game_bytes: usize = 64 << 20, shared();

            /// As in [`Options`](crate::Options).
            chunk_bytes: usize = 256 << 10, shared();
        }

        /// The table of openings; `None` for the embedded one.
        openings: Option<Arc<Openings>> = None;
    }
}

impl OptionSet for NameOptions {}

/// Names all games of `input`.
///
/// In the summary, positions are games with a name. Errors in games are reported as by
/// [`convert`](crate::convert); such a game is named by the positions before the error.
///
/// # Errors
///
/// The same as [`convert`](crate::convert).
///
/// ```
/// use pgn2epd::openings::{NameOptions, name};
///
/// let pgn = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 *\n";
/// let (mut output, options) = (Vec::new(), NameOptions::default());
/// name(pgn.as_bytes(), &mut output, &options, &mut ())?;
/// assert_eq!(
///     String::from_utf8(output)?,
///     "[ECO \"C33\"]\n[Opening \"King's Gambit Accepted: Bishop's Gambit, Bryan Countergambit\"]\n\n",
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn name(
    input: impl Read,
    mut output: impl Write,
    options: &NameOptions,
    observer: &mut dyn Observer,
) -> Result<Summary, ConvertError> {
    let mut summary = Summary::default();
    for_each_text(input, observer, None, ConvertError::Read, |text, observer| {
        name_games(text, &mut output, options, &mut summary, observer)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(summary)
}

/// Names all games of a text, like [`name`].
///
/// # Errors
///
/// The same as [`name`]; also if the text contains positions instead of games.
pub fn name_text(
    text: InputText<'_>,
    mut output: impl Write,
    options: &NameOptions,
    observer: &mut dyn Observer,
) -> Result<Summary, ConvertError> {
    let mut summary = Summary::default();
    name_games(text, &mut output, options, &mut summary, observer)?;
    Ok(summary)
}

fn name_games(
    text: InputText<'_>,
    output: &mut dyn Write,
    options: &NameOptions,
    summary: &mut Summary,
    observer: &mut dyn Observer,
) -> Result<(), ConvertError> {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let pipeline = Pipeline {
        threads: Threads::new(options.jobs.unwrap_or_else(cores).get()),
        chunk_bytes: options.chunk_bytes,
        max_item_bytes: options.max_game_bytes,
    };
    let openings = match &options.openings {
        Some(openings) => openings,
        None => Openings::embedded(),
    };
    let plan = Plan {
        ops: Ops::NONE,
        filter: options.filter.clone(),
        names: NameSource::Table(openings.clone()),
        max_game_bytes: options.max_game_bytes,
        ..Plan::default()
    };
    let consumer = Name { openings, has_filter: options.filter.is_some() };
    let mut delivery = Delivery { is_table: options.table, openings, line: Vec::new() };
    let mut written = Ok(());
    let mut deliver = |named: &mut NamedGames, games_before: u64, summary: &mut Summary| {
        written = delivery.write(named, games_before, output, summary);
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let (consumer, deliver) = (&consumer, &mut deliver);
    let run = TextRun { pipeline: &pipeline, plan: &plan, consumer, summary, observer, deliver };
    let read = run_games(text, run);
    written.and_then(|()| output.flush()).map_err(ConvertError::Write)?;
    read.map_err(ConvertError::Read)
}

/// Names games.
struct Name<'o> {
    openings: &'o Openings,
    has_filter: bool,
}

#[derive(Debug, Default)]
struct NamedGames {
    games: Vec<NamedGame>,
    problems: Vec<Problem>,
}

impl GameConsumer for Name<'_> {
    type Result = NamedGames;

    fn chunk(&self, games: ChunkGames<'_>, named: &mut NamedGames) -> Played {
        *named = NamedGames::default();
        let mut naming = Naming::new(self.openings, !self.has_filter);
        let played = games.play_each(&mut naming, |naming| named.games.extend(naming.take_game()));
        named.problems = naming.take_problems();
        played
    }

    fn problems(named: &mut NamedGames) -> impl Iterator<Item = &mut Problem> {
        named.problems.iter_mut()
    }
}

/// Writes the results of workers.
struct Delivery<'d> {
    is_table: bool,
    openings: &'d Openings,
    line: Vec<u8>,
}

impl Delivery<'_> {
    fn write(
        &mut self,
        named: &NamedGames,
        games_before: u64,
        output: &mut dyn Write,
        summary: &mut Summary,
    ) -> io::Result<()> {
        self.line.clear();
        for game in &named.games {
            summary.positions += u64::from(game.is_named());
            match self.is_table {
                false => game.write_tags(self.openings.has_nic(), &mut self.line),
                true => game.write_row(games_before, &mut self.line),
            }
        }
        summary.bytes_written += self.line.len() as u64;
        output.write_all(&self.line)
    }
}
