//! The way of a stream: PGN in, records out, on all cores and in order.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use emit::{
    Column, Counts, LookAhead, OnError, Part, Plan, Problem, RecordText, Replay, RowSink, Rows,
    Sink, Text,
};
use pgn::{Chunk, Pipeline, Source, Work, Worked};

use crate::choose::{Chooser, Marked, Marks};
use crate::{Options, Summary};

/// Why a conversion could not go on. What is wrong with a game is no such reason, but a [`Problem`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// The input could not be read, or not to its end. What is wrong with it as a compressed file is a
    /// [`SourceError`](crate::SourceError) inside.
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
    /// The output could not be written.
    #[error("the output cannot be written")]
    Write(#[source] io::Error),
}

/// Is told how a conversion goes, on the thread that called.
pub trait Watch {
    /// What follows comes from this file of an archive; its lines are counted from 1 again.
    fn member(&mut self, name: &str) {
        let _ = name;
    }

    /// Something is wrong with a game, or was and has been mended.
    fn problem(&mut self, problem: &Problem) {
        let _ = problem;
    }

    /// Something is wrong with a line of a file of positions, at this column.
    fn line(&mut self, number: u64, column: usize, reason: &str) {
        let _ = (number, column, reason);
    }

    /// So much was done up to now.
    fn progress(&mut self, summary: &Summary) {
        let _ = summary;
    }
}

/// Nobody watches.
impl Watch for () {}

/// Converts all games of `input`: PGN text in UTF-8, UTF-16, ISO 8859-1 or Windows-1252, compressed with gzip, bzip2, zstd or xz,
/// or a zip or 7z archive of `.pgn` files, one after the other. What it is its content says.
///
/// The output does not depend on the number of threads. Memory is bounded by `options`, not by the input. Of what is wrong
/// with games the summary has the count; [`convert_watched`] tells it.
///
/// # Errors
///
/// If the input cannot be read or the output cannot be written. What was converted before is written; a game in which the
/// input breaks off is not.
///
/// ```
/// use pgn2epd::{Options, convert};
///
/// let mut epd = Vec::new();
/// let summary = convert(&b"1. e4 e5 *"[..], &mut epd, &Options::default())?;
/// assert_eq!((summary.games, summary.positions), (1, 3));
/// assert_eq!(
///     String::from_utf8(epd)?.lines().next(),
///     Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0; eco; fmvn 1; hmvc 0; sm e4; v0;"),
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn convert(
    input: impl Read,
    output: impl Write,
    options: &Options,
) -> Result<Summary, ConvertError> {
    convert_watched(input, output, options, &mut ())
}

