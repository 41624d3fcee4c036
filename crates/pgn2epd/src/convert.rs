//! Converts a stream of PGN to records or rows, on all cores and in input order.

pub(crate) mod worker;

use std::fmt;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emit::{ChunkEdges, Column, ColumnList, Plan};
use epd::Register;
use stream::compress::Compressor;
use stream::ordered::{Pipeline, Threads};
use stream::spill::SpillError;
use table::{Rows, Settings, TableFormat, TableWriter};

use crate::data_set::{FileSet, Outputs, RecordOutput, RowFile, SelectedRows, text_files};
use crate::inputs::{InputText, for_each_text};
use crate::options::{Conflicts, Format, Options, RowKind, SourceConflict};
use crate::run::games::TextRun;
use crate::run::run_source;
use crate::summary::{Observer, OutputCounts, Summary, add, flow};
use worker::{ConvertWorker, ConvertedChunk, Deliver, Delivered};

/// An error that ends a conversion. Errors in games are [`Problem`](crate::Problem)s instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ConvertError {
    #[error("the input cannot be read")]
    Read(#[source] io::Error),
    #[error("{name}: {conflict}")]
    Source { name: String, conflict: SourceConflict },
    #[error("the output cannot be written")]
    Write(#[source] io::Error),
    #[error(transparent)]
    Temporary(SpillError),
    #[cfg(feature = "book")]
    #[error(transparent)]
    Book(#[from] ::book::BookError),
}

impl From<io::Error> for ConvertError {
    fn from(error: io::Error) -> Self {
        error.downcast().map_or_else(ConvertError::Write, ConvertError::Temporary)
    }
}

/// Converts all games of `input`: PGN text in UTF-8, UTF-16, ISO 8859-1 or Windows-1252, optionally
/// compressed with gzip, bzip2, zstd or xz, or a zip or 7z archive of `.pgn` files, which are read
/// in sequence. The format is detected from the content.
///
/// The output does not depend on the number of threads. Memory is bounded by `options`, not by the
/// input size. The summary counts the errors in games; [`convert_observed`] reports them. Fails if
/// the input cannot be read or the output cannot be written. Records converted before the error are
/// written, except for a game that is cut off by the error.
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
    convert_observed(input, output, options, &mut ())
}

/// The same as [`convert`], with problems and progress reported to `observer`.
///
/// ```
/// use pgn2epd::{Observer, Options, Problem, convert_observed};
///
/// struct Print;
/// impl Observer for Print {
///     fn problem(&mut self, problem: &Problem) {
///         assert_eq!(problem.to_string(), "1:7: game 1, 1... Ke6: illegal: no black king can reach e6");
///     }
/// }
/// let summary = convert_observed(&b"1. e4 Ke6 *"[..], std::io::sink(), &Options::default(), &mut Print)?;
/// assert_eq!((summary.errors, summary.positions), (1, 2));
/// # Ok::<_, pgn2epd::ConvertError>(())
/// ```
pub fn convert_observed(
    input: impl Read,
    output: impl Write,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Summary, ConvertError> {
    let mut conversion = Conversion::new(output, options);
    let read = conversion.input(input, observer);
    match read {
        // Rows and blocks that are not full yet.
        Err(ConvertError::Read(_)) => conversion.finish().and(read),
        Err(error) => Err(error),
        Ok(_) => conversion.finish(),
    }
}

/// A conversion of several inputs into one output: options such as `unique` apply across all
/// inputs.
///
/// ```
/// use pgn2epd::{Conversion, Options};
/// use pgn2epd::options::Preference;
///
/// let mut epd = Vec::new();
/// let mut conversion = Conversion::new(&mut epd, &Options::default().unique(Some(Preference::First)));
/// conversion.input(&b"1. e4 e5 *"[..], &mut ())?;
/// conversion.input(&b"1. e4 c5 *"[..], &mut ())?;
/// assert_eq!(conversion.finish()?.positions, 4);
/// # Ok::<_, pgn2epd::ConvertError>(())
/// ```
pub struct Conversion<'o> {
    output: Box<dyn Deliver + 'o>,
    /// The text between games, if it is written.
    edges: Option<Edges>,
    /// Whether the output is what the options need: one, or a folder.
    has_outputs: bool,
    options: Options,
    plan: Plan,
    columns: Vec<Column>,
    threads: Threads,
    done: Summary,
    /// The registers that the records of earlier texts set.
    held: Vec<Register>,
}

impl fmt::Debug for Conversion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversion").finish_non_exhaustive()
    }
}

