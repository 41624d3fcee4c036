//! Problems of a game are collected during its replay and reported at its end.

use pgn::{PgnDiagnosticKind, Place, TagPair};
use san::Position;

use super::Replay;
use crate::games::GameIdentity;
use crate::problem::{self, MoveNumber, Problem, Reason};
use crate::sink::Sink;

/// Most problems kept for the variations of a game, so that no input exhausts memory.
const MOST_IN_VARIATIONS: u32 = 100;

impl<'c> Replay<'c> {
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
        let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
        self.problem(start, start + text.len(), Some(number), reason);
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
            Reason::TooLarge { limit } => GameIdentity::of(self.tags_before(start + limit)),
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

    /// Assigns the problems found after the last game to no game. Comments above the size limit may
    /// be read in pieces, so whether they are closed is not reported.
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

    /// Returns the tags up to an offset: the later ones of a game above the limit may be missing.
    fn tags_before(&self, end: usize) -> &[TagPair<'c>] {
        let tags = self.scanner.tags();
        let known =
            tags.partition_point(|tag| self.at(tag.raw_value()) + tag.raw_value().len() < end);
        &tags[..known]
    }

    /// Returns the offset of a subslice of the chunk.
    pub(super) fn at(&self, part: &[u8]) -> usize {
        part.as_ptr().addr() - self.chunk.bytes().as_ptr().addr()
    }

    /// Passes the problems of a game to the sink, in the order of the text.
    pub(super) fn report(&mut self, sink: &mut (impl Sink + ?Sized)) {
        self.problems.sort_by_key(|(start, _)| *start);
        for (start, mut problem) in self.problems.drain(..) {
            problem.place = self.places.at(start);
            sink.problem(problem);
        }
    }
}
