//! Opening libraries: games in, a book out.

use std::io::{self, BufRead, BufReader, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use ::book::{Aggregate, Counts, Given, Wanted};
use emit::{
    Line, OnError, Opcode, OperandRef, Plan, ReadOptions, Replay, Select, Severity, read_line,
};
use pgn::{Chunk, Pipeline, Work, Worked};

use crate::{Filter, Options, Summary, Watch};

pub use openings::Embedded as EmbeddedNames;

pub use ::book::{
    BookError, Choice, Chosen, EpdOps, Figures, Form, Header, MoveCode, Occurrence, Order, Outcome,
    Part, Queens, Source, Story, Strongest, Style, Tally, choose, find, four_fields,
    merge_partials, write_book, write_partial,
};

/// Which positions of which games are counted, and how.
///
/// ```
/// use pgn2epd::book::{BookOptions, Choice, Counting, EpdOps, Form, Style, write_book};
///
/// let games = b"1. e4 e5 1-0\n1. e4 c5 0-1\n1. d4 d5 *\n";
/// let options = BookOptions { last_ply: 1, ..BookOptions::default() };
/// let mut counting = Counting::new(&options, ["games.pgn"]);
/// counting.input("games.pgn", &games[..], &mut ())?;
///
/// let choice = Choice { min_games: 2, ..Choice::default() };
/// let style = Style { form: Form::Epd, ops: EpdOps::None, names: None };
/// let mut book = Vec::new();
/// write_book(counting.finish(), &choice, &style, options.memory, &options.temp_dir, &mut book)?;
/// assert_eq!(
///     String::from_utf8(book)?,
///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
///      rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n",
/// );
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BookOptions {
    /// Only games and positions for which this holds.
    pub filter: Option<Filter>,
    /// The first position of a game that counts, in plies: 0 is the start.
    pub first_ply: u32,
    /// The last position that counts, in plies. What comes behind it in a game is not played.
    pub last_ply: u32,
    /// Of these only the one that the game ends with.
    pub only_final: bool,
    /// Whether the positions of variations count too.
    pub variations: bool,
    /// Only positions with these queens.
    pub queens: Option<Queens>,
    /// No position in which somebody is mated.
    pub no_mate: bool,
    /// No position in which the side to move is in check.
    pub no_check: bool,
    /// The least and the most pieces, with kings and pawns.
    pub pieces: Option<(u32, u32)>,
    /// Whether the moves of the strongest game are kept: a book in PGN needs them.
    pub moves: bool,
    /// What is done with a game that has an error.
    pub on_error: OnError,
    /// A game larger than this, in bytes, is an error.
    pub max_game_bytes: usize,
    /// Threads that work; `None` for as many as there are cores.
    pub jobs: Option<NonZeroUsize>,
    /// How much memory counting may take, in bytes.
    pub memory: usize,
    /// Where temporary files go.
    pub temp_dir: PathBuf,
}

impl Default for BookOptions {
    fn default() -> Self {
        let Options { on_error, max_game_bytes, first_ply, last_ply, .. } = Options::default();
        BookOptions {
            filter: None,
            first_ply,
            last_ply,
            only_final: false,
            variations: false,
            queens: None,
            no_mate: false,
            no_check: false,
            pieces: None,
            moves: false,
            on_error,
            max_game_bytes,
            jobs: None,
            memory: 1 << 30,
            temp_dir: std::env::temp_dir(),
        }
    }
}

/// Why games could not be counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// The input could not be read, or not to its end.
    #[error("the input cannot be read")]
    Read(#[source] std::io::Error),
    /// Counting failed.
    #[error(transparent)]
    Book(#[from] BookError),
}

/// Games being counted.
#[derive(Debug)]
pub struct Counting {
    aggregate: Aggregate,
    header: Header,
    plan: Plan,
    wanted: Wanted,
    jobs: usize,
    stopped: bool,
}

/// What is worked on at once, in bytes, unless many threads would make it too much memory.
const CHUNK_BYTES: usize = 256 << 10;
/// What all chunks in work may take, in bytes, and so much is taken for each byte of text.
const CHUNKS_BYTES: usize = 32 << 20;
const BYTES_FOR_A_BYTE: usize = 24;

/// So much of a text is looked at to tell a book from games, in bytes.
const LOOKED_AT: u64 = 4096;

/// So many lines of a book are counted before they are added to the rest.
const LINES_AT_ONCE: u64 = 10_000;

/// Whether a text begins as a file of positions does and not as one of games: its first line that is neither empty nor a
/// comment begins with the eight ranks of a board.
///
/// ```
/// use pgn2epd::book::begins_with_position;
///
/// assert!(begins_with_position(b"# a book\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n"));
/// assert!(!begins_with_position(b"[Event \"x\"]\n"));
/// assert!(!begins_with_position(b"1. e4 e5 1/2-1/2\n"));
/// ```
pub fn begins_with_position(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && line[0] != b'#').unwrap_or_default();
    let word = first.split(|byte| matches!(byte, b' ' | b'\t')).next().unwrap_or_default();
    let is_rank =
        |rank: &[u8]| !rank.is_empty() && rank.iter().all(|b| b"12345678pnbrqkPNBRQK".contains(b));
    word.split(|byte| *byte == b'/').count() == 8 && word.split(|byte| *byte == b'/').all(is_rank)
}

/// What is not torn apart in a file that begins so: the lines of a book, or games.
pub fn unit(text: &[u8]) -> pgn::Unit {
    if begins_with_position(text) { pgn::Unit::Line } else { pgn::Unit::Game }
}

impl Counting {
    /// To count the games of these files. Names that are met later must be among them.
    pub fn new<N: Into<String>>(options: &BookOptions, names: impl IntoIterator<Item = N>) -> Self {
        let mut files: Vec<String> = names.into_iter().map(Into::into).collect();
        files.sort();
        files.dedup();
        let plan = options.plan();
        let header = Header { files, counted: options.counted(), moves: options.moves };
        Counting {
            aggregate: Aggregate::new(options.memory, &options.temp_dir),
            header,
            plan,
            wanted: options.wanted(),
            jobs: Options { jobs: options.jobs, ..Options::default() }.workers(),
            stopped: false,
        }
    }

    /// Counts the games of a file; or the positions of a book, where it holds EPD records or FENs, in any dialect: each
    /// counts for as many games as its `c0` says in the form that [`Form::Epd`] writes, or else for one.
    ///
    /// In a book a position's place is its line, and its depth what its clocks say. The window of plies, `only_final` and
    /// the filter are of games: there they choose nothing.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or a temporary file cannot be written.
    ///
    /// # Panics
    ///
    /// If the name was not given to [`Counting::new`].
    pub fn input(
        &mut self,
        name: &str,
        input: impl Read,
        watch: &mut dyn Watch,
    ) -> Result<Summary, CountError> {
        let file = self.file(name);
        let mut source = pgn::Source::new(input).map_err(CountError::Read)?;
        self.texts(file, &mut source, 0, None, watch)
    }

    /// Counts the games of a range of a file, or the positions of one of a book. Where the numbers of games are told, they
    /// are those in the range, counted from the byte where it begins: so they follow each other from range to range.
    ///
    /// # Errors
    ///
    /// As [`Counting::input`].
    ///
    /// # Panics
    ///
    /// As [`Counting::input`].
    ///
    /// ```
    /// use pgn2epd::book::{BookOptions, Counting, unit};
    ///
    /// let games = std::io::Cursor::new("[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n");
    /// let mut counting = Counting::new(&BookOptions::default(), ["games.pgn"]);
    /// let part = pgn2epd::part(games, 10..30, unit)?;
    /// assert_eq!(counting.part("games.pgn", part, &mut ())?.games, 1);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn part(
        &mut self,
        name: &str,
        mut part: pgn::Part,
        watch: &mut dyn Watch,
    ) -> Result<Summary, CountError> {
        let file = self.file(name);
        self.texts(file, &mut part.source, part.start, part.unit, watch)
    }

    fn file(&self, name: &str) -> u32 {
        let file = self.header.files.binary_search_by(|file| file.as_str().cmp(name));
        file.expect("the names of all files are given at the beginning") as u32
    }

    fn texts(
        &mut self,
        file: u32,
        source: &mut pgn::Source<'_>,
        before: u64,
        unit: Option<pgn::Unit>,
        watch: &mut dyn Watch,
    ) -> Result<Summary, CountError> {
        let mut summary = Summary::default();
        while let Some(mut text) = source.next_text().map_err(CountError::Read)? {
            if let Some(name) = text.name() {
                watch.member(name);
            }
            let mut first = Vec::new();
            (&mut text).take(LOOKED_AT).read_to_end(&mut first).map_err(CountError::Read)?;
            let is_book = unit.unwrap_or_else(|| self::unit(&first)) == pgn::Unit::Line;
            let text = io::Cursor::new(first).chain(text);
            match is_book {
                true => self.records(file, text, before, &mut summary, watch)?,
                false => self.games(file, text, before, &mut summary, watch)?,
            }
            if summary.stopped {
                break;
            }
        }
        self.stopped |= summary.stopped;
        Ok(summary)
    }

    fn games(
        &mut self,
        file: u32,
        text: impl Read,
        before: u64,
        summary: &mut Summary,
        watch: &mut dyn Watch,
    ) -> Result<(), CountError> {
        let workers = self.jobs;
        let chunk_bytes = CHUNKS_BYTES / (2 * workers * BYTES_FOR_A_BYTE);
        let pipeline = Pipeline {
            workers,
            chunk_bytes: chunk_bytes.clamp(16 << 10, CHUNK_BYTES),
            max_game_bytes: self.plan.max_game_bytes,
        };
        let Counting { aggregate, plan, wanted, .. } = self;
        let work = Count { plan, wanted };
        let mut added = Ok(());
        let read = pgn::in_order(text, &pipeline, &work, &mut |done: &mut Done, bytes| {
            added = aggregate.add(&done.counts, file, before + summary.games);
            done.deliver(bytes, summary, watch);
            match added.is_err() || summary.stopped {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        added?;
        read.map_err(CountError::Read)
    }

    fn records(
        &mut self,
        file: u32,
        text: impl Read,
        before: u64,
        summary: &mut Summary,
        watch: &mut dyn Watch,
    ) -> Result<(), CountError> {
        let mut counts = Counts::default();
        let mut lines = BufReader::with_capacity(CHUNK_BYTES, text);
        let mut bytes = Vec::new();
        let mut number = 0;
        while lines.read_until(b'\n', &mut bytes).map_err(CountError::Read)? > 0 {
            number += 1;
            summary.bytes_read += bytes.len() as u64;
            self.record(&bytes, number, &mut counts, summary, watch);
            bytes.clear();
            if number % LINES_AT_ONCE == 0 {
                self.aggregate.add(&counts, file, before)?;
                counts.clear();
                watch.progress(summary);
            }
        }
        self.aggregate.add(&counts, file, before)?;
        watch.progress(summary);
        Ok(())
    }

    fn record(
        &self,
        bytes: &[u8],
        number: u64,
        counts: &mut Counts,
        summary: &mut Summary,
        watch: &mut dyn Watch,
    ) {
        let text = emit::text_of(bytes);
        let line = text.trim_end_matches(['\r', '\n']).trim_start_matches('\u{feff}');
        let options = ReadOptions { moves: false, ..ReadOptions::default() };
        let mut faults = Vec::new();
        let read = read_line(line, &options, &mut |fault| faults.push(fault));
        let is_bad = matches!(read, Line::Bad);
        for fault in faults {
            // Faults in operations cost no position.
            if is_bad && fault.kind.severity() == Severity::Error {
                summary.errors += 1;
                watch.line(number, fault.column(line), &fault.kind.to_string());
            }
        }
        let Line::Record(record) = read else { return };
        let given = match record.get(Opcode::C0) {
            Some(OperandRef::Text(text)) => Given::of_comment(&text),
            _ => None,
        };
        let before = counts.positions;
        let given = given.unwrap_or_default();
        counts.record(record.position(), number, &given, &self.wanted);
        summary.positions += counts.positions - before;
        summary.games += 1;
    }

    /// Whether an error ended the run, as it was to.
    pub fn is_over(&self) -> bool {
        self.stopped
    }

    /// How many times the memory was full, and what was counted went to disk.
    pub fn spills(&self) -> usize {
        self.aggregate.spills()
    }

    /// What was counted, to be made a book.
    pub fn finish(self) -> Source {
        Source::Counted(Box::new(self.aggregate), self.header)
    }

    /// Writes what was counted as a partial result, to be merged with others.
    ///
    /// # Errors
    ///
    /// If the output or a temporary file cannot be written.
    pub fn write_partial(self, output: &mut dyn std::io::Write) -> Result<(), BookError> {
        write_partial(self.aggregate, &self.header, output)
    }
}

impl BookOptions {
    fn plan(&self) -> Plan {
        let whole = self.only_final || self.variations;
        Plan {
            select: Select {
                first: self.first_ply,
                last: self.last_ply,
                only_final: self.only_final,
            },
            filter: self.filter.clone(),
            last_played: if whole { u32::MAX } else { self.last_ply },
            variations: self.variations,
            on_error: self.on_error,
            max_game_bytes: self.max_game_bytes,
            ops: emit::Ops::NONE,
            ..Plan::default()
        }
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            queens: self.queens,
            no_mate: self.no_mate,
            no_check: self.no_check,
            pieces: self.pieces,
            moves: self.moves,
            variations: self.variations,
        }
    }

    /// All that makes a difference to the counts, as text.
    fn counted(&self) -> String {
        let mut text = format!("plies {}..{}", self.first_ply, self.last_ply);
        if self.last_ply == u32::MAX {
            text = format!("plies {}..", self.first_ply);
        }
        let mut add = |part: String| text = format!("{text}, {part}");
        if let Some(filter) = &self.filter {
            add(format!("where {filter}"));
        }
        if self.only_final {
            add("last".into());
        }
        if self.variations {
            add("variations".into());
        }
        if let Some(queens) = self.queens {
            add(format!("queens {}", if queens == Queens::Both { "both" } else { "any" }));
        }
        if self.no_mate {
            add("no mate".into());
        }
        if self.no_check {
            add("no check".into());
        }
        if let Some((least, most)) = self.pieces {
            add(format!("pieces {least}..{most}"));
        }
        if self.moves {
            add("moves".into());
        }
        if self.on_error != OnError::Keep {
            add(format!(
                "on error {}",
                if self.on_error == OnError::Skip { "skip" } else { "stop" }
            ));
        }
        text
    }
}

/// What a worker does with a chunk.
struct Count<'p> {
    plan: &'p Plan,
    wanted: &'p Wanted,
}

#[derive(Debug, Default)]
struct Done {
    counts: Counts,
    games: emit::Counts,
}

impl Work for Count<'_> {
    type Output = Done;

    fn chunk(&self, chunk: Chunk<'_>, done: &mut Done) -> Worked {
        done.counts.clear();
        let (games, worked) = Replay::new(chunk, self.plan).run(&mut done.counts.sink(self.wanted));
        done.games = games;
        worked
    }

    fn too_large(&self, chunk: Chunk<'_>, done: &mut Done) {
        done.counts.clear();
        done.games = Replay::new(chunk, self.plan).too_large(&mut done.counts.sink(self.wanted));
    }
}

impl Done {
    /// Makes its numbers those of the whole input.
    fn deliver(&mut self, bytes: u64, summary: &mut Summary, watch: &mut dyn Watch) {
        for problem in &mut self.counts.problems {
            if problem.game > 0 {
                problem.game += summary.games;
            }
            match problem.severity() {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Note => summary.notes += 1,
            }
            watch.problem(problem);
        }
        summary.games += self.games.games;
        summary.bad_games += self.games.bad_games;
        summary.left_out += self.games.left_out;
        summary.positions += self.counts.positions;
        summary.bytes_read += bytes;
        summary.stopped |= self.games.stopped;
        watch.progress(summary);
    }
}
