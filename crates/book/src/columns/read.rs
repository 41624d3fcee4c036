//! Converts rows of a partial result to counts, whatever program wrote them.

use std::collections::HashMap;
use std::io;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, BinaryArray, Int64Array, RecordBatch, StringArray, StructArray, new_null_array,
};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, Fields, Schema};
use pgn::Outcome;
use san::{MoveCode, PositionKey};
use table::arrow;

use super::schema::{CLASS, EVALUATION, HEADER, schema};
use crate::evaluation::Evaluation;
use crate::partial::Header;
use crate::row::Counted;
use crate::tally::{GameInfo, NotableGame, SourceLocation, Tally};

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

/// The rows of a batch: the columns of each type in the order of the [schema], those of structures
/// included.
#[derive(Default)]
pub(crate) struct Rows {
    len: usize,
    /// With the name of each for messages.
    numbers: Vec<(String, Int64Array)>,
    texts: Vec<StringArray>,
    bytes: Vec<BinaryArray>,
}

impl Rows {
    pub(crate) fn of(batch: RecordBatch) -> io::Result<Self> {
        let mut rows = Rows { len: batch.num_rows(), ..Rows::default() };
        rows.add(&StructArray::from(batch), arrow::schema(&schema("")).fields(), "")?;
        Ok(rows)
    }

    /// Adds columns, cast to the types that this program writes. Their names in messages begin with
    /// `path`.
    fn add(&mut self, columns: &StructArray, fields: &Fields, path: &str) -> io::Result<()> {
        for field in fields {
            let name = format!("{path}{}", field.name());
            let column = match columns.column_by_name(field.name()) {
                Some(column) => column.clone(),
                // Files written by older versions have none.
                None if [EVALUATION, CLASS].contains(&&**field.name()) => {
                    new_null_array(&DataType::Null, columns.len())
                }
                None => return Err(refused(format!("it has no column {name}"))),
            };
            let (found, nulls) = (column.data_type(), column.logical_null_count());
            let inner = match found {
                DataType::Dictionary(_, value) => value,
                other => other,
            };
            // Some programs use the type Null for a column without values.
            let (fits, wanted) = match (field.data_type(), inner) {
                (DataType::Struct(_), _) => (matches!(found, DataType::Struct(_)), "a struct"),
                (_, DataType::Null) => (true, ""),
                (DataType::Int64, DataType::Decimal128(_, scale)) => (*scale == 0, "whole numbers"),
                (DataType::Int64, inner) => (inner.is_integer(), "whole numbers"),
                (DataType::Utf8, inner) => (inner.is_string(), "text"),
                (_, DataType::FixedSizeBinary(_)) => (true, ""),
                (_, inner) => (inner.is_binary(), "bytes"),
            };
            if !fits {
                return Err(refused(format!("the column {name} is {found}, not {wanted}")));
            }
            if nulls > 0 && !field.is_nullable() {
                return Err(refused(format!("a row has no {name}")));
            }
            if let DataType::Struct(fields) = field.data_type() {
                self.add(column.as_struct(), fields, &format!("{name}."))?;
                continue;
            }
            let options = CastOptions { safe: false, ..CastOptions::default() };
            let column = cast_with_options(&column, field.data_type(), &options)
                .map_err(|error| refused(error.to_string()))?;
            match field.data_type() {
                DataType::Int64 => self.numbers.push((name, column.as_primitive().clone())),
                DataType::Utf8 => self.texts.push(column.as_string().clone()),
                _ => self.bytes.push(column.as_binary().clone()),
            }
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns how the games of a row were counted, and whether their moves were kept.
    pub(crate) fn counted(&self, row: usize) -> (&str, bool) {
        (self.texts[0].value(row), self.bytes[1].is_valid(row))
    }

    /// Returns the count of a row.
    pub(crate) fn count(&self, row: usize, files: &mut FileNames) -> io::Result<Counted> {
        let bytes = self.bytes[0].value(row);
        let key = bytes
            .try_into()
            .map_err(|_| refused(format!("a key has {} bytes instead of 32", bytes.len())))?;
        let class = &self.texts[1];
        let class = if class.is_valid(row) { class.value(row) } else { "" };
        let text = |text: usize| self.texts[text].value(row);
        // The file and the texts of a game are consecutive.
        let info = |file: usize, moves: usize| {
            let [white, black, start] = [1, 2, 3].map(|next| text(file + next).into());
            let moves = &self.bytes[moves];
            let moves = if moves.is_valid(row) { moves.value(row) } else { &[] };
            let code = |pair: &[u8]| u16::from_be_bytes([pair[0], pair[1]]);
            GameInfo { white, black, start, moves: moves.chunks_exact(2).map(code).collect() }
        };
        let mut numbers = Numbers { columns: self.numbers.iter(), row };
        let next = MoveCode(numbers.next()?);
        let mut tally = Tally {
            games: numbers.next()?,
            white: numbers.next()?,
            draws: numbers.next()?,
            black: numbers.next()?,
            rated: numbers.next()?,
            rating_sum: numbers.next()?,
            first_year: numbers.optional()?.unwrap_or(0),
            last_year: numbers.optional()?.unwrap_or(0),
            first: numbers.location(files.place(text(2)))?,
            strongest: NotableGame {
                elo_sum: numbers.negated()?,
                at: numbers.location(files.place(text(3)))?,
                outcome: numbers.outcome()?,
                year: numbers.next()?,
                info: info(3, 1),
            },
            latest: None,
        };
        let year = numbers.next()?;
        let latest = NotableGame {
            year,
            at: numbers.location(files.place(text(7)))?,
            elo_sum: numbers.next()?,
            outcome: numbers.outcome()?,
            info: info(7, 2),
        };
        tally.latest = (latest != tally.strongest).then_some(latest);
        Ok(Counted { key: PositionKey::from_bytes(key), next, class: class.into(), tally })
    }
}

/// The numbers of a row, column by column.
struct Numbers<'r> {
    columns: std::slice::Iter<'r, (String, Int64Array)>,
    row: usize,
}

impl Numbers<'_> {
    /// Returns the next number, converted to the type of its field, if it is there.
    fn optional<T: TryFrom<i64>>(&mut self) -> io::Result<Option<T>> {
        let (name, column) = self.columns.next().expect("the schema has all columns");
        let number = column.is_valid(self.row).then(|| column.value(self.row));
        let out_of_range =
            |number| refused(format!("{number} is out of range for the column {name}"));
        number.map(|number| T::try_from(number).map_err(|_| out_of_range(number))).transpose()
    }

    fn next<T: TryFrom<i64> + Default>(&mut self) -> io::Result<T> {
        Ok(self.optional()?.unwrap_or_default())
    }

    fn negated(&mut self) -> io::Result<u16> {
        let number: i64 = self.next()?;
        let negated = number.checked_neg().and_then(|number| u16::try_from(number).ok());
        negated.ok_or_else(|| {
            refused(format!("{number} is out of range for the column minus_elo_sum"))
        })
    }

    fn outcome(&mut self) -> io::Result<Outcome> {
        let number = self.next()?;
        Outcome::of_number(number).ok_or_else(|| refused(format!("unknown outcome {number}")))
    }

    fn location(&mut self, file: u32) -> io::Result<SourceLocation> {
        Ok(SourceLocation {
            file,
            game: self.next()?,
            ply: self.next()?,
            halfmoves: self.next()?,
            fullmoves: self.next()?,
            evaluation: self.optional()?.map_or(Evaluation::NONE, Evaluation::new),
        })
    }
}

fn refused(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}
