//! Sets up the start of a game and reports problems with it.

use san::{Position, VariantPosition};

use super::Replay;
use crate::problem::Reason;
use crate::start;

/// Where a game starts.
pub(super) enum Start {
    /// The position was set up.
    Chess,
    Variant(Box<VariantPosition>),
    /// The game cannot be played.
    Nowhere,
}

impl Replay<'_> {
    /// Sets up `position`, which holds the starting position of chess. If the start is not valid, a
    /// problem is reported and the game is not played.
    #[inline]
    pub(super) fn start(&mut self, position: &mut Position, takes_variants: bool) -> Start {
        if start::is_usual(self.scanner.tags()) {
            return Start::Chess;
        }
        self.unusual_start(position, takes_variants)
    }

    #[inline(never)]
    fn unusual_start(&mut self, position: &mut Position, takes_variants: bool) -> Start {
        let mut warnings = Vec::new();
        let outcome = start::position(self.scanner.tags(), |index, reason| {
            warnings.push((index, reason));
        });
        for (index, reason) in warnings {
            self.tag_problem(index, reason);
        }
        match outcome {
            Ok(start) => {
                *position = start;
                Start::Chess
            }
            Err((index, Reason::Variant)) => {
                match start::is_known_variant(self.scanner.tags(), index) {
                    true if takes_variants => self.start_of_variant(),
                    is_known => {
                        let reason = if is_known { Reason::VariantHere } else { Reason::Variant };
                        self.tag_problem(index, reason);
                        Start::Nowhere
                    }
                }
            }
            Err((index, reason)) => {
                self.tag_problem(index, reason);
                Start::Nowhere
            }
        }
    }
}
