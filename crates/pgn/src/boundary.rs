//! Where a text may be cut so that games stay whole, and how a cut is verified.
//!
//! Gigabytes of text are cut into chunks without being read twice. [`last_cut`] searches backward from the end of a buffer
//! for a line that *looks* like the beginning of a game. It may be wrong: the line may be inside a comment. Therefore a
//! cut is accepted only if the scanner of the bytes before it ends in a state in which that line does begin a game,
//! whatever was read before ([`ScannerState::is_complete_before`]). If it is rejected, the unfinished game is scanned again
//! together with the bytes after the cut. The cuts therefore never change the result.

use crate::scanner::phase::Phase;
use crate::tag::{self, TagLine};

/// Kind of input that follows the bytes of a scanner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NextInput {
    /// The text ends.
    End,
    /// A line that begins with an `Event` tag pair.
    Event,
    /// A line that begins with another tag pair.
    Tag,
    /// A line that begins with a move number.
    Number,
    /// Anything: the buffer was full, so the cut is arbitrary.
    Anything,
    /// Nothing readable: the stream failed at an arbitrary point.
    Fault,
}

/// Scanner state at the end of the input slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScannerState {
    BetweenGames,
    /// Comments before a game; they belong to it if it has no tags.
    Lead,
    Tags {
        blank_line: bool,
    },
    /// A comment in the tag section; the text after it decides whether it precedes the movetext.
    TagComment {
        blank_line: bool,
    },
    Movetext {
        depth: u32,
        blank_line: bool,
        has_moves: bool,
    },
    AfterResult {
        depth: u32,
        blank_line: bool,
    },
    Comment {
        phase: Phase,
        depth: u32,
        blank_line: bool,
        has_moves: bool,
    },
}

impl NextInput {
    /// Whether the input has ended.
    pub(crate) fn is_last(self) -> bool {
        matches!(self, NextInput::End | NextInput::Fault)
    }
}

impl ScannerState {
    /// Whether no game had begun at the end of the bytes.
    pub(crate) fn is_outside(self) -> bool {
        matches!(
            self,
            ScannerState::BetweenGames
                | ScannerState::Lead
                | ScannerState::Comment { phase: Phase::BetweenGames, .. }
        )
    }

    /// Whether nothing that follows can belong to the unfinished construct. Repeats the scanner's rules for the
    /// beginning of a game, restricted to the few possible followers.
    pub(crate) fn is_complete_before(self, next_input: NextInput) -> bool {
        match (self, next_input) {
            (_, NextInput::End) => true,
            // The last word of a truncated game may be torn and read as a different move.
            (
                ScannerState::AfterResult { .. }
                | ScannerState::Comment { phase: Phase::AfterResult, .. },
                NextInput::Fault,
            ) => true,
            (end_state, NextInput::Fault) => end_state.is_outside(),
            (_, NextInput::Anything) => false,
            (ScannerState::Comment { .. } | ScannerState::TagComment { .. }, _) => false,
            (ScannerState::BetweenGames, _) => true,
            (ScannerState::Lead, next_input) => next_input != NextInput::Number,
            (ScannerState::Tags { blank_line }, next_input) => {
                blank_line && next_input == NextInput::Event
            }
            (ScannerState::Movetext { .. }, next_input) => next_input != NextInput::Number,
            (ScannerState::AfterResult { depth, .. }, next_input) => {
                next_input != NextInput::Number || depth == 0
            }
        }
    }
}

/// Returns the last offset in `bytes`, other than 0, at which a game seems to begin.
pub(crate) fn last_cut(bytes: &[u8]) -> Option<(usize, NextInput)> {
    last_tag_section(bytes).or_else(|| last_bare_game(bytes))
}

/// Finds the last line that begins a tag section: a tag pair after movetext, or `Event` after an empty line.
fn last_tag_section(bytes: &[u8]) -> Option<(usize, NextInput)> {
    memchr::memrchr_iter(b'[', bytes).find_map(|at| {
        let is_line_start = at > 0 && matches!(bytes[at - 1], b'\n' | b'\r');
        let name = is_line_start.then(|| whole_tag_line(bytes, at)).flatten()?;
        let (line, blank_line) = line_before(bytes, at)?;
        let after_tags = line.trim_ascii_start().starts_with(b"[");
        match (after_tags, name == b"Event") {
            (false, true) => Some((at, NextInput::Event)),
            (false, false) => Some((at, NextInput::Tag)),
            (true, is_event) => (is_event && blank_line).then_some((at, NextInput::Event)),
        }
    })
}

/// Returns the name of the tag pair that a line begins with. The line must be complete, because its interpretation may
/// depend on its end.
fn whole_tag_line(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let has_end = tag::line_end(bytes, at) < bytes.len();
    match tag::read(bytes, at) {
        TagLine::Pair { pair, .. } if has_end => Some(pair.name()),
        _ => None,
    }
}

/// Finds the last line that begins with a move number after a line that ends with a result (games without tags).
fn last_bare_game(bytes: &[u8]) -> Option<(usize, NextInput)> {
    memchr::memrchr2_iter(b'\n', b'\r', bytes).find_map(|line_end| {
        let at = line_end + 1;
        let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 || bytes.get(at + digits) != Some(&b'.') {
            return None;
        }
        let (line, _) = line_before(bytes, at)?;
        let line = line.trim_ascii_end();
        let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
        results.iter().any(|result| line.ends_with(result)).then_some((at, NextInput::Number))
    })
}

/// Returns the last non-empty line before `at`, and whether an empty line lies between.
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
    fn cuts_are_proposed_where_a_game_seems_to_begin() {
        // `|` marks the expected cut; a case without it has no cut.
        let cases: &[(&str, Option<NextInput>)] = &[
            ("[Event \"A\"]\n\n1. e4 *\n\n|[Event \"B\"]\n", Some(NextInput::Event)),
            ("[Event \"A\"]\n\n1. e4 *\n|[Event \"B\"]\n", Some(NextInput::Event)),
            ("[Event \"A\"]\r\n\r\n1. e4 *\r\n\r\n|[White \"B\"]\r\n", Some(NextInput::Tag)),
            ("[Event \"A\"]\n\n|[Event \"B\"]\n[White \"x\"]\n\n", Some(NextInput::Event)),
            ("*\n\n|[Termination \"x\"]\n[Event \"B\"]\n", Some(NextInput::Tag)),
            ("1. e4 e5 1-0\n|1. d4 d5 0-1\n", Some(NextInput::Number)),
            ("1. e4 e5 1-0\r\n\r\n|12. d4 d5 0-1\r\n", Some(NextInput::Number)),
            ("[Event \"A\"]\n[White \"B\"]\n\n1. e4 e5\n2. Nf3 [Event \"x\"]", None),
            ("1. e4 *\n[Eve", None),
            ("1. e4 e5\n2. Nf3 Nc6\n", None),
            ("", None),
        ];
        for (text, next_input) in cases {
            let at = text.find('|');
            let text = text.replace('|', "");
            let expected = next_input.map(|next_input| (at.expect("a | in the case"), next_input));
            assert_eq!(last_cut(text.as_bytes()), expected, "{text:?}");
        }
    }
}
