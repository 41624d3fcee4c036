//! Games by name: for each the deepest position that has one.

mod rewrite;
mod sink;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use emit::{Names, Ops, Plan, Replay};
use openings::Openings;
use pgn::{Chunk, Pipeline, Source, Work, Worked};

use crate::{ConvertError, Options, Summary, Watch};
use rewrite::Edit;
use sink::{NamedGame, Naming};

/// How games are named.
#[derive(Clone, Debug)]
pub struct NameOptions {
    /// Who knows the names; `None` for the table that comes with the program.
    pub openings: Option<Arc<Openings>>,
    /// What is written.
    pub form: NameForm,
    /// Threads that work; `None` for as many as there are cores.
    pub jobs: Option<NonZeroUsize>,
    /// A game larger than this, in bytes, is an error, and gets no name.
    pub max_game_bytes: usize,
    /// Bytes that are read and worked on at once. It changes nothing about the output.
    pub chunk_bytes: usize,
}

impl Default for NameOptions {
    fn default() -> Self {
        let Options { max_game_bytes, chunk_bytes, .. } = Options::default();
        NameOptions {
            openings: None,
            form: NameForm::default(),
            jobs: None,
            max_game_bytes,
            chunk_bytes,
        }
    }
}

/// What is written of the names of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NameForm {
    /// For each game the tags `ECO`, `NIC` (if the table has any) and `Opening`, `?` where nothing is known, and an empty line.
    #[default]
    Tags,
    /// For each game a line, with tabs between: its number, the ply of the deepest named position, the plies of the game, the
    /// ECO code, the NIC code, the name, the players; `-` where nothing is known.
    Table,
    /// The games as they were, byte for byte, but for these tags: what is known is put in, or in the place of what was there.
    ///
    /// A code that begins with the ECO code found (`B90/08`) stays. Tags that nothing is known for stay, as do `Variation` and
    /// `SubVariation`.
    Pgn,
}

