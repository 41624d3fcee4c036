//! Plays move sequences that share prefixes.

use san::{Position, PositionKey};

use super::lines::Line;
use crate::error::{LoadError, LoadReason};
use crate::known_lines::{KnownLines, Node, START};

/// Of the previous line: a common prefix, three of four built-in plies, is not replayed.
pub(super) struct Walk<'t> {
    /// The text of the line, as far as it is contiguous.
    text: &'t str,
    ends: Vec<usize>,
    /// One more than the number of moves.
    positions: Vec<(Position, Node)>,
}

impl<'t> Walk<'t> {
    pub(super) fn new() -> Self {
        Walk { text: "", ends: Vec::new(), positions: vec![(Position::default(), START)] }
    }

    /// Plays a line of moves; numbers are skipped. Returns `true` if it ends with a result.
    pub(super) fn play(
        &mut self,
        line: &Line<'_>,
        text: &'t str,
        known: &mut KnownLines,
    ) -> Result<bool, LoadError> {
        let common = common_bytes(self.text.as_bytes(), text.as_bytes());
        // A longer word is a different move: `Nf3` and `Nf3+`.
        let goes_on = text.as_bytes().get(common).is_some_and(|byte| !byte.is_ascii_whitespace());
        let is_same = |end: &usize| *end < common || *end == common && !goes_on;
        let plies = self.ends.partition_point(is_same);
        let at = plies.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.ends.truncate(plies);
        self.positions.truncate(plies + 1);
        self.text = text;
        self.play_on_from(line, text, at, known)
    }

    /// Continues with moves from another part of the text.
    pub(super) fn play_on(
        &mut self,
        line: &Line<'_>,
        text: &'t str,
        known: &mut KnownLines,
    ) -> Result<bool, LoadError> {
        self.text = "";
        self.play_on_from(line, text, 0, known)
    }

    fn play_on_from(
        &mut self,
        line: &Line<'_>,
        text: &'t str,
        start: usize,
        known: &mut KnownLines,
    ) -> Result<bool, LoadError> {
        for word in text[start..].split_ascii_whitespace() {
            let token = without_number(word);
            match token.as_bytes() {
                [] => {}
                [b'*' | b'0' | b'1', ..] if RESULTS.contains(&token) => return Ok(true),
                _ => {
                    let end = token.as_ptr().addr() + token.len() - text.as_ptr().addr();
                    self.step(line, token, end, known)?;
                }
            }
        }
        Ok(false)
    }

    fn step(
        &mut self,
        line: &Line<'_>,
        token: &str,
        end: usize,
        known: &mut KnownLines,
    ) -> Result<(), LoadError> {
        let (position, node) = self.positions.last().expect("there is the start at least");
        let next = san::resolve(position, token.as_bytes()).map_err(|error| {
            line.error_at(token, LoadReason::Move { token: token.to_owned(), error })
        })?;
        let mut position = position.clone();
        position.play_unchecked(next);
        let node = known.go_on(*node, next, || PositionKey::of(&position));
        self.positions.push((position, node));
        self.ends.push(end);
        Ok(())
    }

    pub(super) fn position(&self) -> &Position {
        &self.positions.last().expect("there is the start at least").0
    }

    pub(super) fn ply(&self) -> u32 {
        self.ends.len() as u32
    }
}

const RESULTS: [&str; 4] = ["*", "1-0", "0-1", "1/2-1/2"];

/// Returns the length of the common prefix of two texts, in bytes.
fn common_bytes(a: &[u8], b: &[u8]) -> usize {
    const PIECE: usize = size_of::<u64>();
    fn words(text: &[u8]) -> impl Iterator<Item = u64> {
        text.as_chunks().0.iter().map(|piece| u64::from_ne_bytes(*piece))
    }
    let pieces = words(a).zip(words(b));
    let start = PIECE * pieces.take_while(|(a, b)| a == b).count();
    start + a[start..].iter().zip(&b[start..]).take_while(|(a, b)| a == b).count()
}

/// Strips a move number: `1.e4`, `2...`.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let dots = word[digits..].bytes().take_while(|byte| *byte == b'.').count();
    // Digits without a dot are a number only if the word ends; otherwise they belong to a result or
    // to castling with zeros.
    if dots > 0 || digits == word.len() { &word[digits + dots..] } else { word }
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::*;

    #[test]
    fn what_two_lines_have_in_common_is_played_once_and_is_the_same() {
        let text = "1. e4 e5 2. Nf3\n1. e4 e5 2.Nc3 * Nf6\n1. e4\n\n1. d4 d5 2. c4\n1. d4 d5 2. c4 e6\n1. d4 d5 2. c4 e6\n";
        let (mut walk, mut known) = (Walk::new(), KnownLines::default());
        let mut fens = Vec::new();
        for line in lines(text) {
            walk.play(&line, line.text, &mut known).unwrap();
            fens.push(format!("{} {}", walk.position(), walk.ply()));
        }
        assert_eq!(
            fens,
            [
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 3",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 2 3",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 1",
                "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq c3 0 2 3",
                "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3 4",
                "rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3 4",
            ]
        );
    }

    #[test]
    fn a_move_that_is_longer_is_another_one() {
        let (mut walk, mut known) = (Walk::new(), KnownLines::default());
        for (text, target) in
            [("1. e4 c5 2. N", false), ("1. e4 c5 2. Nf3", true), ("1. e4 c5 2. Nf3d", false)]
        {
            let line = lines(text).next().unwrap();
            assert_eq!(walk.play(&line, text, &mut known).is_ok(), target, "{text}");
        }
    }

    #[test]
    fn numbers_are_told_from_castling() {
        assert_eq!(without_number("12."), "");
        assert_eq!(without_number("12"), "");
        assert_eq!(without_number("..."), "");
        assert_eq!(without_number("12...Nf6"), "Nf6");
        assert_eq!(without_number("0-0-0"), "0-0-0");
        assert_eq!(without_number("1-0"), "1-0");
        assert_eq!(without_number("e4"), "e4");
    }
}
