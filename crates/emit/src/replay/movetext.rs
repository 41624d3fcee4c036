//! The hot loop over the tokens of a game.

use pgn::{Outcome, Token};
use san::{AnyPosition, Language, Move, Position, Role, SanError, VariantMove, VariantPosition};

use super::number::{is_number, numbers};
use super::start::GameBeginning;
use super::{Mark, PlayedGame, PlayedLine, Replay, Step};
use crate::annotations::without_commands;
use crate::game::GameContext;
use crate::ply::{Ply, VariantPly};
use crate::problem::{self, MoveNumber, Problem, Reason};
use crate::selection::filter::condition::Condition;
use crate::selection::{Omission, Select};
use crate::sink::{Movetext, Sink};

impl Replay<'_> {
    #[inline(always)]
    pub(super) fn play(&mut self, sink: &mut (impl Sink + ?Sized)) -> PlayedGame {
        self.problems_in_variations = 0;
        (self.has_pawn_letter, self.is_numeric) = (false, false);
        self.begin_numbers();
        self.outcome = None;
        let mut line = PlayedLine::main(Position::default());
        match self.start(&mut line.position, sink.takes_variants()) {
            GameBeginning::Chess => self.tell_start(&line.position, sink),
            GameBeginning::Variant(position) => {
                self.tell_start(&*position, sink);
                return self.play_variant(*position, sink);
            }
            GameBeginning::Nowhere => {
                self.tell_stop(sink);
                return self.end_of_game(sink);
            }
        }
        self.select = self.plan.select_of(&line.position);
        let is_plain = self.find_language(&line.position);
        let wants_range = !self.select.only_final && self.verdict == Some(true);
        let is_simple = is_plain && !self.plan.variations && !self.wants_nags;
        loop {
            if is_simple && self.comments.is_empty() && !self.checks_numbers {
                self.plain_moves(&mut line, wants_range, sink);
            }
            if line.number > self.plan.last_played {
                break;
            }
            let was_tried = self.checks_numbers || is_simple && self.comments.is_empty();
            let next = if was_tried { None } else { self.plain_move(&line.position, is_plain) };
            let (next, suffix) = match next {
                Some(next) => (next, None),
                None => match self.step(&mut line, sink) {
                    Step::Move(next, suffix) => (next, suffix),
                    Step::Pass => {
                        self.pass(&mut line, sink);
                        continue;
                    }
                    Step::Nothing => continue,
                    Step::End => break,
                },
            };
            if self.plan.games.is_normal() {
                self.tell_move(&line.position, Some(next), suffix, sink);
            }
            if line.is_shown {
                self.show(&mut line, Some(next), false, sink);
            } else {
                self.enter_variation(&mut line, Some(next), sink);
            }
            if self.plan.variations {
                line.before_last = Some(line.position.clone());
            }
            line.position.play_unchecked(next);
            line.number += 1;
            self.nags.extend(suffix);
        }
        if line.number == 0 && self.counts.variations > self.before.variations {
            self.note_only_variations();
        }
        // Unclosed variations end with the game.
        while !self.outer.is_empty() {
            self.close_variation(&mut line, sink);
        }
        let is_wanted = wants_range && self.select.wants(line.number, true);
        if is_simple && is_wanted && self.comments.is_empty() {
            sink.ply(Ply::new(&line.position, None, line.number), &self.game);
        } else {
            self.show(&mut line, None, true, sink);
        }
        self.end_of_game(sink)
    }

    /// Up to the first comment that affects the output; a move does not become a token first.
    #[inline(always)]
    fn plain_moves(
        &mut self,
        line: &mut PlayedLine,
        wants_range: bool,
        sink: &mut (impl Sink + ?Sized),
    ) {
        // If one move has a comment, most have one, so a comment is expected first.
        let (mut has_comments, mut expects_comment) = (false, false);
        let decides = self.decides_in_positions();
        let Select { first, last, .. } = self.select;
        while line.number <= self.plan.last_played {
            if !expects_comment
                && let Some(word) = self.scanner.peek_plain_word()
                && let Some(next) =
                    san::resolve_plain_word(&line.position, word.bytes(), word.len())
            {
                self.scanner.consume(word);
                // Made where it is needed, so that it need not be in memory on the fast path.
                let ply = || Ply::new(&line.position, Some(next), line.number);
                if wants_range && (first..=last).contains(&line.number) {
                    sink.ply(ply(), &self.game)
                } else {
                    let outside = self.outside(line.number, false);
                    let condition = self.condition.as_deref_mut().filter(|_| decides);
                    pass_on(ply(), &self.game, condition, outside, sink)
                }
                line.position.play_unchecked(next);
                line.number += 1;
                expects_comment = has_comments;
                continue;
            }
            let before = self.scanner.position();
            match self.scanner.plain_comment() {
                Some(text) if self.wants_comment(text) => return self.comments.push(text),
                Some(_) => has_comments = true,
                // A word may follow several spaces.
                None if expects_comment || self.scanner.position() > before + 1 => {}
                None => return,
            }
            expects_comment = false;
        }
    }

    #[inline(never)]
    fn plain_move(&mut self, position: &Position, is_plain: bool) -> Option<Move> {
        let word = if is_plain { self.scanner.peek_plain_word()? } else { return None };
        let next = san::resolve_plain_word(position, word.bytes(), word.len())?;
        self.scanner.consume(word);
        Some(next)
    }

    #[inline(never)]
    pub(super) fn show(
        &mut self,
        line: &mut PlayedLine,
        next: Option<Move>,
        ends_line: bool,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let ply = Ply {
            comments: &self.comments[line.from.comments..],
            nags: &self.nags[line.from.nags..],
            branches: &self.branches,
            ..Ply::new(&line.position, next, line.number)
        };
        let decides = self.decides_in_positions();
        let outside = self.outside(line.number, ends_line && line.is_main);
        let condition = self.condition.as_deref_mut().filter(|_| decides);
        pass_on(ply, &self.game, condition, outside, sink);
        let PlayedLine { begin, from, .. } = *line;
        if ends_line || !self.plan.variations {
            self.comments.truncate(begin.comments);
            self.nags.truncate(begin.nags);
            return;
        }
        // A variation may begin at the position once more, with the same comments and NAGs.
        self.comments.drain(begin.comments..from.comments);
        self.nags.drain(begin.nags..from.nags);
        line.from = Mark { comments: self.comments.len(), nags: self.nags.len() };
        line.noted = [begin, line.from];
    }

    #[inline]
    pub(super) fn outside(&self, number: u32, is_final: bool) -> Option<Omission> {
        match self.select.wants(number, is_final) {
            true => None,
            false if number == 0 && self.plan.omit.has(Omission::Start) => Some(Omission::Start),
            false => Some(Omission::Ply),
        }
    }

    #[inline]
    pub(super) fn decides_in_positions(&self) -> bool {
        self.decides_positions && self.verdict.is_none()
    }

    #[inline(always)]
    pub(super) fn wants_comment(&self, text: &[u8]) -> bool {
        self.wants_comments && (self.wants_machines || !crate::annotations::is_silent(text))
    }

    #[inline]
    pub(super) fn tell(&mut self, part: Movetext<'_>, sink: &mut (impl Sink + ?Sized)) {
        if self.plan.games.is_normal() {
            if !matches!(part, Movetext::Nag(_) | Movetext::Sign(_)) {
                std::mem::take(&mut self.known_move).tell(sink);
            }
            match part {
                Movetext::Comment(text) if self.plan.evaluated.is_some() => {
                    let text = without_commands(text, |name| name == b"eval");
                    sink.movetext(Movetext::Comment(&text));
                }
                part => sink.movetext(part),
            }
        }
    }

    #[inline(always)]
    fn tell_start<P: AnyPosition>(&self, position: &P, sink: &mut (impl Sink + ?Sized)) {
        let is_other = |(_, problem): &(usize, Problem)| {
            let name = Reason::TagName { name: "FEN" };
            let kind = problem.reason.kind();
            matches!(problem.reason, Reason::SetUpHasFen)
                || kind == "fen-repaired"
                || problem.reason == name
        };
        if self.plan.games.is_normal() && self.problems.iter().any(is_other) {
            sink.movetext(Movetext::Start(&position.fen(self.plan.fields)));
        }
    }

    #[cold]
    pub(super) fn tell_move<P: AnyPosition>(
        &mut self,
        position: &P,
        next: Option<P::Move>,
        suffix: Option<u8>,
        sink: &mut (impl Sink + ?Sized),
    ) {
        let text = next.map_or("--".into(), |next| self.plan.games.text_of(position, next));
        self.tell(Movetext::Move(MoveNumber::of(position), &text), sink);
        if let Some(nag) = suffix {
            sink.movetext(Movetext::Nag(nag));
        }
        if let (Some(evaluated), Some(next)) = (&self.plan.evaluated, next) {
            self.known_move = evaluated.of_move(position, next, self.plan.games);
        }
    }

    #[cold]
    pub(super) fn tell_stop(&mut self, sink: &mut (impl Sink + ?Sized)) {
        if self.plan.games.is_normal()
            && let Some((_, problem)) = self.problems.last()
        {
            let problem = problem.without_place();
            self.tell(Movetext::Stop(&problem), sink);
        }
    }

    pub(super) fn step(&mut self, line: &mut PlayedLine, sink: &mut (impl Sink + ?Sized)) -> Step {
        let Some(token) = self.next_token(line.position.fullmoves(), line.is_main) else {
            let is_restarted = self.scanner.is_restarted() && line.is_main;
            let goes_on = is_restarted && self.continues(line) || self.leaves_variation(line, sink);
            return if goes_on { Step::Nothing } else { Step::End };
        };
        let depth = self.scanner.depth() as usize;
        match token {
            Token::Open if self.plan.variations => self.open_variation(line, depth, sink),
            Token::Close if depth + 1 == self.outer.len() => self.close_variation(line, sink),
            Token::Open if depth == 1 && !self.plan.variations => self.counts.variations += 1,
            // Inside a variation that is not played.
            _ if depth != self.outer.len() => {}
            Token::Number(digits) => return self.number(line, digits, sink),
            Token::Move(text)
                if text[0] == b'0'
                    && self.is_double_loss(text, || self.resolve(&line.position, text).is_ok()) =>
            {
                self.ends(&line.position, Outcome::Unknown);
            }
            Token::Move(text) => match self.resolve(&line.position, text) {
                Ok(next) => {
                    if self.is_misnumbered(&line.position, line.number, !line.is_shown) {
                        return self.fail(line, sink, text, Reason::NumberDiffers);
                    }
                    if self.checks_numbers
                        && let Some(reason) = self.number_jumps(
                            line.position.turn(),
                            line.position.fullmoves(),
                            line.number,
                        )
                    {
                        return self.fail(line, sink, text, reason);
                    }
                    if text[0] == b'P'
                        && next.role() == Role::Pawn
                        && !std::mem::replace(&mut self.has_pawn_letter, true)
                    {
                        self.token_problem(&line.position, text, Reason::PawnLetter);
                    }
                    let suffix = self.suffix_nag(text);
                    if self.plan.notes {
                        self.note_move(&line.position, text, next);
                    }
                    return Step::Move(next, suffix);
                }
                Err(SanError::NullMove) if self.plan.null_moves && !line.position.is_check() => {
                    return Step::Pass;
                }
                Err(SanError::PromotionMissing(square)) => {
                    let resolve = |replay: &Self, text: &[u8]| replay.resolve(&line.position, text);
                    return match self.split_promotion(text, resolve) {
                        Some(next) => Step::Move(next, None),
                        None => {
                            let error = SanError::PromotionMissing(square);
                            self.fail(line, sink, text, Reason::Move(error))
                        }
                    };
                }
                Err(error) => return self.fail(line, sink, text, Reason::Move(error)),
            },
            Token::Unknown(text) => {
                return self.fail(line, sink, text, Reason::UnknownToken);
            }
            Token::Comment(text) | Token::LineComment(text) => {
                self.tell(Movetext::Comment(text), sink);
                if self.wants_comment(text) {
                    self.comments.push(text);
                }
            }
            Token::Result(outcome) if depth == 0 => {
                self.ends(&line.position, outcome);
                // Nothing that counts is between this result and the tags of the next game.
                let rest = &self.chunk.bytes()[self.scanner.position()..];
                let tags = [&b"\r\n\r\n[Event \""[..], b"\n\n[Event \""];
                if tags.iter().any(|tags| rest.starts_with(tags)) {
                    return Step::End;
                }
            }
            Token::Glyph(sign) if sign.last().is_some_and(u8::is_ascii_uppercase) => {
                let is_after_move = line.number > 0 && line.is_shown;
                let torn = self.torn_move(sign, self.language, is_after_move, |text| {
                    self.resolve(&line.position, text)
                });
                if let Some(text) = torn {
                    return self.fail(line, sink, text, Reason::TornMove);
                }
                self.annotation(line, token, sink);
            }
            Token::Nag(_) | Token::Glyph(_) => self.annotation(line, token, sink),
            _ => {}
        }
        Step::Nothing
    }

    #[inline(always)]
    pub(super) fn resolve(&self, position: &Position, text: &[u8]) -> Result<Move, SanError> {
        match self.language {
            Language::English => san::resolve(position, text),
            language => san::resolve_in(position, text, language),
        }
    }

    fn annotation(&mut self, line: &PlayedLine, token: Token<'_>, sink: &mut (impl Sink + ?Sized)) {
        self.annotate(nag_of(token), sink);
        if self.plan.notes {
            self.note_token(&line.position, token);
        }
    }

    /// Keeps the NAG of the annotation read last if NAGs are wanted, or counts it as not written.
    pub(super) fn annotate(&mut self, nag: Option<u8>, sink: &mut (impl Sink + ?Sized)) {
        let text = &self.chunk.bytes()[self.scanner.token_span().range()];
        self.tell(nag.map_or(Movetext::Sign(text), Movetext::Nag), sink);
        match nag.filter(|_| self.wants_nags) {
            Some(nag) => self.nags.push(nag),
            None => self.counts.annotations += 1,
        }
    }

    /// Returns the NAG of the suffix of a move if NAGs are wanted, or counts it as not written.
    #[inline(always)]
    pub(super) fn suffix_nag(&mut self, text: &[u8]) -> Option<u8> {
        if !matches!(text.last(), Some(b'!' | b'?')) {
            return None;
        }
        let suffix =
            text.iter().rposition(|byte| !matches!(byte, b'!' | b'?')).map_or(0, |i| i + 1);
        let nag = pgn::nag_of_sign(&text[suffix..]).filter(|_| self.wants_nags);
        self.counts.annotations += u64::from(nag.is_none());
        nag
    }

    #[cold]
    pub(super) fn pass(&mut self, line: &mut PlayedLine, sink: &mut (impl Sink + ?Sized)) {
        if self.plan.games.is_normal() {
            self.tell_move(&line.position, None, None, sink);
        }
        if line.is_shown {
            self.show(line, None, false, sink);
        } else {
            self.enter_variation(line, None, sink);
        }
        if self.plan.variations {
            line.before_last = Some(line.position.clone());
        }
        line.position.pass();
        line.number += 1;
    }

    /// Ends the current line, but none that encloses it, because of a token that cannot be played.
    #[cold]
    pub(super) fn fail(
        &mut self,
        line: &mut PlayedLine,
        sink: &mut (impl Sink + ?Sized),
        text: &[u8],
        why: Reason,
    ) -> Step {
        self.count_foreign(&line.position, text, &why);
        let why = self.explained(why);
        self.token_problem(&line.position, text, why);
        self.tell_stop(sink);
        if self.outer.is_empty() {
            return Step::End;
        }
        self.close_variation(line, sink);
        Step::Nothing
    }
}

