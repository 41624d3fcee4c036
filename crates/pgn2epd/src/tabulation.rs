//! Converts a stream of PGN to rows of columns instead of text.

use std::fmt;
use std::io::{self, Read};

use emit::{Column, Rows};
use stream::ordered::Threads;

use crate::choose::rows::RowChooser;
use crate::convert::deliver::{Deliver, Delivered};
use crate::convert::worker::Done;
use crate::convert::{ConvertError, Run};
use crate::equal_positions::Conflicts;
use crate::inputs::InputText;
use crate::observer::Observer;
use crate::options::{Options, RowKind};
use crate::summary::Summary;
use crate::table::plan::plan_of_columns;

/// A conversion of inputs into [`Rows`]: one row for each record that
/// [`Conversion`](crate::Conversion) would write with the same options, in the same order, or one for each
/// [game](RowKind::Games). Rows are
/// passed on in batches as they are made, so that memory is bounded by the options and not by the
/// size of the inputs.
///
/// ```
/// use pgn2epd::{Column, Fact, Options, Tabulation};
///
/// let columns = [Column::Fact(Fact::Ply), Column::Fact(Fact::Uci), Column::Tag("White".to_owned())];
/// let mut moves = Vec::new();
/// let mut tabulation = Tabulation::new(&columns, &Options::default(), |rows| {
///     for row in 0..rows.len() {
///         moves.push(rows.columns[1].text(row).map(str::to_owned));
///     }
///     Ok(())
/// });
/// tabulation.input(&b"[White \"Anderssen\"]\n\n1. e4 e5 *"[..], &mut ())?;
/// assert_eq!(tabulation.finish()?.positions, 3);
/// assert_eq!(moves, [Some("e2e4".to_owned()), Some("e7e5".to_owned()), None]);
/// # Ok::<_, pgn2epd::ConvertError>(())
/// ```
pub struct Tabulation<T>(Run<Taker<T>>);

impl<T: FnMut(Rows) -> io::Result<()>> Tabulation<T> {
    /// Creates a tabulation that passes rows with these columns to `take`. An error of `take` ends
    /// the run and is returned as [`ConvertError::Write`].
    ///
    /// The text of a record is generated only if it is in a [column](emit::Fact::Record) or is needed to
    /// select positions. Results of equal positions are not averaged: [`Conflicts::Mean`] is the
    /// same as [`Conflicts::Drop`]. Rows are not divided: [`split`](Options::split), [`shards`](Options::shards),
    /// [`rows_per_file`](Options::rows_per_file) and [`partition_by`](Options::partition_by) have no effect.
    pub fn new(columns: &[Column], options: &Options, take: T) -> Self {
        let mut options = options.clone();
        if options.conflicts == Conflicts::Mean {
            options.conflicts = Conflicts::Drop;
        }
        (options.split, options.shards) = (None, None);
        (options.rows_per_file, options.partition_by) = (None, None);
        let columns = match options.rows {
            RowKind::Positions => columns.to_vec(),
            RowKind::Games => columns.iter().cloned().map(Column::of_games).collect(),
        };
        let plan = plan_of_columns(&columns, &options);
        let threads = Threads::new(options.workers());
        let taker =
            Taker { rows: RowChooser::new(&columns, &options, &plan, 1, threads.clone()), take };
        Tabulation(Run::new(taker, &options, plan, columns, threads))
    }

    /// Sets the name of the following inputs, for [`Fact::File`](emit::Fact::File) in columns, templates and
    /// conditions.
    pub fn name_input(&mut self, file: &str) {
        self.0.name_input(file);
    }

    /// Makes rows of all games of an input, and returns its totals; `observer` receives problems and
    /// progress.
    ///
    /// # Errors
    ///
    /// The same as [`convert`](crate::convert).
    pub fn input(
        &mut self,
        input: impl Read,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        self.0.input(input, observer)
    }

    /// Makes rows of all games of a text, like [`Tabulation::input`];
    /// [`Fact::File`](emit::Fact::File)(crate::Fact::File) is its name.
    ///
    /// # Errors
    ///
    /// The same as [`Conversion::text`](crate::Conversion::text).
    pub fn text(
        &mut self,
        text: InputText<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        self.0.name_input(text.name());
        self.0.text(text, observer)
    }

    /// Whether no further rows can follow.
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Makes the rows that depend on the whole input, and returns the totals.
    ///
    /// # Errors
    ///
    /// The same as [`convert`](crate::convert).
    pub fn finish(mut self) -> Result<Summary, ConvertError> {
        self.0.finish()
    }
}

impl<T> fmt::Debug for Tabulation<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tabulation")
            .field("columns", &self.0.output.rows.columns())
            .finish_non_exhaustive()
    }
}

/// Passes rows on.
struct Taker<T> {
    rows: RowChooser,
    take: T,
}

impl<T: FnMut(Rows) -> io::Result<()>> Deliver for Taker<T> {
    fn take(&mut self, done: &mut Done, games_before: u64) -> io::Result<Delivered> {
        let Taker { rows, take } = self;
        let counts = (games_before, done.text.positions);
        let positions =
            rows.take(&mut done.rows, &mut done.marks, counts, &mut |handed| take(handed.rows))?;
        Ok(Delivered { positions, bytes: 0, duplicates: rows.take_duplicates() })
    }

    fn end_input(&mut self) -> io::Result<Delivered> {
        Ok(Delivered::default())
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        let Taker { rows, take } = self;
        let (positions, duplicates) = rows.take_rest(&mut |handed| take(handed.rows))?;
        Ok(Delivered { positions, bytes: 0, duplicates })
    }

    fn is_full(&self) -> bool {
        self.rows.is_full()
    }
}
