//! Problems of a game are collected during its replay and reported at its end.

use std::collections::HashSet;

use pgn::{Outcome, PgnDiagnosticKind, Place, TagPair, Token};
use san::{Move, Position, san_of};

use super::Replay;
use super::movetext::nag_of;
use crate::problem::{self, GameIdentity, MoveNumber, Problem, Reason};
use crate::sink::Sink;
use crate::start;

/// Most problems kept for the variations of a game, so that no input exhausts memory.
const MOST_IN_VARIATIONS: u32 = 100;

impl Replay<'_> {
    #[cold]
    pub(super) fn token_problem(&mut self, position: &Position, text: &[u8], reason: Reason) {
        let start = self.scanner.token_span().start;
        let mut reason = problem::with_letter(reason, text);
        if !self.outer.is_empty() {
            self.problems_in_variations += 1;
            match self.problems_in_variations {
                ..=MOST_IN_VARIATIONS => {}
                count if count == MOST_IN_VARIATIONS + 1 => {
                    reason = Reason::Text(PgnDiagnosticKind::More)
                }
                _ => return,
            }
        }
        self.problem(start, start + text.len(), Some(MoveNumber::of(position)), reason);
    }

    #[cold]
    pub(super) fn tag_problem(&mut self, index: usize, reason: Reason) {
        let value = self.scanner.tags()[index].raw_value();
        let start = self.at(value);
        self.problem(start, start + value.len(), None, reason);
    }

    #[cold]
    pub(super) fn problem(
        &mut self,
        start: usize,
        end: usize,
        move_number: Option<MoveNumber>,
        reason: Reason,
    ) {
        let outside = matches!(
            reason,
            Reason::Text(PgnDiagnosticKind::TextOutsideGames)
                | Reason::MovesSkipped(PgnDiagnosticKind::TextOutsideGames)
                | Reason::StartOutside { .. }
        );
        let identity = match reason {
            _ if outside => GameIdentity::default(),
            // The later tags of a game above the limit may be missing.
            Reason::TooLarge { limit } => {
                let tags = self.scanner.tags();
                let end = |tag: &TagPair<'_>| self.at(tag.raw_value()) + tag.raw_value().len();
                let known = tags.partition_point(|tag| end(tag) < start + limit);
                GameIdentity::of(&tags[..known])
            }
            // Search the tags only once per game.
            _ => {
                let tags = self.scanner.tags();
                self.identity.get_or_insert_with(|| GameIdentity::of(tags)).clone()
            }
        };
        let token = problem::shown_token(&self.chunk.bytes()[start..end]);
        let problem = Problem {
            place: Place::default(),
            game: if outside { 0 } else { self.counts.games },
            identity,
            move_number,
            in_variation: !self.outer.is_empty(),
            strict: self.plan.strict,
            token,
            reason,
        };
        self.problems.push((start, problem));
    }

    /// Comments above the size limit may be read in pieces: that they are open is not reported.
    #[cold]
    pub(super) fn assign_to_no_game(&mut self) {
        let bytes = self.chunk.bytes();
        if bytes.len() - self.scanner.game_start() > self.plan.max_game_bytes {
            let is_open =
                |problem: &Problem| problem.reason == Reason::Text(PgnDiagnosticKind::OpenComment);
            for (start, problem) in &mut self.problems {
                if is_open(problem) {
                    problem.reason = Reason::Text(PgnDiagnosticKind::TextOutsideGames);
                    problem.token = problem::shown_token(&bytes[*start..]);
                }
            }
            self.problems.sort_by_key(|(start, _)| *start);
            self.problems.dedup_by(|(_, next), (_, problem)| next.reason == problem.reason);
        }
        for (_, problem) in &mut self.problems {
            (problem.game, problem.identity) = (0, GameIdentity::default());
        }
    }

    pub(super) fn at(&self, part: &[u8]) -> usize {
        part.as_ptr().addr() - self.chunk.bytes().as_ptr().addr()
    }

    pub(super) fn report(&mut self, sink: &mut (impl Sink + ?Sized)) {
        if self.problems.is_empty() {
            return;
        }
        self.problems.sort_by_key(|(start, _)| *start);
        for (start, mut problem) in self.problems.drain(..) {
            problem.place = self.places.at(start);
            sink.problem(problem);
        }
    }
}

