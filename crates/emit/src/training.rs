//! Games as training data of engines, in the binary formats of the crate `training`; and such data,
//! passed to any sink.

use std::ops::Range;

use epd::{Centipawns, Opcode, Operand, Record};
use pgn::{Outcome, Place, TagPair};
use san::{Color, Position};
use training::{Encoder, Entry, GameResult, PlainError, Score, ScoreUnit, Unfit};

use crate::annotations::evaluation;
use crate::facts::is_tag_name;
use crate::game::GameContext;
use crate::labels::score_with;
use crate::ply::{Ahead, Known, Ply, operand_text};
use crate::problem::{Problem, Reason};
use crate::records::plan::Plan;
use crate::records::{Text, TextCounts};
use crate::replay::Counts;
use crate::selection::Omission;
use crate::shown_positions::ShownPositions;
use crate::sink::{RecordSink, Sink};

#[inline(always)]
fn score_of(evaluation: Centipawns, unit: ScoreUnit, position: &Position) -> Option<Score> {
    score_with(evaluation, |centipawns| unit.of_centipawns(centipawns, position))
}

fn evaluation_of(score: Score, unit: ScoreUnit, position: &Position) -> Option<Centipawns> {
    let evaluation = match score.mate() {
        Some((true, plies)) => Centipawns::gives_mate_in_plies(plies.max(1)),
        Some((false, plies)) => Centipawns::gets_mated_in_plies(plies.max(1)),
        None if score.is_none() => None,
        None => Some(Centipawns::without_mate(unit.to_centipawns(score, position).into())),
    };
    evaluation.map(Centipawns::with_possible_mate)
}

/// Encodes the selected positions of games with their evaluations.
///
/// A position without an evaluation, and a game without a result, are not written but counted as
/// [unlabelled](TextCounts::unlabelled), as are positions that the format cannot represent. Games of
/// variants are errors.
///
/// The plan must want the [fact](Plan::facts) [`Eval`](crate::Fact::Eval), and no variations.
#[derive(Debug)]
pub struct TrainingSink<'t> {
    encoder: &'t mut Encoder,
    text: &'t mut Text,
    unit: ScoreUnit,
    written: u64,
    next: u32,
    before: TextCounts,
}

impl<'t> TrainingSink<'t> {
    /// Makes a sink that appends games to `encoder`, and their counts and problems to `text`.
    pub fn new(encoder: &'t mut Encoder, text: &'t mut Text, unit: ScoreUnit) -> Self {
        TrainingSink { encoder, text, unit, written: 0, next: 0, before: TextCounts::default() }
    }

    #[cold]
    fn unfit(&mut self, ply: &Ply<'_>) {
        self.text.counts.unlabelled += 1;
        let unstorable = &mut self.text.counts.unstorable;
        *match ply.next.map(|_| self.encoder.format().unfit(ply.position)) {
            None => &mut unstorable.moves,
            Some(Some(Unfit::Castling)) => &mut unstorable.castling,
            Some(Some(Unfit::Clocks)) => &mut unstorable.clocks,
            Some(None) => return,
        } += 1;
    }
}

impl Sink for TrainingSink<'_> {
    fn begin(&mut self, _: &GameContext<'_>) {
        self.encoder.begin_game();
        (self.written, self.next) = (0, 0);
        self.before = self.text.counts;
    }

    // Inlined into the replay, which is compiled for processors that count bits in one instruction;
    // builds for tests have one copy, see `Replay::run_inlined`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, ply: Ply<'_>, _: &GameContext<'_>) {
        if ply.number != self.next {
            self.encoder.skip();
        }
        let score = match ply.known().and_then(|known| known.score) {
            // Of the same unit; `evaluation_of` may round it.
            Some(score) => Some(score).filter(|score| !score.is_none()),
            None => evaluation(&ply).and_then(|value| score_of(value, self.unit, ply.position)),
        };
        let Some(score) = score else {
            self.text.counts.unlabelled += 1;
            self.text.counts.unstorable.evaluations += 1;
            return;
        };
        match self.encoder.push(ply.position, ply.next, score) {
            true => (self.written, self.next) = (self.written + 1, ply.number + 1),
            false => self.unfit(&ply),
        }
    }

    fn skipped_ply(&mut self, _: Ply<'_>, why: Omission) {
        self.text.counts.omitted.add(why);
    }

    fn end(&mut self, game: &GameContext<'_>) {
        let halves = game.result().and_then(Outcome::halves);
        let result = halves.and_then(|halves| GameResult::of_halves(halves, Color::White));
        let Some(result) = result else {
            self.text.counts.unlabelled += self.written;
            self.text.counts.unstorable.results += self.written;
            return self.encoder.discard_game();
        };
        self.encoder.end_game(result);
        self.text.counts.positions += self.written;
    }

    fn discard_game(&mut self) {
        self.encoder.discard_game();
        self.text.counts = self.before;
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}

