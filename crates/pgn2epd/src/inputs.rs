//! The inputs of every command, as named texts: files, members of archives, ranges of files,
//! readers. One that cannot be read is an error, and does not end the iteration.

mod open_file;
mod sniff;

pub use open_file::{ReadFile, open_file};
pub use sniff::{InputKind, TextKind};

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emit::{ColumnNames, CsvHeader, Evals, LineKind};
use pgn::Split;
use stream::ordered::{ChunkInput, ChunkWorker, Pipeline, in_order};
use stream::read_at::{ReadAt, ReadSeek};
use stream::source::{
    DecodingThreads, Meter, Source, SourceError, Text, compression_suffix, decompressed,
    without_compression_suffix,
};
#[cfg(feature = "book")]
use stream::spill::temporary_file;
use training::TrainingFormat;

use crate::summary::Observer;
use open_file::OpenFile;

/// One input of a command, with its name for messages.
pub struct Input {
    name: String,
    origin: InputOrigin,
}

enum InputOrigin {
    File(PathBuf),
    Range(PathBuf, Range<u64>),
    RangeOf(Box<dyn ReadSeek>, Range<u64>),
    Reader(Box<dyn Read + Send>),
}

/// Returns the name of a file for messages and rows. An address, which other programs open, is
/// without user information and query, since these may have keys.
///
/// ```
/// use pgn2epd::input::input_name;
///
/// assert_eq!(input_name("s3://KEY:SECRET@games/a.pgn?token=x".as_ref()), "s3://games/a.pgn");
/// assert_eq!(input_name("abfss://games:KEY@host/a.pgn".as_ref()), "abfss://games@host/a.pgn");
/// assert_eq!(input_name("a@b?c=d.pgn".as_ref()), "a@b?c=d.pgn");
/// ```
pub fn input_name(path: &Path) -> String {
    let name = path.display().to_string();
    let Some((scheme, rest)) = name.split_once("://") else { return name };
    let rest = match rest.split_once('?') {
        Some((before, query)) if query.contains('=') => before,
        _ => rest,
    };
    match rest.rsplit_once('@') {
        // In Azure's addresses the name before @ is the container.
        Some((user, host)) if scheme.starts_with("abfs") => {
            format!("{scheme}://{}@{host}", user.split_once(':').map_or(user, |(name, _)| name))
        }
        Some((_, host)) => format!("{scheme}://{host}"),
        None => format!("{scheme}://{rest}"),
    }
}

