//! Where a game begins for certain, whatever stood before the bytes that one looks at.
//!
//! A tag pair at the beginning of a line begins a game, unless the scanner stands in a comment or in a tag section there
//! (see [`Scanner`]). Both can be ruled out by a few lines before it:
//!
//! * behind any `}` no comment is open: either it closed one, or there was none. So none is open at the tag pair if the last
//!   brace before it is a closing one, or there is none in the whole text before it;
//! * no tag section is open behind a line of movetext: it is asked of the scanner itself whether the line before the tag pair
//!   ends a section that was open before it.
//!
//! Where one of them cannot be shown, the place is not certain, though a game may well begin there.

use crate::boundary::{Follow, Tail, line_before};
use crate::scanner::Phase;
use crate::{Scanner, tag};

/// What is known of the text before the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// There is none.
    Nothing,
    /// No comment is open where it ends.
    NoComment,
    /// Nothing.
    Anything,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// A game begins at this byte.
    Start(usize),
    /// None does for certain; but it would matter whether a comment is open before the bytes.
    IfNoComment,
    Nothing,
}

/// The last place in `bytes` where a game begins for certain. A line that may have begun before them is not relied on.
pub(super) fn last_certain_start(bytes: &[u8], before: Before) -> Found {
    let mut braces = LastBrace { bytes, up_to: bytes.len(), found: None };
    let mut otherwise = Found::Nothing;
    for at in memchr::memrchr_iter(b'[', bytes) {
        let is_line_start = at > 0 && matches!(bytes[at - 1], b'\n' | b'\r');
        if !is_line_start || tag::read_plain(bytes, at).is_none() {
            continue;
        }
        let Some((line, _)) = line_before(bytes, at) else { continue };
        let is_whole = line.as_ptr() > bytes.as_ptr() || before == Before::Nothing;
        if !is_whole || !ends_tag_section(line) {
            continue;
        }
        match braces.before(at) {
            Some(b'}') => return Found::Start(at),
            Some(_) => {}
            None if before != Before::Anything => return Found::Start(at),
            None => otherwise = Found::IfNoComment,
        }
    }
    otherwise
}

/// Whether behind this line, at the end of which no comment is open, no tag section is open either, whatever came before it.
fn ends_tag_section(line: &[u8]) -> bool {
    let begins_section = |at: usize| tag::opening_quote(line, at).is_some();
    // Behind a comment that is the end of the line, more tags may follow.
    let ends_with_comment = line.trim_ascii_end().ends_with(b"}");
    if ends_with_comment || memchr::memchr_iter(b'[', line).any(begins_section) {
        return false;
    }
    let tail = Tail::Tags { blank_line: false };
    Scanner::resume(line, Follow::End, tail, false, Vec::new()).phase() == Phase::Movetext
}

/// Looks for braces backward, over each byte once.
struct LastBrace<'a> {
    bytes: &'a [u8],
    /// All behind this byte was looked at.
    up_to: usize,
    found: Option<usize>,
}

impl LastBrace<'_> {
    /// The last brace before `at`, which becomes less from call to call.
    fn before(&mut self, at: usize) -> Option<u8> {
        if self.found.is_none_or(|brace| brace >= at) {
            let end = self.up_to.min(at);
            self.found = last_brace(&self.bytes[..end]);
            self.up_to = self.found.unwrap_or(0);
        }
        self.found.map(|brace| self.bytes[brace])
    }
}

/// The last brace in `bytes`.
pub(super) fn last_brace(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr2(b'{', b'}', bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_certain_if_neither_a_comment_nor_a_tag_section_can_be_open() {
        // Where `|` stands a game begins for certain.
        let cases = [
            "x\n1. e4 {a} e5 1-0\n\n|[Event \"B\"]\n",
            "x\n1. e4 {a} e5 1-0\n|[Event \"B\"]\n",
            "x\r\n1. e4 {a} e5 1-0\r\n\r\n|[White \"B\"]\r\n",
            "x\n{a} 1-0\n\n|[Event \"B\"]\n",
            "x\nNf3 is [a } 1-0\n\n|[Event \"B\"]\n",
            "x\n{} {[%eval 0.1]} e4\n\n|[Event \"B\"]\n",
            "x}\n*\n\n|[Event \"B\"]\n",
            // A comment behind the last brace.
            "x\n1. e4 {a} e5 {b 1-0\n\n[Event \"B\"]\n",
            // The line may belong to a tag section, or be a part of something longer.
            "x }\n[White \"A\"]\n\n[Event \"B\"]\n",
            "x }\nNf3 1-0 [White \"A\"]\n\n[Event \"B\"]\n",
            "x }\njunk\n\n[Event \"B\"]\n",
            "x }\n; 1-0\n\n[Event \"B\"]\n",
            "x }\n% 1-0\n\n[Event \"B\"]\n",
            "x }\n{b}\n\n[Event \"B\"]\n",
            "} 1-0\n\n[Event \"B\"]\n",
            // No tag pair as the standard has it, at the beginning of a line.
            "x }\n*\n\n [Event \"B\"]\n",
            "x }\n*\n\n[Event \"B]\n",
            "x }\n*\n\n[Event \"B",
            "x }\n* [Event \"B\"]\n",
            "",
        ];
        for text in cases {
            let expected = text.find('|').map_or(Found::Nothing, Found::Start);
            let text = text.replace('|', "");
            assert_eq!(last_certain_start(text.as_bytes(), Before::Anything), expected, "{text:?}");
        }
    }

    #[test]
    fn where_there_are_no_braces_it_depends_on_what_is_before() {
        let text = b"x\n1. e4 e5 1-0\n\n[Event \"B\"]\n";
        assert_eq!(last_certain_start(text, Before::Anything), Found::IfNoComment);
        assert_eq!(last_certain_start(text, Before::NoComment), Found::Start(16));
        assert_eq!(last_certain_start(&text[2..], Before::NoComment), Found::Nothing);
        assert_eq!(last_certain_start(&text[2..], Before::Nothing), Found::Start(14));
    }

    #[test]
    fn braces_are_looked_for_once() {
        let bytes = b"a}b{c}d";
        let mut braces = LastBrace { bytes, up_to: bytes.len(), found: None };
        let found = [7, 6, 5, 4, 3, 2, 1, 0].map(|at| braces.before(at));
        let expected =
            [Some(b'}'), Some(b'}'), Some(b'{'), Some(b'{'), Some(b'}'), Some(b'}'), None, None];
        assert_eq!(found, expected);
    }
}
