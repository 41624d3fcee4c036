//! The sink that makes a row for each game.

use openings::{Opening, OpeningTracker};
use pgn::{Outcome, Place, TagPair};
use san::{AnyPosition, Buffer};

use super::cell::{Cell, Source, tag_text};
use super::{Column, RecordText, Rows, Values};
use crate::facts::{self, Fact, GameFacts, Ratings, TimeTags};
use crate::games::game_result::GameResult;
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::selection::exclude_games::Ending;
use crate::sink::Sink;

/// Forwards everything to a sink of records, and makes a row for each game: lists of the facts at those of its positions whose
/// records are written, and the facts of the game. A game all of whose positions are left out has no row, but one without
/// positions, such as one whose FEN is wrong, has.
///
/// Game numbers are relative to the chunk; [`Rows::add_games`] makes them relative to the file.
#[derive(Debug)]
pub struct GameRowSink<'t, S> {
    records: S,
    columns: &'t [Column],
    plan: &'t Plan,
    rows: &'t mut Rows,
    game: GameFacts<'t>,
    result: GameResult,
    /// How the game ended.
    ending: Option<&'static str>,
    /// The column with the first problem, if there is one.
    problem: Option<usize>,
    naming: Option<OpeningTracker<'t>>,
    /// For each column, its text if that comes from the tags.
    of_game: Vec<Option<String>>,
    state: State,
    /// Whether a move was played from the last position of the lists. There may be null moves before.
    has_move: bool,
    scratch: Buffer,
}

/// What is known of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    /// Between games.
    #[default]
    None,
    /// It has begun.
    Begun,
    /// It has positions, and none was selected.
    Omitted,
    /// A position was selected.
    Selected,
    /// It has a row, and no problem so far.
    HasRow,
}

impl<'t, S: RecordText> GameRowSink<'t, S> {
    /// Makes a sink that appends to `rows`, which must have the same `columns`, those [of games](Column::of_games).
    pub fn new(records: S, columns: &'t [Column], plan: &'t Plan, rows: &'t mut Rows) -> Self {
        let is_named = |column: &Column| matches!(column, Column::Fact(Fact::Eco | Fact::Opening));
        GameRowSink {
            records,
            columns,
            plan,
            rows,
            game: GameFacts { file: &plan.file, ..GameFacts::default() },
            result: GameResult::default(),
            ending: None,
            problem: columns.iter().position(|column| *column == Column::Fact(Fact::Problem)),
            naming: columns
                .iter()
                .any(is_named)
                .then(|| OpeningTracker::of(&plan.names, plan.variations)),
            of_game: vec![None; columns.len()],
            state: State::default(),
            has_move: false,
            scratch: Buffer::default(),
        }
    }

    /// Adds the facts at a position to the lists, unless the number of records is still `count`; its record begins at offset
    /// `start` of the text.
    #[inline(always)]
    fn add<P: AnyPosition>(&mut self, (start, count): (usize, u64), ply: &Ply<'_, P>) {
        if self.records.count() == count {
            return self.skip(ply);
        }
        self.state = State::Selected;
        let text = self.records.text();
        let record = text[start..].strip_suffix(b"\n").unwrap_or(&text[start..]);
        let opening = Opening::default();
        for (column, values) in self.columns.iter().zip(&mut self.rows.columns) {
            let (Column::List(fact), Values::List { values, .. }) = (column, &mut values.values)
            else {
                continue;
            };
            let row = values.len();
            let source = Source { game: &self.game, opening: &opening, plan: self.plan };
            Cell { values, row }.fact(*fact, ply, record, source, &mut self.scratch);
        }
        self.has_move = ply.next.is_some();
        self.note_ending(ply);
    }

    fn skip<P: AnyPosition>(&mut self, ply: &Ply<'_, P>) {
        if self.state == State::Begun {
            self.state = State::Omitted;
        }
        self.note_ending(ply);
    }

