//! The tag section of a game (PGN standard 8.1).

use super::{Digits, Phase, Scanner};
use crate::boundary::{Follow, Tail};
use crate::class::{CLASS, END};
use crate::fault::FaultKind;
use crate::tag::{self, TagLine};
use crate::word;

/// So many names of a tag section are compared to find one that comes twice; it bounds the cost of hostile sections.
pub(crate) const COMPARED_NAMES: usize = 64;

/// Elements of HTML are not looked for further than this, in bytes.
const LONGEST_ELEMENT: usize = 128;

/// What stands behind a comment in the tag section.
enum Between {
    /// More tags; the comment ends before this byte.
    Tags(usize),
    Moves,
    /// It cannot be told: the bytes end there.
    Cut,
    /// The bytes end before the comment does.
    Open,
}

impl<'a> Scanner<'a> {
    /// Reads tag pairs up to the movetext, or to the next game where this one has none.
    ///
    /// A section of which the beginning was elsewhere may have had a blank line there.
    pub(super) fn tag_section(&mut self, mut blank_line_behind_tags: bool) {
        if !blank_line_behind_tags {
            self.plain_tags();
        }
        loop {
            let Some(&byte) = self.bytes.get(self.at) else {
                self.end_of_bytes(Tail::Tags { blank_line: blank_line_behind_tags });
                return;
            };
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c | 0 | 0x1a => self.at += 1,
                b'\n' | b'\r' => {
                    self.blank_line = false;
                    self.line_ends();
                    blank_line_behind_tags |= self.blank_line;
                }
                b'[' if self.first_in_line()
                    || tag::opening_quote(self.bytes, self.at).is_some() =>
                {
                    let line = tag::read(self.bytes, self.at);
                    if blank_line_behind_tags && self.begins_section(&line) {
                        self.next_game_begins(Tail::Tags { blank_line: true });
                        return;
                    }
                    self.take_tag(line);
                }
                b';' => {
                    self.line_comment();
                }
                b'<' if self.element_len() > 2 => {
                    let start = self.at;
                    self.at += self.element_len();
                    self.fault(FaultKind::TextBetweenTags, start, self.at);
                }
                b'{' => {
                    if !self.comment_in_tag_section(blank_line_behind_tags) {
                        return;
                    }
                }
                _ if !blank_line_behind_tags && self.first_in_line() && self.is_junk() => {
                    let start = self.at;
                    self.at = tag::line_end(self.bytes, start);
                    self.fault(FaultKind::TextBetweenTags, start, self.at);
                }
                _ => {
                    self.phase = Phase::Movetext;
                    self.blank_line = false;
                    return;
                }
            }
        }
    }

    /// Reads a comment, of which the beginning may have been elsewhere. `false` if the tag section ends with it, or the
    /// bytes do.
    #[cold]
    pub(super) fn comment_in_tag_section(&mut self, blank_line: bool) -> bool {
        match self.comment_between_tags(blank_line) {
            Between::Tags(end) => {
                let start = self.at;
                self.at = end;
                self.fault(FaultKind::TextBetweenTags, start, end);
                return true;
            }
            Between::Moves => {
                self.phase = Phase::Movetext;
                self.blank_line = false;
            }
            Between::Cut => {
                self.at = self.bytes.len();
                self.end_of_bytes(Tail::Tags { blank_line });
            }
            Between::Open => {
                self.at = self.bytes.len();
                self.end_of_bytes(Tail::TagComment { blank_line });
            }
        }
        false
    }

    /// Reads tag pairs as the standard has them, one a line, as long as there are any: nearly all sections are that and
    /// nothing else.
    #[inline]
    fn plain_tags(&mut self) {
        let mut at = self.at;
        while let Some((pair, end)) = tag::read_plain(self.bytes, at) {
            self.tags.push(pair);
            self.at = end;
            at = match self.bytes[end..] {
                [b'\n', b'[', ..] => end + 1,
                [b'\r', b'\n', b'[', ..] => end + 2,
                _ => return,
            };
        }
    }

    /// Whether a tag pair behind a blank line begins another game's tag section.
    fn begins_section(&self, line: &TagLine<'_>) -> bool {
        let TagLine::Pair { pair, .. } = line else { return false };
        let compared = &self.tags[..self.tags.len().min(COMPARED_NAMES)];
        pair.name() == b"Event" || compared.iter().any(|tag| tag.name() == pair.name())
    }

    /// The length of an element of HTML, as `<br />`, or 0.
    fn element_len(&self) -> usize {
        let near = &self.bytes[self.at..self.bytes.len().min(self.at + LONGEST_ELEMENT)];
        memchr::memchr(b'>', &near[..tag::line_end(near, 0)]).map_or(0, |len| len + 1)
    }

    /// What a comment in the tag section comes before: it belongs to the moves, unless more tags of the same game follow.
    #[cold]
    fn comment_between_tags(&self, blank_line: bool) -> Between {
        let rest = &self.bytes[self.at..];
        let Some(end) = memchr::memchr(b'}', rest).map(|len| self.at + len + 1) else {
            return if self.follow.is_last() { Between::Moves } else { Between::Open };
        };
        let behind = self.bytes[end..].iter().position(|byte| !byte.is_ascii_whitespace());
        match (behind.map(|len| end + len), self.follow) {
            (None, Follow::End | Follow::Fault | Follow::Number) => Between::Moves,
            (None, Follow::Event) if blank_line => Between::Moves,
            // Blank lines behind the comment count, so it is left behind before the bytes end.
            (None, _) => Between::Tags(end),
            (Some(at), _) if self.bytes[at] != b'[' => Between::Moves,
            (Some(at), _) => match tag::read(self.bytes, at) {
                // What a line that is cut off turns out to be is not known yet.
                _ if self.follow == Follow::Anything
                    && tag::line_end(self.bytes, at) == self.bytes.len() =>
                {
                    Between::Cut
                }
                line @ TagLine::Pair { .. } if !(blank_line && self.begins_section(&line)) => {
                    Between::Tags(end)
                }
                _ => Between::Moves,
            },
        }
    }

    fn take_tag(&mut self, line: TagLine<'a>) {
        let start = self.at;
        let faulty = line.is_faulty();
        let kind = match line {
            TagLine::Pair { pair, end } => {
                self.tags.push(pair);
                self.at = end;
                FaultKind::LooseTag
            }
            TagLine::Malformed { end } => {
                self.at = end;
                FaultKind::MalformedTag
            }
        };
        if faulty {
            self.fault(kind, start, self.at);
        }
    }

    /// Whether a word between tag lines is neither a mark of movetext nor a move.
    fn is_junk(&self) -> bool {
        let byte = self.bytes[self.at];
        CLASS[byte as usize] & END == 0
            && !self.word_text().is_empty()
            && !self.game_begins()
            && !matches!(byte, b'*')
            && word::half_signs(&self.bytes[self.at..]) == 0
            && !matches!(self.digits_at(), Some(Digits::Result(..)))
    }

    fn digits_at(&self) -> Option<Digits> {
        self.bytes[self.at].is_ascii_digit().then(|| self.digits())
    }
}
