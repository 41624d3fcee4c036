//! Where a game starts, and what is wrong with that.

use san::{Position, VariantPosition};

use super::Replay;
use crate::{Reason, start};

/// Where a game starts.
pub(super) enum Start {
    /// The position was put where it is wanted.
    Chess,
    Variant(Box<VariantPosition>),
    /// It cannot be played.
    Nowhere,
}

impl Replay<'_> {
    /// Puts the start position into `position`, which holds the usual array; without one there is a problem, and nothing to
    /// play.
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
            Err((_, Reason::Variant)) if takes_variants => self.start_of_variant(),
            Err((index, reason)) => {
                self.tag_problem(index, reason);
                Start::Nowhere
            }
        }
    }
}
