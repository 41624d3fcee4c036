//! Forms of a book: one writer each.

#[cfg(feature = "arrow")]
mod columns;
mod csv;
mod epd;
mod jsonl;
mod pgn;
mod polyglot;
mod row;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use emit::Names;
use san::Color;
use serde::Serialize;

use crate::BookError;
use crate::aggregate::{Aggregate, Sum};
#[cfg(feature = "arrow")]
use crate::columns::ColumnForm;
use crate::merge::{Counted, Entries, Entry, Merge};
use crate::partial::{self, Header, Part};
use crate::select::{Choice, Chosen};
use crate::temporary::Temporary;

/// The form of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// EPD records with what is counted: see [`EpdOps`].
    #[default]
    Epd,
    /// A game for each position, its moves on one line.
    Pgn,
    /// Polyglot's book: a move and its weight in 16 bytes.
    Polyglot,
    /// A line for each move of each position, with commas between the values.
    Csv,
    /// A JSON object for each position, on a line.
    JsonLines,
    /// A row for each position, as a stream of Arrow's batches.
    Arrow,
    /// A row for each position, as Parquet.
    Parquet,
}

impl Form {
    /// Whether this program was built with it.
    pub fn is_built(self) -> bool {
        !matches!(self, Form::Arrow | Form::Parquet) || cfg!(feature = "arrow")
    }
}

/// The operations of an EPD record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EpdOps {
    /// Counts (`c0` to `c2`), clocks, and the names of openings where they are known.
    Counts,
    /// What programs that play need: `hmvc` and `fmvn`, as they were where the position came from.
    Clocks,
    /// None.
    None,
}

/// How a book is written.
#[derive(Clone, Copy, Debug)]
pub struct Style<'n> {
    /// The form.
    pub form: Form,
    /// The operations, in [`Form::Epd`].
    pub ops: EpdOps,
    /// Who knows the names of openings.
    pub names: Option<&'n dyn Names>,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Positions.
    pub total: u64,
    /// Positions with White to move.
    pub white: u64,
    /// Positions with Black to move.
    pub black: u64,
    /// The least number of plies before a position.
    pub min_depth: u32,
    /// The greatest.
    pub max_depth: u32,
    /// Games that the positions were reached by, each counted for each of its positions.
    pub games: u64,
}

impl Figures {
    fn count(&mut self, chosen: &Chosen) {
        let depth = chosen.source.ply;
        self.min_depth = if self.total == 0 { depth } else { self.min_depth.min(depth) };
        self.max_depth = self.max_depth.max(depth);
        self.total += 1;
        self.games = self.games.saturating_add(chosen.total.games);
        match chosen.position.turn() {
            Color::White => self.white += 1,
            Color::Black => self.black += 1,
        }
    }
}

/// What a book is made of: all that was counted.
pub enum Source {
    /// Counts made now.
    Counted(Box<Aggregate>, Header),
    /// Partial results.
    Parts(Vec<Part>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Counted(_, header) => f.debug_tuple("Counted").field(header).finish(),
            Source::Parts(parts) => f.debug_tuple("Parts").field(parts).finish(),
        }
    }
}

/// Writes what a form has.
trait BookWriter {
    fn write(&mut self, chosen: &Chosen) -> Result<(), BookError>;

    fn finish(self: Box<Self>) -> Result<(), BookError>;
}

/// Where a book is sorted, and how much memory that may take.
#[derive(Debug)]
pub(crate) struct Room {
    pub(crate) memory: usize,
    pub(crate) temporary: Temporary,
}

/// All that was counted, ready to be read.
struct Opened {
    header: Header,
    temporary: Temporary,
    counts: OpenedCounts,
}

