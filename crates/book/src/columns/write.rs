//! Converts counts to rows of a partial result.

use std::io::{self, Write};

use stream::ordered::Threads;
use table::{Cell, Rows, Schema, Settings, TableFormat, TableWriter};

use super::checksum::{CHECKSUM, Checksum};
use super::schema::schema;
use crate::encoding::damaged;
use crate::partial::Header;
use crate::pieces::Positions;
use crate::row::Counted;
use crate::run::RunReader;
use crate::tally::{GameInfo, NotableGame, SourceLocation};
use crate::write::GROUP_BYTES;

/// Makes rows of counts.
pub(crate) struct PartialRows<'h> {
    schema: Schema,
    header: &'h Header,
    checksum: Checksum,
}

/// Rows of counts, and their checksum.
pub(crate) struct PartialBatch {
    rows: Rows,
    checksum: Checksum,
}

/// Output of the rows of a partial result.
pub(crate) struct PartialTable<'w> {
    writer: TableWriter,
    checksum: Checksum,
    output: &'w mut dyn Write,
}

impl<'h> PartialRows<'h> {
    pub(crate) fn new(header: &'h Header) -> io::Result<Self> {
        let text = serde_json::to_string(header)?;
        Ok(PartialRows { schema: schema(&text), header, checksum: Checksum::new(Some(&text)) })
    }

    /// Converts the counts of some positions, which are a piece of a run.
    pub(crate) fn convert(&self, positions: &Positions) -> io::Result<PartialBatch> {
        let Header { files, counted: how, .. } = self.header;
        // Some positions have several rows.
        let mut rows = Rows::new(self.schema.types(), positions.iter().count() * 5 / 4);
        let mut checksum = Checksum::default();
        let mut reader = RunReader::new(&*positions.bytes, (0..files.len() as u32).collect());
        while !reader.input().is_empty() {
            let Some(counted) = reader.read()? else { break };
            checksum.add(&counted, how, files);
            self.push(&counted, &mut rows)?;
        }
        rows.shrink();
        Ok(PartialBatch { rows, checksum })
    }

    fn push(&self, counted: &Counted, rows: &mut Rows) -> io::Result<()> {
        let Counted { key, next, class, tally } = counted;
        let year = |year: u16| Cell::integer((year > 0).then_some(year));
        let (strongest, latest) = (&tally.strongest, tally.latest());
        // Big-endian, so that byte order equals the order of the codes.
        let bytes = |moves: &[u16]| moves.iter().flat_map(|code| code.to_be_bytes()).collect();
        let moves = |game: &NotableGame| self.header.moves.then(|| bytes(&game.info.moves));
        let moves: [Option<Vec<u8>>; 2] = [strongest, latest].map(moves);
        let key = key.to_bytes();
        let cells = [
            Cell::text(Some(&self.header.counted)),
            Cell::Text(&key),
            Cell::Integer(next.0.into()),
            Cell::text((!class.is_empty()).then_some(class)),
            whole(tally.games)?,
            whole(tally.white)?,
            whole(tally.draws)?,
            whole(tally.black)?,
            whole(tally.rated)?,
            whole(tally.rating_sum)?,
            year(tally.first_year),
            year(tally.last_year),
        ];
        let [columns @ .., first_column, strongest_column, latest_column] = &mut rows.columns[..]
        else {
            return Ok(());
        };
        columns.iter_mut().zip(cells).for_each(|(column, cell)| column.push_cell(cell));
        first_column.push_struct(self.place(&tally.first)?);
        let number = |number: u16| Cell::Integer(number.into());
        let outcome = |game: &NotableGame| Cell::Integer(game.outcome as i64);
        let minus_elo_sum = Cell::Integer(-i64::from(strongest.elo_sum));
        let cells = [minus_elo_sum].into_iter().chain(self.place(&strongest.at)?);
        let cells = cells.chain([outcome(strongest), number(strongest.year)]);
        strongest_column.push_struct(cells.chain(info(strongest, moves[0].as_deref())));
        let cells = [number(latest.year)].into_iter().chain(self.place(&latest.at)?);
        let cells = cells.chain([number(latest.elo_sum), outcome(latest)]);
        latest_column.push_struct(cells.chain(info(latest, moves[1].as_deref())));
        rows.end_row();
        Ok(())
    }

    fn place(&self, at: &SourceLocation) -> io::Result<[Cell<'h>; 6]> {
        let file = self.header.files.get(at.file as usize).ok_or_else(damaged)?;
        Ok([
            Cell::text(Some(file)),
            whole(at.game)?,
            Cell::Integer(at.ply.into()),
            Cell::Integer(at.halfmoves.into()),
            Cell::Integer(at.fullmoves.into()),
            Cell::integer(at.evaluation.get()),
        ])
    }

    /// Begins the output of rows.
    pub(crate) fn table<'w>(
        &self,
        format: TableFormat,
        threads: Threads,
        output: &'w mut dyn Write,
    ) -> PartialTable<'w> {
        let settings = Settings { group_bytes: GROUP_BYTES, ..Settings::new(format) };
        let writer = TableWriter::new(self.schema.clone(), settings, threads);
        PartialTable { writer, checksum: self.checksum.clone(), output }
    }
}

impl PartialTable<'_> {
    pub(crate) fn write(&mut self, batch: PartialBatch) -> io::Result<()> {
        self.checksum.append(&batch.checksum);
        self.writer.write(batch.rows, &mut |encoded| encoded.write_to(self.output))
    }

    /// Writes the end, with the checksum.
    pub(crate) fn finish(self) -> io::Result<()> {
        let checksum = [(CHECKSUM.to_owned(), self.checksum.text())];
        self.writer.finish(&checksum, &mut |encoded| encoded.write_to(self.output))
    }
}

/// Returns the texts of a game, and its moves if they were kept.
fn info<'c>(game: &'c NotableGame, moves: Option<&'c [u8]>) -> [Cell<'c>; 4] {
    let GameInfo { white, black, start, .. } = &game.info;
    let [white, black, start] = [white, black, start].map(|text| Cell::text(Some(text)));
    [white, black, start, moves.map_or(Cell::Missing, Cell::Text)]
}

/// Converts to a signed integer; Spark has no unsigned types.
fn whole<'c>(number: u64) -> io::Result<Cell<'c>> {
    i64::try_from(number).map(Cell::Integer).map_err(io::Error::other)
}
