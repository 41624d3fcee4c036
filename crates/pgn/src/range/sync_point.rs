//! Finds a place where a game certainly begins, whatever precedes the available bytes.
//!
//! A tag pair at the beginning of a line begins a game unless the scanner is inside a comment or a
//! tag section there (see [`Scanner`]). Both can be ruled out from a few lines before it:
//!
//! * after any `}` no comment is open: either it closed one, or there was none. So no comment is
//!   open at the tag pair if the last brace before it is a closing one, or there is no brace in the
//!   whole text before it;
//! * no tag section is open after a line of movetext: the scanner itself decides whether the line
//!   before the tag pair ends a section that was open before it.
//!
//! If either cannot be shown, the place is not certain, although a game may begin there.

use stream::range::{PrecedingText, SyncPoint};

use crate::boundary::line_before;
use crate::chunk::Chunk;
use crate::scanner::Scanner;
use crate::scanner::phase::Phase;
use crate::scanner::state::ScannerState;
use crate::{tag, tag_line, word};

/// Finds the last offset in `bytes` where a game certainly begins. A line that may begin before
/// them is not used.
pub(super) fn last_sync_point(bytes: &[u8], before: PrecedingText) -> SyncPoint {
    let mut braces = LastBrace { bytes, up_to: bytes.len(), found: None };
    let mut otherwise = SyncPoint::Nothing;
    for at in memchr::memrchr_iter(b'[', bytes) {
        let is_line_start = at > 0 && matches!(bytes[at - 1], b'\n' | b'\r');
        if !is_line_start || tag::read_plain(bytes, at).is_none() {
            continue;
        }
        let Some((line, _)) = line_before(bytes, at) else { continue };
        let is_whole = line.as_ptr() > bytes.as_ptr() || before == PrecedingText::Nothing;
        if !is_whole || !ends_tag_section(line) {
            continue;
        }
        match braces.before(at) {
            Some(b'}') => return SyncPoint::Start(at),
            Some(_) => {}
            None if before != PrecedingText::Anything => return SyncPoint::Start(at),
            None => otherwise = SyncPoint::IfNoComment,
        }
    }
    otherwise
}

/// Whether no tag section is open after this line, given that no comment is open at its end.
fn ends_tag_section(line: &[u8]) -> bool {
    let begins_section = |at: usize| tag_line::begins(line, at);
    let has_tag = memchr::memchr_iter(b'[', line).any(begins_section)
        || tag_line::next_tag(line, 0, line.len()).is_some()
        || word::has_placement(line);
    // More tags may follow a comment that ends the line.
    let ends_with_comment = line.trim_ascii_end().ends_with(b"}");
    if ends_with_comment || has_tag {
        return false;
    }
    let end_state = ScannerState::Tags { blank_line: false };
    Scanner::resume(Chunk::whole(line), end_state, Vec::new()).phase() == Phase::Movetext
}

/// Searches backward for braces and examines each byte once.
struct LastBrace<'a> {
    bytes: &'a [u8],
    /// All bytes after this offset have been examined.
    up_to: usize,
    found: Option<usize>,
}

impl LastBrace<'_> {
    /// Returns the last brace before `at`, which must decrease from call to call.
    fn before(&mut self, at: usize) -> Option<u8> {
        if self.found.is_none_or(|brace| brace >= at) {
            let end = self.up_to.min(at);
            self.found = last_brace(&self.bytes[..end]);
            self.up_to = self.found.unwrap_or(0);
        }
        self.found.map(|brace| self.bytes[brace])
    }
}

/// Returns the offset of the last brace in `bytes`.
pub(super) fn last_brace(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr2(b'{', b'}', bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_certain_if_neither_a_comment_nor_a_tag_section_can_be_open() {
        // `|` marks the certain start of a game.
        let cases = [
            "x\n1. e4 {a} e5 1-0\n\n|[Event \"B\"]\n",
            "x\n1. e4 {a} e5 1-0\n|[Event \"B\"]\n",
            "x\r\n1. e4 {a} e5 1-0\r\n\r\n|[White \"B\"]\r\n",
            "x\n{a} 1-0\n\n|[Event \"B\"]\n",
            "x\nNf3 is [a } 1-0\n\n|[Event \"B\"]\n",
            "x\n{} {[%eval 0.1]} e4\n\n|[Event \"B\"]\n",
            "x}\n*\n\n|[Event \"B\"]\n",
            // A comment after the last brace.
            "x\n1. e4 {a} e5 {b 1-0\n\n[Event \"B\"]\n",
            // The line may belong to a tag section, or be part of something longer.
            "x }\n[White \"A\"]\n\n[Event \"B\"]\n",
            "x }\nNf3 1-0 [White \"A\"]\n\n[Event \"B\"]\n",
            "x }\nNf3 1-0 [FEN\n[Event \"B\"]\n",
            "x }\njunk\n\n[Event \"B\"]\n",
            "x }\n; 1-0\n\n[Event \"B\"]\n",
            "x }\n% 1-0\n\n[Event \"B\"]\n",
            "x }\n{b}\n\n[Event \"B\"]\n",
            "} 1-0\n\n[Event \"B\"]\n",
            // Not a tag pair in the standard form at the beginning of a line.
            "x }\n*\n\n [Event \"B\"]\n",
            "x }\n*\n\n[Event \"B]\n",
            "x }\n*\n\n[Event \"B",
            "x }\n* [Event \"B\"]\n",
            "",
        ];
        for text in cases {
            let expected = text.find('|').map_or(SyncPoint::Nothing, SyncPoint::Start);
            let text = text.replace('|', "");
            assert_eq!(
                last_sync_point(text.as_bytes(), PrecedingText::Anything),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn without_braces_the_answer_depends_on_the_preceding_text() {
        let text = b"x\n1. e4 e5 1-0\n\n[Event \"B\"]\n";
        assert_eq!(last_sync_point(text, PrecedingText::Anything), SyncPoint::IfNoComment);
        assert_eq!(last_sync_point(text, PrecedingText::NoComment), SyncPoint::Start(16));
        assert_eq!(last_sync_point(&text[2..], PrecedingText::NoComment), SyncPoint::Nothing);
        assert_eq!(last_sync_point(&text[2..], PrecedingText::Nothing), SyncPoint::Start(14));
    }

    #[test]
    fn each_byte_is_searched_for_braces_once() {
        let bytes = b"a}b{c}d";
        let mut braces = LastBrace { bytes, up_to: bytes.len(), found: None };
        let found = [7, 6, 5, 4, 3, 2, 1, 0].map(|at| braces.before(at));
        let expected =
            [Some(b'}'), Some(b'}'), Some(b'{'), Some(b'{'), Some(b'}'), Some(b'}'), None, None];
        assert_eq!(found, expected);
    }
}
