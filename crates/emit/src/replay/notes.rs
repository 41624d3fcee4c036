//! Departures from the standard that change nothing about what was played: found only where somebody asks for them.

use pgn::{Outcome, Token};
use san::{Move, Position, san_of};

use super::Replay;
use crate::problem::{Reason, text_of};

/// The highest numeric annotation glyph there is (PGN standard 10).
const HIGHEST_NAG: u32 = 255;

impl Replay<'_> {
    /// A move of the main line: whether it is spelled as the standard has it (8.2.3), with or without `!` and `?` (8.2.3.8).
    pub(super) fn note_move(&mut self, position: &Position, text: &[u8], next: Move) {
        let san = san_of(position, next);
        let suffix = text.iter().rev().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        if &text[..text.len() - suffix] != san.as_bytes() || suffix > 2 {
            self.token_problem(position, text, Reason::Spelling { san });
        }
    }

    /// What stands beside the moves.
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

    /// The tag section, once it was read.
    pub(super) fn note_tags(&mut self) {
        let names: Vec<&[u8]> = self.scanner.tags().iter().map(|tag| tag.name()).collect();
        for (index, name) in names.iter().enumerate() {
            if names[..index].contains(name) {
                self.tag_problem(index, Reason::SameTagTwice);
            }
        }
        // 9.7.1: what starts elsewhere says so.
        if let Some(fen) = names.iter().position(|name| *name == b"FEN")
            && !names.contains(&&b"SetUp"[..])
        {
            self.tag_problem(fen, Reason::SetUpMissing);
        }
    }

    /// The end of the game: whether it has a result (8.2.6), and that of its tag (8.1.1.7).
    pub(super) fn note_end(&mut self) {
        let end = self.scanner.position();
        let tags = self.scanner.tags();
        let tag = tags.iter().position(|tag| tag.name() == b"Result");
        match (self.outcome, tag) {
            (None, _) => self.problem(end, end, None, Reason::NoResult),
            (Some(outcome), Some(index)) => {
                let value = text_of(&tags[index].value());
                if value != Outcome::as_str(outcome) {
                    self.tag_problem(index, Reason::ResultDiffers { outcome });
                }
            }
            (Some(_), None) => {}
        }
    }
}
