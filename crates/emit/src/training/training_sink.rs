//! The sink that encodes games as training data.

use pgn::{Outcome, TagPair};
use san::{Move, Position};
use training::{Encoder, GameResult, Score, ScoreUnit};

use crate::annotations::analysis::Analysis;
use crate::games::game_result;
use crate::ply::{Ahead, Ply};
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::records::text::Text;
use crate::sink::Sink;
use crate::training::score::score_of;

/// Encodes the selected positions of games with their evaluations.
///
/// A position without an evaluation, and a game without a result, are not written but counted as
/// [unlabelled](Text::unlabelled), as are positions that the format cannot represent. Games of
/// variants are errors.
///
/// The plan must have [raw comments](Plan::raw_comments), and no variations. The sink need not look
/// ahead: it holds a position back until the comments on its move are known.
#[derive(Debug)]
pub struct TrainingSink<'t> {
    encoder: &'t mut Encoder,
    text: &'t mut Text,
    plan: &'t Plan,
    unit: ScoreUnit,
    /// The result by the tags.
    ending: game_result::GameResult,
    held: Option<Held>,
    /// Number of positions of the game that were written.
    written: u64,
    /// Number of the ply that would continue those written.
    next: u32,
    /// The count of unlabelled positions before the game.
    unlabelled: u64,
}

/// A selected position whose move's comments are not known yet.
#[derive(Debug)]
struct Held {
    position: Position,
    next: Option<Move>,
    number: u32,
    /// The score from the comments on the position.
    score: Option<Score>,
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
            ending: game_result::GameResult::default(),
            held: None,
            written: 0,
            next: 0,
            unlabelled: 0,
        }
    }

    /// Writes the position held back; `comments` are those on the move played from it.
    #[inline]
    fn release(&mut self, comments: &[&[u8]]) {
        let Some(held) = self.held.take() else { return };
        let ahead = Ahead { comments, plies: 0, outcome: None };
        let Held { position, next, number, score } = &held;
        let ply = Ply { ahead: Some(&ahead), ..Ply::new(position, *next, *number) };
        let score = if comments.is_empty() { None } else { self.score(&ply) }.or(*score);
        self.push(&ply, score);
    }

    fn score(&self, ply: &Ply<'_>) -> Option<Score> {
        score_of(Analysis::evaluation(ply)?, self.unit, ply.position)
    }

    /// Writes a position, if it has a score.
    fn push(&mut self, ply: &Ply<'_>, score: Option<Score>) {
        if ply.number != self.next {
            self.encoder.skip();
        }
        let Some(score) = score else {
            self.text.unlabelled += 1;
            return;
        };
        match self.encoder.push(ply.position, ply.next, score) {
            true => (self.written, self.next) = (self.written + 1, ply.number + 1),
            false => self.text.unlabelled += 1,
        }
    }

    /// Ends the game with its result.
    fn finish(&mut self, outcome: Option<Outcome>) {
        let result = match self.ending.result(outcome) {
            Some(Outcome::WhiteWins) => GameResult::WhiteWins,
            Some(Outcome::BlackWins) => GameResult::BlackWins,
            Some(Outcome::Draw) => GameResult::Draw,
            Some(Outcome::Unknown) | None => {
                self.text.unlabelled += self.written;
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
        (self.held, self.written, self.next) = (None, 0, 0);
        self.unlabelled = self.text.unlabelled;
    }

    #[inline(always)]
    fn ply(&mut self, ply: Ply<'_>) {
        self.release(ply.comments);
        if self.plan.exclude.excludes(&ply) {
            return;
        }
        if ply.ahead.is_some() {
            let score = self.score(&ply);
            return self.push(&ply, score);
        }
        let score = if ply.comments.is_empty() { None } else { self.score(&ply) };
        let Ply { position, next, number, .. } = ply;
        self.held = Some(Held { position: position.clone(), next, number, score });
    }

    fn skipped_ply(&mut self, ply: Ply<'_>) {
        self.release(ply.comments);
    }

    fn end(&mut self, outcome: Option<Outcome>) {
        self.release(&[]);
        self.finish(outcome);
    }

    fn discard_game(&mut self) {
        self.held = None;
        self.encoder.discard_game();
        self.text.unlabelled = self.unlabelled;
    }

    fn problem(&mut self, problem: Problem) {
        self.text.problems.push(problem);
    }
}
