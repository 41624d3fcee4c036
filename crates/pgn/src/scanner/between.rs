//! Between games: where the next one begins.

use super::{Digits, Phase, Scanner};
use crate::boundary::Tail;
use crate::class::{CLASS, END, ends_word};
use crate::fault::FaultKind;
use crate::{tag, word};

/// Move numbers with their dots, and moves, are not longer.
const LONGEST_NUMBER: usize = 12;

impl<'a> Scanner<'a> {
    /// Finds where the next game begins and reads its tag section.
    pub(super) fn find_game(&mut self) -> bool {
        self.tags.clear();
        (self.depth, self.depth_behind_result) = (0, 0);
        (self.blank_line, self.has_moves) = (false, false);
        if self.at == 0 && self.bytes.first() == Some(&b'%') {
            self.at = tag::line_end(self.bytes, 0);
        }
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                if !self.is_cut && self.tail == Tail::Between {
                    self.end_of_bytes(Tail::Between);
                }
                return false;
            };
            self.token_start = self.at;
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a => self.at += 1,
                b'\n' | b'\r' => self.line_ends(),
                b'[' if tag::opening_quote(self.bytes, self.at).is_some() => {
                    self.game_start = self.at;
                    self.starts_here = false;
                    self.tag_section(false);
                    return true;
                }
                b'{' => {
                    self.comment();
                }
                b';' => {
                    self.line_comment();
                }
                _ if self.game_begins() => {
                    self.game_start = self.at;
                    self.starts_here = false;
                    self.phase = Phase::Movetext;
                    return true;
                }
                _ => self.text_outside_games(),
            }
        }
    }

    #[cold]
    fn text_outside_games(&mut self) {
        let start = self.at;
        self.at = self.end_of_anything();
        if word::odd_blank(&self.bytes[start..]) > 0 {
            return;
        }
        match self.faults.last_mut() {
            Some(last) if last.kind == FaultKind::TextOutsideGames => last.span.end = self.at,
            _ => self.fault(FaultKind::TextOutsideGames, start, self.at),
        }
    }

    /// Whether what stands at `self.at` begins a game without tags: a move number or a move.
    pub(super) fn game_begins(&self) -> bool {
        let rest = &self.bytes[self.at..];
        match rest[0] {
            b'0'..=b'9' => match self.digits() {
                Digits::Number(_) => true,
                Digits::Result(..) => self.phase == Phase::Between,
                Digits::Word => word::starts_game(self.word_text()),
            },
            b'.' => true,
            b'*' => self.phase == Phase::Between && ends_word(rest.get(1)),
            0x80.. if word::half_signs(rest) > 0 => self.phase == Phase::Between,
            0x80.. if word::ellipsis(rest) > 0 => true,
            b'(' if self.phase == Phase::Between => self.begins_variation(),
            byte if CLASS[byte as usize] & END != 0 => false,
            _ => word::starts_game(self.word_text()),
        }
    }

    /// Whether a parenthesis before any move opens a variation, rather than a remark.
    fn begins_variation(&self) -> bool {
        let inside = &self.bytes[self.at + 1..];
        let inside = &inside[..inside.len().min(LONGEST_NUMBER)];
        let digits = inside.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let word = inside.split(|byte| CLASS[usize::from(*byte)] & END != 0).next();
        digits > 0 && inside.get(digits) == Some(&b'.') || word.is_some_and(word::starts_game)
    }

    pub(super) fn word_text(&self) -> &'a [u8] {
        &self.bytes[self.at..word::end_of_odd_word(self.bytes, self.at)]
    }

    /// The end of whatever stands at `self.at`: a word, or one character.
    pub(super) fn end_of_anything(&self) -> usize {
        let rest = &self.bytes[self.at..];
        let blank = word::odd_blank(rest);
        let word = self.word_text().len();
        self.at + if blank > 0 { blank } else { word.max(word::character_len(rest)) }
    }
}