impl Input {
    /// Creates an input from a file.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Input { name: input_name(&path), origin: InputOrigin::File(path) }
    }

    /// Creates an input from the games of a file whose first byte lies in `range`, or the lines of
    /// a file of positions; see [`part`](crate::input::part). A file in a binary format is in the
    /// range with byte 0.
    pub fn range(path: impl Into<PathBuf>, range: Range<u64>) -> Self {
        let path = path.into();
        Input { name: input_name(&path), origin: InputOrigin::Range(path, range) }
    }

    /// The same for a file that is open, such as an object in a store, of which only the bytes that
    /// are needed are read.
    pub fn range_of(
        name: impl Into<String>,
        file: impl Read + Seek + Send + 'static,
        range: Range<u64>,
    ) -> Self {
        Input { name: name.into(), origin: InputOrigin::RangeOf(Box::new(file), range) }
    }

    /// Creates an input from a stream that is read once: standard input, a pipe, bytes in memory.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Self {
        Input { name: name.into(), origin: InputOrigin::Reader(Box::new(reader)) }
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn bytes(&self) -> Option<u64> {
        let len = |path: &Path| path.metadata().ok().filter(|m| m.is_file()).map(|m| m.len());
        match &self.origin {
            InputOrigin::File(path) => len(path),
            InputOrigin::Range(path, range) => {
                len(path).map(|len| range.end.min(len).saturating_sub(range.start))
            }
            InputOrigin::RangeOf(..) | InputOrigin::Reader(_) => None,
        }
    }

    fn path(&self) -> Option<&Path> {
        match &self.origin {
            InputOrigin::File(path) | InputOrigin::Range(path, _) => Some(path),
            InputOrigin::RangeOf(..) => Some(self.name.as_ref()),
            InputOrigin::Reader(_) => None,
        }
    }

    fn training(&self, kind: Option<InputKind>) -> Option<TrainingFormat> {
        if let Some(kind) = kind {
            return kind.training();
        }
        let path = self.path()?;
        let format =
            TrainingFormat::of_suffix(without_compression_suffix(path).extension()?.to_str()?)?;
        let is_text = match &self.origin {
            InputOrigin::File(path) | InputOrigin::Range(path, _) => is_text_of_positions(path),
            InputOrigin::RangeOf(..) | InputOrigin::Reader(_) => false,
        };
        (!is_text).then_some(format)
    }

    /// Training data may begin with any bytes: it is decompressed only if its name says so.
    fn open_training(
        self,
        format: TrainingFormat,
        inputs: &mut Inputs,
    ) -> io::Result<InputText<'static>> {
        let is_packed = self.path().is_some_and(|path| compression_suffix(path).is_some());
        let reader: Box<dyn Read> = match self.origin {
            InputOrigin::Range(_, range) | InputOrigin::RangeOf(_, range)
                if !range.contains(&0) =>
            {
                Box::new(io::empty())
            }
            InputOrigin::File(path) | InputOrigin::Range(path, _) => {
                let file = OpenFile::open(&path)?;
                if let Some(read) = &mut inputs.read {
                    read.extend(ReadFile::of(&path, &file));
                }
                let file = inputs.meter.on(file);
                if is_packed { decompressed(file)? } else { Box::new(file) }
            }
            InputOrigin::RangeOf(file, _) if is_packed => decompressed(file)?,
            InputOrigin::RangeOf(file, _) => Box::new(file),
            InputOrigin::Reader(reader) => Box::new(inputs.meter.on(reader)),
        };
        Ok(InputText::of_training(&self.name, reader, format))
    }

    /// Divides a file into ranges of equal size, about `size` bytes each, of which each game or
    /// line belongs to one. A file that cannot be divided is one range. Fails if it cannot be read,
    /// or is a stream.
    pub fn splits(self, size: u64) -> io::Result<Vec<Split>> {
        let is_text = self.training(None).is_none();
        let unit = |first: &[u8]| TextKind::of(first).unit().filter(|_| is_text);
        match self.origin {
            InputOrigin::File(path) | InputOrigin::Range(path, _) => {
                pgn::splits(open_file(&path)?, size, unit)
            }
            InputOrigin::RangeOf(file, _) => pgn::splits(file, size, unit),
            InputOrigin::Reader(_) => {
                Err(io::Error::new(io::ErrorKind::NotSeekable, RANGE_OF_WHAT))
            }
        }
    }

    fn open(self, meter: &Meter, kind: Option<InputKind>) -> io::Result<OpenInput> {
        let bytes = self.bytes().unwrap_or(u64::MAX);
        let (mut shared, mut path, mut read) = (None, None, None);
        let mut content = None;
        let mut part = |file: Box<dyn ReadSeek>, range: Range<u64>| {
            let is_first = range.contains(&0);
            let part = pgn::part(file, range, |first| {
                content.insert(Content::of_range(first, kind)).kind.unit()
            })?;
            match part.unit {
                None if is_first => content = None,
                None => content = Some(Content::of_range(b"", None)),
                Some(_) => {}
            }
            io::Result::Ok((part.source, part.start))
        };
        let (source, start) = match self.origin {
            InputOrigin::File(file_path) => {
                let file = OpenFile::open(&file_path)?;
                read = ReadFile::of(&file_path, &file);
                let other = file.shared();
                let file = meter.on(file);
                shared = other.map(|other| Arc::new(file.file(other)) as Arc<dyn ReadAt>);
                path = Some(file_path);
                (Source::file(file)?, 0)
            }
            InputOrigin::Range(path, range) => {
                let file = OpenFile::open(&path)?;
                if !file.is_regular() {
                    return Err(io::Error::new(io::ErrorKind::NotSeekable, RANGE_OF_WHAT));
                }
                read = ReadFile::of(&path, &file);
                part(Box::new(file), range)?
            }
            InputOrigin::RangeOf(file, range) => part(file, range)?,
            InputOrigin::Reader(reader) => (Source::ahead(meter.on(reader))?, 0),
        };
        let shared = shared.filter(|_| source.is_plain);
        let path = path.filter(|_| shared.is_some());
        let name = self.name;
        Ok(OpenInput { name, source, start, content, bytes, shared, path, read })
    }
}