    /// Takes note of the end of the game on the board.
    #[inline(always)]
    fn note_ending<P: AnyPosition>(&mut self, ply: &Ply<'_, P>) {
        if ply.next.is_none()
            && let Some(position) = ply.position.as_chess()
        {
            if position.is_checkmate() {
                self.ending = Some("checkmate");
            } else if position.is_stalemate() {
                self.ending = Some("stalemate");
            }
        }
    }

    /// Ends the row of the game.
    fn end_row(&mut self) {
        let opening = self.naming.as_ref().map_or_else(Opening::default, OpeningTracker::opening);
        let row = self.rows.len;
        for (index, column) in self.columns.iter().enumerate() {
            let mut cell = Cell { values: &mut self.rows.columns[index], row };
            match column {
                Column::Tag(_) | Column::Tags => {
                    cell.text(self.of_game[index].as_deref().map(str::as_bytes));
                }
                Column::List(fact) => {
                    if fact.is_of_move() && self.state == State::Selected && !self.has_move {
                        cell.shorten_list();
                    }
                    cell.list();
                }
                Column::Fact(Fact::Termination) => cell.text(self.ending.map(str::as_bytes)),
                Column::Fact(fact) => {
                    match facts::value_of_game(*fact, &self.game, &opening) {
                        Some(value) => cell.value(value),
                        None => cell.nothing(),
                    };
                }
            }
        }
        self.rows.len += 1;
    }
}

impl<S: RecordText> Sink for GameRowSink<'_, S> {
    fn number(&mut self, game: u64, place: Place) {
        self.game.line = place.line;
        self.records.number(game, place);
    }

    fn length(&mut self, plies: u32) {
        self.game.plies = plies;
        self.records.length(plies);
    }

    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.state = State::Begun;
        self.game.number += 1;
        self.game.ratings = Ratings::of(tags);
        self.game.times = TimeTags::of(tags);
        self.result = GameResult::of(tags);
        self.ending = Ending::of_tags(tags).map(|ending| match ending {
            Ending::TimeForfeit => "time forfeit",
            Ending::Abandoned => "abandoned",
            Ending::Adjudicated => "adjudication",
        });
        for (column, text) in self.columns.iter().zip(&mut self.of_game) {
            *text = tag_text(column, tags);
        }
        if let Some(naming) = &mut self.naming {
            naming.begin(tags);
        }
        self.records.begin(tags);
    }

    fn game_filtered_out(&mut self) {
        self.state = State::None;
        self.game.number += 1;
        self.records.game_filtered_out();
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        if let Some(naming) = &mut self.naming {
            naming.follow(ply.position, ply.next, ply.number);
        }
        let before = (self.records.text().len(), self.records.count());
        self.records.ply(ply);
        self.add(before, &ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        if let Some(naming) = &mut self.naming {
            naming.follow(ply.position, ply.next, ply.number);
        }
        self.skip(&ply);
        self.records.skipped_ply(ply);
    }

    fn takes_variants(&self) -> bool {
        self.records.takes_variants()
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        let before = (self.records.text().len(), self.records.count());
        self.records.variant(ply);
        self.add(before, &ply);
    }

    fn skipped_variant(&mut self, ply: VariantPly<'_>) {
        self.skip(&ply);
        self.records.skipped_variant(ply);
    }

    fn text_of_game(&mut self, text: &[u8]) {
        self.records.text_of_game(text);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.game.result = self
            .result
            .result(outcome)
            .filter(|outcome| *outcome != Outcome::Unknown)
            .map(Outcome::as_str);
        if matches!(self.state, State::Begun | State::Selected) {
            self.end_row();
            self.state = State::HasRow;
        }
        self.records.end(outcome);
    }

    fn discard_game(&mut self) {
        self.state = State::None;
        let len = self.rows.len;
        self.rows.truncate(len);
        self.records.discard_game();
    }

    fn problem(&mut self, problem: Problem) {
        if let Some(column) = self.problem
            && self.state == State::HasRow
            && problem.game == self.game.number
        {
            self.rows.columns[column].set_last(problem.without_place().as_bytes());
            self.state = State::None;
        }
        self.records.problem(problem);
    }
}