/// Names all games of `input`.
///
/// Positions of the summary are games that have a name. What is wrong with games is told as [`convert`](crate::convert) does; such
/// a game is named by the positions before.
///
/// # Errors
///
/// As [`convert`](crate::convert).
///
/// ```
/// use pgn2epd::{NameForm, NameOptions, name};
///
/// let pgn = "[White \"Anderssen\"]\n[ECO \"C30\"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 *\n";
/// let mut output = Vec::new();
/// let options = NameOptions { form: NameForm::Pgn, ..NameOptions::default() };
/// name(pgn.as_bytes(), &mut output, &options, &mut ())?;
/// assert_eq!(
///     String::from_utf8(output)?,
///     "[White \"Anderssen\"]\n[ECO \"C33\"]\n[Opening \"King's Gambit Accepted: Bishop's Gambit, Bryan Countergambit\"]\n\n\
///      1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 *\n",
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn name(
    input: impl Read,
    mut output: impl Write,
    options: &NameOptions,
    watch: &mut dyn Watch,
) -> Result<Summary, ConvertError> {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let pipeline = Pipeline {
        workers: options.jobs.unwrap_or_else(cores).get(),
        chunk_bytes: options.chunk_bytes,
        max_game_bytes: options.max_game_bytes,
    };
    let openings = match &options.openings {
        Some(openings) => openings,
        None => Openings::embedded(),
    };
    let plan = Plan { ops: Ops::NONE, max_game_bytes: options.max_game_bytes, ..Plan::default() };
    let work = NameWork { openings, plan, rewrites: options.form == NameForm::Pgn };
    let mut summary = Summary::default();
    let mut source = Source::new(input).map_err(ConvertError::Read)?;
    while let Some(text) = source.next_text().map_err(ConvertError::Read)? {
        if let Some(name) = text.name() {
            watch.member(name);
        }
        let kept = RefCell::default();
        let mut delivery = Delivery { form: options.form, openings, kept: &kept, line: Vec::new() };
        let input = Tee { input: text, kept: &kept, keeps: work.rewrites };
        let mut written = Ok(());
        let read = pgn::in_order(input, &pipeline, &work, &mut |done: &mut Done, bytes| {
            tell(done, bytes, &mut summary, watch);
            written = delivery.write(done, bytes, &mut output, &mut summary);
            watch.progress(&summary);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        // What nobody has worked on is passed on too.
        let rest = |output: &mut dyn Write| output.write_all(kept.borrow_mut().make_contiguous());
        written
            .and_then(|()| rest(&mut output))
            .and_then(|()| output.flush())
            .map_err(ConvertError::Write)?;
        read.map_err(ConvertError::Read)?;
    }
    Ok(summary)
}

/// What a worker does with a chunk.
struct NameWork<'o> {
    openings: &'o Openings,
    plan: Plan,
    rewrites: bool,
}

#[derive(Debug, Default)]
struct Done {
    games: Vec<NamedGame>,
    edits: Vec<Edit>,
    counts: emit::Counts,
    problems: Vec<emit::Problem>,
}

impl Work for NameWork<'_> {
    type Output = Done;

    fn chunk(&self, chunk: Chunk<'_>, done: &mut Done) -> Worked {
        *done = Done::default();
        let mut naming = Naming::new(self.openings, chunk);
        let mut replay = Replay::new(chunk, &self.plan);
        while replay.next_game(&mut naming) {
            if self.rewrites {
                naming.rewrite(replay.game_start(), &mut done.edits);
            }
            done.games.push(naming.take_game());
        }
        done.problems = naming.take_problems();
        let (counts, worked) = replay.finish();
        done.counts = counts;
        worked
    }

    fn too_large(&self, chunk: Chunk<'_>, done: &mut Done) {
        *done = Done::default();
        let mut naming = Naming::new(self.openings, chunk);
        done.counts = Replay::new(chunk, &self.plan).too_large(&mut naming);
        done.games.push(naming.take_game());
        done.problems = naming.take_problems();
    }
}

/// Tells what is wrong, with the numbers of games in the whole input.
fn tell(done: &mut Done, bytes: u64, summary: &mut Summary, watch: &mut dyn Watch) {
    for problem in &mut done.problems {
        if problem.game > 0 {
            problem.game += summary.games;
        }
        summary.count(problem.severity());
        watch.problem(problem);
    }
    summary.bad_games += done.counts.bad_games;
    summary.bytes_read += bytes;
}

/// Writes what workers have done.
struct Delivery<'d> {
    form: NameForm,
    openings: &'d Openings,
    kept: &'d RefCell<VecDeque<u8>>,
    line: Vec<u8>,
}

impl Delivery<'_> {
    fn write(
        &mut self,
        done: &Done,
        bytes: u64,
        output: &mut impl Write,
        summary: &mut Summary,
    ) -> io::Result<()> {
        self.line.clear();
        for game in &done.games {
            summary.games += 1;
            summary.positions += u64::from(game.is_named());
            match self.form {
                NameForm::Tags => game.write_tags(self.openings.has_nic(), &mut self.line),
                NameForm::Table => game.write_row(summary.games, &mut self.line),
                NameForm::Pgn => {}
            }
        }
        if self.form == NameForm::Pgn {
            let kept: Vec<u8> = self.kept.borrow_mut().drain(..bytes as usize).collect();
            rewrite::apply(&done.edits, &kept, &mut self.line);
        }
        summary.bytes_written += self.line.len() as u64;
        output.write_all(&self.line)
    }
}

/// Keeps what is read, until it is written again.
struct Tee<'k, R> {
    input: R,
    kept: &'k RefCell<VecDeque<u8>>,
    keeps: bool,
}

impl<R: Read> Read for Tee<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.input.read(buffer)?;
        if self.keeps {
            self.kept.borrow_mut().extend(&buffer[..len]);
        }
        Ok(len)
    }
}