impl<'o> Conversion<'o> {
    /// Creates a conversion that writes to `output`. If the options [write a
    /// folder](Options::has_folder), its methods return an error.
    pub fn new(output: impl Write + 'o, options: &Options) -> Self {
        Conversion::to(Outputs::One(Box::new(output)), !options.has_folder(), options)
    }

    /// Creates a conversion that writes files of a folder, as [`split`](Options::split) and
    /// [`rows_per_file`](Options::rows_per_file) say. `open` receives the name of each file relative
    /// to the folder, and `complete` that of a file to which nothing follows, once it is
    /// closed. The others are complete at the [end](Conversion::finish_files).
    ///
    /// ```
    /// use std::num::NonZeroU64;
    /// use std::path::Path;
    /// use pgn2epd::{Conversion, Options};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let options = Options::default().rows_per_file(NonZeroU64::new(2));
    /// let path = folder.path().to_owned();
    /// let open = move |name: &Path| std::fs::File::create(path.join(name));
    /// let mut conversion = Conversion::with_files(open, |_| Ok(()), &options);
    /// conversion.input(&b"1. e4 e5 *"[..], &mut ())?;
    /// let (summary, files) = conversion.finish_files()?;
    /// assert_eq!((summary.positions, files[0].1.positions, files[1].1.positions), (3, 2, 1));
    /// assert_eq!((&*files[0].0, &*files[1].0), (Path::new("part-00000.epd"), Path::new("part-00001.epd")));
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_files<W: Write + 'o>(
        mut open: impl FnMut(&Path) -> io::Result<W> + Send + 'static,
        complete: impl FnMut(&Path) -> io::Result<()> + Send + 'static,
        options: &Options,
    ) -> Self {
        let open = move |name: &Path| Ok(Box::new(open(name)?) as ConversionOutput<'o>);
        let folder = Outputs::Folder(Box::new(open), Box::new(complete));
        Conversion::to(folder, options.has_folder(), options)
    }

    fn to(outputs: Outputs<ConversionOutput<'o>>, has_outputs: bool, options: &Options) -> Self {
        let threads = Threads::new(options.workers());
        let (output, plan, columns): (Box<dyn Deliver + 'o>, _, _) = match options.format {
            Format::Table(format) => {
                let list = options.column_list();
                let plan = options.plan_of_columns(list.columns());
                let files = table_files(format, &list, options, &plan, outputs, &threads);
                let output = RecordOutput::new(files, options, &threads);
                (Box::new(output), plan, list.columns().to_vec())
            }
            _ => {
                let plan = options.plan();
                let files = text_files(outputs, options, &plan, &threads);
                (Box::new(RecordOutput::new(files, options, &threads)), plan, Vec::new())
            }
        };
        // Records have nothing between them.
        let has_edges = options.format == Format::Pgn && !options.chooses();
        let edges = Edges { limit: options.max_game_bytes, ..Edges::default() };
        let edges = has_edges.then_some(edges);
        let conversion = Conversion::delivering(output, options, plan, columns, threads);
        Conversion { has_outputs, edges, ..conversion }
    }

    /// Creates a conversion into [`Rows`] with these columns, which are passed to `consume` in
    /// batches as they are made, so that memory is bounded by the options and not by the size of
    /// the inputs: one row for each record that would be written with the same options, in the same
    /// order, or one for each [game](RowKind::Games). An error of `consume` ends the run and is
    /// returned as [`ConvertError::Write`].
    ///
    /// The text of a record is generated only if it is in a [column](crate::table::Fact::Record) or
    /// is needed to select positions. Results of equal positions are not averaged:
    /// [`Conflicts::Mean`] is the same as [`Conflicts::Drop`]. Rows are not divided:
    /// [`split`](Options::split) and [`rows_per_file`](Options::rows_per_file) have no effect.
    ///
    /// ```
    /// use pgn2epd::{Conversion, Options};
    /// use pgn2epd::table::{Column, Fact};
    ///
    /// let columns = [Column::Fact(Fact::Ply), Column::Fact(Fact::Uci), Column::Tag("White".to_owned())];
    /// let mut moves = Vec::new();
    /// let mut conversion = Conversion::to_rows(&columns, &Options::default(), |rows| {
    ///     for row in 0..rows.len() {
    ///         moves.push(rows.columns[1].text(row).map(str::to_owned));
    ///     }
    ///     Ok(())
    /// });
    /// conversion.input(&b"[White \"Anderssen\"]\n\n1. e4 e5 *"[..], &mut ())?;
    /// assert_eq!(conversion.finish()?.positions, 3);
    /// assert_eq!(moves, [Some("e2e4".to_owned()), Some("e7e5".to_owned()), None]);
    /// # Ok::<_, pgn2epd::ConvertError>(())
    /// ```
    pub fn to_rows(
        columns: &[Column],
        options: &Options,
        consume: impl FnMut(Rows) -> io::Result<()> + 'o,
    ) -> Self {
        let mut options = options.clone();
        if options.conflicts == Conflicts::Mean {
            options.conflicts = Conflicts::Drop;
        }
        (options.split, options.rows_per_file) = (None, None);
        let columns: Vec<Column> = match options.rows {
            RowKind::Positions => columns.to_vec(),
            RowKind::Games => columns.iter().cloned().map(Column::of_games).collect(),
        };
        let plan = options.plan_of_columns(&columns);
        let threads = Threads::new(options.workers());
        let shared: Arc<[Column]> = columns.clone().into();
        let clearer = options.register_clearer(&plan);
        let receiver = Receiver(Box::new(consume));
        let file = SelectedRows::new(receiver, shared, options.has_games(), clearer);
        let output = Box::new(RecordOutput::new(FileSet::one(file), &options, &threads));
        Conversion::delivering(output, &options, plan, columns, threads)
    }

    pub(crate) fn delivering(
        output: Box<dyn Deliver + 'o>,
        options: &Options,
        plan: Plan,
        columns: Vec<Column>,
        threads: Threads,
    ) -> Self {
        let (options, done, held) = (options.clone(), Summary::default(), Vec::new());
        let (edges, has_outputs) = (None, true);
        Conversion { output, edges, has_outputs, options, plan, columns, threads, done, held }
    }

    /// Sets the name of the following inputs, for columns, templates and conditions that use
    /// `file`.
    pub fn name_input(&mut self, file: &str) {
        file.clone_into(&mut self.plan.file);
    }

    /// Converts all games of an input and returns its totals; `observer` receives problems and
    /// progress with the totals of this input. Fails like [`convert`].
    pub fn input(
        &mut self,
        input: impl Read,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        let (mut summary, kind) = (Summary::default(), self.options.input);
        let outcome = for_each_text(input, observer, kind, ConvertError::Read, |text, observer| {
            self.games(text, &mut summary, observer)?;
            Ok(flow(summary.stopped || self.output.is_full()))
        });
        self.done += summary;
        outcome.map(|()| summary)
    }

    /// Converts all games of a text, like [`Conversion::input`]; `{file}` in templates is its name.
    /// Fails like [`convert`]; also if an option has no meaning for what the text contains.
    pub fn text(
        &mut self,
        text: InputText<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        let mut summary = Summary::default();
        self.name_input(text.name());
        self.plan.start = text.start();
        let outcome = self.games(text, &mut summary, observer);
        self.done += summary;
        outcome.map(|()| summary)
    }

    /// Whether no further output can follow, because `limit` is reached or an error ended the run.
    pub fn is_over(&self) -> bool {
        self.done.stopped || self.output.is_full()
    }

    /// Writes the output that depends on the whole input, and returns the totals. Fails if the
    /// output cannot be written.
    pub fn finish(self) -> Result<Summary, ConvertError> {
        self.finish_files().map(|(summary, _)| summary)
    }

    /// The same as [`finish`](Conversion::finish), and returns the name of each file of the
    /// [folder](Conversion::with_files) with what was written to it, part by part, in the order of
    /// their first records. Fails if a file cannot be written.
    pub fn finish_files(mut self) -> Result<(Summary, Vec<(PathBuf, OutputCounts)>), ConvertError> {
        self.check_outputs()?;
        self.done += self.output.take_rest()?;
        // Between the games of records there may be empty lines.
        let is_counted = !matches!(self.options.format, Format::Pgn | Format::Table(_));
        self.done.has_output =
            if is_counted { self.done.positions > 0 } else { self.output.has_output() };
        Ok((self.done, self.output.counts()))
    }

    fn check_outputs(&self) -> Result<(), ConvertError> {
        let reason = "split and rows_per_file write a folder, and other options one file";
        let wrong = || io::Error::new(io::ErrorKind::InvalidInput, reason);
        if self.has_outputs { Ok(()) } else { Err(ConvertError::Write(wrong())) }
    }

    fn games(
        &mut self,
        text: InputText<'_>,
        summary: &mut Summary,
        observer: &mut dyn Observer,
    ) -> Result<(), ConvertError> {
        self.check_outputs()?;
        let Conversion { output, edges, options, plan, columns, threads, held, .. } = self;
        if let Some(conflict) = options.conflict_with(text.kind()) {
            return Err(ConvertError::Source { name: text.name().to_owned(), conflict });
        }
        let has_positions = text.kind().has_positions();
        let plan = &*options.plan_of(plan, text.kind(), held);
        let mut set = if has_positions { Vec::new() } else { plan.registers_of_games() };
        let pipeline = &Pipeline { threads: threads.clone(), ..options.pipeline(plan) };
        let index_plan = options.index_plan();
        output.begin_input(plan);
        let training = options.training().filter(|_| columns.is_empty());
        let training = training.map(|format| (format, options.score));
        let all_columns: Vec<Column> =
            columns.iter().chain(options.sort_columns()).cloned().collect();
        let consumer = &ConvertWorker {
            plan,
            columns: &all_columns,
            written_columns: columns.len(),
            options,
            is_pgn: options.format == Format::Pgn,
            is_of_positions: has_positions && !text.kind().has_games(),
            training,
            index: &index_plan,
        };
        let mut written = Ok(());
        let deliver = &mut |done: &mut ConvertedChunk, games_before: u64, summary: &mut Summary| {
            let counts = &done.text.counts;
            add! { summary += counts: long_records unlabelled unstorable omitted }
            summary.losses += done.text.losses();
            set.extend_from_slice(done.text.registers());
            set.sort_unstable();
            set.dedup();
            let delivered = match &mut *edges {
                Some(edges) => edges.take(&mut **output, done, games_before),
                None => output.take(done, games_before),
            };
            written = delivered.map(|delivered| *summary += delivered);
            flow(written.is_err() || output.is_full())
        };
        let run = TextRun { pipeline, plan, consumer, summary: &mut *summary, observer, deliver };
        let read = run_source(text, &options.reading(), run);
        held.extend(set);
        edges.iter_mut().for_each(Edges::end_input);
        *summary += written.and_then(|()| output.end_input())?;
        read.map_err(ConvertError::Read)
    }
}

