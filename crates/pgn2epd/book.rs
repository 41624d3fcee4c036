//! Opening libraries: games in, a book out.

mod options;
mod work;

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;

use ::book::{Aggregate, Counts, Given, Wanted};
use emit::{Line, Opcode, OperandRef, Plan, ReadOptions, Severity, read_line};
use pgn::Pipeline;

use crate::{Options, Summary, Watch};
use work::{Count, Done};

pub use openings::Embedded as EmbeddedNames;
pub use options::BookOptions;

pub use ::book::{
    BookError, Choice, Chosen, EpdOps, Figures, Form, Header, MoveCode, Occurrence, Order, Outcome,
    Part, PartialForm, Queens, Source, Story, Strongest, Style, Tally, choose, find, four_fields,
    merge_partials, write_book, write_partial,
};

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
const CHUNK_BYTES: usize = 64 << 10;
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
        let chunk_bytes = CHUNKS_BYTES / (Pipeline::most_in_flight(workers) * BYTES_FOR_A_BYTE);
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
        summary.games += 1;
        let evaluation = match record.get(Opcode::Ce) {
            Some(OperandRef::Evaluation(evaluation)) => Some(evaluation.get()),
            _ => None,
        };
        if let Some((least, most)) = self.wanted.eval
            && !evaluation.is_some_and(|evaluation| (least..=most).contains(&evaluation))
        {
            return;
        }
        let given = match record.get(Opcode::C0) {
            Some(OperandRef::Text(text)) => Given::of_comment(&text),
            _ => None,
        };
        let before = counts.positions;
        let given = given.unwrap_or_default();
        counts.record(record.position(), number, &given, &self.wanted);
        summary.positions += counts.positions - before;
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
    pub fn write_partial(
        self,
        form: PartialForm,
        output: &mut dyn std::io::Write,
    ) -> Result<(), BookError> {
        write_partial(self.aggregate, &self.header, form, output)
    }
}
