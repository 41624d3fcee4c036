//! Converts a stream of PGN to rows of columns instead of text.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

use dataset::Conflicts;
use emit::Column;
use stream::ordered::Threads;
use table::Rows;

use crate::convert::{ConvertError, Run};
use crate::data_set::{FileSet, OutputFile, RecordOutput, RowFile, RowWriter, SelectedRows};
use crate::inputs::InputText;
use crate::options::{Options, RowKind};
use crate::summary::{Observer, OutputCounts, Summary};

/// A conversion of inputs into [`Rows`]: one row for each record that
/// [`Conversion`](crate::Conversion) would write with the same options, in the same order, or one
/// for each [game](RowKind::Games). Rows are passed on in batches as they are made, so that memory
/// is bounded by the options and not by the size of the inputs.
///
/// ```
/// use pgn2epd::{Options, Tabulation};
/// use pgn2epd::table::{Column, Fact};
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
pub struct Tabulation<'t> {
    run: Run<'t>,
    columns: Vec<Column>,
}

impl<'t> Tabulation<'t> {
    /// Creates a tabulation that passes rows with these columns to `consume`. An error of `consume`
    /// ends the run and is returned as [`ConvertError::Write`].
    ///
    /// The text of a record is generated only if it is in a [column](crate::table::Fact::Record) or
    /// is needed to select positions. Results of equal positions are not averaged:
    /// [`Conflicts::Mean`] is the same as [`Conflicts::Drop`]. Rows are not divided:
    /// [`split`](Options::split) and [`rows_per_file`](Options::rows_per_file) have no effect.
    pub fn new(
        columns: &[Column],
        options: &Options,
        consume: impl FnMut(Rows) -> io::Result<()> + 't,
    ) -> Self {
        let mut options = options.clone();
        if options.conflicts == Conflicts::Mean {
            options.conflicts = Conflicts::Drop;
        }
        (options.split, options.rows_per_file) = (None, None);
        let columns = match options.rows {
            RowKind::Positions => columns.to_vec(),
            RowKind::Games => columns.iter().cloned().map(Column::of_games).collect(),
        };
        let plan = options.plan_of_columns(&columns);
        let threads = Threads::new(options.workers());
        let shared: Arc<[Column]> = columns.clone().into();
        let clearer = options.register_clearer(&plan);
        let file = SelectedRows::new(Receiver(Box::new(consume)), Arc::clone(&shared), clearer);
        let writer = RowWriter::new(FileSet::One(file), shared, &options);
        let output = Box::new(RecordOutput::new(writer, &options, &threads));
        let run = Run::new(output, &options, plan, columns.clone(), threads);
        Tabulation { run, columns }
    }

    /// Sets the name of the following inputs, for [`Fact::File`](crate::table::Fact::File) in
    /// columns, templates and conditions.
    pub fn name_input(&mut self, file: &str) {
        self.run.name_input(file);
    }

    /// Makes rows of all games of an input, and returns its totals; `observer` receives problems
    /// and progress.
    ///
    /// # Errors
    ///
    /// The same as [`convert`](crate::convert).
    pub fn input(
        &mut self,
        input: impl Read,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        self.run.input(input, observer)
    }

    /// Makes rows of all games of a text, like [`Tabulation::input`];
    /// [`Fact::File`](crate::table::Fact::File) is its name.
    ///
    /// # Errors
    ///
    /// The same as [`Conversion::text`](crate::Conversion::text).
    pub fn text(
        &mut self,
        text: InputText<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Summary, ConvertError> {
        self.run.name_input(text.name());
        self.run.text(text, observer)
    }

    /// Whether no further rows can follow.
    pub fn is_over(&self) -> bool {
        self.run.is_over()
    }

    /// Makes the rows that depend on the whole input, and returns the totals.
    ///
    /// # Errors
    ///
    /// The same as [`convert`](crate::convert).
    pub fn finish(mut self) -> Result<Summary, ConvertError> {
        self.run.finish()
    }
}

impl fmt::Debug for Tabulation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tabulation").field("columns", &self.columns).finish_non_exhaustive()
    }
}

struct Receiver<'t>(Box<dyn FnMut(Rows) -> io::Result<()> + 't>);

impl RowFile for Receiver<'_> {
    fn push(&mut self, rows: Rows, _: u64) -> io::Result<()> {
        (self.0)(rows)
    }
}

impl OutputFile for Receiver<'_> {
    type Output = io::Sink;

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn counts(&self) -> OutputCounts {
        OutputCounts::default()
    }
}