/// What a conversion writes to: one type, so that the conversion is compiled once, in this crate.
type ConversionOutput<'o> = Box<dyn Write + 'o>;

/// Passes games on, with the text between those of chunks, and an empty line between texts.
#[derive(Default)]
struct Edges {
    /// Whether the last game of the text is written; `None` before the first one.
    last: Option<bool>,
    /// The text before the first game, up to a limit.
    preamble: Vec<u8>,
    limit: usize,
    has_begun: bool,
    /// The end of what was written.
    written: Vec<u8>,
}

impl Edges {
    fn take(
        &mut self,
        output: &mut dyn Deliver,
        done: &mut ConvertedChunk,
        games_before: u64,
    ) -> io::Result<Delivered> {
        let ChunkEdges { before, games } = std::mem::take(&mut done.edges);
        let before = match (self.last, games) {
            (Some(true), _) => before,
            (Some(false), _) => Vec::new(),
            (None, games) => {
                // A byte order mark is for the beginning of a file.
                let is_first = self.preamble.is_empty() && !self.written.is_empty();
                let mark = if is_first { "\u{feff}".as_bytes() } else { &[] };
                let before = before.strip_prefix(mark).unwrap_or(&before);
                let has_room = self.preamble.len() + before.len() <= self.limit;
                self.preamble.extend_from_slice(if has_room { before } else { &[] });
                match games {
                    Some((true, _)) => std::mem::take(&mut self.preamble),
                    _ => Vec::new(),
                }
            }
        };
        self.last = games.map(|(_, last)| last).or(self.last);
        let mut delivered = Delivered::default();
        if !before.is_empty() {
            delivered += self.pass_on(output, &mut chunk_of(&before), games_before)?;
        }
        delivered += self.pass_on(output, done, games_before)?;
        Ok(delivered)
    }

