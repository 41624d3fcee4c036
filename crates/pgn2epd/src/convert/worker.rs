//! The worker that converts a chunk of games to records.

use emit::{
    Column, Counts, GamePart, LookAhead, OnError, Plan, Problem, RecordText, Replay, RowSink, Sink,
    Text, TrainingSink,
};
use epd::Severity;
use pgn::{Chunk, ChunkEnd, GameCutter, Place};
use stream::compress::Compression;
use stream::compress::encoder::{EncodedFrames, FrameEncoder};
use stream::ordered::ChunkWorker;
use table::Rows;
use training::{Encoder, ScoreUnit, TrainingFormat};

use crate::data_set::index::{IndexPlan, RecordIndex};
use crate::data_set::indexing_sink::IndexingSink;
use crate::game_numbers::{GameNumbers, GamesBefore};
use crate::options::RowKind;

/// The worker that converts a chunk.
pub(super) struct Convert<'p> {
    pub(super) plan: &'p Plan,
    /// The columns of rows, if rows are made.
    pub(super) columns: &'p [Column],
    pub(super) rows: RowKind,
    /// The binary format and the unit of scores, if positions are encoded.
    pub(super) training: Option<(TrainingFormat, ScoreUnit)>,
    /// What is noted of each record for its selection.
    pub(super) index: &'p IndexPlan,
    /// The compression of the output, if workers compress it.
    pub(super) compress: Option<Compression>,
    pub(super) games: &'p GameNumbers,
    /// Approximate number of bytes of a huge game's records held at once.
    pub(super) part_bytes: usize,
}

/// Ratio of the size of a part to that of a chunk; a part is about as large as the output for a
/// chunk.
pub(super) const PART_CHUNKS: usize = 4;

/// Result of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) text: Text,
    pub(crate) index: RecordIndex,
    /// One row per record, if rows are made.
    pub(crate) rows: Rows,
    /// The games, if they are encoded.
    pub(crate) encoder: Option<Encoder>,
    games_before: GamesBefore,
    compressed: Compressed,
    pub(super) counts: Counts,
}

/// The output of a chunk as compressed frames.
#[derive(Debug, Default)]
pub(crate) struct Compressed {
    encoder: Option<FrameEncoder>,
    pub(crate) frames: EncodedFrames,
    /// Number of bytes before compression.
    pub(crate) text_bytes: u64,
    is_made: bool,
}

impl ChunkWorker for Convert<'_> {
    type Cutter = GameCutter;
    type Output = Done;

    fn chunk(&self, chunk: Chunk<'_>, done: &mut Done) -> ChunkEnd {
        let end = self.convert(chunk, done);
        done.compress(self.compress);
        end
    }

    fn count_items(&self, chunk: Chunk<'_>) -> Option<u64> {
        GameNumbers::count(self.plan, chunk)
    }

    fn is_valid(&self, done: &Done) -> bool {
        self.games.are_right(done.games_before)
    }

    fn chunk_in_parts(
        &self,
        chunk: Chunk<'_>,
        done: &mut Done,
        hand_on: &mut dyn FnMut(&mut Done),
    ) -> ChunkEnd {
        let is_text = !self.index.is_needed
            && self.columns.is_empty()
            && self.training.is_none()
            && !self.plan.looks_ahead();
        if !is_text || self.plan.on_error == OnError::Skip {
            return self.chunk(chunk, done);
        }
        done.clear(self.columns);
        done.games_before = self.games_before(chunk);
        done.text.games_before = done.games_before.games;
        let mut done_part = Done::default();
        let mut hand_on = |part: GamePart<'_>| {
            std::mem::swap(&mut done_part.text.bytes, part.bytes);
            done_part.text.positions = part.positions;
            done_part.compress(self.compress);
            hand_on(&mut done_part);
        };
        let mut sink = done.text.sink(self.plan).in_parts(self.part_bytes, &mut hand_on);
        let (counts, worked) = Replay::new(chunk, self.plan).run(&mut sink);
        done.counts = counts;
        done.compress(self.compress);
        worked
    }

    fn too_large(&self, chunk: Chunk<'_>, done: &mut Done) {
        done.clear(self.columns);
        let mut sink = done.text.sink(self.plan);
        done.counts = Replay::new(chunk, self.plan).too_large(&mut sink);
        done.compress(self.compress);
    }
}