// Departures from the standard that do not affect the moves, reported on request.

impl Replay<'_> {
    /// Checks the spelling of a move (8.2.3), with or without `!` and `?` (8.2.3.8).
    pub(super) fn note_move(&mut self, position: &Position, text: &[u8], next: Move) {
        let san = san_of(position, next);
        let suffix = text.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        if &text[..text.len() - suffix] != san.as_bytes() || suffix > 2 {
            self.token_problem(position, text, Reason::Spelling { san });
        }
    }

    pub(super) fn note_token(&mut self, position: &Position, token: Token<'_>) {
        match token {
            Token::Glyph(text) if !matches!(text, b"!" | b"?" | b"!!" | b"??" | b"!?" | b"?!") => {
                self.token_problem(position, text, Reason::Sign);
            }
            // The highest number is 255 (PGN standard 10).
            Token::Nag(_) if nag_of(token).is_none() => {
                let text = &self.chunk.bytes()[self.scanner.token_span().range()];
                self.token_problem(position, text, Reason::Nag);
            }
            _ => {}
        }
    }

    /// Sets the result that was read last, and checks its spelling (8.2.6).
    pub(super) fn ends(&mut self, position: &Position, outcome: Outcome) {
        self.outcome = Some(outcome);
        let text = &self.chunk.bytes()[self.scanner.token_span().range()];
        if self.plan.notes && text != outcome.as_str().as_bytes() {
            self.token_problem(position, text, Reason::ResultSpelling { outcome });
        }
    }

    pub(super) fn note_tags(&mut self) {
        self.note_repeated_tags();
        let names: Vec<&[u8]> = self.scanner.tags().iter().map(|tag| tag.name()).collect();
        for index in 0..names.len() {
            if self.scanner.tags()[index].raw_value().iter().any(u8::is_ascii_control) {
                self.tag_problem(index, Reason::TagControl);
            }
        }
        if let Some(index) = names.iter().position(|name| *name == b"SetUp")
            && start::is_odd_setup(self.scanner.tags(), index)
        {
            self.tag_problem(index, Reason::SetUpValue);
        }
        // 9.7.1: a game with a different starting position needs a `SetUp` tag.
        if let Some(fen) = names.iter().position(|name| *name == b"FEN")
            && !names.contains(&&b"SetUp"[..])
        {
            self.tag_problem(fen, Reason::SetUpMissing);
        }
    }

    fn note_repeated_tags(&mut self) {
        let mut seen = HashSet::new();
        let tags = self.scanner.tags().iter().enumerate();
        let repeated: Vec<usize> =
            tags.filter(|(_, tag)| !seen.insert(tag.name())).map(|(index, _)| index).collect();
        for index in repeated {
            self.tag_problem(index, Reason::SameTagTwice);
        }
    }

    /// What the normal form lacks: repeated tags, and the movetext's result if the tag has another.
    #[cold]
    pub(super) fn note_losses(&mut self) {
        self.note_repeated_tags();
        let tags = self.scanner.tags();
        let result = tags.iter().position(|tag| tag.name() == b"Result");
        let of_tag = result.map(|index| Outcome::of_tag(&tags[index].value()));
        if let (Some(index), Some(of_tag), Some(outcome)) = (result, of_tag, self.outcome)
            && ![of_tag, outcome].contains(&Outcome::Unknown)
            && of_tag != outcome
        {
            self.tag_problem(index, Reason::ResultDiffers { outcome });
        }
    }

    /// Checks that the movetext has a result (8.2.6) and that it agrees with the tag (8.1.1.7).
    pub(super) fn note_end(&mut self) {
        let end = self.scanner.position();
        let tags = self.scanner.tags();
        let tag = tags.iter().position(|tag| tag.name() == b"Result");
        match (self.outcome, tag) {
            (None, _) => self.problem(end, end, None, Reason::NoResult),
            (Some(outcome), Some(index)) => {
                let value = tags[index].text();
                if value != Outcome::as_str(outcome) {
                    self.tag_problem(index, Reason::ResultDiffers { outcome });
                }
            }
            (Some(_), None) => {}
        }
    }
}
