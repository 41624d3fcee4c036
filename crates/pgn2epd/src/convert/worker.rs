//! The worker that converts a chunk of games to records.

use std::io;
use std::ops::AddAssign;
use std::path::PathBuf;

use emit::{
    ChunkEdges, Column, NotedSink, OnError, PgnSink, Plan, Problem, RecordSink, SelectedGames,
    TableRows, Text, TrainingSink,
};
use san::Buffer;
use table::{ColumnValues, Rows};
use training::{Encoder, ScoreUnit, TrainingFormat};

use crate::data_set::index::{IndexNotes, IndexPlan, RecordIndex};
use crate::options::{Options, RowKind};
use crate::run::games::{ChunkGames, Consumer, PassOn, Played, PlySource};
use crate::summary::OutputCounts;

pub(super) struct ConvertWorker<'p> {
    pub(super) plan: &'p Plan,
    /// The columns of rows, if rows are made, then those that records are sorted by.
    pub(super) columns: &'p [Column],
    pub(super) written_columns: usize,
    pub(super) options: &'p Options,
    pub(super) is_pgn: bool,
    /// Whether each position is a game.
    pub(super) is_of_positions: bool,
    pub(super) training: Option<(TrainingFormat, ScoreUnit)>,
    pub(super) index: &'p IndexPlan,
}

/// Chunks in a part of a huge game's records, which is about as large as the output for a chunk.
const PART_CHUNKS: usize = 4;

#[derive(Debug, Default)]
pub(crate) struct ConvertedChunk {
    pub(crate) text: Text,
    pub(crate) index: RecordIndex,
    pub(crate) rows: Rows,
    key_columns: Vec<ColumnValues>,
    pub(crate) encoder: Option<Encoder>,
    /// The text around games, if they are copied.
    pub(crate) edges: ChunkEdges,
}

impl Consumer for ConvertWorker<'_> {
    type Result = ConvertedChunk;

    fn consume<G: PlySource>(&self, source: G, done: &mut ConvertedChunk) -> G::Read {
        done.clear(self.columns);
        done.text.games_before = source.games_before();
        let read = self.pass_on(source, done);
        self.gather(done);
        read
    }

    fn games(
        &self,
        games: ChunkGames<'_>,
        done: &mut ConvertedChunk,
        pass_on: Option<PassOn<'_, ConvertedChunk>>,
    ) -> Played {
        if self.is_pgn {
            return self.selected_games(games, done);
        }
        let is_text = !self.index.is_needed
            && self.columns.is_empty()
            && self.training.is_none()
            && !self.plan.looks_ahead();
        let pass_on = pass_on.filter(|_| is_text && self.plan.on_error != OnError::Skip);
        let Some(pass_on) = pass_on else { return self.consume(games, done) };
        done.clear(self.columns);
        done.text.games_before = games.games_before;
        let mut done_part = ConvertedChunk::default();
        let mut pass_on = |bytes: &mut Buffer, positions: u64| {
            std::mem::swap(&mut done_part.text.bytes, bytes);
            done_part.text.counts.positions = positions;
            pass_on(&mut done_part);
        };
        let part_bytes = PART_CHUNKS * self.options.chunk_bytes;
        let sink = done.text.sink(self.plan).in_parts(part_bytes, &mut pass_on);
        let (_, played) = games.play(sink);
        played
    }

    fn skipped(&self, text: &[u8], done: &mut ConvertedChunk) {
        if self.is_pgn && !self.index.is_needed && !self.plan.games.is_normal() {
            done.edges.before.extend_from_slice(text);
        }
    }

    fn problems(done: &mut ConvertedChunk) -> impl Iterator<Item = &mut Problem> {
        done.text.problems.iter_mut()
    }
}

