//! Builds opening books from games.

mod count_positions;
mod departures;
#[cfg(feature = "engine")]
mod engine_window;
mod options;

use std::io::{Read, Write};
use std::ops::ControlFlow;

use ::book::{Aggregate, Counts, PositionFilter};
use emit::Plan;
use stream::ordered::Pipeline;

use crate::inputs::{InputText, for_each_text};
use crate::observer::Observer;
use crate::options::{Options, SourceConflict};
use crate::run::games::TextRun;
use crate::run::source::run_source;
use crate::summary::Summary;
use crate::text_plan::plan_of;
use count_positions::CountPositions;

pub use departures::find_departures;
#[cfg(feature = "engine")]
pub use engine_window::{EngineWindow, write_evaluated_book};
pub use options::BookOptions;

pub use ::book::{
    BookError, Comparison, Departure, DepartureKind, EpdOps, Evaluation, Figures, Form, GameClass,
    GameInfo, Gap, GapKind, GapLimits, GroupBy, GroupByError, Header, MoveChoice, NotableGame,
    Order, Part, PolyglotEntry, PolyglotError, Queens, Repertoire, Selection, Source,
    SourceLocation, Speed, Tally, UnknownResult, Weights, explorer, four_fields, polyglot_entries,
};
pub use pgn::Outcome;
pub use san::MoveCode;
pub use stream::ordered::Threads;

/// Writes the selected positions of a book.
///
/// # Errors
///
/// Returns an error if a part, the output or a temporary file cannot be read or written.
pub fn write_book(
    source: Source,
    options: &BookOptions,
    output: &mut dyn Write,
) -> Result<Figures, BookError> {
    write(source, options, None, output)
}

fn write(
    source: Source,
    options: &BookOptions,
    evaluate: Option<&mut dyn ::book::Evaluate>,
    output: &mut dyn Write,
) -> Result<Figures, BookError> {
    let (memory, folder) = (options.memory_limit(), options.temp_folder());
    let (selection, style) = (options.choice(), options.style());
    ::book::write_book(source, &selection, &style, memory, &folder, evaluate, output)
}

/// Finds a position in a book.
///
/// # Errors
///
/// Returns an error if a part or a temporary file cannot be read or written.
pub fn find(
    source: Source,
    position: &san::Position,
    options: &BookOptions,
) -> Result<Option<(::book::Entry, Header)>, BookError> {
    ::book::find(source, position, options.memory_limit(), &options.temp_folder())
}

/// Returns the repertoire of a side, from its lines counted with
/// [`variations`](BookOptions::variations).
///
/// # Errors
///
/// Returns an error if the lines or a temporary file cannot be read.
pub fn repertoire(
    lines: Source,
    side: san::Color,
    options: &BookOptions,
) -> Result<Repertoire, BookError> {
    Repertoire::new(lines, side, options.memory_limit(), &options.temp_folder())
}

/// Writes all counts as a partial result, to be merged with others.
///
/// # Errors
///
/// Returns an error if a part, the output or a temporary file cannot be read or written.
pub fn write_partial(
    source: Source,
    options: &BookOptions,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    ::book::write_partial(source, options.memory_limit(), &options.temp_folder(), output)
}

