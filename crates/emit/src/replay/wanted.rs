//! Evaluates the filter for whole games, before and during the replay.

use pgn::{Chunk, Outcome, Scanner, TagPair, Token};

use super::{Next, Replay};
use crate::facts::Fact;
use crate::ply::Ply;
use crate::problem::Problem;
use crate::records::plan::Plan;
use crate::selection::ending::{Ending, ending_on_board};
use crate::selection::filter::Verdict;
use crate::selection::omission::Omission;
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
    pub(super) fn game_ahead(&self, [plies, termination]: [bool; AHEAD.len()]) -> GameAhead {
        GameAhead {
            plies: if plies { plies_ahead(&self.scanner) } else { 0 },
            termination: if termination { self.termination_ahead() } else { None },
        }
    }

    /// Plays the current game to find how it ends.
    #[inline(never)]
    fn termination_ahead(&self) -> Option<&'static str> {
        let Plan { language, null_moves, max_game_bytes, .. } = *self.plan;
        let plan = Plan { language, null_moves, max_game_bytes, ..Plan::default() };
        let rest = &self.chunk.bytes()[self.scanner.game_start()..];
        let mut end = LastPosition::default();
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
struct LastPosition(Option<&'static str>);

impl Sink for LastPosition {
    fn begin(&mut self, tags: &[TagPair<'_>]) {
        self.0 = Ending::of_tags(tags).map(Ending::as_str);
    }

    fn ply(&mut self, ply: Ply<'_>) {
        self.0 = ending_on_board(&ply).or(self.0);
    }

    fn takes_variants(&self) -> bool {
        true
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

/// Counts the plies of the main line as written.
pub(super) fn plies_ahead(scanner: &Scanner<'_>) -> u32 {
    let mut scanner = scanner.clone();
    let (mut plies, mut numbers) = (0, 0);
    while let Some(token) = scanner.next_token() {
        if scanner.depth() == 0 {
            plies += u32::from(matches!(token, Token::Move(_)));
            numbers += u32::from(matches!(token, Token::Number(digits) if digits.len() > 3));
        }
    }
    // A game in numeric notation has nothing else.
    if plies == 0 { numbers } else { plies }
}
