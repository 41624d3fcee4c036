//! Departures from the standard that do not affect the moves, reported on request.

use std::collections::HashSet;

use pgn::{Outcome, Token};
use san::{Move, Position, san_of};

use super::Replay;
use crate::problem::Reason;
use crate::start;

/// The highest numeric annotation glyph (PGN standard 10).
const HIGHEST_NAG: u32 = 255;

impl Replay<'_> {
    /// Checks the spelling of a move (8.2.3), with or without `!` and `?` (8.2.3.8).
    pub(super) fn note_move(&mut self, position: &Position, text: &[u8], next: Move) {
        let san = san_of(position, next);
        let suffix = text.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        if &text[..text.len() - suffix] != san.as_bytes() || suffix > 2 {
            self.token_problem(position, text, Reason::Spelling { san });
        }
    }

    /// Checks a token other than a move.
    pub(super) fn note_token(&mut self, position: &Position, token: Token<'_>) {
        match token {
            Token::Glyph(text) if !matches!(text, b"!" | b"?" | b"!!" | b"??" | b"!?" | b"?!") => {
                self.token_problem(position, text, Reason::Sign);
            }
            Token::Nag(digits) => {
                let number = std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok());
                if number.is_none_or(|number: u32| number > HIGHEST_NAG) {
                    let text = &self.chunk.bytes()[self.scanner.token_span().range()];
                    self.token_problem(position, text, Reason::Nag);
                }
            }
            _ => {}
        }
    }

    /// Takes the result that was read last.
    #[inline]
    pub(super) fn ends(&mut self, position: &Position, outcome: Outcome) {
        self.outcome = Some(outcome);
        if self.plan.notes {
            self.note_result(position, outcome);
        }
    }

    /// Checks the spelling of the result that was read last (8.2.6).
    #[cold]
    fn note_result(&mut self, position: &Position, outcome: Outcome) {
        let text = &self.chunk.bytes()[self.scanner.token_span().range()];
        if text != outcome.as_str().as_bytes() {
            self.token_problem(position, text, Reason::ResultSpelling { outcome });
        }
    }

    /// Checks the tag section after it was read.
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

    /// Reports what the normal form of the game does not have: repeated tags, and the result of the
    /// movetext if the tag has another.
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
