//! Games as the unit of ranges of a file (see [`stream::range`]).
//!
//! A line in the middle of a file may look like the beginning of a game and be part of a comment.
//! So the search goes backward to a place where a game certainly begins, usually a few kilobytes,
//! and the text is scanned from there; without such a place, from the beginning of the file.
//!
//! Some games are not separated from the next one: a game that consists of tags alone and ends with
//! a comment, because the tags after the comment decide which game it belongs to; a game that ends
//! only because move number 1 follows after a comment, because it may [go on](Scanner::go_on)
//! there; and text before a game on its line, because it decides how the game is read, and the game
//! whether the text is one.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use stream::ordered::{ChunkInput, ChunkWorker, Pipeline, Threads, in_order};
use stream::range::{RangeUnit, Split, first_line};

use crate::boundary::{GameCutter, line_before};
use crate::scanner::{Chunk, ChunkEnd, Phase, Scanner, ScannerState};
use crate::{tag, word};

/// The games of a range.
pub type Part = stream::range::Part<Unit>;

/// The unit that is never split.
///
/// ```
/// use std::io::{Cursor, Read};
///
/// let text = b"[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n";
/// let mut read = Vec::new();
/// for range in [0..7, 7..30, 30..100] {
///     let mut part = pgn::part(Cursor::new(text), range, |_| Some(pgn::Unit::Game))?;
///     let mut games = String::new();
///     part.source.next_text()?.unwrap().read_to_string(&mut games)?;
///     read.push((part.start, games.matches("Event").count()));
/// }
/// assert_eq!(read, [(0, 1), (22, 1), (43, 0)]);
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Games, for files in PGN.
    Game,
    /// Lines, for files of positions.
    Line,
}

impl RangeUnit for Unit {
    fn first_start(self, input: &mut (impl Read + Seek), at: u64, len: u64) -> io::Result<u64> {
        match self {
            Unit::Game => first_game(input, at, len, REACH),
            Unit::Line => first_line(input, at, len),
        }
    }
}

/// Divides a file into ranges of equal size, about `size` bytes each. `unit` chooses the unit that
/// is not split, from the beginning of the text, or `None` for a file that is not divided. Fails
/// like [`part`](stream::range::part).
///
/// ```
/// let games = "[Event \"A\"]\n\n1. e4 *\n\n".repeat(1000);
/// let splits = pgn::splits(std::io::Cursor::new(games), 10_000, |_| Some(pgn::Unit::Game))?;
/// assert_eq!(splits[1], pgn::Split { range: 7333..14666, items: 333 });
/// assert_eq!(splits.len(), 3);
/// # Ok::<_, std::io::Error>(())
/// ```
pub fn splits<R>(
    input: R,
    size: u64,
    unit: impl FnOnce(&[u8]) -> Option<Unit>,
) -> io::Result<Vec<Split>>
where
    R: Read + Seek + Send + 'static,
{
    stream::range::splits(input, size, |text| {
        Some(match unit(text)? {
            Unit::Line => memchr::memchr_iter(b'\n', text).count() as u64,
            Unit::Game => {
                let mut scanner = Scanner::new(text);
                std::iter::from_fn(|| scanner.next_game().then_some(())).count() as u64
            }
        })
    })
}

struct FirstGame {
    from: u64,
}

impl ChunkWorker for FirstGame {
    type Cutter = GameCutter;
    type Output = Option<u64>;

    fn chunk(&self, chunk: Chunk<'_>, first: &mut Option<u64>) -> ChunkEnd {
        *first = None;
        let mut scanner = Scanner::of_chunk(chunk);
        let (mut after_tags, mut may_go_on) = (false, false);
        while scanner.next_game() {
            let before = &chunk.bytes()[..scanner.game_start()];
            let is_apart = !may_go_on
                && (!after_tags || !may_end_with_comment(before))
                && begins_line(before, chunk.begins_within_line());
            let start = chunk.start_byte() + before.len() as u64;
            after_tags = scanner.next_token().is_none();
            scanner.skip_game();
            may_go_on = scanner.is_restarted();
            // Whether a cut game is a game is not known yet.
            if is_apart && !scanner.is_cut() && start >= self.from {
                first.get_or_insert(start);
            }
        }
        scanner.chunk_end()
    }

    fn too_large(&self, chunk: Chunk<'_>, first: &mut Option<u64>) {
        let mut scanner = Scanner::of_chunk(chunk);
        let begins = scanner.next_game();
        let start = chunk.start_byte() + scanner.game_start() as u64;
        let before = &chunk.bytes()[..scanner.game_start()];
        let is_apart = begins_line(before, chunk.begins_within_line());
        *first = (begins && is_apart && start >= self.from).then_some(start);
    }
}

/// Whether a text, which may begin `within_line`, ends with white space at most on its line.
fn begins_line(text: &[u8], within_line: bool) -> bool {
    let last = text.iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
    last.map_or(!within_line, |byte| matches!(byte, b'\n' | b'\r'))
}

