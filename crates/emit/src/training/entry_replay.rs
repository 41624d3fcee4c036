//! Passes the entries of training data to a sink.

use epd::{Opcode, Operand, Record};
use pgn::{Outcome, Place, TagPair};
use training::{Entry, GameResult, PlainError, ScoreUnit};

use crate::facts::is_tag_name;
use crate::known::{Known, operand_text};
use crate::ply::{Ahead, Ply};
use crate::problem::{Problem, Reason};
use crate::records::plan::Plan;
use crate::replay::Counts;
use crate::shown_positions::ShownPositions;
use crate::sink::Sink;
use crate::training::score::evaluation_of;

/// Passes training data to a sink: the entries of a game as a game, whose tag is its result.
#[derive(Debug)]
pub struct EntryReplay<'p> {
    shown: ShownPositions<'p>,
    has_clocks: bool,
    unit: ScoreUnit,
    operations: Vec<&'p str>,
    needs_records: bool,
    /// The result of the game, if one has begun and is not ruled out.
    game: Option<Outcome>,
}

impl<'p> EntryReplay<'p> {
    /// Makes a replay according to a plan [of records](Plan::of_records). `has_clocks` says whether
    /// positions have their clocks.
    pub fn new(plan: &'p Plan, has_clocks: bool, unit: ScoreUnit) -> Self {
        // An entry has no other tags than its result.
        let mut operations = plan.operations_used();
        operations.retain(|name| !is_tag_name(name));
        let needs_records = plan.needs_records() || !operations.is_empty();
        let shown = ShownPositions::new(plan);
        EntryReplay { shown, has_clocks, unit, operations, needs_records, game: None }
    }

    /// Passes an entry on, which is the `index`th of the file, from 0. The next one is known, so
    /// that a game ends with its last entry.
    pub fn entry(&mut self, entry: &Entry, index: u64, ends_game: bool, sink: &mut dyn Sink) {
        let outcome = outcome_of(entry.result);
        let evaluation = evaluation_of(entry.score, self.unit, &entry.position);
        let record = self.needs_records.then(|| self.record(entry));
        // Operations differ from position to position, tags do not.
        let is_alone = !self.operations.is_empty();
        if entry.is_start || is_alone {
            let value =
                |name: &&'p str| Some((*name, operand_text(record.as_ref()?.get_other(name)?)));
            let values: Vec<_> = self.operations.iter().filter_map(value).collect();
            let tag = |name: &'p str, value| TagPair::of_value(name.as_bytes(), value);
            let mut tags = vec![tag("Result", outcome.as_str().as_bytes())];
            tags.extend(values.iter().map(|(name, value)| tag(name, value.as_bytes())));
            let place = Place { line: index + 1, ..Place::default() };
            self.game = self.shown.begin(&tags, place, sink).then_some(outcome);
        }
        if self.game.is_none() {
            return;
        }
        let known = Known {
            written: None,
            record: record.as_ref(),
            evaluation,
            score: Some(entry.score),
            ..Known::default()
        };
        let ahead = Ahead { outcome: Some(outcome), known: Some(&known), ..Ahead::default() };
        let ply = Ply { ahead: Some(&ahead), ..Ply::new(&entry.position, entry.played, entry.ply) };
        let has_clocks = self.has_clocks;
        self.shown.ply(ply, || has_clocks, sink);
        if ends_game || is_alone {
            sink.end(self.game.take());
        }
    }

    /// Reports an entry that cannot be read, which is not passed on.
    pub fn fault(&mut self, error: PlainError, sink: &mut dyn Sink) {
        self.shown.counts.bad_games += 1;
        let place = Place { line: error.line, ..Place::default() };
        sink.problem(Problem::at(place, Reason::Entry(error.fault)));
    }

    /// Returns the statistics.
    pub fn finish(self) -> Counts {
        self.shown.counts
    }

    fn record(&self, entry: &Entry) -> Record {
        let position = entry.position.clone();
        let mut record = match self.has_clocks {
            true => Record::with_clocks(position),
            false => Record::new(position),
        };
        let result = Operand::Text(outcome_of(entry.result).as_str().to_owned());
        let evaluation = evaluation_of(entry.score, self.unit, &entry.position);
        let played = entry.played.map(|played| san::san_of(&entry.position, played).to_string());
        let operations = [
            (Opcode::C9, Some(result)),
            (Opcode::Ce, evaluation.map(Operand::Evaluation)),
            (Opcode::Sm, played.map(Operand::Move)),
        ];
        for (opcode, operand) in operations {
            if let Some(operand) = operand {
                // Each is of the type that the opcode takes.
                let _ = record.set(opcode, operand);
            }
        }
        record
    }
}

fn outcome_of(result: GameResult) -> Outcome {
    match result {
        GameResult::WhiteWins => Outcome::WhiteWins,
        GameResult::Draw => Outcome::Draw,
        GameResult::BlackWins => Outcome::BlackWins,
    }
}
