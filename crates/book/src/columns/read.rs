//! Converts rows of a partial result to counts, whatever program wrote them.

use std::collections::HashMap;
use std::io;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray, StructArray,
};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Schema};
use pgn::Outcome;
use san::{MoveCode, PositionKey};

use super::schema::{EVALUATION, HEADER, PLACE, RESULT, SUMS, TEXTS};
use crate::evaluation::Evaluation;
use crate::partial::Header;
use crate::run::Counted;
use crate::tally::{GameInfo, SourceLocation, Strongest, Tally};

/// File names in order of appearance; counts refer to them by index.
#[derive(Debug, Default)]
pub(crate) struct FileNames {
    places: HashMap<String, u32>,
    pub(crate) names: Vec<String>,
}

impl FileNames {
    pub(crate) fn place(&mut self, name: &str) -> u32 {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.names.len() as u32;
        self.places.insert(name.to_owned(), place);
        self.names.push(name.to_owned());
        place
    }
}

/// Returns the header stored in a schema, if any.
pub(crate) fn header_of(schema: &Schema) -> io::Result<Option<Header>> {
    let text = schema.metadata().get(HEADER);
    Ok(text.map(|text| serde_json::from_str(text)).transpose()?)
}

/// The rows of a batch.
pub(crate) struct Rows {
    len: usize,
    counted: StringArray,
    key: BinaryArray,
    next: Int64Array,
    sums: [Int64Array; 6],
    years: [Int64Array; 2],
    first: At,
    minus_elo_sum: Int64Array,
    strongest: At,
    result: [Int64Array; 2],
    texts: [StringArray; 3],
    moves: BinaryArray,
}

struct At {
    file: StringArray,
    numbers: [Int64Array; 4],
    evaluation: Int64Array,
}

/// A table that columns are looked up in, with the name of its struct for messages.
struct Table<'t> {
    columns: &'t StructArray,
    name: &'static str,
}

