//! Forms of a book: one writer each.

mod csv;
mod epd;
mod jsonl;
mod pgn;
mod polyglot;
mod row;

use std::fmt;
use std::io::Write;

use emit::Names;
use san::Color;
use serde::Serialize;

use crate::BookError;
use crate::aggregate::Aggregate;
use crate::merge::{Entries, Entry};
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

/// Hands over the chosen positions in their order, with the names of the files of games.
///
/// # Errors
///
/// If a partial result is damaged or a temporary file fails, and what `take` returns.
pub fn choose(
    source: Source,
    choice: &Choice,
    memory: usize,
    folder: &std::path::Path,
    take: &mut dyn FnMut(Chosen, &Header) -> Result<(), BookError>,
) -> Result<Header, BookError> {
    let temporary = Temporary { folder: folder.to_owned() };
    match source {
        Source::Counted(aggregate, header) => {
            let mut sum = aggregate.finish()?;
            let entries = Entries::new(sum.counts(choice.min_games));
            let failed = |error| temporary.failed(error);
            let mut take = |chosen| take(chosen, &header);
            choice.choose(entries, failed, memory, &temporary, &mut take)?;
            Ok(header)
        }
        Source::Parts(parts) => {
            let (header, merge) = partial::merged(parts)?;
            let entries = Entries::new(merge);
            let mut take = |chosen| take(chosen, &header);
            choice.choose(entries, partial::damaged, memory, &temporary, &mut take)?;
            Ok(header)
        }
    }
}

/// What is counted of one position, and the names of the files of games; nothing if no game reached it.
///
/// # Errors
///
/// If a partial result is damaged or a temporary file fails.
pub fn find(
    source: Source,
    position: &san::Position,
) -> Result<Option<(Entry, Header)>, BookError> {
    let key = san::Packed::of(position);
    let find = |mut entries: &mut dyn Iterator<Item = std::io::Result<Entry>>| {
        Iterator::find(&mut entries, |entry| !matches!(entry, Ok(entry) if entry.key != key))
            .transpose()
    };
    match source {
        Source::Counted(aggregate, header) => {
            let mut sum = aggregate.finish()?;
            let temporary = sum.temporary.clone();
            let found = find(&mut Entries::new(sum.counts(1)));
            let found = found.map_err(|error| temporary.failed(error))?;
            Ok(found.map(|entry| (entry, header)))
        }
        Source::Parts(parts) => {
            let (header, merge) = partial::merged(parts)?;
            let found = find(&mut Entries::new(merge)).map_err(partial::damaged)?;
            Ok(found.map(|entry| (entry, header)))
        }
    }
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
    folder: &std::path::Path,
    output: &mut dyn Write,
) -> Result<Figures, BookError> {
    let room = Room { memory: memory / 4, temporary: Temporary { folder: folder.to_owned() } };
    let header = match &source {
        Source::Counted(_, header) => header.clone(),
        Source::Parts(parts) => partial::header_of_all(parts)?,
    };
    if style.form == Form::Pgn && !header.moves {
        return Err(BookError::NoMoves);
    }
    let mut writer: Box<dyn BookWriter + '_> = match style.form {
        Form::Epd => Box::new(epd::Epd::new(output, style, &header)),
        Form::Pgn => Box::new(pgn::Pgn::new(output, choice.keep_strongest)),
        Form::Polyglot => Box::new(polyglot::Polyglot::new(output, room)),
        Form::Csv => Box::new(csv::Csv::new(output, &header)?),
        Form::JsonLines => Box::new(jsonl::JsonLines::new(output, &header)),
    };
    let mut figures = Figures::default();
    choose(source, choice, memory, folder, &mut |chosen, _| {
        figures.count(&chosen);
        writer.write(&chosen)
    })?;
    writer.finish()?;
    Ok(figures)
}
