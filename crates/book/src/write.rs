//! Formats of a book: one writer each.

mod polyglot;
mod text;

pub use text::columns;

use std::io::{self, Write};
use std::mem;
use std::path::Path;

use openings::{Name, Openings};
use san::keywords;
use stream::ordered::Threads;
use stream::spill::Sorter;
use table::{Settings, TableFormat, TableWriter};

use crate::aggregate::Source;
use crate::block::{BLOCK, BlockBuilder};
use crate::collect::Details;
use crate::count_file::{CountFileWriter, Header, compressed};
use crate::error::BookError;
use crate::select::{Evaluate, Order, SelectedPosition, Selection, Stages, TakePosition, Weights};

/// Some positions, and the one before them.
#[derive(Debug)]
struct WrittenBatch<P> {
    before: Option<P>,
    positions: Vec<P>,
}

/// Converts the positions of `produce` on all threads, in pieces of `size`; results in order.
/// Without any position, an empty piece is converted.
fn convert_pieces<P: Clone + Send, R: Send, T>(
    size: usize,
    threads: &Threads,
    convert: &(dyn Fn(&WrittenBatch<P>) -> R + Sync),
    take: &mut dyn FnMut(R) -> Result<(), BookError>,
    produce: impl FnOnce(&mut dyn FnMut(P) -> Result<(), BookError>) -> Result<T, BookError>,
) -> Result<T, BookError> {
    threads.map_produced(
        |piece: WrittenBatch<P>| convert(&piece),
        take,
        |give| {
            let mut piece = WrittenBatch { before: None, positions: Vec::new() };
            let produced = produce(&mut |position| {
                piece.positions.push(position);
                if piece.positions.len() < size {
                    return Ok(());
                }
                let next =
                    WrittenBatch { before: piece.positions.last().cloned(), positions: Vec::new() };
                give(mem::replace(&mut piece, next))
            })?;
            if !piece.positions.is_empty() || piece.before.is_none() {
                give(piece)?;
            }
            Ok(produced)
        },
    )?
}

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
    /// An explorer file: see [`count_file`](crate::count_file).
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
    /// Checks that this build supports the format. Fails if it does not.
    pub fn check_built(self) -> Result<(), BookError> {
        match self {
            Form::Table(format) if !format.is_built() => {
                Err(BookError::Refused(table::NOT_BUILT.to_owned()))
            }
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

    fn of(selected: &SelectedPosition) -> Self {
        let (depth, is_white) = (selected.source.ply.into(), selected.entry.key.turn().is_white());
        Figures {
            total: 1,
            white: is_white.into(),
            black: (!is_white).into(),
            min_depth: depth,
            max_depth: depth,
            games: selected.entry.total.games,
            empty: None,
        }
    }
}

/// Writes all counts. Merging uses at most `memory` bytes; temporary files go to `folder`. Fails if
/// a part or a file cannot be read or written, or the parts were counted differently.
pub fn write_partial(
    source: Source,
    memory: usize,
    folder: &Path,
    output: &mut dyn Write,
) -> Result<(), BookError> {
    let (header, counts) = source.open(memory, folder)?;
    let selection = Selection { order: Order::Position, ..Selection::default() };
    let threads = counts.threads.clone();
    let choose =
        |take: &mut TakePosition<'_>| selection.choose(counts, true, memory, folder, None, take);
    write_count_file(choose, &threads, None, header, output)?;
    Ok(output.flush()?)
}

/// Selects positions and writes the book. With `evaluate`, which is asked last, a sample consists
/// of positions that it selects. Sorting uses at most `memory` bytes; temporary files go to
/// `folder`. Fails if the output or a temporary file cannot be written, or the format cannot
/// represent the book.
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
    let (mut header, counts) = source.open(memory, folder)?;
    if style.form == Form::Pgn && !header.moves {
        let reason = "this partial result has no moves, which PGN needs: make it with --keep-moves";
        return Err(BookError::Refused(reason.to_owned()));
    }
    let threads = &counts.threads.clone();
    let engine = evaluate.as_ref().map(|evaluate| evaluate.description());
    let is_evaluated = engine.is_some();
    let with_moves = style.details(selection).moves;
    let choose = |take: &mut TakePosition<'_>| {
        selection.choose(counts, with_moves, memory, folder, evaluate, take)
    };
    let (mut figures, stages, has_moves) = match style.form {
        Form::Epd => {
            let form = text::Epd { ops: style.ops, names: style.names, header: &header, engine };
            write_form(choose, threads, &form, &mut |piece| Ok(output.write_all(&piece.text)?))?
        }
        Form::Pgn => {
            let form = text::Pgn { with_game: selection.best_rated };
            let mut take = |text: String| Ok(output.write_all(text.as_bytes())?);
            write_form(choose, threads, &form, &mut take)?
        }
        Form::Table(format) => {
            let table = text::TableForm::new(format, style, &header);
            let settings = Settings { group_bytes: GROUP_BYTES, ..Settings::new(format) };
            let mut writer = TableWriter::new(table.schema.clone(), settings, threads.clone());
            let mut write = |bytes: &[u8]| output.write_all(bytes);
            let mut take = |rows| Ok(writer.write(rows, &mut write)?);
            let written = write_form(choose, threads, &table, &mut take)?;
            writer.finish(&mut write)?;
            written
        }
        Form::Explorer => {
            let names =
                (0..header.files.len() as u32).filter_map(|file| header.published_name(file));
            header.files = names.map(str::to_owned).collect();
            header.selected = is_evaluated || selection.selects();
            write_count_file(choose, threads, style.names, header, output)?
        }
        Form::Polyglot => {
            let mut sorter = Sorter::new(memory / 4, folder, threads);
            let form =
                polyglot::Polyglot { unknown: selection.unknown_result, moves: selection.moves };
            let written = write_form(choose, threads, &form, &mut |piece| {
                Ok(piece.iter().try_for_each(|(key, entries)| sorter.push(key, entries))?)
            })?;
            polyglot::write_sorted(sorter, output)?;
            written
        }
    };
    output.flush()?;
    if figures.total == 0 {
        figures.empty = Some(reason(selection, stages, is_evaluated, has_moves));
    }
    Ok(figures)
}

