//! Builds opening books from games.

#[cfg(feature = "engine")]
mod engine_window;
mod options;

pub use book::{
    BookError, Comparison, Departure, DepartureKind, EpdOps, Evaluation, Figures, Form, Game,
    GameClass, Gap, GapKind, GapLimits, GroupBy, GroupByError, Header, MoveChoice, Occurrence,
    Order, Part, PolyglotEntry, PolyglotError, Queens, Repertoire, Selection, Source, Speed, Tally,
    UnknownResult, Weights, count_file, four_fields, polyglot_entries,
};
#[cfg(feature = "engine")]
pub use engine_window::{EngineWindow, write_evaluated_book};
pub use options::BookOptions;
pub use pgn::Outcome;
pub use san::MoveCode;
pub use stream::ordered::Threads;

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use book::count_file::CountFile;
use book::{Aggregate, Compare, Counts, Details, PositionFilter};
use emit::{Fact, Plan, Problem};
use stream::ordered::Pipeline;

use crate::convert::ConvertError;
use crate::games::{plan_of_values, run_text};
use crate::inputs::{InputText, for_each_text};
use crate::options::Options;
use crate::run::games::{Consumer, PlySource, TextRun};
use crate::run::run_source;
use crate::summary::{Observer, Summary, flow};

/// Writes the selected positions of a book. Fails if a part, the output or a temporary file cannot
/// be read or written.
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

/// Makes an explorer file in memory. Fails if a part or temporary file cannot be read or written.
pub fn count_file_in_memory(source: Source, options: &BookOptions) -> Result<CountFile, BookError> {
    let mut bytes = Vec::new();
    let options = BookOptions { format: Some(Form::Explorer), ..options.clone() };
    write_book(source, &options, &mut bytes)?;
    Ok(CountFile::new(Box::new(bytes))?)
}

/// Returns the repertoire of a side, from its lines counted with
/// [`variations`](BookOptions::variations). Fails if the lines or a temporary file cannot be read.
pub fn repertoire(
    lines: Source,
    side: san::Color,
    options: &BookOptions,
) -> Result<Repertoire, BookError> {
    Repertoire::new(lines, side, options.memory_limit(), &options.temp_folder())
}

/// Writes all counts as a partial result, to be merged with others. Fails if a part, the output or
/// a temporary file cannot be read or written.
pub fn write_partial(
    source: Source,
    options: &BookOptions,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    ::book::write_partial(source, options.memory_limit(), &options.temp_folder(), output)
}

/// A count of games in progress.
#[derive(Debug)]
pub struct Counting {
    aggregate: Aggregate,
    header: Header,
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
        let header = Header {
            files,
            counted: options.counted(),
            grouped_by: options.group_by.to_string(),
            moves: options.keeps_moves(),
            ..Header::default()
        };
        let threads = options.threads();
        let aggregate = aggregate(Details::ALL, options, &threads);
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
    /// and memory. Other books and partial results need all that is counted otherwise.
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
        self.aggregate = aggregate(self.wanted.details, options, &self.threads);
        self
    }

    /// Counts the games of a file, or its positions if it is another
    /// [source](crate::options::InputKind): each counts for the number of games given by a `c0` in
    /// the form that [`Form::Epd`] writes, otherwise for one, with the result of the record. The
    /// location of such a position is its line. Fails if the input cannot be read, an option has no
    /// meaning for its content, or a temporary file cannot be written.
    ///
    /// Panics if the name was not passed to [`Counting::new`].
    pub fn input(
        &mut self,
        name: &str,
        input: impl Read,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        let file = self.file(name);
        let mut summary = Summary::default();
        let kind = self.selection.input;
        for_each_text(input, observer, kind, ConvertError::Read, |text, observer| {
            let before = text.start() + summary.games;
            summary += self.count(file, text, before, observer)?;
            Ok(flow(summary.stopped))
        })?;
        Ok(summary)
    }

    /// Counts the games or positions of a text, like [`Counting::input`]. The name of its input
    /// must have been passed to [`Counting::new`].
    ///
    /// Games of a range are numbered from the byte at which the range begins, so that numbers
    /// increase from range to range.
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
    ) -> Result<Summary, ConvertError> {
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
    ) -> Result<Summary, ConvertError> {
        let mut summary = Summary::default();
        self.header.files[file as usize].clone_into(&mut self.plan.file);
        let kind = text.kind();
        if let Some(conflict) = self.selection.conflict_with(kind) {
            return Err(ConvertError::Source { name: text.name().to_owned(), conflict });
        }
        let pipeline = &Pipeline {
            threads: self.threads.clone(),
            chunk_bytes: self.chunk_bytes(),
            max_item_bytes: self.plan.max_game_bytes,
        };
        let Counting { aggregate, selection, wanted, .. } = &*self;
        let mut plan = selection.plan_of(&self.plan, kind, &[]);
        if kind.has_positions() {
            // Counts and results are operations.
            plan.to_mut().facts.insert(Fact::Eval);
        }
        let mut added = Ok(());
        let deliver = &mut |counts: &mut Counts, games_before: u64, summary: &mut Summary| {
            summary.positions += counts.positions;
            // Lines are numbered in the whole text, games in their chunk.
            let games = if kind.has_positions() { 0 } else { games_before };
            added = aggregate.add(counts, file, before + games);
            flow(added.is_err())
        };
        let (plan, consumer) = (&*plan, &CountPositions { wanted, aggregate });
        let run = TextRun { pipeline, plan, consumer, summary: &mut summary, observer, deliver };
        let read = run_source(text, &selection.reading(), run);
        added?;
        read.map_err(ConvertError::Read)?;
        self.stopped |= summary.stopped;
        Ok(summary)
    }

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

