//! Text after the result of a game.

use super::Scanner;
use super::state::ScannerState;
use crate::diagnostic::PgnDiagnosticKind;
use crate::token::Token;
use crate::word;

impl<'a> Scanner<'a> {
    /// Reads tokens after the result; comments up to the next empty line still belong to the game.
    pub(super) fn token_after_result(&mut self) -> Option<Token<'a>> {
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                return self.end_of_bytes(self.end_state_after_result());
            };
            self.token_start = self.at;
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a => self.at += 1,
                b'\n' | b'\r' => self.line_ends(),
                _ if self.tags_begin(byte) => {
                    return self.next_game_begins(self.end_state_after_result());
                }
                b'{' | b';' if self.blank_line && self.depth_after_result == 0 => {
                    return self.end_game(true);
                }
                b'{' => return self.comment(),
                b';' => return Some(self.line_comment()),
                _ if self.depth_after_result == 0 && (self.game_begins() || self.says_start()) => {
                    return self.next_game_begins(self.end_state_after_result());
                }
                b'$' => return Some(self.nag()),
                _ => self.text_after_result(byte),
            }
        }
    }

    fn end_state_after_result(&self) -> ScannerState {
        ScannerState::AfterResult { depth: self.depth_after_result, blank_line: self.blank_line }
    }

    #[cold]
    fn text_after_result(&mut self, byte: u8) {
        let start = self.at;
        self.blank_line = false;
        match byte {
            b'(' => self.depth_after_result += 1,
            b')' => self.depth_after_result = self.depth_after_result.saturating_sub(1),
            _ => {}
        }
        self.at = self.end_of_anything();
        if word::odd_space(&self.bytes[start..]) > 0 {
            return;
        }
        match self.faults.last_mut() {
            // One fault covers all of it.
            Some(last)
                if last.kind == PgnDiagnosticKind::TextAfterResult
                    && last.span.start >= self.game_start =>
            {
                last.span.end = self.at;
            }
            _ => self.fault(PgnDiagnosticKind::TextAfterResult, start, self.at),
        }
    }
}