impl Rows {
    pub(crate) fn of(batch: RecordBatch) -> io::Result<Self> {
        let len = batch.num_rows();
        let batch = StructArray::from(batch);
        let all = Table { columns: &batch, name: "" };
        let first = all.column("first")?;
        let strongest = all.column("strongest")?;
        let first = all.table("first", &first)?;
        let strongest = all.table("strongest", &strongest)?;
        Ok(Rows {
            len,
            counted: all.text("counted")?,
            key: all.bytes("key", Nulls::Refused)?,
            next: all.numbers("move", Nulls::Refused)?,
            sums: all.all_numbers(SUMS)?,
            years: [
                all.numbers("first_year", Nulls::Taken)?,
                all.numbers("last_year", Nulls::Taken)?,
            ],
            first: At::of(&first)?,
            minus_elo_sum: strongest.numbers("minus_elo_sum", Nulls::Refused)?,
            strongest: At::of(&strongest)?,
            result: strongest.all_numbers(RESULT)?,
            texts: strongest.all_texts(TEXTS)?,
            moves: strongest.bytes("moves", Nulls::Taken)?,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns how the games of a row were counted, and whether their moves were kept.
    pub(crate) fn counted(&self, row: usize) -> (&str, bool) {
        (self.counted.value(row), self.moves.is_valid(row))
    }

    /// Returns the count of a row.
    pub(crate) fn count(&self, row: usize, files: &mut FileNames) -> io::Result<Counted> {
        let bytes = self.key.value(row);
        let key = bytes
            .try_into()
            .map_err(|_| refused(format!("a key has {} bytes instead of 32", bytes.len())))?;
        let next = small("move", self.next.value(row))?;
        let mut sums = [0; 6];
        for (sum, (name, column)) in sums.iter_mut().zip(SUMS.iter().zip(&self.sums)) {
            *sum = small(name, column.value(row))?;
        }
        let [games, white, draws, black, rated, rating_sum] = sums;
        let year = |column: &Int64Array| match column.is_valid(row) {
            true => small("year", column.value(row)),
            false => Ok(0),
        };
        let outcome: u8 = small("outcome", self.result[0].value(row))?;
        let elo_sum = self.minus_elo_sum.value(row).checked_neg().unwrap_or(-1);
        let [white_name, black_name, start] = &self.texts;
        let moves = if self.moves.is_valid(row) { self.moves.value(row) } else { &[] };
        let code = |pair: &[u8]| u16::from_be_bytes([pair[0], pair[1]]);
        let tally = Tally {
            games,
            white,
            draws,
            black,
            rated,
            rating_sum,
            first_year: year(&self.years[0])?,
            last_year: year(&self.years[1])?,
            first: self.first.occurrence(row, files)?,
            strongest: Strongest {
                elo_sum: small("minus_elo_sum", elo_sum)?,
                at: self.strongest.occurrence(row, files)?,
                outcome: Outcome::of_number(outcome)
                    .ok_or_else(|| refused(format!("unknown outcome {outcome}")))?,
                year: small("year", self.result[1].value(row))?,
                info: GameInfo {
                    white: white_name.value(row).into(),
                    black: black_name.value(row).into(),
                    start: start.value(row).into(),
                    moves: moves.chunks_exact(2).map(code).collect(),
                },
            },
        };
        Ok(Counted(PositionKey::from_bytes(key), MoveCode(next), tally))
    }
}

impl At {
    fn of(table: &Table<'_>) -> io::Result<Self> {
        let evaluation = match table.columns.column_by_name(EVALUATION) {
            // Absent in files written by older versions.
            None => Int64Array::new_null(table.columns.len()),
            Some(_) => table.numbers(EVALUATION, Nulls::Taken)?,
        };
        Ok(At { file: table.text("file")?, numbers: table.all_numbers(PLACE)?, evaluation })
    }

    fn occurrence(&self, row: usize, files: &mut FileNames) -> io::Result<SourceLocation> {
        let [game, ply, halfmoves, fullmoves] = &self.numbers;
        Ok(SourceLocation {
            file: files.place(self.file.value(row)),
            game: small("game", game.value(row))?,
            ply: small("ply", ply.value(row))?,
            halfmoves: small("halfmoves", halfmoves.value(row))?,
            fullmoves: small("fullmoves", fullmoves.value(row))?,
            evaluation: match self.evaluation.is_valid(row) {
                true => Evaluation::new(small(EVALUATION, self.evaluation.value(row))?),
                false => Evaluation::NONE,
            },
        })
    }
}

/// How to treat null values in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nulls {
    Taken,
    Refused,
}

impl<'t> Table<'t> {
    fn full(&self, name: &str) -> String {
        if self.name.is_empty() { name.to_owned() } else { format!("{}.{name}", self.name) }
    }

    fn column(&self, name: &str) -> io::Result<ArrayRef> {
        let column = self.columns.column_by_name(name);
        column.cloned().ok_or_else(|| refused(format!("it has no column {}", self.full(name))))
    }

    fn table<'c>(&self, name: &'static str, column: &'c ArrayRef) -> io::Result<Table<'c>> {
        let columns = column.as_struct_opt();
        let columns = columns.ok_or_else(|| self.not_as_wanted(name, column, "a struct"))?;
        if columns.null_count() > 0 {
            return Err(refused(format!("a row has no {name}")));
        }
        Ok(Table { columns, name })
    }

    fn not_as_wanted(&self, name: &str, column: &ArrayRef, wanted: &str) -> io::Error {
        let found = column.data_type();
        refused(format!("the column {} is {found}, not {wanted}", self.full(name)))
    }

    /// Returns a column, cast to the type that this program writes.
    fn cast(
        &self,
        name: &str,
        to: &DataType,
        nulls: Nulls,
        wanted: &str,
        fits: impl Fn(&DataType) -> bool,
    ) -> io::Result<ArrayRef> {
        let column = self.column(name)?;
        let inner = match column.data_type() {
            DataType::Dictionary(_, value) => value,
            other => other,
        };
        if !fits(inner) {
            return Err(self.not_as_wanted(name, &column, wanted));
        }
        let options = CastOptions { safe: false, ..CastOptions::default() };
        let column =
            cast_with_options(&column, to, &options).map_err(|error| refused(error.to_string()))?;
        if nulls == Nulls::Refused && column.logical_null_count() > 0 {
            return Err(refused(format!("a row has no {}", self.full(name))));
        }
        Ok(column)
    }

    fn numbers(&self, name: &str, nulls: Nulls) -> io::Result<Int64Array> {
        let is_whole = |found: &DataType| match found {
            DataType::Decimal128(_, scale) => *scale == 0,
            // Some programs use this type for a column without values.
            DataType::Null => true,
            other => other.is_integer(),
        };
        let column = self.cast(name, &DataType::Int64, nulls, "whole numbers", is_whole)?;
        Ok(column.as_primitive::<Int64Type>().clone())
    }

    fn all_numbers<const N: usize>(&self, names: [&str; N]) -> io::Result<[Int64Array; N]> {
        let columns: io::Result<Vec<_>> =
            names.iter().map(|name| self.numbers(name, Nulls::Refused)).collect();
        Ok(columns?.try_into().expect("as many as there are names"))
    }

    fn text(&self, name: &str) -> io::Result<StringArray> {
        let column =
            self.cast(name, &DataType::Utf8, Nulls::Refused, "text", DataType::is_string)?;
        Ok(column.as_string::<i32>().clone())
    }

    fn all_texts<const N: usize>(&self, names: [&str; N]) -> io::Result<[StringArray; N]> {
        let columns: io::Result<Vec<_>> = names.iter().map(|name| self.text(name)).collect();
        Ok(columns?.try_into().expect("as many as there are names"))
    }

    fn bytes(&self, name: &str, nulls: Nulls) -> io::Result<BinaryArray> {
        let is_bytes = |found: &DataType| {
            found.is_binary() || matches!(found, DataType::FixedSizeBinary(_) | DataType::Null)
        };
        let column = self.cast(name, &DataType::Binary, nulls, "bytes", is_bytes)?;
        Ok(column.as_binary::<i32>().clone())
    }
}

/// Converts a number to the type of its field.
fn small<T: TryFrom<i64>>(name: &str, number: i64) -> io::Result<T> {
    T::try_from(number)
        .map_err(|_| refused(format!("{number} is out of range for the column {name}")))
}

fn refused(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