/// The same as [`convert`], and `watch` is told of problems and progress.
///
/// # Errors
///
/// As [`convert`].
///
/// ```
/// use pgn2epd::{Options, Problem, Watch, convert_watched};
///
/// struct Print;
/// impl Watch for Print {
///     fn problem(&mut self, problem: &Problem) {
///         assert_eq!(problem.to_string(), "1:7: game 1, 1... Ke6: illegal: no king of Black's can reach e6");
///     }
/// }
/// let summary = convert_watched(&b"1. e4 Ke6 *"[..], std::io::sink(), &Options::default(), &mut Print)?;
/// assert_eq!((summary.errors, summary.positions), (1, 2));
/// # Ok::<_, pgn2epd::ConvertError>(())
/// ```
pub fn convert_watched(
    input: impl Read,
    output: impl Write,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Summary, ConvertError> {
    let mut conversion = Conversion::new(output, options);
    conversion.input(input, watch)?;
    conversion.finish()
}

/// A conversion of several inputs into one output: what is chosen, `unique` say, is chosen among all of them.
///
/// ```
/// use pgn2epd::{Conversion, Options};
///
/// let mut epd = Vec::new();
/// let mut conversion = Conversion::new(&mut epd, &Options { unique: true, ..Options::default() });
/// conversion.input(&b"1. e4 e5 *"[..], &mut ())?;
/// conversion.input(&b"1. e4 c5 *"[..], &mut ())?;
/// assert_eq!(conversion.finish()?.positions, 4);
/// # Ok::<_, pgn2epd::ConvertError>(())
/// ```
#[derive(Debug)]
pub struct Conversion<W>(Run<W>);

impl<W: Write> Conversion<W> {
    /// A conversion into `output`.
    pub fn new(output: W, options: &Options) -> Self {
        Conversion(Run::new(output, options, options.plan(), Vec::new()))
    }

    /// Names the inputs that follow, for templates that ask for `{file}`.
    pub fn name_input(&mut self, file: &str) {
        self.0.name_input(file);
    }

    /// Converts all games of an input, and tells what was done with it; `watch` is told of problems and progress, with
    /// the figures of this input.
    ///
    /// # Errors
    ///
    /// As [`convert`].
    pub fn input(
        &mut self,
        input: impl Read,
        watch: &mut dyn Watch,
    ) -> Result<Summary, ConvertError> {
        self.0.input(input, watch)
    }

    /// Whether nothing more will be written, whatever comes: `limit` is reached, or an error ended the run.
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Writes what could not be written before all was known, and tells what was done.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn finish(self) -> Result<Summary, ConvertError> {
        self.0.finish()
    }
}

/// Where the records of chunks go, one chunk after the other.
pub(crate) trait Deliver {
    /// Takes the chosen ones of a chunk's records; how many there were, and how many bytes. So many games of the text came before.
    fn take(
        &mut self,
        done: &mut Done,
        chooser: &mut Option<Chooser>,
        games_before: u64,
    ) -> io::Result<(u64, u64)>;

    /// Takes what was kept until all was known.
    fn take_rest(&mut self, chooser: Chooser) -> io::Result<(u64, u64)>;

    /// Nothing more comes of an input.
    fn flush(&mut self) -> io::Result<()>;
}

impl<W: Write> Deliver for W {
    fn take(
        &mut self,
        done: &mut Done,
        chooser: &mut Option<Chooser>,
        _: u64,
    ) -> io::Result<(u64, u64)> {
        let text = &done.text;
        match chooser {
            None => {
                self.write_all(text.bytes.as_bytes())?;
                Ok((text.positions, text.bytes.len() as u64))
            }
            Some(chooser) => chooser.take(text.bytes.as_bytes(), &done.marks, self),
        }
    }

    fn take_rest(&mut self, chooser: Chooser) -> io::Result<(u64, u64)> {
        chooser.finish(self)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(self)
    }
}

/// Inputs on their way to where their records go.
#[derive(Debug)]
pub(crate) struct Run<D> {
    pub(crate) output: D,
    options: Options,
    plan: Plan,
    /// What rows tell, if they are made.
    columns: Vec<Column>,
    chooser: Option<Chooser>,
    done: Summary,
}

impl<D: Deliver> Run<D> {
    pub(crate) fn new(output: D, options: &Options, plan: Plan, columns: Vec<Column>) -> Self {
        let chooser = Chooser::new(options, &plan);
        let (options, done) = (options.clone(), Summary::default());
        Run { output, options, plan, columns, chooser, done }
    }

    pub(crate) fn name_input(&mut self, file: &str) {
        file.clone_into(&mut self.plan.file);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.done.stopped || self.chooser.as_ref().is_some_and(Chooser::is_full)
    }

    pub(crate) fn finish(mut self) -> Result<Summary, ConvertError> {
        if let Some(chooser) = self.chooser.take() {
            let (positions, bytes) = self.output.take_rest(chooser).map_err(ConvertError::Write)?;
            self.done.positions += positions;
            self.done.bytes_written += bytes;
        }
        self.output.flush().map_err(ConvertError::Write)?;
        Ok(self.done)
    }

    pub(crate) fn input(
        &mut self,
        input: impl Read,
        watch: &mut dyn Watch,
    ) -> Result<Summary, ConvertError> {
        let mut summary = Summary::default();
        let outcome = self.texts(input, &mut summary, watch);
        self.done += summary;
        outcome.map(|()| summary)
    }

    fn texts(
        &mut self,
        input: impl Read,
        summary: &mut Summary,
        watch: &mut dyn Watch,
    ) -> Result<(), ConvertError> {
        let Run { output, options, plan, columns, chooser, .. } = self;
        let pipeline = Pipeline {
            // The number of a game is known when those before it are done: one thread does one chunk after the other.
            workers: if plan.counts_games() { 1 } else { options.workers() },
            chunk_bytes: options.chunk_bytes,
            max_game_bytes: options.max_game_bytes,
        };
        let games = AtomicU64::new(0);
        let (marks, keys) = (chooser.is_some(), options.unique || options.merges());
        let part_bytes = PART_CHUNKS * options.chunk_bytes;
        let work = Convert { plan, columns, marks, keys, games: &games, part_bytes };
        let is_full = |chooser: &Option<Chooser>| chooser.as_ref().is_some_and(Chooser::is_full);
        let mut source = Source::new(input).map_err(ConvertError::Read)?;
        while let Some(text) = source.next_text().map_err(ConvertError::Read)? {
            if let Some(name) = text.name() {
                watch.member(name);
            }
            games.store(0, Ordering::Relaxed);
            let games_before = summary.games;
            let mut written = Ok(());
            let read = pgn::in_order(text, &pipeline, &work, &mut |done, bytes| {
                written = deliver(done, bytes, output, chooser, summary, watch);
                games.store(summary.games - games_before, Ordering::Relaxed);
                if written.is_err() || summary.stopped || is_full(chooser) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            written.and_then(|()| output.flush()).map_err(ConvertError::Write)?;
            read.map_err(ConvertError::Read)?;
            if summary.stopped || is_full(chooser) {
                break;
            }
        }
        Ok(())
    }
}

/// What a worker does with a chunk.
struct Convert<'p> {
    plan: &'p Plan,
    /// What rows tell, if they are made.
    columns: &'p [Column],
    /// Whether delivery must find each record again.
    marks: bool,
    /// Whether equal positions are told from others.
    keys: bool,
    /// The games of the text that are done.
    games: &'p AtomicU64,
    /// How many bytes of a huge game's records are held at once, about.
    part_bytes: usize,
}

/// A part is so many times as large as a chunk, about as large as what becomes of one.
const PART_CHUNKS: usize = 4;

/// What comes of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) text: Text,
    pub(crate) marks: Marks,
    /// A row for each record, if rows are made.
    pub(crate) rows: Rows,
    counts: Counts,
}

impl Work for Convert<'_> {
    type Output = Done;

    fn chunk(&self, chunk: Chunk<'_>, done: &mut Done) -> Worked {
        done.clear(self.columns);
        done.text.games_before = self.games.load(Ordering::Relaxed);
        let replay = Replay::new(chunk, self.plan);
        let Done { text, marks, rows, .. } = &mut *done;
        let sink = text.sink(self.plan);
        let (counts, worked) = match self.marks {
            false => self.run(replay, sink, rows),
            true => self.run(replay, Marked::new(sink, marks, self.keys), rows),
        };
        done.counts = counts;
        worked
    }

    fn chunk_in_parts(
        &self,
        chunk: Chunk<'_>,
        done: &mut Done,
        hand_on: &mut dyn FnMut(&mut Done),
    ) -> Worked {
        let is_text = !self.marks && self.columns.is_empty() && !self.plan.looks_ahead();
        if !is_text || self.plan.on_error == OnError::Skip {
            return self.chunk(chunk, done);
        }
        done.clear(self.columns);
        done.text.games_before = self.games.load(Ordering::Relaxed);
        let mut done_part = Done::default();
        let mut hand_on = |part: Part<'_>| {
            std::mem::swap(&mut done_part.text.bytes, part.bytes);
            done_part.text.positions = part.positions;
            hand_on(&mut done_part);
        };
        let mut sink = done.text.sink(self.plan).in_parts(self.part_bytes, &mut hand_on);
        let (counts, worked) = Replay::new(chunk, self.plan).run(&mut sink);
        done.counts = counts;
        worked
    }

    fn too_large(&self, chunk: Chunk<'_>, done: &mut Done) {
        done.clear(self.columns);
        let mut sink = done.text.sink(self.plan);
        done.counts = Replay::new(chunk, self.plan).too_large(&mut sink);
    }
}

