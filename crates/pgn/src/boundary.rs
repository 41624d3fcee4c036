//! Where a text may be cut so that games stay whole. [`Cutter::last_cut`] searches backward for a
//! line that *looks* like the beginning of a game; it may be inside a comment. Therefore a cut is
//! accepted only if the scanner of the bytes before it ends in a state in which that line does
//! begin a game ([`ScannerState::is_complete_before`]); otherwise the unfinished game is scanned
//! again together with the bytes after the cut. The cuts never change the result.

use stream::ordered::Cutter;
use stream::place::count_lines;

use crate::scanner::{COMPARED_NAMES, Chunk, ChunkEnd, GameStart, Scanner, ScannerState};
use crate::tag::{self, TagPair};
use crate::token::PgnDiagnosticKind;

/// Cuts a text between games.
#[derive(Clone, Copy, Debug)]
pub enum GameCutter {}

impl Cutter for GameCutter {
    type Start = GameStart;
    type State = ScannerState;
    type Skipped = OversizedGame;

    fn last_cut(bytes: &[u8]) -> Option<(usize, GameStart)> {
        last_tag_section(bytes).or_else(|| last_bare_game(bytes))
    }

    fn end_of_first(chunk: Chunk<'_>) -> ChunkEnd {
        let mut scanner = Scanner::of_chunk(chunk);
        let mut at_end = !scanner.next_game();
        while !at_end && scanner.last_end == 0 {
            at_end = scanner.next_token().is_none() && !scanner.next_game();
        }
        scanner.chunk_end()
    }

    fn begin_skip(chunk: Chunk<'_>, end_state: ScannerState) -> OversizedGame {
        let in_tags = matches!(
            end_state,
            ScannerState::Tags { .. }
                | ScannerState::TagComment { .. }
                | ScannerState::AfterTagComment { .. }
        );
        let mut scanner = Scanner::of_chunk(chunk);
        let names = if in_tags && scanner.next_game() { names(&scanner) } else { Vec::new() };
        OversizedGame { end_state, names }
    }

    fn resume_skip(skipped: OversizedGame, chunk: Chunk<'_>) -> (usize, Option<OversizedGame>) {
        let tags = skipped.names.iter().map(|name| TagPair::of_value(name, b"")).collect();
        let mut scanner = Scanner::resume(chunk, skipped.end_state, tags);
        if skipped.end_state.is_outside() {
            let begins_game = scanner.next_game();
            let begins_comments = scanner.end_state != ScannerState::BetweenGames;
            // Other comments, after text that is not a comment, may belong to the next game.
            if begins_game || begins_comments && !scanner.drops_preamble {
                return (scanner.game_start(), None);
            }
            let skipped = OversizedGame { end_state: scanner.end_state, names: Vec::new() };
            return (chunk.bytes().len(), Some(skipped));
        }
        while scanner.next_token().is_some() {}
        let end_state = scanner.end_state;
        let goes_on = scanner.is_cut().then(|| OversizedGame { end_state, names: names(&scanner) });
        (scanner.position(), goes_on)
    }
}

/// Counts the complete games of a chunk, without reading their moves.
///
/// ```
/// use pgn::{Chunk, count_games};
///
/// assert_eq!(count_games(Chunk::whole(b"1. e4 *\n\n1. d4 {[Event \"?\"]} d5 1-0")), 2);
/// ```
pub fn count_games(chunk: Chunk<'_>) -> u64 {
    let mut scanner = Scanner::of_chunk(chunk);
    let mut games = 0;
    while scanner.next_game() {
        scanner.skip_game();
        games += u64::from(!scanner.is_cut());
        drop(scanner.diagnostics());
    }
    games
}

/// A tag pair after movetext, or `Event` after an empty line.
fn last_tag_section(bytes: &[u8]) -> Option<(usize, GameStart)> {
    memchr::memrchr_iter(b'[', bytes).find_map(|at| {
        let is_line_start = at > 0 && matches!(bytes[at - 1], b'\n' | b'\r');
        // The interpretation of the line may depend on its end.
        if !is_line_start || tag::line_end(bytes, at) == bytes.len() {
            return None;
        }
        let tag = tag::read(bytes, at);
        let pair = tag.pair.filter(|_| tag.fault != Some(PgnDiagnosticKind::DamagedTag))?;
        let (line, blank_line) = line_before(bytes, at)?;
        let after_tags = line.trim_ascii_start().starts_with(b"[");
        match (after_tags, pair.name() == b"Event") {
            (false, true) => Some((at, GameStart::Event)),
            (false, false) => Some((at, GameStart::Tag)),
            (true, is_event) => (is_event && blank_line).then_some((at, GameStart::Event)),
        }
    })
}

