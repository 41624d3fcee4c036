//! Converts counts to rows of a partial result.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::Schema;
use stream::ordered::Threads;

use super::checksum::Checksum;
use super::output::{BatchEncoder, Columns};
use super::schema::{ColumnForm, FIRST, HEADER, PARTIAL, STRONGEST};
use crate::partial::Header;
use crate::run::Counted;
use crate::tally::{SourceLocation, Strongest};

/// Writes counts as columns.
pub(crate) struct PartialColumns<'w> {
    columns: Columns<'w>,
    encoder: BatchEncoder,
    header: &'w Header,
    checksum: Checksum,
    rows: usize,
    counted: StringBuilder,
    key: BinaryBuilder,
    next: Int64Builder,
    sums: [Int64Builder; 6],
    years: [Int64Builder; 2],
    first: At,
    minus_elo_sum: Int64Builder,
    strongest: At,
    result: [Int64Builder; 2],
    texts: [StringBuilder; 3],
    moves: BinaryBuilder,
}

/// Columns of the location of a game.
#[derive(Default)]
struct At {
    file: StringBuilder,
    numbers: [Int64Builder; 4],
    evaluation: Int64Builder,
}

/// Number of rows per batch.
const ROWS: usize = 4096;

impl<'w> PartialColumns<'w> {
    pub(crate) fn new(
        form: ColumnForm,
        header: &'w Header,
        output: &'w mut dyn Write,
    ) -> io::Result<Self> {
        let text = serde_json::to_string(header)?;
        let checksum = Checksum::new(Some(&text));
        let metadata = HashMap::from([(HEADER.to_owned(), text)]);
        let schema = Arc::new(Schema::new_with_metadata(PARTIAL.fields.clone(), metadata));
        let encoder = BatchEncoder::new(form, schema);
        Ok(PartialColumns {
            columns: Columns::new(&encoder, Threads::new(1), output)?,
            encoder,
            header,
            checksum,
            rows: 0,
            counted: StringBuilder::new(),
            key: BinaryBuilder::new(),
            next: Int64Builder::new(),
            sums: Default::default(),
            years: Default::default(),
            first: At::default(),
            minus_elo_sum: Int64Builder::new(),
            strongest: At::default(),
            result: Default::default(),
            texts: Default::default(),
            moves: BinaryBuilder::new(),
        })
    }

    pub(crate) fn write(&mut self, counted: &Counted) -> io::Result<()> {
        let Counted(key, next, tally) = counted;
        self.checksum.add(counted, &self.header.counted, &self.header.files);
        self.counted.append_value(&self.header.counted);
        self.key.append_value(key.to_bytes());
        self.next.append_value(next.0.into());
        let sums =
            [tally.games, tally.white, tally.draws, tally.black, tally.rated, tally.rating_sum];
        for (column, sum) in self.sums.iter_mut().zip(sums) {
            column.append_value(whole(sum)?);
        }
        for (column, year) in self.years.iter_mut().zip([tally.first_year, tally.last_year]) {
            column.append_option((year > 0).then(|| year.into()));
        }
        self.first.append(&tally.first, self.header)?;
        let Strongest { elo_sum, at, outcome, year, info } = &tally.strongest;
        self.minus_elo_sum.append_value(-i64::from(*elo_sum));
        self.strongest.append(at, self.header)?;
        self.result[0].append_value(*outcome as i64);
        self.result[1].append_value((*year).into());
        for (column, text) in self.texts.iter_mut().zip([&info.white, &info.black, &info.start]) {
            column.append_value(text);
        }
        match self.header.moves {
            // Big-endian, so that byte order equals the order of the codes.
            true => {
                let bytes: Vec<u8> =
                    info.moves.iter().flat_map(|code| code.to_be_bytes()).collect();
                self.moves.append_value(bytes);
            }
            false => self.moves.append_null(),
        }
        self.rows += 1;
        if self.rows == ROWS { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.rows = 0;
        let mut strongest: Vec<ArrayRef> = vec![Arc::new(self.minus_elo_sum.finish())];
        strongest.extend(self.strongest.finish());
        strongest
            .extend(self.result.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        strongest.extend(self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        strongest.push(Arc::new(self.moves.finish()));
        let mut all: Vec<ArrayRef> = vec![
            Arc::new(self.counted.finish()),
            Arc::new(self.key.finish()),
            Arc::new(self.next.finish()),
        ];
        let numbers = self.sums.iter_mut().chain(&mut self.years);
        all.extend(numbers.map(|column| Arc::new(column.finish()) as ArrayRef));
        all.push(Arc::new(StructArray::new(FIRST.clone(), self.first.finish(), None)));
        all.push(Arc::new(StructArray::new(STRONGEST.clone(), strongest, None)));
        let schema = self.encoder.schema().clone();
        let batch = RecordBatch::try_new(schema, all).map_err(io::Error::other)?;
        self.columns.write(&[self.encoder.encode(&batch)?])
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.columns.finish(Some(self.checksum.text()))
    }
}

impl At {
    fn append(&mut self, at: &SourceLocation, header: &Header) -> io::Result<()> {
        let file = header.files.get(at.file as usize).ok_or_else(crate::run::damaged)?;
        self.file.append_value(file);
        let numbers = [whole(at.game)?, at.ply.into(), at.halfmoves.into(), at.fullmoves.into()];
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.append_value(number);
        }
        self.evaluation.append_option(at.evaluation.get().map(i64::from));
        Ok(())
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        let mut columns: Vec<ArrayRef> = vec![Arc::new(self.file.finish())];
        columns.extend(self.numbers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef));
        columns.push(Arc::new(self.evaluation.finish()));
        columns
    }
}

/// Converts to a signed integer; Spark has no unsigned types.
fn whole(number: u64) -> io::Result<i64> {
    i64::try_from(number).map_err(io::Error::other)
}
