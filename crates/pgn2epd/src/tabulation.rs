//! Converts a stream of PGN to rows of columns instead of text.

use std::fmt;
use std::io::{self, Read};

use emit::{Column, Fact, FactSet, Filter, Label, LabelForm, Ops, Plan, Rows};
use epd::{RegisterKeeper, RegisterPlace, RegisterStyle};
use openings::NameSource;

use crate::choose::{Chooser, ChunkRecords, KeptRecords, Marks};
use crate::conflicts::Conflicts;
use crate::convert::worker::Done;
use crate::convert::{ConvertError, Deliver, Run};
use crate::inputs::InputText;
use crate::observer::Observer;
use crate::options::{Format, Options};
use crate::summary::Summary;

/// A conversion of inputs into [`Rows`]: one row for each record that
/// [`Conversion`](crate::Conversion) would write with the same options, in the same order. Rows are
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
    /// The text of a record is generated only if it is in a [column](Fact::Record) or is needed to
    /// select positions. Results of equal positions are not averaged: [`Conflicts::Mean`] is the
    /// same as [`Conflicts::Drop`].
    pub fn new(columns: &[Column], options: &Options, take: T) -> Self {
        let mut options = options.clone();
        if options.conflicts == Conflicts::Mean {
            options.conflicts = Conflicts::Drop;
        }
        let plan = plan(columns, &options);
        let keeper = options.register_keeper(&plan);
        let chooser = Chooser::new(&options);
        let kept = KeptRows::default();
        let taker = Taker { columns: columns.to_vec(), chooser, keeper, kept, take };
        Tabulation(Run::new(taker, &options, plan, columns.to_vec()))
    }

    /// Sets the name of the following inputs, for [`Fact::File`] in columns, templates and
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
    /// [`Fact::File`](crate::Fact::File) is its name.
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

/// Returns the plan for the columns, without operations that no column needs.
fn plan(columns: &[Column], options: &Options) -> Plan {
    let fact_of = |column: &Column| match column {
        Column::Fact(fact) => Some(*fact),
        Column::Tag(_) | Column::Tags => None,
    };
    let facts: FactSet = columns.iter().filter_map(fact_of).collect();
    let filter = options.filter.as_ref().map(Filter::facts).unwrap_or_default();
    let mut plan = options.plan();
    let names = options.names.clone();
    if !facts.has(Fact::Record) {
        plan.ops = Ops::NONE;
        plan.registers = RegisterStyle::Off;
        plan.templates = Vec::new();
        plan.names = NameSource::Off;
        if !matches!(options.format, Format::Label(_)) {
            plan.format = match (facts.has(Fact::Fen), facts.has(Fact::Epd)) {
                (true, _) => emit::Format::Fen,
                (false, true) => emit::Format::Epd,
                (false, false) => emit::Format::Nothing,
            };
        }
    }
    if facts.union(filter).needs_names() {
        plan.names = names;
    }
    plan.facts = facts;
    // An empty line is not a row.
    (plan.blank_line, plan.second_blank_line) = (false, false);
    plan
}

/// Passes rows on.
struct Taker<T> {
    columns: Vec<Column>,
    chooser: Option<Chooser>,
    /// Adds the register operations of omitted records to those selected.
    keeper: Option<RegisterKeeper>,
    /// The stored rows.
    kept: KeptRows,
    take: T,
}

impl<T: FnMut(Rows) -> io::Result<()>> Deliver for Taker<T> {
    fn take(&mut self, done: &mut Done, games_before: u64) -> io::Result<(u64, u64)> {
        let Done { rows, marks, .. } = done;
        // The remaining rows indicate the capacity for the next ones.
        let like = Rows::new(&self.columns, rows);
        let mut rows = std::mem::replace(rows, like);
        rows.add_games(&self.columns, games_before);
        let Some(chooser) = &mut self.chooser else { return self.hand_on(rows) };
        let chosen = ChosenRows::new(&self.columns, &mut self.keeper);
        let mut chunk = ChunkRows { rows: &rows, marks, kept: &mut self.kept, chosen };
        chooser.take(marks, &mut chunk);
        let rows = chunk.chosen.rows;
        self.hand_on(rows)
    }

    fn take_rest(&mut self) -> io::Result<(u64, u64)> {
        let Some(chooser) = self.chooser.take() else { return Ok((0, 0)) };
        let chosen = ChosenRows::new(&self.columns, &mut self.keeper);
        let mut rest = RowsAtTheEnd { kept: &self.kept, chosen };
        chooser.finish(&mut rest);
        let rows = rest.chosen.rows;
        self.hand_on(rows)
    }

    fn is_full(&self) -> bool {
        self.chooser.as_ref().is_some_and(Chooser::is_full)
    }

