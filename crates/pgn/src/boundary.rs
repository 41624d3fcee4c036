//! Where a text may be cut so that games stay whole, and how the cut is proved.
//!
//! A text of gigabytes is cut into chunks without being read twice. [`last_cut`] looks backward from the end of a buffer
//! for a line that *looks* like the beginning of a game. It may be wrong: the line may lie in a comment. So the cut is
//! only believed when the scanner of the bytes before it has come to its end in a state in which that line does begin a
//! game, whatever it read before ([`Tail::is_complete_before`]). Where it is not believed, the unfinished game is scanned
//! again together with the bytes behind the cut. So the cuts change nothing about what is read.

use crate::scanner::Phase;
use crate::tag::{self, TagLine};

/// What stands behind the bytes of a scanner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follow {
    /// Nothing: the text ends.
    End,
    /// A line that begins with an `Event` tag pair.
    Event,
    /// A line that begins with another tag pair.
    Tag,
    /// A line that begins with a move number.
    Number,
    /// Anything: the cut was made because the buffer was full.
    Anything,
    /// Nothing that can be read: the stream failed here, in the middle of whatever it was.
    Fault,
}

/// In what the scanner stood when its bytes ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    Between,
    Tags {
        blank_line: bool,
    },
    /// A comment in the tag section: what follows it says whether it stands before the movetext.
    TagComment {
        blank_line: bool,
    },
    Movetext {
        depth: u32,
        blank_line: bool,
        has_moves: bool,
    },
    Over {
        depth: u32,
    },
    Comment {
        phase: Phase,
        depth: u32,
        blank_line: bool,
        has_moves: bool,
    },
}

impl Follow {
    /// Whether nothing more is to be read.
    pub(crate) fn is_last(self) -> bool {
        matches!(self, Follow::End | Follow::Fault)
    }
}

impl Tail {
    /// Whether no game had begun when the bytes ended.
    pub(crate) fn is_outside(self) -> bool {
        matches!(self, Tail::Between | Tail::Comment { phase: Phase::Between, .. })
    }

    /// Whether nothing that follows can belong to what the bytes ended in. It repeats the scanner's rules of where a
    /// game begins, for the few things that may follow.
    pub(crate) fn is_complete_before(self, follow: Follow) -> bool {
        match (self, follow) {
            (_, Follow::End) => true,
            // Of a game that breaks off the last word may be torn, and so another move than was played.
            (Tail::Over { .. } | Tail::Comment { phase: Phase::Over, .. }, Follow::Fault) => true,
            (tail, Follow::Fault) => tail.is_outside(),
            (_, Follow::Anything) => false,
            (Tail::Comment { .. } | Tail::TagComment { .. }, _) => false,
            (Tail::Between, _) => true,
            (Tail::Tags { blank_line }, follow) => blank_line && follow == Follow::Event,
            (Tail::Movetext { .. }, follow) => follow != Follow::Number,
            (Tail::Over { depth }, follow) => follow != Follow::Number || depth == 0,
        }
    }
}

/// The last place in `bytes`, not their beginning, where a game seems to begin.
pub(crate) fn last_cut(bytes: &[u8]) -> Option<(usize, Follow)> {
    last_tag_section(bytes).or_else(|| last_bare_game(bytes))
}

/// The last line that begins a tag section: a tag pair behind movetext, or `Event` behind a blank line.
fn last_tag_section(bytes: &[u8]) -> Option<(usize, Follow)> {
    memchr::memrchr_iter(b'[', bytes).find_map(|at| {
        let is_line_start = at > 0 && matches!(bytes[at - 1], b'\n' | b'\r');
        let name = is_line_start.then(|| whole_tag_line(bytes, at)).flatten()?;
        let (line, blank_line) = line_before(bytes, at)?;
        let behind_tags = line.trim_ascii_start().starts_with(b"[");
        match (behind_tags, name == b"Event") {
            (false, true) => Some((at, Follow::Event)),
            (false, false) => Some((at, Follow::Tag)),
            (true, is_event) => (is_event && blank_line).then_some((at, Follow::Event)),
        }
    })
}

/// The name of the tag pair that a line begins with. The line must be there to its end: what it turns out to be may
/// depend on it.
fn whole_tag_line(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let has_end = tag::line_end(bytes, at) < bytes.len();
    match tag::read(bytes, at) {
        TagLine::Pair { pair, .. } if has_end => Some(pair.name()),
        _ => None,
    }
}

/// The last line that begins with a move number behind a line that ends with a result: games without tags.
fn last_bare_game(bytes: &[u8]) -> Option<(usize, Follow)> {
    memchr::memrchr2_iter(b'\n', b'\r', bytes).find_map(|line_end| {
        let at = line_end + 1;
        let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 || bytes.get(at + digits) != Some(&b'.') {
            return None;
        }
        let (line, _) = line_before(bytes, at)?;
        let line = line.trim_ascii_end();
        let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
        results.iter().any(|result| line.ends_with(result)).then_some((at, Follow::Number))
    })
}

/// The last line before `at` that is not blank, and whether a blank one lies between.
pub(crate) fn line_before(bytes: &[u8], at: usize) -> Option<(&[u8], bool)> {
    let text = bytes[..at].trim_ascii_end();
    let start = memchr::memrchr2(b'\n', b'\r', text).map_or(0, |i| i + 1);
    let blank_line = crate::span::count_lines(&bytes[text.len()..at]) > 1;
    (!text.is_empty()).then(|| (&text[start..], blank_line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_looked_for_where_a_game_seems_to_begin() {
        // Where `|` stands the text is cut; without it there is no place to cut.
        let cases: &[(&str, Option<Follow>)] = &[
            ("[Event \"A\"]\n\n1. e4 *\n\n|[Event \"B\"]\n", Some(Follow::Event)),
            ("[Event \"A\"]\n\n1. e4 *\n|[Event \"B\"]\n", Some(Follow::Event)),
            ("[Event \"A\"]\r\n\r\n1. e4 *\r\n\r\n|[White \"B\"]\r\n", Some(Follow::Tag)),
            ("[Event \"A\"]\n\n|[Event \"B\"]\n[White \"x\"]\n\n", Some(Follow::Event)),
            ("*\n\n|[Termination \"x\"]\n[Event \"B\"]\n", Some(Follow::Tag)),
            ("1. e4 e5 1-0\n|1. d4 d5 0-1\n", Some(Follow::Number)),
            ("1. e4 e5 1-0\r\n\r\n|12. d4 d5 0-1\r\n", Some(Follow::Number)),
            ("[Event \"A\"]\n[White \"B\"]\n\n1. e4 e5\n2. Nf3 [Event \"x\"]", None),
            ("1. e4 *\n[Eve", None),
            ("1. e4 e5\n2. Nf3 Nc6\n", None),
            ("", None),
        ];
        for (text, follow) in cases {
            let at = text.find('|');
            let text = text.replace('|', "");
            let expected = follow.map(|follow| (at.expect("a | in the case"), follow));
            assert_eq!(last_cut(text.as_bytes()), expected, "{text:?}");
        }
    }
}