enum OpenedCounts {
    Sum(Sum),
    Merge(Merge<'static>),
}

impl Source {
    fn open(self, memory: usize, folder: &Path) -> Result<Opened, BookError> {
        let temporary = Temporary { folder: folder.to_owned() };
        let (header, counts) = match self {
            Source::Counted(aggregate, header) => (header, OpenedCounts::Sum(aggregate.finish()?)),
            Source::Parts(parts) => {
                let (header, merge) = partial::merged(parts, memory / 4, &temporary)?;
                (header, OpenedCounts::Merge(merge))
            }
        };
        Ok(Opened { header, temporary, counts })
    }
}

impl OpenedCounts {
    /// The counts in their order, but for those of positions that fewer games reached: of these some may come, or none.
    fn counts(&mut self, least_games: u64) -> Box<dyn Iterator<Item = io::Result<Counted>> + '_> {
        match self {
            OpenedCounts::Sum(sum) => Box::new(sum.counts(least_games)),
            OpenedCounts::Merge(merge) => Box::new(merge),
        }
    }
}

/// Hands over the chosen positions in their order, with the names of the files of games.
///
/// # Errors
///
/// If a partial result is damaged or a temporary file fails, and what `take` returns.
pub fn choose(
    source: Source,
    choice: &Choice,
    memory: usize,
    folder: &Path,
    take: &mut dyn FnMut(Chosen, &Header) -> Result<(), BookError>,
) -> Result<Header, BookError> {
    let Opened { header, temporary, mut counts } = source.open(memory, folder)?;
    let entries = Entries::new(counts.counts(choice.min_games));
    choice.choose(entries, memory, &temporary, &mut |chosen| take(chosen, &header))?;
    Ok(header)
}

/// What is counted of one position, and the names of the files of games; nothing if no game reached it.
///
/// `memory` is what sorting may take, in bytes; files go to `folder`.
///
/// # Errors
///
/// If a partial result is damaged or a temporary file fails.
pub fn find(
    source: Source,
    position: &san::Position,
    memory: usize,
    folder: &Path,
) -> Result<Option<(Entry, Header)>, BookError> {
    let key = san::Packed::of(position);
    let Opened { header, temporary, mut counts } = source.open(memory, folder)?;
    for entry in Entries::new(counts.counts(1)) {
        let entry = entry.map_err(|error| temporary.failed(error))?;
        if entry.key == key {
            return Ok(Some((entry, header)));
        }
    }
    Ok(None)
}

/// Chooses positions and writes the book.
///
/// `memory` is what sorting may take, in bytes; files go to `folder`.
///
/// # Errors
///
/// If the output or a temporary file cannot be written, or the form cannot hold the book.
pub fn write_book(
    source: Source,
    choice: &Choice,
    style: &Style<'_>,
    memory: usize,
    folder: &Path,
    output: &mut dyn Write,
) -> Result<Figures, BookError> {
    let Opened { header, temporary, mut counts } = source.open(memory, folder)?;
    let room = Room { memory: memory / 4, temporary: temporary.clone() };
    if style.form == Form::Pgn && !header.moves {
        return Err(BookError::NoMoves);
    }
    let mut writer: Box<dyn BookWriter + '_> = match style.form {
        Form::Epd => Box::new(epd::Epd::new(output, style, &header)),
        Form::Pgn => Box::new(pgn::Pgn::new(output, choice.keep_strongest)),
        Form::Polyglot => Box::new(polyglot::Polyglot::new(output, room)),
        Form::Csv => Box::new(csv::Csv::new(output, &header)?),
        Form::JsonLines => Box::new(jsonl::JsonLines::new(output, &header)),
        #[cfg(feature = "arrow")]
        Form::Arrow => Box::new(columns::Table::new(ColumnForm::Stream, output, style, &header)?),
        #[cfg(feature = "arrow")]
        Form::Parquet => {
            Box::new(columns::Table::new(ColumnForm::Parquet, output, style, &header)?)
        }
        #[cfg(not(feature = "arrow"))]
        Form::Arrow | Form::Parquet => return Err(BookError::NoColumns),
    };
    let mut figures = Figures::default();
    let entries = Entries::new(counts.counts(choice.min_games));
    choice.choose(entries, memory, &temporary, &mut |chosen| {
        figures.count(&chosen);
        writer.write(&chosen)
    })?;
    writer.finish()?;
    Ok(figures)
}