fn is_text_of_positions(path: &Path) -> bool {
    let first = || {
        let file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Ok(Vec::new());
        }
        let is_packed = compression_suffix(path).is_some();
        let file: Box<dyn Read> = if is_packed { decompressed(file)? } else { Box::new(file) };
        io::Result::Ok(sniff::first_bytes(file).0)
    };
    first().is_ok_and(|first| match TextKind::of(&first) {
        TextKind::Training(_) => false,
        kind => kind.unit().is_some() && kind.has_positions() || kind == TextKind::Plain,
    })
}

const RANGE_OF_WHAT: &str = "a range needs a regular file";

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("name", &self.name).finish_non_exhaustive()
    }
}

/// An iterator over the texts of inputs: one per file or stream, and one per member of an archive
/// with games or positions, such as a `.pgn`, `.epd` or `.csv` file.
///
/// ```
/// use pgn2epd::input::{Input, Inputs, TextKind};
///
/// let games = Input::reader("games", &b"1. e4 e5 *"[..]);
/// let suite = Input::reader("suite", &b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;"[..]);
/// let texts = Inputs::new([games, suite]).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!((texts[0].name(), texts[0].kind()), ("games", TextKind::Pgn));
/// assert_eq!((texts[1].name(), texts[1].kind()), ("suite", TextKind::Epd));
/// # Ok::<_, pgn2epd::input::InputError>(())
/// ```
#[derive(Debug)]
pub struct Inputs {
    waiting: std::vec::IntoIter<Input>,
    open: Option<OpenInput>,
    meter: Meter,
    bytes: Option<u64>,
    kind: Option<InputKind>,
    read: Option<Vec<ReadFile>>,
}

#[derive(Debug)]
struct OpenInput {
    name: String,
    source: Source<'static>,
    start: u64,
    content: Option<Content>,
    bytes: u64,
    /// A file whose parts can be read by several threads, and its path.
    shared: Option<Arc<dyn ReadAt>>,
    path: Option<PathBuf>,
    read: Option<ReadFile>,
}

impl Inputs {
    /// Sorts the inputs by their names, which it returns.
    pub fn sort(&mut self) -> Vec<String> {
        let mut waiting = Vec::from_iter(&mut self.waiting);
        waiting.sort_by(|one, other| one.name.cmp(&other.name));
        let names = waiting.iter().map(|input| input.name.clone()).collect();
        self.waiting = waiting.into_iter();
        names
    }

    /// Creates an iterator over the texts of these inputs, in order.
    pub fn new(inputs: impl IntoIterator<Item = Input>) -> Self {
        let inputs: Vec<Input> = inputs.into_iter().collect();
        let bytes = inputs.iter().map(Input::bytes).sum();
        let waiting = inputs.into_iter();
        Inputs { waiting, open: None, meter: Meter::default(), bytes, kind: None, read: None }
    }

    /// Sets what the inputs contain, instead of what their content and names say.
    pub fn of_kind(self, kind: Option<InputKind>) -> Self {
        Inputs { kind, ..self }
    }

    /// Keeps files open when they have been read, until [`Inputs::take_read`] returns them.
    pub fn keep_read(self) -> Self {
        Inputs { read: Some(Vec::new()), ..self }
    }

