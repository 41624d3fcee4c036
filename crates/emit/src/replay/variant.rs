//! Replay of variants: the counterpart of [`play`](super::Replay), without the fast paths for
//! chess.

use pgn::{Outcome, Token};
use san::{AnyPosition, Language, SanError, VariantMove, VariantPosition};

use super::movetext::nag_of;
use super::number::{is_number, numbers};
use super::{Played, Replay};
use crate::ply::VariantPly;
use crate::problem::{self, MoveNumber, Reason};
use crate::sink::{Movetext, Sink};

impl Replay<'_> {
    #[cold]
    pub(super) fn play_variant(
        &mut self,
        mut position: VariantPosition,
        sink: &mut (impl Sink + ?Sized),
    ) -> Played {
        self.select = self.plan.select_of(&position);
        let is_of_chess = self.condition.as_ref().is_some_and(|condition| condition.is_of_chess());
        self.counts.undecided_variants += u64::from(is_of_chess);
        let mut number = 0;
        let mut has_warned = !self.plan.variations;
        while let Some(token) = self.scanner.next_token() {
            if let Some(doubt) = self.scanner.take_doubt() {
                self.begin_doubt(position.fullmoves(), self.scanner.depth() == 0, doubt);
            }
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
                Token::Move(text)
                    if text[0] == b'0'
                        && self.is_double_loss(text, || position.resolve(text).is_ok()) =>
                {
                    self.outcome = Some(Outcome::Unknown);
                    continue;
                }
                Token::Move(text) => {
                    let found = position.resolve(text).or_else(|error| match error {
                        SanError::PromotionMissing(_) => {
                            let resolve = |_: &Self, text: &[u8]| position.resolve(text);
                            self.split_promotion(text, resolve).ok_or(error)
                        }
                        _ => Err(error),
                    });
                    match found {
                        Ok(next) => {
                            let (turn, fullmoves) = (position.turn(), position.fullmoves());
                            if self.checks_numbers
                                && let Some(reason) = self.number_jumps(turn, fullmoves, number)
                            {
                                self.variant_problem(&position, reason);
                                self.tell_stop(sink);
                                break;
                            }
                            (next, self.suffix_nag(text))
                        }
                        Err(error) => {
                            self.variant_problem(&position, Reason::Move(error));
                            self.tell_stop(sink);
                            break;
                        }
                    }
                }
                Token::Number(digits) => {
                    if let Some((text, len)) = self.numeric_move(digits, number == 0)
                        && let Ok(next) = position.resolve(&text[..len])
                    {
                        (next, None)
                    } else if numbers(position.turn(), position.fullmoves(), number)
                        .any(|of| is_number(digits, of))
                    {
                        continue;
                    } else {
                        self.variant_problem(&position, Reason::StrayNumber);
                        self.tell_stop(sink);
                        break;
                    }
                }
                Token::Unknown(_) => {
                    self.variant_problem(&position, Reason::UnknownToken);
                    self.tell_stop(sink);
                    break;
                }
                Token::Comment(text) | Token::LineComment(text) => {
                    self.tell(Movetext::Comment(text), sink);
                    if self.wants_comments {
                        self.comments.push(text);
                    }
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
                        self.tell_stop(sink);
                        break;
                    }
                    self.annotate(nag_of(token), sink);
                    continue;
                }
                Token::Nag(_) => {
                    self.annotate(nag_of(token), sink);
                    continue;
                }
                _ => continue,
            };
            if self.plan.games.is_normal() {
                self.tell_move(&position, Some(next), suffix, sink);
            }
            self.show_variant(&position, Some(next), number, sink);
            position.play(next);
            number += 1;
            self.nags.extend(suffix);
        }
        self.show_variant(&position, None, number, sink);
        self.end_of_game(sink)
    }

    fn show_variant(
        &mut self,
        position: &VariantPosition,
        next: Option<VariantMove>,
        number: u32,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let ply = VariantPly {
            comments: &self.comments,
            nags: &self.nags,
            ..VariantPly::new(position, next, number)
        };
        let decides = self.decides_in_positions();
        let outside = self.outside(number, next.is_none());
        let condition = self.condition.as_deref_mut().filter(|_| decides);
        let excluded = condition.and_then(|of| of.excludes(&ply, &self.game, false));
        sink.variant(ply, &self.game, outside.or(excluded));
        self.comments.clear();
        self.nags.clear();
    }

    fn variant_problem(&mut self, position: &VariantPosition, reason: Reason) {
        let span = self.scanner.token_span();
        let reason = problem::with_letter(reason, &self.chunk.bytes()[span.range()]);
        let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
        self.problem(span.start, span.end, Some(number), reason);
    }
}
