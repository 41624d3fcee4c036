//! A sink of which something is noted, as records are written: rows of a table, an index.

use std::ops::Range;

use crate::game::GameContext;
use crate::labels::Labelled;
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::selection::Omission;
use crate::sink::{Movetext, Sink};

/// A sink that writes records, except those of positions that cannot be written.
pub trait RecordSink: Sink {
    /// Returns all records written.
    fn text(&self) -> &[u8];

    /// Returns the number of positions written.
    fn positions(&self) -> u64;

    /// Returns the number of records written: of positions, or of games.
    fn records(&self) -> u64 {
        self.positions()
    }

    /// Returns the label of the last record, if it is a labelled position.
    fn labelled(&self) -> Option<Labelled> {
        None
    }

    /// Whether the current game is written as one record, at its end; `None` if positions are.
    fn has_game(&self) -> Option<bool> {
        None
    }

    /// Returns the parts of the game ended last, with their numbers of positions, if what is
    /// written has parts instead of records.
    fn units(&self) -> Vec<(Range<usize>, u64)> {
        Vec::new()
    }
}

/// The record of a position.
#[derive(Debug)]
pub struct Written<'w> {
    /// Its game.
    pub game: &'w GameContext<'w>,
    /// Where it is in the text of the sink, with its line end.
    pub place: Range<usize>,
    /// The record, without its line end.
    pub record: &'w [u8],
    /// Its label, if it is a labelled position.
    pub labelled: Option<Labelled>,
}

/// What is noted of the records that a sink writes.
pub trait RecordNotes {
    /// Begins a game.
    fn begin(&mut self, game: &GameContext<'_>, sink: &impl RecordSink);

    /// Receives the next position, and its record, if one was written.
    fn ply(&mut self, ply: &Ply<'_>, written: Option<Written<'_>>);

    /// Receives the next position of a game of a variant, and its record, if one was written.
    fn variant(&mut self, ply: &VariantPly<'_>, written: Option<Written<'_>>);

    /// Whether records of variants can be noted.
    fn takes_variants(&self) -> bool {
        true
    }

    /// Ends the game, after the sink has.
    fn end(&mut self, game: &GameContext<'_>, sink: &impl RecordSink);

    /// Discards everything since the last [`RecordNotes::begin`].
    fn discard_game(&mut self);

    /// Receives a problem with the game just ended, or with the text before it.
    fn problem(&mut self, _problem: &Problem) {}

    /// Returns the number of games noted, each instead of the records of its positions.
    fn games(&self) -> Option<u64> {
        None
    }
}

/// Forwards everything to a sink of records, and notes what it writes.
#[derive(Debug)]
pub struct NotedSink<S, N> {
    sink: S,
    notes: N,
}

impl<S: RecordSink, N: RecordNotes> NotedSink<S, N> {
    /// Makes a sink that writes by another one.
    pub fn new(sink: S, notes: N) -> Self {
        NotedSink { sink, notes }
    }

    #[inline(always)]
    fn written<'w>(
        sink: &'w S,
        (start, records): (usize, u64),
        game: &'w GameContext<'w>,
    ) -> Option<Written<'w>> {
        if sink.records() == records {
            return None;
        }
        let text = sink.text();
        let record = text[start..].strip_suffix(b"\n").unwrap_or(&text[start..]);
        Some(Written { game, place: start..text.len(), record, labelled: sink.labelled() })
    }
}

impl<S: RecordSink, N: RecordNotes> Sink for NotedSink<S, N> {
    fn game_start(&mut self, at: usize, is_wanted: bool) {
        self.sink.game_start(at, is_wanted);
    }

    fn begin(&mut self, game: &GameContext<'_>) {
        self.notes.begin(game, &self.sink);
        self.sink.begin(game);
    }

    fn game_filtered_out(&mut self) {
        self.sink.game_filtered_out();
    }

    // Builds for tests have one copy, see `Replay::run_inlined`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, ply: Ply<'_>, game: &GameContext<'_>) {
        let before = (self.sink.text().len(), self.sink.records());
        self.sink.ply(ply, game);
        self.notes.ply(&ply, Self::written(&self.sink, before, game));
    }

    fn skipped_ply(&mut self, ply: Ply<'_>, why: Omission) {
        self.notes.ply(&ply, None);
        self.sink.skipped_ply(ply, why);
    }

    fn takes_variants(&self) -> bool {
        self.notes.takes_variants() && self.sink.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>, game: &GameContext<'_>, omitted: Option<Omission>) {
        let before = (self.sink.text().len(), self.sink.records());
        self.sink.variant(ply, game, omitted);
        self.notes.variant(&ply, Self::written(&self.sink, before, game));
    }

    fn movetext(&mut self, part: Movetext<'_>) {
        self.sink.movetext(part);
    }

    fn end(&mut self, game: &GameContext<'_>) {
        self.sink.end(game);
        self.notes.end(game, &self.sink);
    }

    fn discard_game(&mut self) {
        self.notes.discard_game();
        self.sink.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        self.notes.problem(&problem);
        self.sink.problem(problem);
    }
}

impl<S: RecordSink, N: RecordNotes> RecordSink for NotedSink<S, N> {
    fn text(&self) -> &[u8] {
        self.sink.text()
    }

    fn positions(&self) -> u64 {
        self.sink.positions()
    }

    fn records(&self) -> u64 {
        self.notes.games().unwrap_or_else(|| self.sink.records())
    }

    fn labelled(&self) -> Option<Labelled> {
        self.sink.labelled()
    }
}