    fn take_duplicates(&mut self) -> u64 {
        self.chooser.as_mut().map_or(0, Chooser::take_duplicates)
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
}

/// The selected rows.
struct ChosenRows<'c> {
    rows: Rows,
    columns: &'c [Column],
    keeper: &'c mut Option<RegisterKeeper>,
}

impl<'c> ChosenRows<'c> {
    fn new(columns: &'c [Column], keeper: &'c mut Option<RegisterKeeper>) -> Self {
        ChosenRows { rows: Rows::new(columns, &Rows::default()), columns, keeper }
    }

    /// Adds a row, with the registers that its record needs among those selected.
    fn push(&mut self, from: &Rows, row: usize, places: &[RegisterPlace]) {
        self.rows.push(from, row);
        let Some(keeper) = &mut self.keeper else { return };
        keeper.begin();
        let mut completed: Option<Vec<u8>> = None;
        for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
            if *column == Column::Fact(Fact::Record) {
                values.rewrite_last(|record, text| match &completed {
                    Some(completed) => text.extend_from_slice(completed),
                    None => {
                        let start = text.len();
                        keeper.write_placed(record, places, text);
                        completed = Some(text[start..].to_vec());
                    }
                });
            }
        }
    }
}

/// Rows that are decided on later.
#[derive(Default)]
struct KeptRows {
    rows: Rows,
    /// The row of each stored record; rows that are not among them are no longer needed.
    places: Vec<usize>,
    /// The places of the registers of each stored record.
    registers: Vec<Box<[RegisterPlace]>>,
}

impl KeptRows {
    fn keep(
        &mut self,
        from: &Rows,
        row: usize,
        registers: &[RegisterPlace],
        freed: Option<usize>,
    ) -> usize {
        if self.rows.columns.is_empty() {
            self.rows = from.without_rows();
        }
        if self.rows.len() > 2 * self.places.len() + 1024 {
            let mut needed = self.rows.without_rows();
            for (number, place) in self.places.iter_mut().enumerate() {
                needed.push(&self.rows, *place);
                *place = number;
            }
            self.rows = needed;
        }
        let place = self.rows.len();
        self.rows.push(from, row);
        match freed {
            Some(number) => {
                (self.places[number], self.registers[number]) = (place, registers.into());
                number
            }
            None => {
                self.places.push(place);
                self.registers.push(registers.into());
                self.places.len() - 1
            }
        }
    }
}

/// The rows of a chunk.
struct ChunkRows<'c> {
    rows: &'c Rows,
    marks: &'c Marks,
    kept: &'c mut KeptRows,
    chosen: ChosenRows<'c>,
}

impl ChunkRecords for ChunkRows<'_> {
    fn keep(&mut self, index: usize, _: Option<usize>, freed: Option<usize>) -> usize {
        self.kept.keep(self.rows, index, self.marks.register_places(index), freed)
    }

    fn write(&mut self, index: usize, _: u64) {
        self.chosen.push(self.rows, index, self.marks.register_places(index));
    }
}

/// The stored rows, when all inputs have been read.
struct RowsAtTheEnd<'c> {
    kept: &'c KeptRows,
    chosen: ChosenRows<'c>,
}

impl KeptRecords for RowsAtTheEnd<'_> {
    fn write(&mut self, number: usize, _: Option<(LabelForm, Label)>, _: u64) {
        let KeptRows { rows, places, registers } = self.kept;
        self.chosen.push(rows, places[number], &registers[number]);
    }
}

#[cfg(test)]
mod tests {
    use emit::Values;

    use super::*;

    #[test]
    fn stored_rows_keep_their_values_when_others_are_replaced() {
        let columns = [Column::Fact(Fact::Ply)];
        let mut rows = Rows::default();
        let mut tabulation = Tabulation::new(&columns, &Options::default(), |more| {
            rows = more;
            Ok(())
        });
        tabulation.input(&b"1. e4 e5 2. Nf3 Nc6 *"[..], &mut ()).unwrap();
        tabulation.finish().unwrap();
        let mut kept = KeptRows::default();
        let first = kept.keep(&rows, 3, &[], None);
        let second = kept.keep(&rows, 0, &[], None);
        // Its row is no longer the first one.
        assert_eq!(kept.keep(&rows, 4, &[], Some(first)), first);
        for number in 0..5_000 {
            assert_eq!(kept.keep(&rows, number % 5, &[], Some(second)), second);
            let Values::U32(plies) = &kept.rows.columns[0].values else { panic!("plies") };
            assert_eq!(plies[kept.places[first]], 4);
            assert_eq!(plies[kept.places[second]] as usize, number % 5);
            // Rows that are not needed are removed from time to time.
            assert!(kept.rows.len() < 1100, "{}", kept.rows.len());
        }
    }
}