    /// Returns the files that were read since the last call, without the one that is being read.
    pub fn take_read(&mut self) -> Vec<ReadFile> {
        self.read.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Ends reading, and returns the last files that were read.
    pub fn finish_read(mut self) -> Vec<ReadFile> {
        self.close();
        self.take_read()
    }

    fn close(&mut self) {
        let file = self.open.take().and_then(|open| open.read);
        if let Some(read) = &mut self.read {
            read.extend(file);
        }
    }

    /// Returns the meter of bytes read, as stored, of all inputs.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Returns the stored size of all inputs in bytes, or `None` if one is a stream.
    pub fn bytes(&self) -> Option<u64> {
        self.bytes
    }
}

impl Iterator for Inputs {
    type Item = Result<InputText<'static>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(open) = &mut self.open else {
                let input = self.waiting.next()?;
                let name = input.name.clone();
                let opened = match input.training(self.kind) {
                    Some(format) => input.open_training(format, self).map(Some),
                    None => input.open(&self.meter, self.kind).map(|open| {
                        self.open = Some(open);
                        None
                    }),
                };
                match opened.map_err(|error| InputError::new(name, error)).transpose() {
                    Some(text) => return Some(text),
                    None => continue,
                }
            };
            let OpenInput { name, source, start, content, bytes, shared, path, .. } = open;
            match source.next_text() {
                Ok(Some(text)) => {
                    let mut text = InputText::new(name, text, content.clone(), self.kind);
                    text.start = *start;
                    (text.path, text.shared) = (path.take(), shared.take());
                    text.threads = source.threads.clone();
                    if content.is_some() {
                        // The range was not read through the meter: the search for its start uses a
                        // separate reader. Its text may be longer than the range, which can be
                        // compressed or end within a game.
                        text.reader = Box::new(self.meter.on_first(*bytes, text.reader));
                    }
                    // A table beside games may be about anything else.
                    if text.is_other_member() {
                        let reason = "not read, since it has no positions".to_owned();
                        return Some(Err(InputError::note(text.name().to_owned(), reason)));
                    }
                    return Some(text.checked());
                }
                Ok(None) => {
                    let (name, skipped) = (std::mem::take(name), source.skipped());
                    self.close();
                    if skipped.count > 0 {
                        let text = format!("{skipped}: {NOT_TEXTS}");
                        return Some(Err(InputError::note(name, text)));
                    }
                }
                Err(error) => {
                    let name = std::mem::take(name);
                    self.close();
                    return Some(Err(InputError::new(name, error)));
                }
            }
        }
    }
}

/// An error that prevents an input, or one of its texts, from being read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {name}")]
pub struct InputError {
    /// The name of the input or of the text.
    pub name: String,
    /// The reason.
    #[source]
    pub error: io::Error,
    is_note: bool,
}

const NOT_TEXTS: &str =
    "not read, since only .pgn, .epd, .fen, .csv, .tsv, .jsonl, .ndjson, .plain and .fns files are";

impl InputError {
    /// Creates an error for a text that cannot be read to its end.
    pub fn new(name: impl Into<String>, error: io::Error) -> Self {
        InputError { name: name.into(), error, is_note: false }
    }

    fn note(name: String, text: String) -> Self {
        InputError { name, error: io::Error::other(text), is_note: true }
    }

    /// Whether compressed data is damaged: what was read of it may be wrong. Data that only ends too
    /// early is right.
    pub fn is_damage(&self) -> bool {
        let inner = self.error.get_ref().and_then(|inner| inner.downcast_ref());
        matches!(inner, Some(SourceError::Damaged(..)))
    }

    /// Whether this is only a note about archive members that are not read.
    pub fn is_note(&self) -> bool {
        self.is_note
    }
}