/// Whether only white space and escaped lines (PGN 6) follow, which may also end a comment.
fn may_end_with_comment(mut text: &[u8]) -> bool {
    loop {
        text = text.trim_ascii_end();
        if text.ends_with(b"}") {
            return true;
        }
        let line = memchr::memrchr2(b'\n', b'\r', text).map_or(0, |at| at + 1);
        if !text[line..].starts_with(b"%") {
            return false;
        }
        text = &text[..line];
    }
}

/// What is known about the text before some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PrecedingText {
    Nothing,
    /// No comment is open at its end.
    NoComment,
    Anything,
}

/// Where a game certainly begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SyncPoint {
    Start(usize),
    /// Somewhere if no comment is open before the bytes.
    IfNoComment,
    Nothing,
}

/// How far back to search for a certain start, in bytes: the first step, growing up to the last.
#[derive(Clone, Copy, Debug)]
struct Reach {
    first: u64,
    last: u64,
}

const REACH: Reach = Reach { first: 64 << 10, last: 64 << 20 };
const GROWTH: u64 = 16;

/// Minimum search distance in bytes, however close damage is.
const LEAST_REACH: u64 = 1 << 10;

/// The search before an open comment is abandoned after this number of comments.
const MOST_COMMENTS: usize = 16;
const CHUNK_BYTES: usize = 64 << 10;

/// Games larger than this, in bytes, are skipped in pieces, which bounds memory.
const MAX_GAME_BYTES: usize = 64 << 20;

