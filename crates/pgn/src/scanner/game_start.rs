//! Finds the beginning of the next game.

use super::phase::Phase;
use super::state::ScannerState;
use super::{Digits, Scanner};
use crate::class::{CLASS, END, ends_word};
use crate::diagnostic::PgnDiagnosticKind;
use crate::span::Span;
use crate::tag_line::{self, read_damaged};
use crate::{result, tag, word};

/// Upper bound on the length of move numbers with their dots, and of moves, in bytes.
const LONGEST_NUMBER: usize = 12;

impl<'a> Scanner<'a> {
    /// Finds the beginning of the next game and reads its tag section.
    pub(super) fn find_game(&mut self) -> bool {
        self.tags.clear();
        self.fault_count = 0;
        (self.depth, self.depth_after_result) = (0, 0);
        (self.blank_line, self.has_moves, self.restarted_after) = (false, false, None);
        (self.unclosed, self.doubt) = (None, None);
        if self.at == 0 && self.bytes.first() == Some(&b'%') {
            self.at = tag::line_end(self.bytes, 0);
        }
        // Comments before the game read so far.
        let mut preamble: Option<Span> = None;
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                if !self.is_cut && self.end_state == ScannerState::BetweenGames {
                    self.game_start = preamble.map_or(self.game_start, |preamble| preamble.start);
                    // Comments that follow dropped ones are dropped with them.
                    let has_preamble = preamble.is_some() || self.drops_preamble;
                    let end_state = if has_preamble {
                        ScannerState::Preamble
                    } else {
                        ScannerState::BetweenGames
                    };
                    self.end_of_bytes(end_state);
                    self.lost_preamble(preamble);
                }
                return false;
            };
            self.token_start = self.at;
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a => self.at += 1,
                b'\n' | b'\r' => self.line_ends(),
                _ if self.tags_begin(byte) => {
                    self.lost_preamble(preamble);
                    self.game_start = self.at;
                    (self.starts_here, self.fault_count) = (false, 0);
                    self.tag_section(false);
                    return true;
                }
                b'{' | b';' if byte == b'{' || !self.is_after_text() || !self.separates_tags() => {
                    let start = preamble.map_or(self.at, |preamble| preamble.start);
                    let is_closed = byte == b';' || self.comment().is_some();
                    if byte == b';' {
                        self.line_comment();
                    }
                    if is_closed {
                        preamble = Some(Span { start, end: self.at });
                    } else {
                        self.game_start = start;
                        self.lost_preamble(preamble.take());
                    }
                }
                _ if self.says_start() => {
                    self.lost_preamble(preamble);
                    self.game_start = self.at;
                    (self.starts_here, self.fault_count) = (false, 0);
                    self.text_between_tags();
                    self.tag_section(false);
                    return true;
                }
                _ if self.game_begins() => {
                    // The comments become tokens of the game.
                    let preamble = preamble.filter(|_| !std::mem::take(&mut self.drops_preamble));
                    self.preamble_end = self.at;
                    self.at = preamble.map_or(self.at, |preamble| preamble.start);
                    self.game_start = self.at;
                    (self.starts_here, self.fault_count) = (false, 0);
                    self.phase = Phase::Movetext;
                    return true;
                }
                _ => {
                    self.lost_preamble(preamble.take());
                    self.drops_preamble = false;
                    self.text_outside_games();
                }
            }
        }
    }

    /// Reports comments that are not followed by a game without tags.
    fn lost_preamble(&mut self, preamble: Option<Span>) {
        if let Some(Span { start, end }) = preamble {
            self.fault(PgnDiagnosticKind::TextOutsideGames, start, end);
        }
    }

    #[cold]
    fn text_outside_games(&mut self) {
        let start = self.at;
        self.at = self.end_of_anything();
        if word::odd_space(&self.bytes[start..]) > 0 {
            return;
        }
        match self.faults.last_mut() {
            Some(last) if last.kind == PgnDiagnosticKind::TextOutsideGames => {
                last.span.end = self.at
            }
            _ => self.fault(PgnDiagnosticKind::TextOutsideGames, start, self.at),
        }
    }

    /// Whether the word at `self.at` has the position that a game begins with, outside of the tags
    /// where it belongs: a game begins there, so that it is not played from the usual start.
    pub(super) fn says_start(&self) -> bool {
        word::says_start(self.word_text())
    }

    /// Whether a game without tags begins at `self.at`: with a move number or a move.
    pub(super) fn game_begins(&self) -> bool {
        let rest = &self.bytes[self.at..];
        match rest[0] {
            b'0'..=b'9' => match self.digits() {
                Digits::Number(end) => {
                    self.number_begins_game(end) && !tag_line::follows_list_mark(self.bytes, end)
                }
                Digits::Result(..) => self.phase == Phase::BetweenGames,
                Digits::Word => word::starts_game(self.word_text()),
            },
            b'.' => true,
            b'*' => {
                self.phase == Phase::BetweenGames && ends_word(rest.get(1)) && !self.is_list_mark()
            }
            0x80.. if result::at_start(rest).is_some() => self.phase == Phase::BetweenGames,
            0x80.. if word::ellipsis(rest) > 0 => true,
            b'(' if self.phase == Phase::BetweenGames => self.begins_variation(),
            byte if CLASS[byte as usize] & END != 0 => false,
            _ => word::starts_game(self.word_text()),
        }
    }

    /// Whether the number that ends at `end` is one of a move, as opposed to a year in a remark.
    fn number_begins_game(&self, end: usize) -> bool {
        let number = &self.bytes[self.at..end];
        !number[number.len() - 1].is_ascii_digit()
            || number == b"1"
            || !ends_word(self.bytes.get(end))
    }

    /// Whether a tag pair begins at `self.at`, where no game goes on.
    #[inline(always)]
    pub(super) fn tags_begin(&self, byte: u8) -> bool {
        match byte {
            b'[' => tag_line::begins(self.bytes, self.at),
            // A full-width bracket is above ASCII.
            b'(' | b'<' | b'F' | b'f' | b'S' | b's' | b'V' | b'v' | 0xe3 | 0xef => {
                read_damaged(self.bytes, self.at).is_some()
                    && (self.first_in_line()
                        || self.tag_in_prose == self.at
                        || tag_line::is_quoted(&self.bytes[self.at..])
                        || self.says_start())
            }
            _ => false,
        }
    }

    /// Whether a parenthesis before any move opens a variation, as opposed to a remark.
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

    /// Returns the end of the word or single character at `self.at`.
    pub(super) fn end_of_anything(&self) -> usize {
        let rest = &self.bytes[self.at..];
        let blank = word::odd_space(rest);
        let word = self.word_text().len();
        self.at + if blank > 0 { blank } else { word.max(word::character_len(rest)) }
    }
}
