//! Converts counts to rows of a partial result.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{Schema, SchemaRef};
use stream::ordered::Threads;

use super::checksum::Checksum;
use super::output::{BatchEncoder, Columns, EncodedBatch};
use super::schema::{ColumnForm, FIRST, HEADER, PARTIAL, STRONGEST};
use crate::partial::Header;
use crate::run::{Counted, RunReader};
use crate::tally::{SourceLocation, Strongest};

/// Encodes counts as batches.
pub(crate) struct PartialRows<'h> {
    encoder: BatchEncoder,
    header: &'h Header,
    checksum: Checksum,
}

/// A batch of counts, and their checksum.
pub(crate) struct PartialBatch {
    batch: EncodedBatch,
    checksum: Checksum,
}

/// Output of the batches of a partial result.
pub(crate) struct PartialColumns<'w> {
    columns: Columns<'w>,
    checksum: Checksum,
}

/// The columns of a batch.
#[derive(Default)]
struct Builders {
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

impl<'h> PartialRows<'h> {
    pub(crate) fn new(form: ColumnForm, header: &'h Header) -> io::Result<Self> {
        let text = serde_json::to_string(header)?;
        let checksum = Checksum::new(Some(&text));
        let metadata = HashMap::from([(HEADER.to_owned(), text)]);
        let schema = Arc::new(Schema::new_with_metadata(PARTIAL.fields.clone(), metadata));
        Ok(PartialRows { encoder: BatchEncoder::new(form, schema), header, checksum })
    }

    /// Encodes the counts of some positions, which are a piece of a run.
    pub(crate) fn encode(&self, run: &[u8]) -> io::Result<PartialBatch> {
        let Header { files, counted: how, .. } = self.header;
        let (mut builders, mut checksum) = (Builders::default(), Checksum::default());
        let mut reader = RunReader::new(run, (0..files.len() as u32).collect());
        while !reader.input().is_empty() {
            let Some(counted) = reader.read()? else { break };
            checksum.add(&counted, how, files);
            builders.append(&counted, self.header)?;
        }
        let batch = builders.finish(self.encoder.schema().clone())?;
        Ok(PartialBatch { batch: self.encoder.encode(&batch)?, checksum })
    }

    /// Begins the output of batches.
    pub(crate) fn output<'w>(
        &self,
        threads: Threads,
        output: &'w mut dyn Write,
    ) -> io::Result<PartialColumns<'w>> {
        let columns = Columns::new(&self.encoder, threads, output)?;
        Ok(PartialColumns { columns, checksum: self.checksum.clone() })
    }
}

impl PartialColumns<'_> {
    pub(crate) fn write(&mut self, batches: Vec<PartialBatch>) -> io::Result<()> {
        batches.iter().for_each(|batch| self.checksum.append(&batch.checksum));
        let batches: Vec<_> = batches.into_iter().map(|batch| batch.batch).collect();
        self.columns.write(&batches)
    }

    pub(crate) fn finish(self) -> io::Result<()> {
        self.columns.finish(Some(self.checksum.text()))
    }
}

impl Builders {
    fn append(&mut self, counted: &Counted, header: &Header) -> io::Result<()> {
        let Counted(key, next, tally) = counted;
        self.counted.append_value(&header.counted);
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
        self.first.append(&tally.first, header)?;
        let Strongest { elo_sum, at, outcome, year, info } = &tally.strongest;
        self.minus_elo_sum.append_value(-i64::from(*elo_sum));
        self.strongest.append(at, header)?;
        self.result[0].append_value(*outcome as i64);
        self.result[1].append_value((*year).into());
        for (column, text) in self.texts.iter_mut().zip([&info.white, &info.black, &info.start]) {
            column.append_value(text);
        }
        match header.moves {
            // Big-endian, so that byte order equals the order of the codes.
            true => {
                let bytes: Vec<u8> =
                    info.moves.iter().flat_map(|code| code.to_be_bytes()).collect();
                self.moves.append_value(bytes);
            }
            false => self.moves.append_null(),
        }
        Ok(())
    }

    fn finish(mut self, schema: SchemaRef) -> io::Result<RecordBatch> {
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
        RecordBatch::try_new(schema, all).map_err(io::Error::other)
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
