//! A text of an input.

use std::borrow::Cow;
use std::fmt;
#[cfg(feature = "book")]
use std::fs::File;
#[cfg(feature = "book")]
use std::io::Seek;
use std::io::{self, Cursor, Read};
use std::ops::ControlFlow;
#[cfg(feature = "book")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use emit::{ColumnNames, CsvHeader, Evals, LineKind};
use stream::ordered::{ChunkWorker, Pipeline, in_order, in_order_of_file};
use stream::read_at::ReadAt;
use stream::source::{DecodingThreads, Text, without_compression_suffix};
#[cfg(feature = "book")]
use stream::spill::temporary_file;
use training::TrainingFormat;

use super::InputError;
use super::input_kind::InputKind;
use super::sniff::{self, TextKind};

/// A text of an input, ready to be read.
pub struct InputText<'r> {
    name: String,
    input: String,
    pub(super) start: u64,
    pub(super) content: Content,
    pub(super) reader: Box<dyn Read + 'r>,
    /// The whole text as a file whose parts can be read by several threads.
    pub(super) shared: Option<Arc<dyn ReadAt>>,
    pub(super) threads: DecodingThreads,
    /// The file, if it has the text as it is.
    pub(super) path: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub(super) struct Content {
    pub(super) kind: TextKind,
    begins_with_game: bool,
    /// The header of a table as text.
    header: Option<Arc<CsvHeader>>,
    /// The keys of the first lines of JSON.
    keys: Arc<[Box<str>]>,
}

impl Content {
    /// Detects the content from the first bytes, unless the user says what it is.
    pub(super) fn of(first: &[u8], kind: Option<InputKind>) -> Self {
        let kind = kind.and_then(InputKind::text).unwrap_or_else(|| TextKind::of(first));
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

    /// For a file that may be divided: text that is not recognized is searched for games.
    pub(super) fn of_range(first: &[u8], kind: Option<InputKind>) -> Self {
        let content = Content::of(first, kind);
        match content.kind {
            TextKind::Other(what) if !sniff::is_positions(what) => {
                Content { kind: TextKind::Pgn, ..content }
            }
            _ => content,
        }
    }
}

impl<'r> InputText<'r> {
    pub(super) fn new(
        input: &str,
        text: Text<'r>,
        content: Option<Content>,
        kind: Option<InputKind>,
    ) -> Self {
        let name = match text.name() {
            None => input.to_owned(),
            Some(member) if input.is_empty() => member.to_owned(),
            Some(member) => format!("{input}/{member}"),
        };
        let (first, reader) = sniff::first_bytes(text);
        let content = content.unwrap_or_else(|| Content::of(&first, kind));
        let reader = Box::new(Cursor::new(first).chain(reader));
        let (input, threads) = (input.to_owned(), DecodingThreads::default());
        InputText { name, input, start: 0, content, reader, shared: None, threads, path: None }
    }

    pub(crate) fn of_training(
        name: &str,
        reader: Box<dyn Read + 'r>,
        format: TrainingFormat,
    ) -> Self {
        InputText {
            name: name.to_owned(),
            input: name.to_owned(),
            start: 0,
            content: Content {
                kind: TextKind::Training(format),
                begins_with_game: false,
                header: None,
                keys: Arc::default(),
            },
            reader,
            shared: None,
            threads: DecodingThreads::default(),
            path: None,
        }
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

    /// Returns what the lines of a text of positions are, with these names of columns.
    ///
    /// # Errors
    ///
    /// If they are rows of a table without positions.
    pub(crate) fn lines(&self, evals: Evals, names: &ColumnNames) -> io::Result<LineKind> {
        Ok(match (self.content.kind, &self.content.header) {
            (TextKind::Csv, Some(header)) if header.has_positions(names) => {
                LineKind::Csv(Arc::clone(header))
            }
            (TextKind::Csv, _) => {
                let message = "no column is called fen, epd or record, and not one alone has FENs: --rename fen=COLUMN";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            (TextKind::JsonLines, _) => LineKind::JsonLines(Arc::clone(&self.content.keys)),
            (TextKind::Evaluations, _) => LineKind::Evaluations(evals),
            _ => LineKind::Records,
        })
    }

    /// Returns an error if the content is neither games nor positions.
    pub(super) fn checked(self) -> Result<Self, InputError> {
        match self.content.kind {
            TextKind::Other(what) => {
                let error = io::Error::new(io::ErrorKind::InvalidData, sniff::NotChess(what));
                Err(InputError::new(self.name, error))
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

    /// Whether the text is a table in an archive, by its name, but has no positions.
    pub(super) fn is_other_member(&self) -> bool {
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

    /// Processes the text with several threads, which read a file themselves; see [`in_order`].
    pub(crate) fn in_order<W: ChunkWorker>(
        self,
        pipeline: &Pipeline,
        work: &W,
        deliver: &mut dyn FnMut(&mut W::Output, u64) -> ControlFlow<()>,
    ) -> io::Result<()> {
        self.threads.add(&pipeline.threads);
        match self.shared {
            Some(file) if pipeline.threads.count() > 1 => {
                in_order_of_file(file, pipeline, work, deliver)
            }
            _ => in_order(self.reader, pipeline, work, deliver),
        }
    }

    /// Returns the text if it contains games.
    pub(crate) fn of_games(self) -> io::Result<Self> {
        match self.content.kind {
            TextKind::Epd => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "it contains EPD records or FENs, not games: `pgn2epd FILE`, `check`, `book` and `show` read them",
            )),
            kind if kind.has_positions() => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "it contains positions, not games: `pgn2epd FILE` converts them",
            )),
            _ => Ok(self),
        }
    }

    /// Without a game at its beginning, the text may be positions whose first line is damaged.
    pub(crate) fn of_positions(self) -> io::Result<Self> {
        let what = match self.content.kind {
            TextKind::Epd | TextKind::Pgn if !self.content.begins_with_game => return Ok(self),
            TextKind::Pgn => "games",
            _ => "positions in another format",
        };
        let message =
            format!("it contains {what}, not EPD records or FENs; `pgn2epd FILE` converts them");
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }
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