/// Several groups of a table are in memory beside the counts.
const GROUP_BYTES: usize = 4 << 20;

/// Figures, and whether one of the positions has moves.
type WrittenFigures = (Figures, Stages, bool);

/// Calls `take` with the pieces of the positions of `choose`, in order.
fn write_form<F: PieceForm>(
    choose: impl FnOnce(&mut TakePosition<'_>) -> Result<Stages, BookError>,
    threads: &Threads,
    form: &F,
    take: &mut dyn FnMut(F::Piece) -> Result<(), BookError>,
) -> Result<WrittenFigures, BookError> {
    let (mut figures, mut has_moves) = (Figures::default(), false);
    let mut take = |(piece, of_piece, has): (F::Piece, Figures, bool)| {
        figures.add(&of_piece);
        has_moves |= has;
        take(piece)
    };
    let convert = |piece: &WrittenBatch<SelectedPosition>| {
        let (mut out, mut figures, mut has_moves) = (form.begin(), Figures::default(), false);
        if let Some(before) = &piece.before {
            form.follow(before, &mut out);
        }
        for selected in &piece.positions {
            has_moves |= selected.has_moves();
            if form.write(selected, &mut out) {
                figures.add(&Figures::of(selected));
            }
        }
        F::end(&mut out);
        (out, figures, has_moves)
    };
    let stages = convert_pieces(F::SIZE, threads, &convert, &mut take, choose)?;
    Ok((figures, stages, has_moves))
}

/// Blocks are cut on this thread, so that they do not depend on others, and compressed on all.
fn write_count_file(
    choose: impl FnOnce(&mut TakePosition<'_>) -> Result<Stages, BookError>,
    threads: &Threads,
    names: Option<&Openings>,
    mut header: Header,
    output: &mut dyn Write,
) -> Result<WrittenFigures, BookError> {
    let (mut figures, mut has_moves) = (Figures::default(), false);
    let mut writer = CountFileWriter::new(output)?;
    let compress = |(first, bytes): ([u8; 32], Vec<u8>)| (first, compressed(&bytes));
    let mut take = |(first, bytes): (_, io::Result<Vec<u8>>)| Ok(writer.write(first, &bytes?)?);
    let stages = threads.map_produced(compress, &mut take, |give| {
        let mut end = |first, bytes: &[u8]| give((first, bytes.to_vec()));
        let mut builder = BlockBuilder::of_size(BLOCK);
        let stages = choose(&mut |selected| {
            figures.add(&Figures::of(&selected));
            has_moves |= selected.has_moves();
            let name = selected.name(names);
            let names = [name.and_then(Name::eco), name.and_then(Name::opening)];
            builder.push(names.map(Option::unwrap_or_default), &selected.entry, &mut end)
        })?;
        builder.end(&mut end)?;
        Ok::<_, BookError>(stages)
    })??;
    header.positions = figures.total;
    writer.finish(&header)?;
    Ok((figures, stages, has_moves))
}

/// A format of which pieces are encoded on any thread, and joined in order.
trait PieceForm: Sync {
    type Piece: Default + Send;

    /// Number of positions in a piece.
    const SIZE: usize = 256;

    fn begin(&self) -> Self::Piece {
        Self::Piece::default()
    }

    /// Notes the position before a piece, on which the piece depends if the format has registers.
    fn follow(&self, _before: &SelectedPosition, _piece: &mut Self::Piece) {}

    /// Writes a position; returns whether the format has anything to write for it.
    fn write(&self, selected: &SelectedPosition, piece: &mut Self::Piece) -> bool;

    fn end(_piece: &mut Self::Piece) {}
}

/// Returns why a book is empty: the first step after which no position was left.
fn reason(selection: &Selection, stages: Stages, is_evaluated: bool, has_moves: bool) -> String {
    let moves = &selection.moves;
    match stages {
        // Positions with too few games may have been dropped earlier.
        Stages { with_games: 0, .. } if selection.min_games > 1 => {
            format!("no position was reached by {} games (--min-games)", selection.min_games)
        }
        Stages { with_games: 0, .. } => "no position was counted".to_owned(),
        Stages { with_score: 0, .. } => {
            let options = given([
                ("--min-score", selection.min_score.is_some()),
                ("--max-score", selection.max_score.is_some()),
                ("--max-draws", selection.max_draws.is_some()),
            ]);
            format!("no position has a result that meets {options}")
        }
        Stages { sides: [0, 0], .. } => {
            "the game is over in all positions (--omit finished)".to_owned()
        }
        Stages { with_evaluation: 0, .. }
            if is_evaluated && selection.wants_more([0, 0], san::Color::White) =>
        {
            "no position has an evaluation of the engine that meets --eval and --draws".to_owned()
        }
        Stages { sides: [0, left] | [left, 0], .. } if selection.equal_turns => {
            let turn = if stages.sides[0] == 0 { "White" } else { "Black" };
            match left {
                1 => format!("the only position has {turn} to move (--equal-turns)"),
                _ => format!("all {left} positions have {turn} to move (--equal-turns)"),
            }
        }
        Stages { selected: 0, .. } => {
            format!("--sample {} leaves no position", selection.sample.unwrap_or_default())
        }
        // The others are reasons of Polyglot books.
        _ if !has_moves => "no position has a move, which a Polyglot book needs".to_owned(),
        _ => match &*given([
            ("--min-move-games", moves.min_games > 1),
            ("--min-move-score", moves.min_score.is_some()),
        ]) {
            "" => {
                "no move has a point: all games were lost or have no result that counts".to_owned()
            }
            options if moves.weights == Weights::Uniform => format!("no move meets {options}"),
            options => format!("no move with a point meets {options}"),
        },
    }
}

fn given<const N: usize>(options: [(&str, bool); N]) -> String {
    let given = options.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name);
    given.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_leave_in_order_and_have_the_position_before_them() {
        for (threads, count) in [(1, 0), (1, 1), (2, 24), (3, 25), (2, 100)] {
            let convert = |piece: &WrittenBatch<u8>| (piece.before, piece.positions.clone());
            let mut found = Vec::new();
            let mut take = |piece| {
                found.push(piece);
                Ok(())
            };
            let threads = Threads::new(threads);
            let produce =
                |add: &mut dyn FnMut(u8) -> Result<(), BookError>| (0..count).try_for_each(add);
            convert_pieces(3, &threads, &convert, &mut take, produce).unwrap();
            let mut last = None;
            for (before, piece) in &found {
                assert_eq!(*before, last);
                last = piece.last().copied().or(last);
            }
            assert_eq!(found.len(), usize::from(count.div_ceil(3)).max(1));
            assert!(found.into_iter().flat_map(|(_, piece)| piece).eq(0..count));
        }
    }
}