/// An error that prevents games from being counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// The input could not be read to its end.
    #[error("the input cannot be read")]
    Read(#[source] std::io::Error),
    /// An option has no meaning for the content of an input.
    #[error("{name}: {conflict}")]
    Source {
        /// Name of the input.
        name: String,
        /// The option, and why.
        conflict: SourceConflict,
    },
    /// Counting failed.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// A count of games in progress.
#[derive(Debug)]
pub struct Counting {
    aggregate: Aggregate,
    header: Header,
    /// What is selected, as for the converter.
    selection: Options,
    plan: Plan,
    wanted: PositionFilter,
    threads: Threads,
    stopped: bool,
    /// The last archive with a counted member, and the number of its games so far.
    archive: Option<(u32, u64)>,
}

/// Default chunk size in bytes, reduced if many threads would need too much memory.
const CHUNK_BYTES: usize = 64 << 10;
/// Maximum memory of all chunks in progress, in bytes, and the memory per byte of text.
const CHUNKS_BYTES: usize = 64 << 20;
const BYTES_FOR_A_BYTE: usize = 24;

impl Counting {
    /// Starts a count of the games in these files. The names of all later inputs must be among
    /// `names`.
    pub fn new<N: Into<String>>(options: &BookOptions, names: impl IntoIterator<Item = N>) -> Self {
        let mut files: Vec<String> = names.into_iter().map(Into::into).collect();
        files.sort();
        files.dedup();
        let plan = options.plan();
        let header = Header { files, counted: options.counted(), moves: options.keeps_moves() };
        let threads = options.threads();
        let aggregate = Aggregate::with_threads(
            threads.clone(),
            options.memory_limit(),
            &options.temp_folder(),
        );
        Counting {
            aggregate,
            header,
            selection: options.selection(),
            plan,
            wanted: options.wanted(),
            threads,
            stopped: false,
            archive: None,
        }
    }

    /// Counts only what [`write_book`] needs for a book with these options, which takes less time
    /// and memory. Other books, partial results and [`find`] need all that is counted otherwise.
    ///
    /// ```
    /// use pgn2epd::book::{BookOptions, Counting, write_book};
    ///
    /// let options = BookOptions::from_names([("min-games", "2"), ("ops", "none")])?;
    /// let mut counting = Counting::new(&options, ["games.pgn"]).only_for_book(&options);
    /// counting.input("games.pgn", &b"1. e4 e5 1-0\n1. d4 d5 *\n"[..], &mut ())?;
    /// let mut book = Vec::new();
    /// assert_eq!(write_book(counting.finish(), &options, &mut book)?.games, 2);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn only_for_book(mut self, options: &BookOptions) -> Self {
        self.wanted.details = options.details();
        let (memory, folder) = (options.memory_limit(), options.temp_folder());
        let threads = self.threads.clone();
        self.aggregate = Aggregate::of_details(self.wanted.details, threads, memory, &folder);
        self
    }

    /// Counts the games of a file, or its positions if it is another
    /// [source](crate::options::InputKind): each counts for the number of games given by a `c0` in
    /// the form that [`Form::Epd`] writes, otherwise for one, with the result of the record. The
    /// location of such a position is its line.
    ///
    /// # Errors
    ///
    /// Returns an error if the input cannot be read, an option has no meaning for its content, or a
    /// temporary file cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if the name was not passed to [`Counting::new`].
    pub fn input(
        &mut self,
        name: &str,
        input: impl Read,
        observer: &mut dyn Observer,
    ) -> Result<Summary, CountError> {
        let file = self.file(name);
        let mut summary = Summary::default();
        let kind = self.selection.input;
        for_each_text(input, observer, kind, CountError::Read, |text, observer| {
            let before = text.start() + summary.games;
            summary += self.count(file, text, before, observer)?;
            match summary.stopped {
                true => Ok(ControlFlow::Break(())),
                false => Ok(ControlFlow::Continue(())),
            }
        })?;
        Ok(summary)
    }

    /// Counts the games or positions of a text, like [`Counting::input`]. The name of its input
    /// must have been passed to [`Counting::new`].
    ///
    /// Games of a range are numbered from the byte at which the range begins, so that numbers
    /// increase from range to range.
    ///
    /// # Errors
    ///
    /// The same as [`Counting::input`].
    ///
    /// # Panics
    ///
    /// The same as [`Counting::input`].
    ///
    /// ```
    /// use pgn2epd::book::{BookOptions, Counting};
    /// use pgn2epd::input::{Input, Inputs};
    ///
    /// let games = Input::reader("games", &b"1. e4 *\n\n1. d4 *\n"[..]);
    /// let mut counting = Counting::new(&BookOptions::default(), ["games"]);
    /// for text in Inputs::new([games]) {
    ///     assert_eq!(counting.text(text?, &mut ())?.games, 2);
    /// }
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn text(
        &mut self,
        text: InputText<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Summary, CountError> {
        let file = self.file(text.input_name());
        let before = match self.archive {
            // Games are numbered across an archive, since a book names only the archive.
            Some((archive, games)) if archive == file && text.is_member() => games,
            _ => text.start(),
        };
        let is_member = text.is_member();
        let summary = self.count(file, text, before, observer)?;
        self.archive = is_member.then_some((file, before + summary.games));
        Ok(summary)
    }

    fn file(&self, name: &str) -> u32 {
        let file = self.header.files.binary_search_by(|file| file.as_str().cmp(name));
        file.expect("the names of all files are given at the beginning") as u32
    }

    fn count(
        &mut self,
        file: u32,
        text: InputText<'_>,
        before: u64,
        observer: &mut dyn Observer,
    ) -> Result<Summary, CountError> {
        let mut summary = Summary::default();
        self.header.files[file as usize].clone_into(&mut self.plan.file);
        let kind = text.kind();
        if let Some(conflict) = self.selection.conflict_with(kind) {
            return Err(CountError::Source { name: text.name().to_owned(), conflict });
        }
        let pipeline = Pipeline {
            threads: self.threads.clone(),
            chunk_bytes: self.chunk_bytes(),
            max_item_bytes: self.plan.max_game_bytes,
        };
        let Counting { aggregate, selection, wanted, .. } = &*self;
        let mut plan = plan_of(&self.plan, selection, kind, &[]);
        if kind.has_positions() {
            // Counts and results are operations.
            plan.to_mut().evaluations = true;
        }
        let mut added = Ok(());
        let mut add = |counts: &mut Counts, games_before: u64, summary: &mut Summary| {
            summary.positions += counts.positions;
            // Lines are numbered in the whole text, games in their chunk.
            let games = if kind.has_positions() { 0 } else { games_before };
            added = aggregate.add(counts, file, before + games);
            if added.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let consumer = CountPositions { wanted, aggregate };
        let run = TextRun {
            pipeline: &pipeline,
            plan: &plan,
            consumer: &consumer,
            summary: &mut summary,
            observer,
            deliver: &mut add,
        };
        let read = run_source(text, &selection.reading(), run);
        added?;
        read.map_err(CountError::Read)?;
        self.stopped |= summary.stopped;
        Ok(summary)
    }

    /// Returns the chunk size in bytes with which a text is counted in bounded memory.
    fn chunk_bytes(&self) -> usize {
        let threads = self.threads.count();
        let chunks = Pipeline::most_in_flight(threads) + Aggregate::most_waiting(threads);
        (CHUNKS_BYTES / (chunks * BYTES_FOR_A_BYTE)).clamp(16 << 10, CHUNK_BYTES)
    }

    /// Whether an error ended the run, as configured.
    pub fn is_over(&self) -> bool {
        self.stopped
    }

    /// Returns how often the counters were written to disk because the memory limit was reached.
    pub fn spills(&self) -> usize {
        self.aggregate.spills()
    }

    /// Returns the counts, from which a book is made.
    pub fn finish(self) -> Source {
        Source::Counted(Box::new(self.aggregate), self.header)
    }
}
