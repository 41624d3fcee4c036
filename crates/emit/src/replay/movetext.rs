//! The loop over the tokens of a game: the hot one.

use pgn::Token;
use san::{Language, Move, Position, SanError};

use super::start::Start;
use super::variation::Line;
use super::{Played, Replay};
use crate::{Ply, Reason, Select, Sink, Verdict, comment};

/// What comes of a token.
enum Step {
    Move(Move),
    /// A null move, where they are asked for.
    Pass,
    Nothing,
    End,
}

impl Replay<'_> {
    #[inline(always)]
    pub(super) fn play(&mut self, sink: &mut impl Sink) -> Played {
        self.problems_in_variations = 0;
        self.outcome = None;
        let mut line = Line::main(Position::default());
        match self.start(&mut line.position, sink.takes_variants()) {
            Start::Chess => {}
            Start::Variant(position) => return self.play_variant(*position, sink),
            Start::Nowhere => return self.end_of_game(sink),
        }
        let is_plain = self.find_language(&line.position);
        let wants_all =
            self.plan.select == Select::default() && self.wanted.verdict == Verdict::Yes;
        let is_simple = is_plain && wants_all && !self.plan.variations;
        loop {
            if is_simple && self.comments.is_empty() {
                self.plain_moves(&mut line, sink);
            }
            if line.number > self.plan.last_played {
                break;
            }
            let was_tried = is_simple && self.comments.is_empty();
            let next = if was_tried { None } else { self.plain_move(&line.position, is_plain) };
            let next = match next {
                Some(next) => next,
                None => match self.step(&mut line, sink) {
                    Step::Move(next) => next,
                    Step::Pass => {
                        self.pass(&mut line, sink);
                        continue;
                    }
                    Step::Nothing => continue,
                    Step::End => break,
                },
            };
            if line.is_shown {
                self.show(&line, Some(next), false, sink);
            } else {
                self.enter_variation(&mut line, next);
            }
            if self.plan.variations {
                line.before_last = Some(line.position.clone());
            }
            line.position.play_unchecked(next);
            line.number += 1;
        }
        // Variations that nothing closes end with the game.
        while let Some(outer) = self.outer.pop() {
            self.end_variation(&line, sink);
            line = outer;
        }
        if is_simple && self.comments.is_empty() {
            sink.ply(Ply::new(&line.position, None, line.number));
        } else {
            self.show(&line, None, true, sink);
        }
        self.end_of_game(sink)
    }

    /// Plays moves in plain SAN as long as there are any, up to the first comment that matters: nearly every token of a game
    /// without variations is one, and is read once, as a move, not first as a token.
    #[inline(always)]
    fn plain_moves(&mut self, line: &mut Line, sink: &mut impl Sink) {
        // Where one move has a comment most have one, and it is looked for first.
        let (mut has_comments, mut expects_comment) = (false, false);
        while line.number <= self.plan.last_played {
            if !expects_comment
                && let Some(guess) = self.scanner.guess()
                && let Some(next) = san::resolve_plain(&line.position, guess.text)
            {
                self.scanner.accept(guess);
                sink.ply(Ply::new(&line.position, Some(next), line.number));
                line.position.play_unchecked(next);
                line.number += 1;
                expects_comment = has_comments;
                continue;
            }
            match self.scanner.plain_comment() {
                Some(text) if self.wants_comment(text) => return self.comments.push(text),
                Some(_) => has_comments = true,
                None if expects_comment => {}
                None => return,
            }
            expects_comment = false;
        }
    }

    /// The next move, if the next word is one in plain SAN; it is taken.
    #[inline(never)]
    fn plain_move(&mut self, position: &Position, is_plain: bool) -> Option<Move> {
        let guess = if is_plain { self.scanner.guess()? } else { return None };
        let next = san::resolve_plain(position, guess.text)?;
        self.scanner.accept(guess);
        Some(next)
    }

    /// Shows a position of a variation, or one that has comments, or the last one of a line.
    #[inline(never)]
    pub(super) fn show(
        &mut self,
        line: &Line,
        next: Option<Move>,
        ends_line: bool,
        sink: &mut impl Sink,
    ) {
        let ply = Ply {
            position: &line.position,
            next,
            number: line.number,
            comments: &self.comments[line.comments_from..],
            branches: &self.branches,
            ahead: None,
        };
        if self.plan.select.wants(line.number, ends_line && line.is_main) && self.wants(&ply) {
            sink.ply(ply)
        } else {
            sink.pass(ply)
        }
        self.comments.truncate(line.comments_from);
    }

    /// Whether a comment matters for what is written.
    fn wants_comment(&self, text: &[u8]) -> bool {
        self.wants_comments && (self.wants_machines || !comment::is_silent(text))
    }

    /// Takes the next token, whatever it is.
    fn step(&mut self, line: &mut Line, sink: &mut impl Sink) -> Step {
        let Some(token) = self.scanner.next_token() else { return Step::End };
        let depth = self.scanner.depth() as usize;
        match token {
            Token::Open if self.plan.variations => self.open_variation(line, depth),
            Token::Close if depth + 1 == self.outer.len() => self.close_variation(line, sink),
            // In a variation that is not played.
            _ if depth != self.outer.len() => {}
            Token::Move(text) => match self.resolve(&line.position, text) {
                Ok(next) => {
                    if self.plan.notes {
                        self.note_move(&line.position, text, next);
                    }
                    return Step::Move(next);
                }
                // What a variation begins with gives it its name: that is a move.
                Err(SanError::NullMove)
                    if self.plan.null_moves && line.is_shown && !line.position.is_check() =>
                {
                    return Step::Pass;
                }
                Err(error) => return self.fail(line, sink, text, Reason::Move(error)),
            },
            Token::Unknown(text) => return self.fail(line, sink, text, Reason::UnknownToken),
            Token::Comment(text) | Token::LineComment(text) if self.wants_comment(text) => {
                self.comments.push(text);
            }
            Token::Result(outcome) if depth == 0 => self.outcome = Some(outcome),
            _ if self.plan.notes => self.note_token(&line.position, token),
            _ => {}
        }
        Step::Nothing
    }

    #[inline(always)]
    fn resolve(&self, position: &Position, text: &[u8]) -> Result<Move, SanError> {
        match self.language {
            Language::English => san::resolve(position, text),
            language => san::resolve_in(position, text, language),
        }
    }

    /// A null move: the record of the position has no move, and the other side goes on.
    #[cold]
    fn pass(&mut self, line: &mut Line, sink: &mut impl Sink) {
        self.show(line, None, false, sink);
        if self.plan.variations {
            line.before_last = Some(line.position.clone());
        }
        line.position.pass();
        line.number += 1;
    }

    /// Something that cannot be played ends the line that it stands in, and no other.
    #[cold]
    fn fail(&mut self, line: &mut Line, sink: &mut impl Sink, text: &[u8], why: Reason) -> Step {
        self.token_problem(&line.position, text, why);
        if self.outer.is_empty() {
            return Step::End;
        }
        self.close_variation(line, sink);
        Step::Nothing
    }
}
