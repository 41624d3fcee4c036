//! The trait for receivers of plies, and a sink of which something is noted, as records are
//! written: rows of a table, an index.

use std::ops::Range;

use crate::game::GameContext;
use crate::labels::Labelled;
use crate::ply::{Ply, VariantPly};
use crate::problem::{MoveNumber, Problem};
use crate::selection::Omission;

/// A part of the movetext of a game, in the order of the text.
#[derive(Clone, Copy, Debug)]
pub enum Movetext<'a> {
    /// The starting position as FEN, before the first move, if the tags have it in another form.
    Start(&'a str),
    /// A move with its number, in the notation of the [form](crate::GameForm).
    Move(MoveNumber, &'a str),
    /// A NAG, from a number or from the suffix of the move before it.
    Nag(u8),
    /// An annotation in signs, or a number that is too large.
    Sign(&'a [u8]),
    /// A comment, without its braces.
    Comment(&'a [u8]),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    /// The rest of the line is not played, because of this problem.
    Stop(&'a str),
}

/// Receives from [`Replay`](crate::Replay) selected positions in order, and problems.
///
/// For each game, `begin` is called, then `ply` for each position, then `end` or `discard_game`. An
/// example that counts positions:
///
/// ```
/// use emit::{GameContext, Plan, Ply, Problem, Replay, Sink};
///
/// #[derive(Default)]
/// struct Count(u32);
/// impl Sink for Count {
///     fn ply(&mut self, _: Ply<'_>, _: &GameContext<'_>) { self.0 += 1; }
///     fn discard_game(&mut self) { self.0 = 0; }
///     fn problem(&mut self, problem: Problem) { panic!("{problem}"); }
/// }
///
/// let plan = Plan::default();
/// let mut count = Count::default();
/// Replay::new(pgn::Chunk::whole(b"1. e4 e5 *"), &plan).run(&mut count);
/// assert_eq!(count.0, 3);
/// ```
pub trait Sink {
    /// Receives the offset in the chunk at which the next game begins, and whether all of its
    /// positions are selected. Called before `begin` and `game_filtered_out`, also for a game that
    /// is too large to be read, and only if the plan [asks for texts](crate::Plan::wants_text).
    fn game_start(&mut self, _at: usize, _is_wanted: bool) {}

    /// Begins a game.
    fn begin(&mut self, _game: &GameContext<'_>) {}

    /// Skips a game that the filter rejects, for sinks that count games.
    fn game_filtered_out(&mut self) {}

    /// Receives the next selected position of the game. Those of a variation follow the position
    /// where it begins, which is not repeated.
    fn ply(&mut self, _ply: Ply<'_>, _game: &GameContext<'_>) {}

    /// Receives the position where a variation begins once more, selected or not, with the first
    /// move of the variation, for sinks that count moves.
    fn alternative(&mut self, _ply: Ply<'_>, _is_selected: bool) {}

    /// Receives a position that is not selected and why: later records may depend on it.
    #[inline(always)]
    fn skipped_ply(&mut self, _ply: Ply<'_>, _why: Omission) {}

    /// Returns whether the sink accepts games of variants. If not, each of them is an error.
    fn takes_variants(&self) -> bool {
        false
    }

    /// Receives the next position of a game of a variant, and why it is not selected.
    fn variant(
        &mut self,
        _ply: VariantPly<'_>,
        _game: &GameContext<'_>,
        _omitted: Option<Omission>,
    ) {
    }

    /// Receives the next part of the movetext, with all variations that are played. Called between
    /// `begin` and `end`, and only if the plan has a [form](crate::Plan::games) that needs it.
    fn movetext(&mut self, _part: Movetext<'_>) {}

    /// Ends the game and keeps its positions. Its outcome is known now.
    fn end(&mut self, _game: &GameContext<'_>) {}

    /// Discards everything since the last [`Sink::begin`]: the game was cut or is skipped.
    fn discard_game(&mut self) {}

    /// Receives a problem with the game just ended or discarded, or with the text before it.
    fn problem(&mut self, problem: Problem);
}

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

    /// Returns the parts of the game ended last with their positions, if parts are written.
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
