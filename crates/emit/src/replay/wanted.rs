//! Evaluates the filter for whole games, before and during the replay.

use pgn::{Chunk, Outcome, TagPair};

use super::{Next, Replay};
use crate::facts::Fact;
use crate::ply::{Ply, VariantPly};
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::selection::filter::Verdict;
use crate::selection::{Ending, Omission, ending_on_board};
use crate::sink::{AHEAD, GameAhead, Sink};

impl Replay<'_> {
    /// Evaluates the filter on the tags of the current game.
    pub(super) fn verdict(&mut self) -> Verdict {
        let Some(condition) = &mut self.condition else {
            return Verdict::Yes;
        };
        let has_line = condition.asks_for(Fact::Line);
        let line = has_line.then(|| self.places.at(self.scanner.game_start()).line);
        let mut verdict = condition.begin(self.scanner.tags(), line);
        self.counts.condition_tags |= condition.tags();
        if verdict == Verdict::Depends && condition.needs_outcome() {
            verdict = condition.set_outcome(self.scanner.clone().skip_game());
        }
        let asks = AHEAD.map(|fact| condition.asks_for(fact));
        if verdict == Verdict::Depends && asks.contains(&true) {
            let game = self.game_ahead(asks);
            verdict = self.condition.as_mut().map_or(verdict, |of| of.set_ahead(game));
        }
        verdict
    }

    /// Returns what follows from the whole of the current game, as far as it is [wanted](AHEAD).
    pub(super) fn game_ahead(&self, wanted: [bool; AHEAD.len()]) -> GameAhead {
        if wanted.contains(&true) { self.play_to_end() } else { GameAhead::default() }
    }

    /// Plays the current game to find its length and how it ends.
    #[inline(never)]
    fn play_to_end(&self) -> GameAhead {
        let Plan { language, null_moves, max_game_bytes, .. } = *self.plan;
        let plan = Plan { language, null_moves, max_game_bytes, ..Plan::default() };
        let rest = &self.chunk.bytes()[self.scanner.game_start()..];
        let mut end = End::default();
        Replay::new(Chunk::whole(rest), &plan).next_game(&mut end);
        end.0
    }

    /// Skips a game that the filter rejects, or that is omitted because of its ending. Its problems
    /// are not reported, except that it is too large.
    pub(super) fn game_filtered_out(
        &mut self,
        omission: Option<Omission>,
        sink: &mut (impl Sink + ?Sized),
    ) -> Next {
        self.scanner.skip_game();
        if self.scanner.is_cut() {
            self.counts.games -= 1;
            return Next::None;
        }
        if self.plan.wants_text {
            sink.game_start(self.scanner.game_start(), false);
        }
        sink.game_filtered_out();
        if !self.skips_too_large() {
            match omission {
                Some(omission) => self.counts.omitted.add(omission),
                None => self.counts.left_out += 1,
            }
        }
        self.report(sink);
        Next::LeftOut
    }
}

#[derive(Default)]
struct End(GameAhead);

impl Sink for End {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.0.termination = Ending::of_tags(tags).map(Ending::as_str);
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.0.plies = ply.number;
        self.0.termination = ending_on_board(&ply).or(self.0.termination);
    }

    fn takes_variants(&self) -> bool {
        true
    }

    fn variant(&mut self, ply: VariantPly<'_>) {
        self.0.plies = ply.number;
    }

    fn end(&mut self, _: Option<Outcome>) {}

    fn discard_game(&mut self) {}

    fn problem(&mut self, _: Problem) {}
}

impl Replay<'_> {
    /// Returns the result in the movetext if the tags have none.
    pub(super) fn outcome_ahead(&self) -> Option<Outcome> {
        let has_result = |tag: &TagPair<'_>| {
            tag.name() == b"Result" && Outcome::of_tag(&tag.value()) != Outcome::Unknown
        };
        match self.scanner.tags().iter().any(has_result) {
            true => None,
            false => self.scanner.clone().skip_game(),
        }
    }
}
