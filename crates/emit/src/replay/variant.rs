//! Games of other kinds of chess: the same as [`play`](super::Replay), in small, on another board.

use pgn::Token;
use san::{Repair, VariantPosition};

use super::start::Start;
use super::{Played, Replay};
use crate::problem::{MoveNumber, Reason};
use crate::start::{self, VariantStart};
use crate::{Sink, VariantPly, Verdict};

impl Replay<'_> {
    /// Plays the main line. Variations are left out, with a warning if they are wanted.
    #[cold]
    pub(super) fn play_variant(
        &mut self,
        mut position: VariantPosition,
        sink: &mut impl Sink,
    ) -> Played {
        let mut number = 0;
        let mut has_warned = !self.plan.variations;
        while let Some(token) = self.scanner.next_token() {
            if self.scanner.depth() > 0 {
                if !has_warned {
                    self.variant_problem(&position, Reason::VariationOfVariant);
                    has_warned = true;
                }
                continue;
            }
            let next = match token {
                Token::Move(text) => match position.resolve(text) {
                    Ok(next) => next,
                    Err(error) => {
                        self.variant_problem(&position, Reason::Move(error));
                        break;
                    }
                },
                Token::Unknown(_) => {
                    self.variant_problem(&position, Reason::UnknownToken);
                    break;
                }
                Token::Comment(text) | Token::LineComment(text) if self.wants_comments => {
                    self.comments.push(text);
                    continue;
                }
                Token::Result(outcome) => {
                    self.outcome = Some(outcome);
                    continue;
                }
                _ => continue,
            };
            let san = position.san_of(next);
            self.show_variant(&position, Some(&san), number, sink);
            position.play(next);
            number += 1;
        }
        self.show_variant(&position, None, number, sink);
        self.end_of_game(sink)
    }

    /// The start position of a game with a `Variant` tag that does not mean chess.
    #[cold]
    pub(super) fn start_of_variant(&mut self) -> Start {
        match start::variant(self.scanner.tags()) {
            Ok(VariantStart { position, repaired }) => {
                if let Some(index) = repaired {
                    self.tag_problem(index, Reason::FenRepaired(Repair::OfVariant));
                }
                Start::Variant(Box::new(position))
            }
            Err((index, reason)) => {
                self.tag_problem(index, reason);
                Start::Nowhere
            }
        }
    }

    fn show_variant(
        &mut self,
        position: &VariantPosition,
        next: Option<&str>,
        number: u32,
        sink: &mut impl Sink,
    ) {
        // What a filter says of positions it says of chess.
        let decided = self.wanted.verdict != Verdict::Depends;
        if decided && self.plan.select.wants(number, next.is_none()) {
            sink.variant(VariantPly { position, next, number, comments: &self.comments });
        }
        self.comments.clear();
    }

    fn variant_problem(&mut self, position: &VariantPosition, reason: Reason) {
        let span = self.scanner.token_span();
        let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
        self.problem(span.start, span.end, Some(number), reason);
    }
}