/// Returns the offset of the first game that begins at or after `at`, or `len`, that of the end.
fn first_game(input: &mut (impl Read + Seek), at: u64, len: u64, reach: Reach) -> io::Result<u64> {
    let certain = sync_point_before(input, at, reach)?;
    input.seek(SeekFrom::Start(certain))?;
    let (threads, chunk_bytes, max_item_bytes) = (Threads::new(1), CHUNK_BYTES, MAX_GAME_BYTES);
    let pipeline = Pipeline { threads, chunk_bytes, max_item_bytes };
    let mut first = None;
    let work = FirstGame { from: at - certain };
    let read = in_order(ChunkInput::Stream(input), &pipeline, &work, &mut |start, _| {
        first = start.take();
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match first {
        // Reads ahead of the game, so damage after it must not count as an error of the game.
        Some(start) => Ok(certain + start),
        None => read.map(|()| len),
    }
}

/// Returns an offset before `at` where a game certainly begins, or the beginning of the file.
fn sync_point_before(input: &mut (impl Read + Seek), at: u64, reach: Reach) -> io::Result<u64> {
    let (mut end, mut size, mut comments, mut damage) = (at, reach.first, 0, None);
    loop {
        let start = end.saturating_sub(size);
        let bytes = match read_at(input, start, end) {
            Ok(bytes) => bytes,
            // A game may begin between the damage and here.
            Err(fault) if size > LEAST_REACH => {
                damage = Some(fault);
                size /= 2;
                continue;
            }
            Err(fault) => return Err(fault),
        };
        let mut before = if start == 0 { PrecedingText::Nothing } else { PrecedingText::Anything };
        let mut found = last_sync_point(&bytes, before);
        if found == SyncPoint::IfNoComment {
            match last_brace_before(input, start)? {
                Some((at, b'{')) if comments < MOST_COMMENTS => {
                    (end, size, damage) = (at, reach.first, None);
                    comments += 1;
                    continue;
                }
                Some((_, b'{')) => return Ok(0),
                _ => before = PrecedingText::NoComment,
            }
            found = last_sync_point(&bytes, before);
        }
        match found {
            SyncPoint::Start(at) => return Ok(start + at as u64),
            _ if let Some(fault) = damage => return Err(fault),
            _ if start == 0 || size >= reach.last => return Ok(0),
            _ => size = (size * GROWTH).min(reach.last),
        }
    }
}

fn last_brace_before(input: &mut (impl Read + Seek), mut at: u64) -> io::Result<Option<(u64, u8)>> {
    const BLOCK: u64 = 1 << 20;
    while at > 0 {
        let start = at.saturating_sub(BLOCK);
        let bytes = read_at(input, start, at)?;
        if let Some(brace) = last_brace(&bytes) {
            return Ok(Some((start + brace as u64, bytes[brace])));
        }
        at = start;
    }
    Ok(None)
}

fn read_at(input: &mut (impl Read + Seek), start: u64, end: u64) -> io::Result<Vec<u8>> {
    input.seek(SeekFrom::Start(start))?;
    let mut bytes = vec![0; (end - start) as usize];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Finds the last place where a game certainly begins, in a line that begins within the bytes: a tag
/// pair where neither a comment nor a tag section is open (see [`Scanner`]). No comment is open if
/// the last brace before it closes one, or there is none, and no tag section after a line of
/// movetext, of which the scanner itself decides whether it ends one.
fn last_sync_point(bytes: &[u8], before: PrecedingText) -> SyncPoint {
    // The last brace before the line: each byte is searched once.
    let mut brace = last_brace(bytes);
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
        if brace.is_some_and(|brace| brace > at) {
            brace = last_brace(&bytes[..at]);
        }
        match brace.map(|brace| bytes[brace]) {
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
    let begins_section = |at: usize| crate::tag::begins(line, at);
    let has_tag = memchr::memchr_iter(b'[', line).any(begins_section)
        || crate::tag::next_tag(line, 0, line.len()).is_some()
        || word::has_placement(line);
    // More tags may follow a comment that ends the line.
    let ends_with_comment = line.trim_ascii_end().ends_with(b"}");
    if ends_with_comment || has_tag {
        return false;
    }
    let end_state = ScannerState::Tags { blank_line: false };
    Scanner::resume(Chunk::whole(line), end_state, Vec::new()).phase == Phase::Movetext
}

fn last_brace(bytes: &[u8]) -> Option<usize> {
    memchr::memrchr2(b'{', b'}', bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;
    use testkit::hostile::{PIECES, hostile};

    use super::*;

    /// Returns the offsets of games that can be separated from their predecessors, by scanning the
    /// whole text.
    fn starts(text: &[u8]) -> Vec<u64> {
        let mut scanner = Scanner::new(text);
        let mut starts = Vec::new();
        let (mut has_tokens, mut ends_with_result) = (true, true);
        while scanner.next_game() {
            let start = scanner.game_start();
            let first_word = text[start..].split(u8::is_ascii_whitespace).next().unwrap();
            let may_go_on = !has_tokens
                || !ends_with_result
                    && scanner.tags().is_empty()
                    && text[start..].starts_with(b"1")
                    && !crate::has_placement(first_word)
                    && text[..start].trim_ascii_end().ends_with(b"}");
            let line = String::from_utf8_lossy(&text[..start]).replace('\r', "\n");
            let is_first = line.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
            if is_first && !(may_go_on && may_end_with_comment(&text[..start])) {
                starts.push(start as u64);
            }
            (has_tokens, ends_with_result) = (false, false);
            while let Some(token) = scanner.next_token() {
                has_tokens = true;
                let is_result = matches!(token, crate::Token::Result(_)) && scanner.depth() == 0;
                ends_with_result |= is_result;
            }
        }
        starts
    }

    #[test]
    fn a_comment_may_end_before_white_space_and_escaped_lines_or_in_one() {
        for text in ["{a}", "{a} \n\n", "{a}\n% b\r% c\n", "{a\n%}\n", "{a\n% b }\n% c\n"] {
            assert!(may_end_with_comment(text.as_bytes()), "{text:?}");
        }
        for text in ["", "\n", "{a} b", "{a}\n% b\nc\n", "{a}% b", "{a}\n %\n"] {
            assert!(!may_end_with_comment(text.as_bytes()), "{text:?}");
        }
    }

    #[test]
    fn a_game_that_is_too_large_is_found_where_it_begins_a_line() {
        let cases: [(&str, u64, Option<u64>); 6] = [
            ("[Event \"a\"]\n\n1. e4 ", 0, Some(0)),
            ("[Event \"a\"]\n\n1. e4 ", 1, None),
            ("junk\n 1. e4 e5 ", 0, Some(6)),
            ("junk\n 1. e4 e5 ", 6, Some(6)),
            ("junk 1. e4 e5 ", 0, None),
            ("junk\n", 0, None),
        ];
        for (text, from, expected) in cases {
            let mut first = Some(99);
            FirstGame { from }.too_large(Chunk::whole(text.as_bytes()), &mut first);
            assert_eq!(first, expected, "{text:?} from {from}");
        }
    }

    /// `starts` are those of the text.
    fn assert_found(name: &str, text: &[u8], starts: &[u64], at: u64, reach: Reach) {
        let len = text.len() as u64;
        let expected = starts.iter().copied().find(|start| *start >= at).unwrap_or(len);
        let found = first_game(&mut Cursor::new(text), at, len, reach).unwrap();
        assert_eq!(found, expected, "{name}: from {at} with {reach:?}");
    }

    #[test]
    fn in_hostile_texts_the_first_game_is_found_from_anywhere() {
        for (name, text) in hostile() {
            let starts = starts(&text);
            let step = (text.len() / 23).max(1);
            for at in (0..text.len()).step_by(step) {
                for reach in [Reach { first: 100, last: 1600 }, Reach { first: 700, last: 700 }] {
                    assert_found(name, &text, &starts, at as u64, reach);
                }
            }
        }
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop::sample::select(PIECES), 0..150)
            .prop_map(|pieces| pieces.concat().into_bytes())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn in_any_text_the_first_game_is_found_from_anywhere(
            text in text(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
            first in 8..300u64,
            last in 1..4u64,
        ) {
            let starts = starts(&text);
            for cut in cuts {
                let at = cut.index(text.len() + 1) as u64;
                assert_found("generated", &text, &starts, at, Reach { first, last: first * last });
            }
        }
    }

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
            let found = last_sync_point(text.as_bytes(), PrecedingText::Anything);
            assert_eq!(found, expected, "{text:?}");
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
}
