//! Replay of variants: the counterpart of [`play`](super::Replay), without the fast paths for
//! chess.

use pgn::Token;
use san::{AnyPosition, Language, Repair, VariantMove, VariantPosition};

use super::movetext::nag_of;
use super::start::Start;
use super::{Played, Replay};
use crate::ply::VariantPly;
use crate::problem::{MoveNumber, Reason};
use crate::selection::filter::Verdict;
use crate::sink::Sink;
use crate::start::{self, VariantStart};

impl Replay<'_> {
    /// Plays the main line. Variations are skipped, with a warning if the plan needs them.
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
                self.counts.variations +=
                    u64::from(self.scanner.depth() == 1 && token == Token::Open);
                if !has_warned {
                    self.variant_problem(&position, Reason::VariationOfVariant);
                    has_warned = true;
                }
                continue;
            }
            let (next, suffix) = match token {
                Token::Move(text) => match position.resolve(text) {
                    Ok(next) => (next, self.suffix_nag(text)),
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
                Token::Glyph(sign) => {
                    let resolve = |text: &[u8]| position.resolve(text);
                    if self.torn_move(sign, Language::English, number > 0, resolve).is_some() {
                        self.variant_problem(&position, Reason::TornMove);
                        break;
                    }
                    self.annotate(nag_of(token));
                    continue;
                }
                Token::Nag(_) => {
                    self.annotate(nag_of(token));
                    continue;
                }
                _ => continue,
            };
            self.show_variant(&position, Some(next), number, sink);
            position.play(next);
            number += 1;
            self.nags.extend(suffix);
        }
        self.show_variant(&position, None, number, sink);
        self.end_of_game(sink)
    }

    /// Returns the starting position of a game whose `Variant` tag is not chess.
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
        next: Option<VariantMove>,
        number: u32,
        sink: &mut impl Sink,
    ) {
        let ply = VariantPly {
            comments: &self.comments,
            nags: &self.nags,
            ..VariantPly::new(position, next, number)
        };
        let is_wanted = match &self.condition {
            Some(condition) if self.decides_positions && self.verdict == Verdict::Depends => {
                condition.holds(&ply)
            }
            _ => true,
        };
        if self.plan.select.wants(number, next.is_none()) && is_wanted {
            sink.variant(ply);
        } else {
            sink.skipped_variant(ply);
        }
        self.comments.clear();
        self.nags.clear();
    }

    fn variant_problem(&mut self, position: &VariantPosition, reason: Reason) {
        let span = self.scanner.token_span();
        let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
        self.problem(span.start, span.end, Some(number), reason);
    }
}