impl ConvertWorker<'_> {
    fn selected_games(&self, games: ChunkGames<'_>, done: &mut ConvertedChunk) -> Played {
        done.clear(self.columns);
        let ConvertedChunk { text, index, rows, .. } = &mut *done;
        let chunk = games.chunk;
        let sink = SelectedGames::new(text, self.plan, chunk, self.options.variations);
        if self.index.is_needed {
            let played = self.play(games, sink.as_records(), index, rows);
            self.gather(done);
            return played;
        }
        let (sink, played) = games.play(sink);
        done.edges = sink.finish(played.text_of(chunk).len());
        played
    }

    fn pass_on<G: PlySource>(&self, source: G, done: &mut ConvertedChunk) -> G::Read {
        let ConvertedChunk { text, index, rows, encoder, .. } = &mut *done;
        if let Some((format, unit)) = self.training {
            let encoder = encoder.get_or_insert_with(|| Encoder::new(format));
            return self.index(source, TrainingSink::new(encoder, text, unit), index);
        }
        if self.is_pgn {
            let sink = PgnSink::new(text, self.plan.fields, self.is_of_positions);
            return match self.index.is_needed {
                false => source.play(sink).1,
                true => self.play(source, sink, index, rows),
            };
        }
        let mut sink = text.sink(self.plan);
        match self.index.is_needed {
            true => {}
            false if self.columns.is_empty() => return source.play_inlined(sink).1,
            false => sink = sink.of_current_game(),
        }
        self.play(source, sink, index, rows)
    }

    fn play<G: PlySource>(
        &self,
        source: G,
        sink: impl RecordSink,
        index: &mut RecordIndex,
        rows: &mut Rows,
    ) -> G::Read {
        let table = match self.options.rows {
            _ if self.is_pgn => TableRows::of_games(self.columns, self.plan, rows),
            _ if self.columns.is_empty() => return self.index(source, sink, index),
            RowKind::Games => TableRows::of_games(self.columns, self.plan, rows),
            RowKind::Positions => TableRows::new(self.columns, self.plan, rows),
        };
        self.index(source, NotedSink::new(sink, table), index)
    }

    fn index<G: PlySource>(
        &self,
        source: G,
        sink: impl RecordSink,
        index: &mut RecordIndex,
    ) -> G::Read {
        match self.index.is_needed {
            false => source.play(sink).1,
            true => source.play(NotedSink::new(sink, IndexNotes::new(index, self.index))).1,
        }
    }

    /// Gathers the bytes of records that are selected later; the last columns are the sort keys.
    fn gather(&self, done: &mut ConvertedChunk) {
        if !self.index.is_needed {
            return;
        }
        done.key_columns = done.rows.columns.split_off(self.written_columns);
        let ConvertedChunk { text, index, rows, key_columns, encoder, .. } = &mut *done;
        let output = encoder.as_ref().map_or(text.bytes.as_bytes(), Encoder::bytes);
        let sort = self.options.sort_order();
        let sort_key = |row: usize, out: &mut Vec<u8>| {
            sort.into_iter().for_each(|order| order.write_key(key_columns, row, out));
        };
        if rows.columns.is_empty() && sort.is_none() {
            // Records are where they are in the text.
            index.chunk.batch.bytes.extend_from_slice(output);
        } else {
            index.gather(output.len(), sort_key, |row, place, out| match rows.columns.is_empty() {
                true => out.extend_from_slice(&output[place]),
                false => rows.write_row(row, out),
            });
        }
        if self.index.threads > 0 {
            index.chunk.divide_keys(self.index.threads);
        }
    }
}

impl ConvertedChunk {
    pub(crate) fn output(&self) -> (&[u8], &[usize]) {
        match &self.encoder {
            Some(encoder) => (encoder.bytes(), encoder.ends()),
            None => (self.text.bytes.as_bytes(), &[]),
        }
    }

    pub(crate) fn has_output(&self) -> bool {
        match self.rows.columns.is_empty() {
            true => !self.output().0.is_empty(),
            false => !self.rows.is_empty(),
        }
    }

    fn clear(&mut self, columns: &[Column]) {
        self.rows.columns.append(&mut self.key_columns);
        self.text.clear();
        self.index.chunk.clear();
        self.edges = ChunkEdges::default();
        if let Some(encoder) = &mut self.encoder {
            encoder.clear();
        }
        if self.rows.columns.len() == columns.len() {
            self.rows.clear();
        } else {
            self.rows = emit::empty_rows(columns, &Rows::default());
        }
    }
}

pub(crate) trait Deliver {
    fn begin_input(&mut self, _plan: &Plan) {}

    fn take(&mut self, done: &mut ConvertedChunk, games_before: u64) -> io::Result<Delivered>;

    fn end_input(&mut self) -> io::Result<Delivered> {
        Ok(Delivered::default())
    }

    fn take_rest(&mut self) -> io::Result<Delivered> {
        Ok(Delivered::default())
    }

    fn has_output(&self) -> bool;

    fn is_full(&self) -> bool {
        false
    }

    fn counts(&self) -> Vec<(PathBuf, OutputCounts)> {
        Vec::new()
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Delivered {
    pub(crate) positions: u64,
    pub(crate) bytes: u64,
    /// Number of positions, or of games, that were not written because of an equal one.
    pub(crate) duplicates: u64,
}

impl AddAssign for Delivered {
    fn add_assign(&mut self, Delivered { positions, bytes, duplicates }: Delivered) {
        self.positions += positions;
        self.bytes += bytes;
        self.duplicates += duplicates;
    }
}

impl AddAssign<Delivered> for crate::Summary {
    fn add_assign(&mut self, Delivered { positions, bytes, duplicates }: Delivered) {
        self.positions += positions;
        self.bytes_written += bytes;
        self.duplicates += duplicates;
    }
}
