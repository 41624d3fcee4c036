//! What stands behind the result of a game.

use super::Scanner;
use crate::boundary::Tail;
use crate::fault::FaultKind;
use crate::token::Token;
use crate::{tag, word};

impl<'a> Scanner<'a> {
    /// Tokens behind the result: the comments still belong to the game.
    pub(super) fn token_behind_result(&mut self) -> Option<Token<'a>> {
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return self.end_of_bytes(Tail::Over { depth: self.depth_behind_result });
            };
            self.token_start = self.at;
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a => self.at += 1,
                b'\n' | b'\r' => self.line_ends(),
                b'[' if tag::opening_quote(self.bytes, self.at).is_some() => {
                    return self.next_game_begins(Tail::Over { depth: self.depth_behind_result });
                }
                b'{' => return self.comment(),
                b';' => return Some(self.line_comment()),
                _ if self.depth_behind_result == 0 && self.game_begins() => {
                    return self.next_game_begins(Tail::Over { depth: self.depth_behind_result });
                }
                b'$' => {
                    self.nag();
                }
                _ => self.text_behind_result(byte),
            }
        }
    }

    #[cold]
    fn text_behind_result(&mut self, byte: u8) {
        let start = self.at;
        match byte {
            b'(' => self.depth_behind_result += 1,
            b')' => self.depth_behind_result = self.depth_behind_result.saturating_sub(1),
            _ => {}
        }
        self.at = self.end_of_anything();
        if word::odd_blank(&self.bytes[start..]) > 0 {
            return;
        }
        match self.faults.last_mut() {
            // One fault for all of it: what stands there is not ours to read.
            Some(last)
                if last.kind == FaultKind::TextBehindResult
                    && last.span.start >= self.game_start =>
            {
                last.span.end = self.at;
            }
            _ => self.fault(FaultKind::TextBehindResult, start, self.at),
        }
    }
}