fn aggregate(details: Details, options: &BookOptions, threads: &Threads) -> Aggregate {
    let (memory, folder) = (options.memory_limit(), options.temp_folder());
    Aggregate::of_details(details, threads.clone(), memory, &folder)
}

struct CountPositions<'p> {
    wanted: &'p PositionFilter,
    aggregate: &'p Aggregate,
}

impl Consumer for CountPositions<'_> {
    type Result = Counts;

    fn consume<G: PlySource>(&self, source: G, counts: &mut Counts) -> G::Read {
        counts.clear();
        let (_, read) = source.play_inlined(counts.sink(self.wanted));
        self.aggregate.divide(counts);
        read
    }

    fn problems(counts: &mut Counts) -> impl Iterator<Item = &mut Problem> {
        counts.problems.iter_mut()
    }
}

/// Compares the games of a text with a repertoire, on all cores: `deliver` receives those of each
/// chunk, in the order of the input, until it breaks.
///
/// Positions are compared: a game has left the repertoire after its last position that is part of
/// it, whatever the order of moves before. The options select games as for
/// [`games`](crate::games()). A game with an error is compared up to there. Fails if the text
/// cannot be read, or does not contain games. The games before it have been compared.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use pgn2epd::Options;
/// use pgn2epd::book::{BookOptions, Counting, DepartureKind, find_departures, repertoire};
/// use pgn2epd::chess::Color;
/// use pgn2epd::input::{Input, Inputs};
///
/// let options = BookOptions::default().variations(true);
/// let mut counting = Counting::new(&options, ["repertoire"]);
/// counting.input("repertoire", &b"1. e4 c5 (1... e5 2. Nf3) 2. Nc3 *"[..], &mut ())?;
/// let repertoire = repertoire(counting.finish(), Color::White, &options)?;
///
/// let mut kinds = Vec::new();
/// let games = Input::reader("games", &b"1. e4 e5 2. d4 *\n\n1. Nc3 c5 2. e4 *\n\n1. e4 e6 *"[..]);
/// for text in Inputs::new([games]) {
///     find_departures(text?, &repertoire, &Options::default(), &mut |compared| {
///         kinds.extend(compared.left.iter().map(|game| (game.game, game.ply, game.kind)));
///         ControlFlow::Continue(())
///     }, &mut ())?;
/// }
/// assert_eq!(kinds, [(1, 2, DepartureKind::Own), (3, 1, DepartureKind::Reply)]);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn find_departures(
    text: InputText<'_>,
    repertoire: &Repertoire,
    options: &Options,
    deliver: &mut dyn FnMut(Comparison) -> ControlFlow<()>,
    observer: &mut dyn Observer,
) -> io::Result<Summary> {
    let text = text.of_games()?;
    let plan = &plan_of_values(options);
    let mut take = |compare: &mut Option<Compare<'_>>, games_before, summary: &mut Summary| {
        let Some(compare) = compare.take() else { return ControlFlow::Continue(()) };
        summary.positions += compare.positions;
        let mut compared = compare.finish();
        compared.left.iter_mut().for_each(|game| game.game += games_before);
        deliver(compared)
    };
    let mut summary = Summary::default();
    run_text(text, options, plan, &FindGames(repertoire), &mut summary, observer, &mut take)
        .map(|_| summary)
}

struct FindGames<'r>(&'r Repertoire);

impl<'r> Consumer for FindGames<'r> {
    type Result = Option<Compare<'r>>;

    fn consume<G: PlySource>(&self, source: G, compare: &mut Self::Result) -> G::Read {
        let (compared, read) = source.play(Compare::new(self.0));
        *compare = Some(compared);
        read
    }

    fn problems(compare: &mut Self::Result) -> impl Iterator<Item = &mut Problem> {
        compare.iter_mut().flat_map(|compare| &mut compare.problems)
    }
}