impl Convert<'_> {
    fn games_before(&self, chunk: Chunk<'_>) -> GamesBefore {
        if self.plan.counts_games() { self.games.before(chunk) } else { GamesBefore::default() }
    }

    fn convert(&self, chunk: Chunk<'_>, done: &mut Done) -> ChunkEnd {
        done.clear(self.columns);
        done.games_before = self.games_before(chunk);
        done.text.games_before = done.games_before.games;
        let replay = Replay::new(chunk, self.plan);
        let Done { text, index, rows, encoder, .. } = &mut *done;
        if let Some((format, unit)) = self.training {
            let encoder = encoder.get_or_insert_with(|| Encoder::new(format));
            let sink = TrainingSink::new(encoder, text, self.plan, unit);
            let (counts, worked) = match self.index.is_needed {
                false => self.run_ahead(replay, sink),
                true => self.run_ahead(replay, IndexingSink::new(sink, index, self.index)),
            };
            done.counts = counts;
            return worked;
        }
        let mut sink = text.sink(self.plan);
        if !self.columns.is_empty() && !self.index.is_needed {
            sink = sink.of_current_game();
        }
        if self.rows == RowKind::Games && !self.columns.is_empty() {
            let sink = RowSink::of_games(sink, self.columns, self.plan, rows);
            let (counts, worked) = match self.index.is_needed {
                false => self.run_ahead(replay, sink),
                true => self.run_ahead(replay, IndexingSink::new(sink, index, self.index)),
            };
            done.counts = counts;
            return worked;
        }
        let (counts, worked) = match self.index.is_needed {
            false => self.run(replay, sink, rows),
            true => {
                let has_places = self.index.register_places;
                let sink = if has_places { sink.with_register_places() } else { sink };
                self.run(replay, IndexingSink::new(sink, index, self.index), rows)
            }
        };
        if self.index.threads > 0 {
            index.records.divide_keys(self.index.threads);
        }
        done.counts = counts;
        worked
    }

    fn run(
        &self,
        replay: Replay<'_>,
        sink: impl RecordText,
        rows: &mut Rows,
    ) -> (Counts, ChunkEnd) {
        match self.columns {
            [] => self.run_ahead(replay, sink),
            columns => self.run_ahead(replay, RowSink::new(sink, columns, self.plan, rows)),
        }
    }

    fn run_ahead(&self, replay: Replay<'_>, mut sink: impl Sink) -> (Counts, ChunkEnd) {
        match self.plan.looks_ahead() {
            false => replay.run(&mut sink),
            true => replay.run(&mut LookAhead::new(sink, self.plan)),
        }
    }
}

impl Done {
    pub(super) fn first_error(&self) -> Option<Place> {
        first_error(&self.text.problems)
    }

    /// Compresses the output, if a compression is given.
    fn compress(&mut self, compression: Option<Compression>) {
        let Some(compression) = compression else { return };
        let Compressed { encoder, frames, text_bytes, is_made } = &mut self.compressed;
        let bytes = match &self.encoder {
            Some(games) => games.bytes(),
            None => self.text.bytes.as_bytes(),
        };
        if encoder.is_none() {
            *encoder = FrameEncoder::new(compression).ok();
        }
        frames.clear();
        *text_bytes = bytes.len() as u64;
        // After an error, the committer compresses, and reports it.
        *is_made = encoder.as_mut().is_some_and(|encoder| encoder.encode(bytes, frames).is_ok());
    }

    /// Returns the output, and the ends of the chains of a binpack.
    pub(crate) fn output(&self) -> (&[u8], &[usize]) {
        match &self.encoder {
            Some(encoder) => (encoder.bytes(), encoder.ends()),
            None => (self.text.bytes.as_bytes(), &[]),
        }
    }

    /// Returns the compressed output, if the worker has made it.
    pub(crate) fn compressed(&self) -> Option<&Compressed> {
        Some(&self.compressed).filter(|compressed| compressed.is_made)
    }

    fn clear(&mut self, columns: &[Column]) {
        self.compressed.is_made = false;
        self.text.clear();
        self.index.clear();
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

/// Returns the location of the first problem that is an error.
pub(crate) fn first_error(problems: &[Problem]) -> Option<Place> {
    problems.iter().find(|problem| problem.severity() == Severity::Error).map(|error| error.place)
}
