//! The way of a stream into rows of columns: as a conversion, but for those who make tables of positions.

use std::fmt;
use std::io::{self, Read};

use emit::{Column, NameSource, Ops, Plan, RegisterStyle, Rows};

use crate::choose::Chooser;
use crate::convert::{Deliver, Done, Run};
use crate::{Conflicts, ConvertError, Format, Options, Summary, Watch};

/// A conversion of inputs into [`Rows`]: a row for each record that [`Conversion`](crate::Conversion) would write with the same options, in the
/// same order. They come in pieces, as they are made, so that memory is bounded by the options and not by the inputs.
///
/// ```
/// use pgn2epd::{Column, Options, Tabulation};
///
/// let columns = [Column::Ply, Column::Uci, Column::Tag("White".to_owned())];
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
    /// Rows of these columns go to `take`, which ends it all by an error: that comes back as [`ConvertError::Write`].
    ///
    /// Records themselves are made as far as they have a [column](Column::Record), or say which positions are wanted. Of
    /// equal positions whose results contradict no means are made: [`Conflicts::Mean`] is as [`Conflicts::Drop`].
    pub fn new(columns: &[Column], options: &Options, take: T) -> Self {
        let mut options = options.clone();
        if options.conflicts == Conflicts::Mean {
            options.conflicts = Conflicts::Drop;
        }
        let taker = Taker { columns: columns.to_vec(), take };
        let plan = plan(columns, &options);
        Tabulation(Run::new(taker, &options, plan, columns.to_vec()))
    }

    /// Names the inputs that follow, for [`Column::File`] and templates that ask for `{file}`.
    pub fn name_input(&mut self, file: &str) {
        self.0.name_input(file);
    }

    /// Makes rows of all games of an input, and tells what was done with it; `watch` is told of problems and progress.
    ///
    /// # Errors
    ///
    /// As [`convert`](crate::convert).
    pub fn input(
        &mut self,
        input: impl Read,
        watch: &mut dyn Watch,
    ) -> Result<Summary, ConvertError> {
        self.0.input(input, watch)
    }

    /// Whether no more rows will come, whatever is read.
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Makes the rows that could not be made before all was known, and tells what was done.
    ///
    /// # Errors
    ///
    /// As [`convert`](crate::convert).
    pub fn finish(self) -> Result<Summary, ConvertError> {
        self.0.finish()
    }
}

impl<T> fmt::Debug for Tabulation<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tabulation")
            .field("columns", &self.0.output.columns)
            .finish_non_exhaustive()
    }
}

/// The plan that goes with the columns: nothing is written into records that nobody sees.
fn plan(columns: &[Column], options: &Options) -> Plan {
    let has = |column: Column| columns.contains(&column);
    let mut plan = options.plan();
    let names = options.names.clone();
    if !has(Column::Record) {
        plan.ops = Ops::NONE;
        plan.registers = RegisterStyle::Off;
        plan.templates = Vec::new();
        plan.names = NameSource::Off;
        if !matches!(options.format, Format::Label(_)) {
            plan.format = if has(Column::Fen) { emit::Format::Fen } else { emit::Format::Epd };
        }
    }
    if has(Column::Eco) || has(Column::Opening) {
        plan.names = names;
    }
    plan.machines = has(Column::Eval) || has(Column::Clock);
    plan.places = has(Column::Line);
    // An empty line is no row.
    (plan.blank_line, plan.second_blank_line) = (false, false);
    plan
}

/// Hands rows on.
struct Taker<T> {
    columns: Vec<Column>,
    take: T,
}

impl<T: FnMut(Rows) -> io::Result<()>> Deliver for Taker<T> {
    fn take(
        &mut self,
        done: &mut Done,
        chooser: &mut Option<Chooser>,
        games_before: u64,
    ) -> io::Result<(u64, u64)> {
        let Done { rows, marks, .. } = done;
        // What stays behind tells how much room the next ones need.
        let like = Rows::new(&self.columns, rows);
        let mut rows = std::mem::replace(rows, like);
        rows.add_games(&self.columns, games_before);
        let Some(chooser) = chooser else { return self.hand_on(rows) };
        let mut packed = Vec::new();
        marks.move_to(|row| {
            let start = packed.len();
            rows.pack(row, &mut packed);
            (start, packed.len())
        });
        let mut chosen = Vec::new();
        chooser.take(&packed, marks, &mut chosen)?;
        self.unpack(&chosen)
    }

    fn take_rest(&mut self, chooser: Chooser) -> io::Result<(u64, u64)> {
        let mut chosen = Vec::new();
        chooser.finish(&mut chosen)?;
        self.unpack(&chosen)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<T: FnMut(Rows) -> io::Result<()>> Taker<T> {
    fn hand_on(&mut self, rows: Rows) -> io::Result<(u64, u64)> {
        let count = rows.len() as u64;
        (self.take)(rows)?;
        Ok((count, 0))
    }

    fn unpack(&mut self, mut packed: &[u8]) -> io::Result<(u64, u64)> {
        let mut rows = Rows::new(&self.columns, &Rows::default());
        while !packed.is_empty() {
            let rest = rows.push_packed(packed);
            packed = rest.ok_or_else(|| io::Error::other("a row that was kept is damaged"))?;
        }
        self.hand_on(rows)
    }
}