/// A move number after a line that ends with a result: games without tags.
fn last_bare_game(bytes: &[u8]) -> Option<(usize, GameStart)> {
    memchr::memrchr2_iter(b'\n', b'\r', bytes).find_map(|line_end| {
        let at = line_end + 1;
        let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let has_dot = digits > 0 && bytes.get(at + digits) == Some(&b'.');
        let is_whole = has_dot && tag::line_end(bytes, at) < bytes.len();
        // The number may be that of an item of a list, before a tag.
        if !is_whole || tag::follows_list_mark(bytes, at + digits) {
            return None;
        }
        let line = line_before(bytes, at)?.0.trim_ascii_end();
        let results: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
        results.iter().any(|result| line.ends_with(result)).then_some((at, GameStart::Number))
    })
}

/// Returns the last non-empty line before `at`, and whether an empty line lies between.
pub(crate) fn line_before(bytes: &[u8], at: usize) -> Option<(&[u8], bool)> {
    let text = bytes[..at].trim_ascii_end();
    let start = memchr::memrchr2(b'\n', b'\r', text).map_or(0, |i| i + 1);
    let blank_line = count_lines(&bytes[text.len()..at]) > 1;
    (!text.is_empty()).then(|| (&text[start..], blank_line))
}

/// A game that exceeds the size limit, skipped chunk by chunk.
#[derive(Debug)]
pub struct OversizedGame {
    end_state: ScannerState,
    /// The names of its tags, since a repeated name may begin the next game.
    names: Vec<Vec<u8>>,
}

fn names(scanner: &Scanner<'_>) -> Vec<Vec<u8>> {
    scanner.tags().iter().take(COMPARED_NAMES).map(|tag| tag.name().to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanner::Phase;

    #[test]
    fn cuts_are_proposed_where_a_game_seems_to_begin() {
        // `|` marks the expected cut; a case without it has no cut.
        let cases: &[(&str, Option<GameStart>)] = &[
            ("[Event \"A\"]\n\n1. e4 *\n\n|[Event \"B\"]\n", Some(GameStart::Event)),
            ("[Event \"A\"]\n\n1. e4 *\n|[Event \"B\"]\n", Some(GameStart::Event)),
            ("[Event \"A\"]\r\n\r\n1. e4 *\r\n\r\n|[White \"B\"]\r\n", Some(GameStart::Tag)),
            ("[Event \"A\"]\n\n|[Event \"B\"]\n[White \"x\"]\n\n", Some(GameStart::Event)),
            ("*\n\n|[Termination \"x\"]\n[Event \"B\"]\n", Some(GameStart::Tag)),
            ("1. e4 e5 1-0\n|1. d4 d5 0-1\n", Some(GameStart::Number)),
            ("1. e4 e5 1-0\r\n\r\n|12. d4 d5 0-1\r\n", Some(GameStart::Number)),
            ("[Event \"A\"]\n[White \"B\"]\n\n1. e4 e5\n2. Nf3 [Event \"x\"]", None),
            ("1. e4 *\n[Eve", None),
            ("1. e4 *\n1. [FEN \"x\"]\n", None),
            ("1. e4 *\n1. [FE", None),
            ("1. e4 e5\n2. Nf3 Nc6\n", None),
            ("", None),
        ];
        for (text, start) in cases {
            let at = text.find('|');
            let text = text.replace('|', "");
            let expected = start.map(|start| (at.expect("a | in the case"), start));
            assert_eq!(GameCutter::last_cut(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn comments_after_other_text_are_not_skipped_with_those_that_are_too_large() {
        // Text that resumes in a comment outside of games; `|` marks where the skipped text ends.
        let cases = [
            "end } junk |{next",
            "end } junk |{next} ",
            "end } {more} junk |; next",
            "end } |1. e4 *",
            "end } {more} |1. e4 *",
            "end } junk |{next} 1. e4 *",
            "end } |[White \"x\"]\n",
            // The skipped text goes on.
            "no end",
            "end } {more",
            "end } {more} ",
            "end } junk",
        ];
        let (phase, depth) = (Phase::BetweenGames, 0);
        let state = ScannerState::Comment { phase, depth, blank_line: false, has_moves: false };
        for case in cases {
            let text = case.replace('|', "");
            let skipped = OversizedGame { end_state: state, names: Vec::new() };
            let (end, goes_on) = GameCutter::resume_skip(skipped, Chunk::whole(text.as_bytes()));
            let expected = (case.find('|').unwrap_or(text.len()), !case.contains('|'));
            assert_eq!((end, goes_on.is_some()), expected, "{case}");
        }
    }
}
