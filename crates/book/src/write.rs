//! Formats of a book: one writer each.

mod empty;
mod epd;
mod explorer;
mod form;
mod pgn;
mod polyglot;
mod rows;

pub(crate) use epd::{counts, ratings, strongest};

use std::io::Write;
use std::path::Path;

use openings::Openings;
use san::keywords;
use stream::spill::Sorter;
use table::{Settings, TableFormat, TableWriter};

use crate::collect::Details;
use crate::entries::{Entry, entries, join_pins};
use crate::error::BookError;
use crate::evaluate::Evaluate;
use crate::explorer::ExplorerError;
use crate::partial::{Header, Source};
use crate::pieces::{AddPosition, Positions, convert_pieces};
use crate::select::{Order, SelectedPosition, Selection, Stages};
use crate::totals::Totals;
use form::{EncodedPiece, PieceForm, encode};

/// The format of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Form {
    /// EPD records with counts: see [`EpdOps`].
    #[default]
    Epd,
    /// One game per position, its moves on one line.
    Pgn,
    /// Polyglot book: 16 bytes per move, with its weight.
    Polyglot,
    /// An explorer file: see [`explorer`](crate::explorer).
    Explorer,
    /// A table: one row per position, in CSV one per move of each position.
    Table(TableFormat),
}

keywords! { Form:
    "epd" [Form::Epd] "EPD records";
    "pgn" [Form::Pgn] "A game for each position";
    "bin" [Form::Polyglot] "A Polyglot book";
    "explorer" [Form::Explorer] "A file in which positions are looked up";
    "csv" [Form::Table(TableFormat::Csv)] "A line for each move of each position";
    "jsonl" [Form::Table(TableFormat::JsonLines)] "A JSON object for each position";
    "arrow" [Form::Table(TableFormat::Arrow)] "An Arrow stream, a row for each position";
    "parquet" [Form::Table(TableFormat::Parquet)] "Parquet, a row for each position";
}

impl Form {
    /// Checks that this build supports the format.
    ///
    /// # Errors
    ///
    /// If it does not.
    pub fn check_built(self) -> Result<(), BookError> {
        match self {
            Form::Table(format) if !format.is_built() => Err(BookError::NoColumns),
            Form::Explorer if !cfg!(feature = "zstd") => Err(ExplorerError::NoZstd.into()),
            _ => Ok(()),
        }
    }

    /// Returns the suffixes of files and their formats.
    pub fn suffixes() -> impl Iterator<Item = (&'static str, Form)> {
        let own = [
            ("epd", Form::Epd),
            ("txt", Form::Epd),
            ("pgn", Form::Pgn),
            ("bin", Form::Polyglot),
            ("explorer", Form::Explorer),
        ];
        let tables = TableFormat::SUFFIXES.map(|(suffix, format)| (suffix, Form::Table(format)));
        own.into_iter().chain(tables)
    }
}

keywords! {
    /// The operations of an EPD record.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum EpdOps {
        /// The counts as c0-c2, hmvc and fmvn, and the name of the opening.
        #[default]
        Counts = "counts",
        /// hmvc and fmvn.
        Clocks = "clocks",
        /// No operations: four fields.
        None = "none",
    }
}

/// How to write a book.
#[derive(Clone, Copy, Debug)]
pub struct Style<'n> {
    /// The format.
    pub form: Form,
    /// The operations in [`Form::Epd`].
    pub ops: EpdOps,
    /// Source of opening names.
    pub names: Option<&'n Openings>,
}

impl Style<'_> {
    /// Returns what must have been counted for a book of this style with this selection.
    pub fn details(&self, selection: &Selection) -> Details {
        let has_moves = !matches!(self.form, Form::Epd | Form::Pgn);
        let has_games = self.form != Form::Epd || self.ops == EpdOps::Counts;
        Details {
            moves: has_moves || selection.best_rated,
            games: has_games || selection.best_rated,
            latest: self.form == Form::Explorer,
            in_order: selection.order == Order::Position,
        }
    }
}

/// Statistics of the written book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Number of positions.
    pub total: u64,
    /// Number of positions with White to move.
    pub white: u64,
    /// Number of positions with Black to move.
    pub black: u64,
    /// Minimum number of plies before a position.
    pub min_depth: u32,
    /// Maximum number of plies before a position.
    pub max_depth: u32,
    /// Number of games that reached a position, summed over all positions.
    pub games: u64,
    /// Why the book is empty, if it is.
    pub empty: Option<String>,
}

impl Figures {
    fn add(&mut self, other: &Figures) {
        if other.total == 0 {
            return;
        }
        let least = if self.total == 0 { u32::MAX } else { self.min_depth };
        self.min_depth = least.min(other.min_depth);
        self.max_depth = self.max_depth.max(other.max_depth);
        self.total += other.total;
        self.games = self.games.saturating_add(other.games);
        self.white += other.white;
        self.black += other.black;
    }

    fn of(selected: &SelectedPosition<'_>) -> Self {
        let (depth, is_white) = (selected.source.ply, selected.key.turn().is_white());
        Figures {
            total: 1,
            white: is_white.into(),
            black: (!is_white).into(),
            min_depth: depth,
            max_depth: depth,
            games: selected.total.games,
            empty: None,
        }
    }
}