pub(super) fn nag_of(token: Token<'_>) -> Option<u8> {
    match token {
        Token::Nag(digits) => std::str::from_utf8(digits).ok()?.parse().ok(),
        Token::Glyph(sign) => pgn::nag_of_sign(sign),
        _ => None,
    }
}

#[inline(never)]
pub(super) fn pass_on(
    ply: Ply<'_>,
    game: &GameContext<'_>,
    condition: Option<&mut Condition<'_>>,
    outside: Option<Omission>,
    sink: &mut (impl Sink + ?Sized),
) {
    // The condition must see all positions, because it follows the names of openings.
    let excluded = condition.and_then(|condition| condition.follow(&ply, game, false));
    match outside.or(excluded) {
        None => sink.ply(ply, game),
        Some(why) => sink.skipped_ply(ply, why),
    }
}

// Replay of variants: the counterpart of `play`, without the fast paths for chess.

impl Replay<'_> {
    #[cold]
    fn play_variant(
        &mut self,
        mut position: VariantPosition,
        sink: &mut (impl Sink + ?Sized),
    ) -> PlayedGame {
        self.select = self.plan.select_of(&position);
        let is_of_chess = self.condition.as_ref().is_some_and(|condition| condition.is_of_chess());
        self.counts.undecided_variants += u64::from(is_of_chess);
        let mut number = 0;
        let mut has_warned = !self.plan.variations;
        while let Some(token) = self.next_token(position.fullmoves(), self.scanner.depth() == 0) {
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
        self.problem(span.start, span.end, Some(MoveNumber::of(position)), reason);
    }
}
