//! Playing one line of moves after the other.

use san::Position;

use super::lines::Line;
use crate::{LoadError, LoadReason};

/// The positions of the line of moves last played: what the next one has in common with it is not played again. In the
/// embedded table, which is sorted by moves, that leaves a quarter of all plies.
pub(super) struct Walk<'t> {
    moves: Vec<&'t str>,
    /// One more than moves.
    positions: Vec<Position>,
    /// How many of the moves have been played again.
    depth: usize,
}

impl<'t> Walk<'t> {
    pub(super) fn new() -> Self {
        Walk { moves: Vec::new(), positions: vec![Position::default()], depth: 0 }
    }

    /// Back to the start.
    pub(super) fn begin(&mut self) {
        self.depth = 0;
    }

    /// Plays the moves in `text`; move numbers are passed over. `true` if a result has ended them.
    pub(super) fn play(&mut self, line: &Line<'_>, text: &'t str) -> Result<bool, LoadError> {
        for word in text.split_ascii_whitespace() {
            match without_number(word) {
                "" => {}
                "*" | "1-0" | "0-1" | "1/2-1/2" => return Ok(true),
                token => self.step(line, token)?,
            }
        }
        Ok(false)
    }

    fn step(&mut self, line: &Line<'_>, token: &'t str) -> Result<(), LoadError> {
        if self.moves.get(self.depth) == Some(&token) {
            self.depth += 1;
            return Ok(());
        }
        self.moves.truncate(self.depth);
        self.positions.truncate(self.depth + 1);
        let mut position = self.position().clone();
        let next = san::resolve(&position, token.as_bytes()).map_err(|error| {
            line.error_at(token, LoadReason::Move { token: token.to_owned(), error })
        })?;
        position.play_unchecked(next);
        self.moves.push(token);
        self.positions.push(position);
        self.depth += 1;
        Ok(())
    }

    /// The position that stands.
    pub(super) fn position(&self) -> &Position {
        &self.positions[self.depth]
    }

    /// How many plies were played.
    pub(super) fn ply(&self) -> u32 {
        self.depth as u32
    }
}

/// What stands behind a move number: `1.e4`, `2...`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < word.len() && rest.starts_with('.') {
        return rest.trim_start_matches('.');
    }
    // A number alone; but castling with zeros is a move.
    if rest.is_empty() { rest } else { word }
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::*;

    #[test]
    fn what_two_lines_have_in_common_is_played_once_and_is_the_same() {
        let text = "1. e4 e5 2. Nf3\n1.e4 e5 2.Nc3 * Nf6\n1... e4\n\n1. d4 d5 2. c4\n";
        let mut walk = Walk::new();
        let mut fens = Vec::new();
        for line in lines(text) {
            walk.begin();
            walk.play(&line, line.text).unwrap();
            fens.push(format!("{} {}", walk.position(), walk.ply()));
        }
        assert_eq!(
            fens,
            [
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 3",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 2 3",
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1 1",
                "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq c3 0 2 3",
            ]
        );
    }

    #[test]
    fn numbers_are_told_from_castling() {
        assert_eq!(without_number("12."), "");
        assert_eq!(without_number("12"), "");
        assert_eq!(without_number("12...Nf6"), "Nf6");
        assert_eq!(without_number("0-0-0"), "0-0-0");
        assert_eq!(without_number("1-0"), "1-0");
        assert_eq!(without_number("e4"), "e4");
    }
}