    fn pass_on(
        &mut self,
        output: &mut dyn Deliver,
        done: &mut ConvertedChunk,
        games: u64,
    ) -> io::Result<Delivered> {
        let (text, mut delivered) = (done.output().0, Delivered::default());
        if text.is_empty() && done.text.counts.positions == 0 {
            return Ok(delivered);
        }
        let separator = separator(&self.written).filter(|_| !self.has_begun);
        self.has_begun |= !text.is_empty();
        let end = &text[text.len().saturating_sub(4)..];
        if !end.is_empty() {
            self.written.extend_from_slice(end);
            self.written.drain(..self.written.len().saturating_sub(4));
        }
        if let Some(separator) = separator {
            delivered += output.take(&mut chunk_of(separator), games)?;
        }
        delivered += output.take(done, games)?;
        Ok(delivered)
    }

    fn end_input(&mut self) {
        (self.last, self.has_begun) = (None, false);
        self.preamble.clear();
    }
}

fn separator(text: &[u8]) -> Option<&'static [u8]> {
    match text {
        [] | [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] | [.., b'\r', b'\r'] => None,
        [.., b'\r', b'\n'] => Some(b"\r\n"),
        [.., b'\n'] => Some(b"\n"),
        [.., b'\r'] => Some(b"\r"),
        _ => Some(b"\n\n"),
    }
}

