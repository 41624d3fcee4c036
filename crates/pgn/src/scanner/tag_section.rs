//! The tag section of a game (PGN standard 8.1).

use stream::chunk::NextInput;

use super::{Digits, GameStart, Phase, Scanner, ScannerState};
use crate::tag::{self, TagLine, is_part_of_fen, read_damaged};
use crate::token::{CLASS, END, PgnDiagnosticKind, Span, at_start, ends_word};
use crate::word;

/// Upper bound on the length of move numbers with their dots, and of moves, in bytes.
const LONGEST_NUMBER: usize = 12;

impl<'a> Scanner<'a> {
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
    /// where it belongs: a game begins there, so that it is not played from the starting position.
    pub(super) fn says_start(&self) -> bool {
        word::says_start(self.word_text())
    }

    /// Whether a game without tags begins at `self.at`: with a move number or a move.
    pub(super) fn game_begins(&self) -> bool {
        let rest = &self.bytes[self.at..];
        match rest[0] {
            b'0'..=b'9' => match self.digits() {
                Digits::Number(end) => {
                    self.number_begins_game(end) && !tag::follows_list_mark(self.bytes, end)
                }
                Digits::Result(..) => self.phase == Phase::BetweenGames,
                Digits::Word => word::starts_game(self.word_text()),
            },
            b'.' => true,
            b'*' => {
                self.phase == Phase::BetweenGames && ends_word(rest.get(1)) && !self.is_list_mark()
            }
            0x80.. if at_start(rest).is_some() => self.phase == Phase::BetweenGames,
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
            b'[' => tag::begins(self.bytes, self.at),
            // A full-width bracket is above ASCII.
            b'(' | b'<' | b'F' | b'f' | b'S' | b's' | b'V' | b'v' | 0xe3 | 0xef => {
                read_damaged(self.bytes, self.at).is_some()
                    && (self.first_in_line()
                        || self.tag_in_prose == self.at
                        || tag::is_quoted(&self.bytes[self.at..])
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

/// Tag names compared to detect a repeated one; bounds the cost of hostile sections.
pub(crate) const COMPARED_NAMES: usize = 64;

/// Longest HTML element that is searched for, in bytes.
const LONGEST_ELEMENT: usize = 128;

enum AfterComment {
    Tags,
    Moves,
    /// The bytes end before the text that decides.
    Undecided,
    /// The bytes end within the line that decides.
    Cut,
}

impl<'a> Scanner<'a> {
    /// Reads tag pairs up to the movetext, or to the next game if this one has no movetext. A
    /// resumed section may have had an empty line after its tags in the previous chunk.
    pub(super) fn tag_section(&mut self, mut blank_line_after_tags: bool) {
        if !blank_line_after_tags && self.bytes.get(self.at) == Some(&b'[') {
            self.plain_tags();
        }
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                self.end_of_bytes(ScannerState::Tags { blank_line: blank_line_after_tags });
                return;
            };
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a => self.at += 1,
                b'\n' | b'\r' => {
                    self.blank_line = false;
                    self.line_ends();
                    blank_line_after_tags |= self.blank_line;
                }
                b'[' if !blank_line_after_tags
                    || self.bytes[..self.at].trim_ascii_end().ends_with(b"]")
                    || self.first_in_line()
                    || tag::begins(self.bytes, self.at) =>
                {
                    let line = tag::read(self.bytes, self.at);
                    if blank_line_after_tags && self.begins_section(&line) {
                        self.next_game_begins(ScannerState::Tags { blank_line: true });
                        return;
                    }
                    self.take_tag(line);
                }
                b';' if !self.separates_tags() => {
                    self.line_comment();
                }
                _ if byte != b'['
                    && (self.tags_begin(byte)
                        || !blank_line_after_tags
                            && tag::read_damaged(self.bytes, self.at).is_some()) =>
                {
                    let line = tag::read(self.bytes, self.at);
                    self.take_tag(line);
                }
                // `[Event "A"],`
                b',' | b';' | b'|' | b']' | b')' | b'}' | b'>' | b'_' if !self.first_in_line() => {
                    self.skip_as(PgnDiagnosticKind::TextBetweenTags, 1);
                }
                // `**[Event "A"]**`
                b'*' if !self.first_in_line() && self.asterisks() > 1 => {
                    self.skip_as(PgnDiagnosticKind::TextBetweenTags, self.asterisks());
                }
                b'<' if self.element_len() > 2 => {
                    self.skip_as(PgnDiagnosticKind::TextBetweenTags, self.element_len());
                }
                b'{' => {
                    if !self.comment_in_tag_section(blank_line_after_tags) {
                        return;
                    }
                }
                0x80.. if word::odd_space(&self.bytes[self.at..]) > 0 => {
                    self.at += word::odd_space(&self.bytes[self.at..]);
                }
                _ if !self.begins_plainly() && self.says_start() => self.text_between_tags(),
                _ if !blank_line_after_tags && self.first_in_line() && self.is_junk() => {
                    self.text_between_tags();
                }
                _ if blank_line_after_tags
                    && !self.begins_plainly()
                    && self.first_in_line()
                    && self.is_junk()
                    && (self.decisive_tag_follows()
                        || word::has_placement(self.rest_of_line())) =>
                {
                    self.text_between_tags();
                }
                _ => {
                    self.movetext_begins();
                    return;
                }
            }
        }
    }

    /// Reads a comment, perhaps begun before; `false` if the section or the bytes end with it.
    #[cold]
    pub(super) fn comment_in_tag_section(&mut self, blank_line: bool) -> bool {
        let start = self.at;
        let Some(len) = memchr::memchr(b'}', &self.bytes[start..]) else {
            if self.next_input.is_last() {
                self.movetext_begins();
            } else {
                self.at = self.bytes.len();
                self.end_of_bytes(ScannerState::TagComment { blank_line });
            }
            return false;
        };
        let end = start + len + 1;
        let tags_follow = self.tags_follow(end, blank_line);
        if tags_follow {
            self.at = end;
        }
        // Otherwise the comment is the first token of the movetext.
        if self.phase != Phase::Movetext {
            self.fault(PgnDiagnosticKind::TextBetweenTags, start, end);
        }
        tags_follow
    }

    /// Whether the tag section goes on after a comment that ends before `end`. Otherwise either the
    /// movetext begins, or the bytes end.
    pub(super) fn tags_follow(&mut self, end: usize, blank_line: bool) -> bool {
        match self.after_comment(end, blank_line) {
            AfterComment::Tags => return true,
            AfterComment::Moves => self.movetext_begins(),
            AfterComment::Undecided => {
                (self.at, self.blank_line) = (end, blank_line);
                while let Some(byte) = self.bytes.get(self.at) {
                    match byte {
                        b'\n' | b'\r' => self.line_ends(),
                        _ => self.at += 1,
                    }
                }
                self.end_of_bytes(ScannerState::AfterTagComment { blank_line: self.blank_line });
            }
            AfterComment::Cut => {
                self.at = self.bytes.len();
                self.end_of_bytes(ScannerState::Tags { blank_line });
            }
        }
        false
    }

    fn movetext_begins(&mut self) {
        self.phase = Phase::Movetext;
        self.blank_line = false;
    }

    /// Reads tag pairs in standard form, one per line: nearly all sections consist of these.
    #[inline]
    fn plain_tags(&mut self) {
        let mut at = self.at;
        while let Some((pair, end)) = tag::read_plain(self.bytes, at) {
            self.tags.push(pair);
            self.at = end;
            let next = &self.bytes[end..];
            at = if next.starts_with(b"\n[") {
                end + 1
            } else if next.starts_with(b"\r\n[") {
                end + 2
            } else {
                return;
            };
        }
    }

    /// Whether a tag pair after an empty line begins the tag section of another game.
    fn begins_section(&self, line: &TagLine<'_>) -> bool {
        let Some(pair) = line.pair else { return false };
        let compared = &self.tags[..self.tags.len().min(COMPARED_NAMES)];
        pair.name() == b"Event" || compared.iter().any(|tag| tag.name() == pair.name())
    }

    /// Returns the length of an HTML element such as `<br />` at the current byte, or 0.
    fn element_len(&self) -> usize {
        let near = &self.bytes[self.at..self.bytes.len().min(self.at + LONGEST_ELEMENT)];
        memchr::memchr(b'>', &near[..tag::line_end(near, 0)]).map_or(0, |len| len + 1)
    }

    /// A comment that ends before `end` belongs to the moves unless tags of the same game follow.
    #[cold]
    fn after_comment(&self, end: usize, blank_line: bool) -> AfterComment {
        match (self.after_blank_and_escaped_lines(end), self.next_input) {
            (None, NextInput::End | NextInput::Fault | NextInput::Item(GameStart::Number)) => {
                AfterComment::Moves
            }
            (None, NextInput::Item(GameStart::Event)) if blank_line => AfterComment::Moves,
            (None, _) => AfterComment::Undecided,
            (Some(at), _) if self.bytes[at] != b'[' => AfterComment::Moves,
            (Some(at), _) => match tag::read(self.bytes, at) {
                // The meaning of a truncated line is not known yet.
                _ if self.next_input == NextInput::Anything
                    && tag::line_end(self.bytes, at) == self.bytes.len() =>
                {
                    AfterComment::Cut
                }
                line if line.pair.is_some() && !(blank_line && self.begins_section(&line)) => {
                    AfterComment::Tags
                }
                _ => AfterComment::Moves,
            },
        }
    }

    /// Returns the offset of the first byte that is neither white space nor in an escaped line.
    fn after_blank_and_escaped_lines(&self, mut at: usize) -> Option<usize> {
        loop {
            at += self.bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
            if self.bytes[at] != b'%' || !matches!(self.bytes[..at].last(), Some(b'\n' | b'\r')) {
                return Some(at);
            }
            at = tag::line_end(self.bytes, at);
        }
    }

    fn take_tag(&mut self, line: TagLine<'a>) {
        let start = self.at;
        self.tags.extend(line.pair);
        self.at = line.end;
        if let Some(kind) = line.fault {
            self.fault_of_line(kind, start);
        }
    }

    /// Whether the movetext begins as nearly every one does: with number 1 and a move.
    #[inline]
    fn begins_plainly(&self) -> bool {
        let is_move = |byte: &u8| matches!(byte, b'a'..=b'h' | b'B' | b'K' | b'N'..=b'R');
        match &self.bytes[self.at..] {
            [b'1', b'.', b' ', byte, ..] | [b'1', b'.', byte, ..] => is_move(byte),
            _ => false,
        }
    }

    /// Skips a line, up to a tag or moves on it.
    #[cold]
    pub(super) fn text_between_tags(&mut self) {
        let start = self.at;
        self.at = tag::end_of_other(self.bytes, start);
        self.tag_in_prose = self.at;
        self.fault_of_line(PgnDiagnosticKind::TextBetweenTags, start);
    }

    /// Reports the text from `start` on, without the spaces before a tag that follows on the line.
    #[cold]
    fn fault_of_line(&mut self, kind: PgnDiagnosticKind, start: usize) {
        let text = self.bytes[start..self.at].trim_ascii_end();
        self.fault(kind, start, start + text.len());
    }

    #[cold]
    pub(super) fn is_after_text(&self) -> bool {
        let end = self.bytes[..self.at].trim_ascii_end().len();
        self.faults.last().is_some_and(|last| last.kind.skips_text() && last.span.end == end)
    }

    /// Whether a semicolon in the middle of a line is before a tag that decides how the game is
    /// played, so that it begins no comment: `Event: A; FEN "…"`.
    #[cold]
    pub(super) fn separates_tags(&self) -> bool {
        let rest = self.rest_of_line();
        !self.first_in_line()
            && (tag::next_tag(rest, 1, rest.len()).is_some() || word::has_placement(rest))
    }

    fn rest_of_line(&self) -> &'a [u8] {
        &self.bytes[self.at..tag::searched_end(self.bytes, self.at)]
    }

    /// Whether a tag that decides how this game is played stands on the rest of the line.
    #[cold]
    fn decisive_tag_follows(&self) -> bool {
        tag::next_tag(self.bytes, self.at, tag::searched_end(self.bytes, self.at))
            .is_some_and(|at| !self.begins_section(&tag::read(self.bytes, at)))
    }

    /// Whether a word between tag lines is neither a movetext mark nor a move.
    fn is_junk(&self) -> bool {
        let byte = self.bytes[self.at];
        let is_mark = matches!(byte, b'>' | b')' | b'}' | b']')
            || byte == b'(' && self.decisive_tag_follows();
        is_mark
            || CLASS[byte as usize] & END == 0
                && !self.word_text().is_empty()
                && (!self.game_begins() || self.is_rest_of_tag())
                && (byte != b'*' || self.is_list_mark())
                && at_start(&self.bytes[self.at..]).is_none()
                && !(byte.is_ascii_digit() && matches!(self.digits(), Digits::Result(..)))
    }

    fn asterisks(&self) -> usize {
        self.bytes[self.at..].iter().take_while(|byte| **byte == b'*').count()
    }

    /// Whether a tag follows the asterisks at `self.at`, which are then no result.
    pub(super) fn is_list_mark(&self) -> bool {
        let next = self.at + self.asterisks();
        let next = next + self.bytes[next..].iter().take_while(|byte| **byte == b' ').count();
        self.bytes.get(next) == Some(&b'[') && tag::begins(self.bytes, next)
    }

    /// Whether the line is the rest of a damaged tag, of which the beginning was read before.
    fn is_rest_of_tag(&self) -> bool {
        let line = &self.bytes[self.at..tag::line_end(self.bytes, self.at)];
        let placement = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        placement.contains(&b'/') && is_part_of_fen(line)
    }
}