impl Convert<'_> {
    fn run(&self, replay: Replay<'_>, sink: impl RecordText, rows: &mut Rows) -> (Counts, Worked) {
        match self.columns {
            [] => self.run_ahead(replay, sink),
            columns => self.run_ahead(replay, RowSink::new(sink, columns, self.plan, rows)),
        }
    }

    fn run_ahead(&self, replay: Replay<'_>, mut sink: impl Sink) -> (Counts, Worked) {
        match self.plan.looks_ahead() {
            false => replay.run(&mut sink),
            true => replay.run(&mut LookAhead::new(sink)),
        }
    }
}

impl Done {
    fn clear(&mut self, columns: &[Column]) {
        self.text.clear();
        self.marks.clear();
        if self.rows.columns.len() == columns.len() {
            self.rows.clear();
        } else {
            self.rows = Rows::new(columns, &Rows::default());
        }
    }
}

/// Writes what a worker has done, and makes its numbers those of the whole input.
fn deliver(
    done: &mut Done,
    bytes: u64,
    output: &mut impl Deliver,
    chooser: &mut Option<Chooser>,
    summary: &mut Summary,
    watch: &mut dyn Watch,
) -> io::Result<()> {
    let games_before = summary.games;
    let Done { text, counts, .. } = done;
    for problem in &mut text.problems {
        if problem.game > 0 {
            problem.game += summary.games;
        }
        summary.count(problem.severity());
        watch.problem(problem);
    }
    summary.games += counts.games;
    summary.bad_games += counts.bad_games;
    summary.shortened += text.shortened();
    summary.left_out += counts.left_out;
    summary.unlabelled += text.unlabelled;
    summary.bytes_read += bytes;
    summary.stopped |= counts.stopped;
    let (positions, written) = output.take(done, chooser, games_before)?;
    summary.positions += positions;
    summary.bytes_written += written;
    watch.progress(summary);
    Ok(())
}
