//! Replay one move behind the text, for records that depend on the comments on the next move.

use san::{Move, SanError};

use super::line::{Line, Pending};
use super::movetext::{Step, pass_on};
use super::{Played, Replay};
use crate::ply::{Ahead, Ply};
use crate::sink::Sink;

impl Replay<'_> {
    /// Plays the main line. A position is passed on once the comments on the move played from it
    /// have been read. It need not be copied for that: a move is played on the board only when the
    /// next one is read.
    #[inline(always)]
    pub(super) fn play_ahead(
        &mut self,
        line: &mut Line,
        is_plain: bool,
        sink: &mut (impl Sink + ?Sized),
    ) -> Played {
        while line.played() <= self.plan.last_played {
            // Further comments on the move are tokens of their own.
            if let Some(text) = self.scanner.plain_comment()
                && self.wants_comment(text)
            {
                self.comments.push(text);
            }
            if is_plain
                && !self.checks_numbers
                && let Some(word) = self.scanner.peek_plain_word()
                && looks_like_a_move(word.text())
            {
                self.catch_up(line, sink);
                let (bytes, len) = (word.bytes(), word.len());
                if let Some(next) = san::resolve_plain_word(&line.position, bytes, len) {
                    self.scanner.consume(word);
                    self.delay(line, next);
                    continue;
                }
            }
            match self.step(line, sink) {
                Step::Move(next, suffix) => {
                    self.delay(line, next);
                    self.nags.extend(suffix);
                }
                Step::Pass => self.pass(line, sink),
                Step::Nothing => {}
                Step::End => break,
            }
        }
        self.catch_up_rarely(line, sink);
        if line.number == 0 && self.counts.variations > self.before.variations {
            self.note_only_variations();
        }
        self.show(line, None, true, sink);
        self.end_of_game(sink)
    }

    /// Plays the pending move, and resolves a move in the position after it.
    pub(super) fn resolve_after(
        &mut self,
        line: &mut Line,
        text: &[u8],
        sink: &mut (impl Sink + ?Sized),
    ) -> Result<Move, SanError> {
        self.catch_up_rarely(line, sink);
        self.resolve(&line.position, text)
    }

    /// Plays the pending move, after passing the position before it to the sink.
    #[inline(always)]
    pub(super) fn catch_up(&mut self, line: &mut Line, sink: &mut (impl Sink + ?Sized)) {
        let Some(pending) = line.pending.take() else { return };
        self.show_ahead(line, pending, sink);
        line.position.play_unchecked(pending.next);
        line.number += 1;
    }

    /// The same, where it is rare, so that the hot path is compiled once.
    #[inline(never)]
    pub(super) fn catch_up_rarely(&mut self, line: &mut Line, sink: &mut (impl Sink + ?Sized)) {
        self.catch_up(line, sink);
    }

    /// Keeps a move until the next one is read.
    #[inline(always)]
    fn delay(&self, line: &mut Line, next: Move) {
        let (comments_from, nags_from) = (self.comments.len(), self.nags.len());
        line.pending = Some(Pending { next, comments_from, nags_from });
    }

    /// Passes a position to the sink, with the comments on the move played from it.
    #[inline(always)]
    fn show_ahead(&mut self, line: &Line, pending: Pending, sink: &mut (impl Sink + ?Sized)) {
        let Pending { next, comments_from, nags_from } = pending;
        let (comments, ahead) = self.comments.split_at(comments_from);
        let ahead =
            Ahead { comments: ahead, plies: None, outcome: self.outcome_ahead, known: None };
        let ply = Ply {
            position: &line.position,
            next: Some(next),
            number: line.number,
            comments,
            nags: &self.nags[..nags_from],
            branches: &[],
            ahead: Some(&ahead),
        };
        let decides = self.decides_in_positions();
        let condition = self.condition.as_deref_mut().filter(|_| decides);
        pass_on(ply, condition, self.select.wants(line.number, false), sink);
        forget_first(&mut self.comments, comments_from);
        forget_first(&mut self.nags, nags_from);
    }
}

/// Returns whether a word may be a move in plain SAN, which has a rank or is castling. Any other
/// word does not end the comments on the move before it.
#[inline(always)]
fn looks_like_a_move(word: &[u8]) -> bool {
    match word {
        [first, b'1'..=b'8', ..] | [first, _, b'1'..=b'8', ..] | [first, _, _, b'1'..=b'8', ..] => {
            first.is_ascii_alphabetic()
        }
        [first, rest @ ..] => {
            first.is_ascii_alphabetic() && rest.iter().any(|b| matches!(b, b'1'..=b'8' | b'O'))
        }
        [] => false,
    }
}

#[inline(always)]
pub(super) fn forget_first<T: Copy>(list: &mut Vec<T>, count: usize) {
    match (count, list.len() - count) {
        (0, _) => {}
        (_, 0) => list.clear(),
        // Nearly always: one comment on each move.
        (1, 1) => drop(list.swap_remove(0)),
        (_, rest) => {
            list.copy_within(count.., 0);
            list.truncate(rest);
        }
    }
}
