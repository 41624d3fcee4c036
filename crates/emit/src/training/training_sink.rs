//! The sink that encodes games as training data.

use pgn::{Outcome, TagPair};
use training::{Encoder, GameResult, ScoreUnit, Unfit, Unit};

use crate::annotations::analysis::Analysis;
use crate::games::game_result;
use crate::ply::Ply;
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::records::text::{Text, Unstorable};
use crate::selection::omitted::Omitted;
use crate::sink::Sink;
use crate::training::score::score_of;

/// Encodes the selected positions of games with their evaluations.
///
/// A position without an evaluation, and a game without a result, are not written but counted as
/// [unlabelled](Text::unlabelled), as are positions that the format cannot represent. Games of
/// variants are errors.
///
/// The plan must want [evaluations](Plan::evaluations), and no variations.
#[derive(Debug)]
pub struct TrainingSink<'t> {
    encoder: &'t mut Encoder,
    text: &'t mut Text,
    plan: &'t Plan,
    unit: ScoreUnit,
    excludes: bool,
    ending: game_result::GameResult,
    written: u64,
    /// Number of the ply that would continue those written.
    next: u32,
    /// The counts of unlabelled, unstorable and omitted positions before the game.
    before: (u64, Unstorable, Omitted),
}

impl<'t> TrainingSink<'t> {
    /// Makes a sink that appends games to `encoder`, and their counts and problems to `text`.
    pub fn new(
        encoder: &'t mut Encoder,
        text: &'t mut Text,
        plan: &'t Plan,
        unit: ScoreUnit,
    ) -> Self {
        TrainingSink {
            encoder,
            text,
            plan,
            unit,
            excludes: plan.omits_positions(),
            ending: game_result::GameResult::default(),
            written: 0,
            next: 0,
            before: Default::default(),
        }
    }

    /// Returns the parts of the game ended last.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        self.encoder.units()
    }

    /// Writes a position, if it has a score.
    // Inlined into the replay, which is compiled for processors that count bits in one instruction.
    #[inline(always)]
    fn push(&mut self, ply: &Ply<'_>) {
        if ply.number != self.next {
            self.encoder.skip();
        }
        let score = match ply.known().and_then(|known| known.score) {
            // Of the same unit; `evaluation_of` may round it.
            Some(score) => Some(score).filter(|score| !score.is_none()),
            None => {
                Analysis::evaluation(ply).and_then(|value| score_of(value, self.unit, ply.position))
            }
        };
        let Some(score) = score else {
            self.text.unlabelled += 1;
            self.text.unstorable.evaluations += 1;
            return;
        };
        match self.encoder.push(ply.position, ply.next, score) {
            true => (self.written, self.next) = (self.written + 1, ply.number + 1),
            false => self.unfit(ply),
        }
    }

    #[cold]
    fn unfit(&mut self, ply: &Ply<'_>) {
        self.text.unlabelled += 1;
        let unstorable = &mut self.text.unstorable;
        *match ply.next.map(|_| self.encoder.format().unfit(ply.position)) {
            None => &mut unstorable.moves,
            Some(Some(Unfit::Castling)) => &mut unstorable.castling,
            Some(Some(Unfit::Clocks)) => &mut unstorable.clocks,
            Some(None) => return,
        } += 1;
    }

    fn finish(&mut self, outcome: Option<Outcome>) {
        let result = match self.ending.result(outcome) {
            Some(Outcome::WhiteWins) => GameResult::WhiteWins,
            Some(Outcome::BlackWins) => GameResult::BlackWins,
            Some(Outcome::Draw) => GameResult::Draw,
            Some(Outcome::Unknown) | None => {
                self.text.unlabelled += self.written;
                self.text.unstorable.results += self.written;
                return self.encoder.discard_game();
            }
        };
        self.encoder.end_game(result);
        self.text.positions += self.written;
    }
}

impl Sink for TrainingSink<'_> {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.ending = game_result::GameResult::of(tags);
        self.encoder.begin_game();
        (self.written, self.next) = (0, 0);
        self.before = (self.text.unlabelled, self.text.unstorable, self.text.omitted);
    }

    // Builds for tests have one copy, see `Replay::next_game`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn ply(&mut self, ply: Ply<'_>) {
        if self.excludes
            && let Some(omission) = self.plan.omission(&ply)
        {
            return self.text.omitted.add(omission);
        }
        self.push(&ply);
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.text.omitted.add_skipped(ply.number, ply.position.fullmoves(), self.plan);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.finish(outcome);
    }

    fn discard_game(&mut self) {
        self.encoder.discard_game();
        (self.text.unlabelled, self.text.unstorable, self.text.omitted) = self.before;
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}