fn chunk_of(text: &[u8]) -> ConvertedChunk {
    let mut chunk = ConvertedChunk::default();
    chunk.text.bytes.extend(text);
    chunk
}

/// Rows are encoded after they are ordered: only then the numbers of games are known.
struct EncodedTable<W> {
    output: Compressor<W>,
    writer: Option<TableWriter>,
    written: OutputCounts,
}

fn table_files<W: Write>(
    format: TableFormat,
    list: &ColumnList,
    options: &Options,
    plan: &Plan,
    outputs: Outputs<W>,
    threads: &Threads,
) -> FileSet<SelectedRows<EncodedTable<W>>> {
    let columns: Arc<[_]> = list.columns().into();
    let clearer = options.register_clearer(plan);
    let (compression, csv_safe) = (options.compress, options.csv_safe);
    let settings = Settings { compression, csv_safe, ..Settings::new(format) };
    let (schema, other_threads) = (list.schema(), threads.clone());
    let has_games = options.has_games();
    FileSet::new(outputs, options, threads, move |output| {
        let writer = Some(TableWriter::new(schema.clone(), settings, other_threads.clone()));
        let table = EncodedTable { output, writer, written: OutputCounts::default() };
        SelectedRows::new(table, Arc::clone(&columns), has_games, clearer.clone())
    })
}

fn write(
    bytes: &[u8],
    output: &mut Compressor<impl Write>,
    written: &mut OutputCounts,
) -> io::Result<()> {
    written.bytes += bytes.len() as u64;
    output.write_all(bytes)
}

impl<W: Write> RowFile for EncodedTable<W> {
    type Output = W;

    fn push(&mut self, rows: Rows, positions: u64) -> io::Result<()> {
        let EncodedTable { output, writer: Some(writer), written } = self else { return Ok(()) };
        written.positions += positions;
        writer.write(rows, &mut |bytes| write(bytes, output, written))
    }

    fn spare(&mut self) -> Option<Rows> {
        self.writer.as_mut().and_then(TableWriter::spare)
    }

    fn finish(&mut self) -> io::Result<()> {
        let EncodedTable { output, writer, written } = self;
        let Some(writer) = writer.take() else { return Ok(()) };
        writer.finish(&mut |bytes| write(bytes, output, written))?;
        self.output.finish()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn counts(&self) -> OutputCounts {
        self.written
    }
}

struct Receiver<'t>(Box<dyn FnMut(Rows) -> io::Result<()> + 't>);

impl RowFile for Receiver<'_> {
    type Output = io::Sink;

    fn push(&mut self, rows: Rows, _: u64) -> io::Result<()> {
        (self.0)(rows)
    }
}
