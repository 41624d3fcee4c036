//! What the filter says of games, before they are played and while they are.

use pgn::{Scanner, Token};

use super::{Next, Replay};
use crate::{OnError, Ply, Sink, Verdict};

/// What the filter says of a game, and the game's length where that matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) verdict: Verdict,
    plies: Option<u32>,
}

impl Wanted {
    /// The whole game.
    pub(super) const ALL: Wanted = Wanted { verdict: Verdict::Yes, plies: None };
}

impl Replay<'_> {
    /// What the filter says of the game whose tags were read.
    pub(super) fn verdict(&self) -> Wanted {
        let Some(filter) = &self.plan.filter else {
            return Wanted::ALL;
        };
        let tags = self.scanner.tags();
        match filter.game(tags) {
            Verdict::Depends if filter.needs_plies() => {
                let plies = plies_ahead(&self.scanner);
                Wanted { verdict: filter.game_of_length(tags, plies), plies: Some(plies) }
            }
            verdict => Wanted { verdict, plies: None },
        }
    }

    /// Passes over a game that is not wanted. What is wrong with it is not said, unless it is too large to be read.
    pub(super) fn leave_out(&mut self, sink: &mut impl Sink) -> Next {
        self.scanner.pass_over_game();
        if self.scanner.is_cut() {
            self.counts.games -= 1;
            return Next::None;
        }
        sink.leave_out();
        self.take_faults();
        self.problems.retain(|(_, problem)| problem.game == 0);
        if self.is_too_large() {
            self.say_too_large();
            self.counts.bad_games += 1;
            self.counts.stopped = self.plan.on_error == OnError::Stop;
        } else {
            self.counts.left_out += 1;
        }
        self.report(sink);
        Next::LeftOut
    }

    /// Whether the filter wants this position of a game that it did not leave out.
    #[inline(always)]
    pub(super) fn wants(&self, ply: &Ply<'_>) -> bool {
        match (self.wanted.verdict, &self.plan.filter) {
            (Verdict::Depends, Some(filter)) => {
                filter.position(self.scanner.tags(), self.wanted.plies, ply)
            }
            _ => true,
        }
    }
}

/// How many plies the main line has, as it is written.
fn plies_ahead(scanner: &Scanner<'_>) -> u32 {
    let mut scanner = scanner.clone();
    let mut plies = 0;
    while let Some(token) = scanner.next_token() {
        plies += u32::from(matches!(token, Token::Move(_)) && scanner.depth() == 0);
    }
    plies
}