/// Calls `each` for every text until it breaks; what is not text is left to the scanner.
pub(crate) fn for_each_text<'r, E>(
    input: impl Read + 'r,
    observer: &mut dyn Observer,
    kind: Option<InputKind>,
    read: fn(io::Error) -> E,
    mut each: impl FnMut(InputText<'r>, &mut dyn Observer) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    if let Some(format) = kind.and_then(InputKind::training) {
        return each(InputText::of_training("", Box::new(input), format), observer).map(drop);
    }
    let mut source = Source::new(input).map_err(read)?;
    while let Some(text) = source.next_text().map_err(read)? {
        if let Some(name) = &text.name {
            observer.member(name);
        }
        if each(InputText::new("", text, None, kind), observer)?.is_break() {
            break;
        }
    }
    Ok(())
}

/// A text of an input, ready to be read.
pub struct InputText<'r> {
    name: String,
    input: String,
    start: u64,
    content: Content,
    reader: Box<dyn Read + 'r>,
    shared: Option<Arc<dyn ReadAt>>,
    threads: DecodingThreads,
    path: Option<PathBuf>,
}

#[derive(Clone, Debug)]
struct Content {
    kind: TextKind,
    begins_with_game: bool,
    header: Option<Arc<CsvHeader>>,
    keys: Arc<[Box<str>]>,
}

impl Content {
    fn of(first: &[u8], kind: Option<InputKind>) -> Self {
        let kind = kind.map_or_else(|| TextKind::of(first), InputKind::text);
        let begins_with_game = kind == TextKind::Pgn && sniff::begins_with_game(first);
        let text = Some(pgn::text_of(first)).filter(|_| kind == TextKind::Csv);
        let header = text.and_then(|text| CsvHeader::of_any(&text)).map(Arc::new);
        let keys = match kind {
            #[cfg(feature = "evaluations")]
            TextKind::JsonLines => emit::keys_of_lines(&pgn::text_of(first)),
            _ => Arc::default(),
        };
        Content { kind, begins_with_game, header, keys }
    }

    /// The content of a file that may be divided: unknown text is searched for games.
    fn of_range(first: &[u8], kind: Option<InputKind>) -> Self {
        let content = Content::of(first, kind);
        match content.kind {
            TextKind::Other(what) if ![sniff::JSON, sniff::POSITIONS].contains(&what) => {
                Content { kind: TextKind::Pgn, ..content }
            }
            _ => content,
        }
    }
}

impl<'r> InputText<'r> {
    fn new(input: &str, text: Text<'r>, content: Option<Content>, kind: Option<InputKind>) -> Self {
        let name = match &text.name {
            None => input.to_owned(),
            Some(member) if input.is_empty() => member.clone(),
            Some(member) => format!("{input}/{member}"),
        };
        let (first, reader) = sniff::first_bytes(text);
        let content = content.unwrap_or_else(|| Content::of(&first, kind));
        InputText::of(name, input, content, Box::new(Cursor::new(first).chain(reader)))
    }

    fn of(name: String, input: &str, content: Content, reader: Box<dyn Read + 'r>) -> Self {
        let (input, threads) = (input.to_owned(), DecodingThreads::default());
        InputText { name, input, start: 0, content, reader, shared: None, threads, path: None }
    }

    pub(crate) fn of_training(
        name: &str,
        reader: Box<dyn Read + 'r>,
        format: TrainingFormat,
    ) -> Self {
        let (kind, begins_with_game) = (TextKind::Training(format), false);
        let content = Content { kind, begins_with_game, header: None, keys: Arc::default() };
        InputText::of(name.to_owned(), name, content, reader)
    }

    /// Returns the text as a file: that which has it, or else a temporary one in a folder.
    #[cfg(feature = "book")]
    pub(crate) fn into_file(mut self, folder: &Path) -> io::Result<File> {
        if let Some(path) = self.path {
            return File::open(path);
        }
        let mut file = temporary_file(folder)?;
        io::copy(&mut self.reader, &mut file)?;
        file.rewind()?;
        Ok(file)
    }