impl RecordSink for TrainingSink<'_> {
    fn text(&self) -> &[u8] {
        self.encoder.bytes()
    }

    fn positions(&self) -> u64 {
        self.text.counts.positions
    }

    fn records(&self) -> u64 {
        0
    }

    fn units(&self) -> Vec<(Range<usize>, u64)> {
        self.encoder.units().map(|unit| (unit.bytes, unit.positions)).collect()
    }
}

/// Passes training data to a sink: the entries of a game as a game, whose tag is its result.
#[derive(Debug)]
pub struct EntryReplay<'p> {
    shown: ShownPositions<'p>,
    has_clocks: bool,
    unit: ScoreUnit,
    operations: Vec<&'p str>,
    needs_records: bool,
    game: Option<GameContext<'p>>,
}

impl<'p> EntryReplay<'p> {
    /// Makes a replay by a plan [of records](Plan::of_records), of positions that may have clocks.
    pub fn new(plan: &'p Plan, has_clocks: bool, unit: ScoreUnit) -> Self {
        // An entry has no other tags than its result.
        let mut operations = plan.operations_used();
        operations.retain(|name| !is_tag_name(name));
        let needs_records = plan.needs_records() || !operations.is_empty();
        let shown = ShownPositions::new(plan);
        EntryReplay { shown, has_clocks, unit, operations, needs_records, game: None }
    }

    /// Passes on the entry `index` of the file, from 0, and ends its game if `ends_game`.
    pub fn entry(&mut self, entry: &Entry, index: u64, ends_game: bool, sink: &mut dyn Sink) {
        let outcome = outcome_of(entry.result);
        let evaluation = evaluation_of(entry.score, self.unit, &entry.position);
        let record = self.needs_records.then(|| self.record(entry, evaluation));
        let known = Known {
            record: record.as_ref(),
            evaluation,
            score: Some(entry.score),
            ..Known::default()
        };
        let ahead = Ahead { known: Some(&known), ..Ahead::default() };
        let ply = Ply { ahead: Some(&ahead), ..Ply::new(&entry.position, entry.played, entry.ply) };
        let has_clocks = self.has_clocks;
        let place = Place { line: index + 1, ..Place::default() };
        let result = TagPair::of_value(b"Result", outcome.as_str().as_bytes());
        // Operations differ from position to position, tags do not.
        if !self.operations.is_empty() {
            let value =
                |name: &&'p str| Some((*name, operand_text(record.as_ref()?.get_other(name)?)));
            let values: Vec<_> = self.operations.iter().filter_map(value).collect();
            let mut tags = vec![result];
            tags.extend(
                values
                    .iter()
                    .map(|(name, value)| TagPair::of_value(name.as_bytes(), value.as_bytes())),
            );
            let game = self.shown.context(tags, place, Some(outcome));
            if self.shown.begin(&game, sink) {
                self.shown.ply(ply, &game, || has_clocks, sink);
                sink.end(&game);
            }
            return;
        }
        if entry.is_start {
            let game = self.shown.context(vec![result], place, Some(outcome));
            self.game = self.shown.begin(&game, sink).then_some(game);
        }
        let Some(game) = &self.game else { return };
        self.shown.ply(ply, game, || has_clocks, sink);
        if ends_game {
            sink.end(game);
            self.game = None;
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

    fn record(&self, entry: &Entry, evaluation: Option<Centipawns>) -> Record {
        let position = entry.position.clone();
        let mut record = match self.has_clocks {
            true => Record::with_clocks(position),
            false => Record::new(position),
        };
        let result = Operand::Text(outcome_of(entry.result).as_str().to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_after_an_impossible_number_of_plies_is_that_in_the_same_number_of_moves() {
        // Scores count plies from 32000.
        for (score, evaluation) in
            [(31999, 32766), (31998, 32766), (31997, 32764), (-31998, -32765), (-31999, -32765)]
        {
            let score = Score::of_raw(score);
            let read = evaluation_of(score, ScoreUnit::Centipawns, &Position::default());
            assert_eq!(read.map(Centipawns::get), Some(evaluation), "{score:?}");
        }
        let (unit, start) = (ScoreUnit::Stockfish, Position::default());
        let evaluation = |score| evaluation_of(Score::of_raw(score), unit, &start);
        assert_eq!((evaluation(-829), evaluation(32002)), (Centipawns::new(-219), None));
        let score = score_of(Centipawns::new(-219).unwrap(), unit, &start);
        assert_eq!(score.map(Score::get), Some(-829));
    }

    #[test]
    fn a_mate_that_was_stored_is_stored_the_same_again() {
        let (unit, start) = (ScoreUnit::Centipawns, Position::default());
        for moves in 1..380 {
            let mates = [
                Centipawns::gives_mate_in_moves(moves).unwrap(),
                Centipawns::gets_mated_in_moves(moves).unwrap(),
            ];
            for mate in mates {
                let score = score_of(mate, unit, &start).unwrap();
                let read = evaluation_of(score, unit, &start).unwrap();
                assert_eq!(score_of(read, unit, &start), Some(score), "{moves}");
                assert_eq!(read == mate, moves <= 123, "{moves}");
            }
        }
    }
}