/// Returns the counts of one position and the names of the files of games; `None` if no game
/// reached it.
///
/// Sorting uses at most `memory` bytes; temporary files go to `folder`.
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
    let key = san::PositionKey::of(position);
    let (header, counts) = source.open(memory, folder)?;
    let mut found = None;
    for entry in entries(counts.counts(1), true) {
        let mut entry = entry?;
        if entry.key == key {
            join_pins(&mut entry.moves);
            found = Some(entry);
        }
    }
    Ok(found.map(|entry| (entry, header)))
}

/// Selects positions and writes the book. With `evaluate`, which is asked last, a sample consists
/// of positions that it selects.
///
/// Sorting uses at most `memory` bytes; temporary files go to `folder`.
///
/// # Errors
///
/// If the output or a temporary file cannot be written, or the format cannot represent the book.
pub fn write_book(
    source: Source,
    selection: &Selection,
    style: &Style<'_>,
    memory: usize,
    folder: &Path,
    evaluate: Option<&mut dyn Evaluate>,
    output: &mut dyn Write,
) -> Result<Figures, BookError> {
    style.form.check_built()?;
    let (header, counts) = source.open(memory, folder)?;
    if style.form == Form::Pgn && !header.moves {
        return Err(BookError::NoMoves);
    }
    let threads = counts.threads();
    let engine = evaluate.as_ref().map(|evaluate| evaluate.description());
    let is_evaluated = engine.is_some();
    let with_moves = style.details(selection).moves;
    let book = OpenedBook { counts, selection, with_moves, memory, folder, evaluate };
    let (mut figures, stages, has_moves) = match style.form {
        Form::Epd => {
            let form = epd::Epd { ops: style.ops, names: style.names, header: &header, engine };
            book.write(&form, &mut |piece| Ok(output.write_all(&piece.text)?))?
        }
        Form::Pgn => {
            let form = pgn::Pgn { with_game: selection.best_rated };
            book.write(&form, &mut |text| Ok(output.write_all(text.as_bytes())?))?
        }
        Form::Table(format) => book.write_table(format, style, &header, output)?,
        Form::Explorer => {
            let form = explorer::Explorer { names: style.names };
            let mut writer = explorer::ExplorerWriter::new(output)?;
            let written = book.write(&form, &mut |blocks| writer.write(blocks))?;
            writer.finish(&header, written.0.total)?;
            written
        }
        Form::Polyglot => {
            let mut sorter = Sorter::new(memory / 4, folder).with_threads(threads);
            let polyglot =
                polyglot::Polyglot { unknown: selection.unknown_result, moves: selection.moves };
            let written = book.write(&polyglot, &mut |piece| {
                Ok(piece.iter().try_for_each(|(key, entries)| sorter.push(key, entries))?)
            })?;
            polyglot::write_sorted(sorter, output)?;
            written
        }
    };
    output.flush()?;
    if figures.total == 0 {
        figures.empty = Some(empty::reason(selection, stages, is_evaluated, has_moves));
    }
    Ok(figures)
}

/// Several groups of a table are in memory beside the counts.
const GROUP_BYTES: usize = 4 << 20;

struct OpenedBook<'b, 'e> {
    counts: Totals,
    selection: &'b Selection,
    with_moves: bool,
    memory: usize,
    folder: &'b Path,
    evaluate: Option<&'e mut dyn Evaluate>,
}

impl OpenedBook<'_, '_> {
    /// Calls `take` with the pieces, in order; the last result is whether a position has moves.
    fn write<F: PieceForm>(
        self,
        form: &F,
        take: &mut dyn FnMut(F::Piece) -> Result<(), BookError>,
    ) -> Result<(Figures, Stages, bool), BookError> {
        let OpenedBook { counts, selection, with_moves, memory, folder, evaluate } = self;
        let (mut figures, mut has_moves) = (Figures::default(), false);
        let mut take = |(piece, of_piece, has): EncodedPiece<F::Piece>| {
            figures.add(&of_piece);
            has_moves |= has;
            take(piece)
        };
        let threads = counts.threads();
        let convert = |positions: &Positions| encode(form, selection, positions);
        let choose = |add: &mut AddPosition<'_>| {
            selection.choose(counts, with_moves, memory, folder, evaluate, add)
        };
        let stages = convert_pieces(F::SIZE, &threads, &convert, &mut take, choose)?;
        Ok((figures, stages, has_moves))
    }

    fn write_table(
        self,
        format: TableFormat,
        style: &Style<'_>,
        header: &Header,
        output: &mut dyn Write,
    ) -> Result<(Figures, Stages, bool), BookError> {
        let table = rows::Table::new(format, style, header);
        let settings = Settings { group_bytes: GROUP_BYTES, ..Settings::new(format) };
        let mut writer = TableWriter::new(table.schema().clone(), settings, self.counts.threads());
        let mut write = |bytes: &[u8]| output.write_all(bytes);
        let written = self.write(&table, &mut |rows| Ok(writer.write(rows, &mut write)?))?;
        writer.finish(&mut write)?;
        Ok(written)
    }
}