    /// What the lines of a text of positions are; rows of a table without positions are an error.
    pub(crate) fn lines(&self, evals: Evals, names: &ColumnNames) -> io::Result<LineKind> {
        Ok(match (self.content.kind, &self.content.header) {
            (TextKind::Csv, Some(header)) if header.has_positions(names) => {
                LineKind::Csv(Arc::clone(header))
            }
            (TextKind::Csv, _) => {
                let message = "no column is called fen, epd or record, and not one alone has FENs: --rename fen=COLUMN";
                return Err(invalid_data(message));
            }
            (TextKind::JsonLines, _) => LineKind::JsonLines(Arc::clone(&self.content.keys)),
            (TextKind::Evaluations, _) => LineKind::Evaluations(evals),
            _ => LineKind::Records,
        })
    }

    fn checked(self) -> Result<Self, InputError> {
        match self.content.kind {
            TextKind::Other(what) => {
                Err(InputError::new(self.name, invalid_data(sniff::NotChess(what))))
            }
            _ => Ok(self),
        }
    }

    /// Returns the name for messages: `games.pgn`, `games.zip/a.pgn`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the containing input; for a member, that of the archive.
    pub fn input_name(&self) -> &str {
        &self.input
    }

    /// Whether the text is a member of an archive.
    pub fn is_member(&self) -> bool {
        self.name.len() != self.input.len()
    }

    fn is_other_member(&self) -> bool {
        let name = without_compression_suffix(self.name.as_ref());
        let suffix = name.extension().and_then(|suffix| suffix.to_str()).unwrap_or_default();
        let is_of_games = ["pgn", "epd", "fen"].iter().any(|own| suffix.eq_ignore_ascii_case(own));
        self.is_member() && !is_of_games && !self.content.kind.has_positions()
    }

    /// Returns the byte of the input at which the text begins; 0 except for a range.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns the name, with the byte from which lines are counted if it is not 0: `FILE@BYTE`.
    pub fn counted_from(&self) -> Cow<'_, str> {
        match self.start {
            0 => Cow::Borrowed(&self.name),
            from => Cow::Owned(format!("{}@{from}", self.name)),
        }
    }

    /// Returns whether the text contains games or positions.
    pub fn kind(&self) -> TextKind {
        self.content.kind
    }

    pub(crate) fn in_order<W: ChunkWorker>(
        mut self,
        pipeline: &Pipeline,
        work: &W,
        deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.threads.add(&pipeline.threads);
        let input = match self.shared {
            Some(file) if pipeline.threads.count() > 1 => ChunkInput::File(file),
            _ => ChunkInput::Stream(&mut self.reader),
        };
        in_order(input, pipeline, work, deliver)
    }

    pub(crate) fn of_games(self) -> io::Result<Self> {
        Err(invalid_data(match self.content.kind {
            TextKind::Epd => {
                "it contains EPD records or FENs, not games: `pgn2epd FILE`, `check`, `book` and `show` read them"
            }
            kind if kind.has_positions() => {
                "it contains positions, not games: `pgn2epd FILE` converts them"
            }
            _ => return Ok(self),
        }))
    }

    /// Accepts positions only; their first line may be damaged, unless a game begins the text.
    pub(crate) fn of_positions(self) -> io::Result<Self> {
        let what = match self.content.kind {
            TextKind::Epd | TextKind::Pgn if !self.content.begins_with_game => return Ok(self),
            TextKind::Pgn => "games",
            _ => "positions in another format",
        };
        let message = "not EPD records or FENs; `pgn2epd FILE` converts them";
        Err(invalid_data(format!("it contains {what}, {message}")))
    }
}

fn invalid_data(error: impl Into<Box<dyn Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

impl Read for InputText<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }

    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        self.reader.read_to_end(buffer)
    }
}

impl fmt::Debug for InputText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputText")
            .field("name", &self.name)
            .field("kind", &self.content.kind)
            .finish_non_exhaustive()
    }
}
