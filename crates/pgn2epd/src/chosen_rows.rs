//! Selects rows, and stores those that are decided on later.

use emit::{Column, Fact, Label, LabelForm, Plan, Rows};
use epd::{RegisterKeeper, RegisterPlace};

use crate::choose::{Chooser, ChunkRecords, KeptRecords, Marks};
use crate::options::{Options, RowKind};

/// Numbers the games of rows, and selects rows.
#[derive(Debug)]
pub(crate) struct RowChooser {
    columns: Vec<Column>,
    chooser: Option<Chooser>,
    /// Adds the register operations of omitted records to those selected.
    keeper: Option<RegisterKeeper>,
    /// The stored rows.
    kept: KeptRows,
    /// Whether a row is a game.
    has_games: bool,
}

impl RowChooser {
    pub(crate) fn new(columns: &[Column], options: &Options, plan: &Plan) -> Self {
        RowChooser {
            columns: columns.to_vec(),
            chooser: Chooser::new(options),
            keeper: options.register_keeper(plan),
            kept: KeptRows::default(),
            has_games: options.rows == RowKind::Games,
        }
    }

    /// Returns the number of positions in rows; `read` is the number of positions read for them.
    pub(crate) fn positions(&self, rows: &Rows, read: u64) -> u64 {
        // Games are not selected later, so all of their positions are in rows.
        if self.has_games { read } else { rows.len() as u64 }
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the selected rows of a chunk, given the number of games before it.
    pub(crate) fn take(&mut self, rows: &mut Rows, marks: &Marks, games_before: u64) -> Rows {
        // The remaining rows indicate the capacity for the next ones.
        let like = Rows::new(&self.columns, rows);
        let mut rows = std::mem::replace(rows, like);
        rows.add_games(&self.columns, games_before);
        let Some(chooser) = &mut self.chooser else { return rows };
        let chosen = ChosenRows::new(&self.columns, &mut self.keeper);
        let mut chunk = ChunkRows { rows: &rows, marks, kept: &mut self.kept, chosen };
        chooser.take(marks, &mut chunk);
        chunk.chosen.rows
    }

    /// Returns the selected rows among those stored, once.
    pub(crate) fn take_rest(&mut self) -> Option<Rows> {
        let chooser = self.chooser.take()?;
        let chosen = ChosenRows::new(&self.columns, &mut self.keeper);
        let mut rest = RowsAtTheEnd { kept: &self.kept, chosen };
        chooser.finish(&mut rest);
        Some(rest.chosen.rows)
    }

    /// Whether no further row will be selected.
    pub(crate) fn is_full(&self) -> bool {
        self.chooser.as_ref().is_some_and(Chooser::is_full)
    }

    /// Returns the number of duplicates dropped since the last call.
    pub(crate) fn take_duplicates(&mut self) -> u64 {
        self.chooser.as_mut().map_or(0, Chooser::take_duplicates)
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
#[derive(Debug, Default)]
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
    use emit::{Fact, Plan, Replay, RowSink, Text, Values};

    use super::*;

    #[test]
    fn stored_rows_keep_their_values_when_others_are_replaced() {
        let columns = [Column::Fact(Fact::Ply)];
        let plan = Plan { facts: [Fact::Ply].into_iter().collect(), ..Plan::default() };
        let mut rows = Rows::new(&columns, &Rows::default());
        let mut text = Text::default();
        let sink = RowSink::new(text.sink(&plan), &columns, &plan, &mut rows);
        let pgn = pgn::Chunk::whole(b"1. e4 e5 2. Nf3 Nc6 *");
        Replay::new(pgn, &plan).run(&mut { sink });
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
