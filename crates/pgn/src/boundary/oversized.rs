//! Skips a game that exceeds the size limit, chunk by chunk.

use crate::chunk::Chunk;
use crate::scanner::state::ScannerState;
use crate::scanner::{COMPARED_NAMES, Scanner};
use crate::tag::TagPair;

/// State needed to resume after the skipped bytes.
#[derive(Debug)]
pub struct OversizedGame {
    end_state: ScannerState,
    /// The names of its tags, since a repeated name may begin the next game.
    names: Vec<Vec<u8>>,
}

impl OversizedGame {
    /// Skips a chunk that begins with the game and ends inside it, in state `end_state`.
    pub(super) fn begin(chunk: Chunk<'_>, end_state: ScannerState) -> Self {
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

    /// Skips the rest of the game in the next chunk. Returns the offset reached, and the new state
    /// if the game goes on.
    pub(super) fn resume(self, chunk: Chunk<'_>) -> (usize, Option<Self>) {
        let tags = self.names.iter().map(|name| TagPair::without_value(name)).collect();
        let mut scanner = Scanner::resume(chunk, self.end_state, tags);
        if self.end_state.is_outside() {
            let begins_game = scanner.next_game();
            let begins_comments = scanner.end_state() != ScannerState::BetweenGames;
            // Other comments, after text that is not a comment, may belong to the next game.
            if begins_game || begins_comments && !scanner.drops_preamble() {
                return (scanner.game_start(), None);
            }
            return (
                chunk.bytes().len(),
                Some(OversizedGame { end_state: scanner.end_state(), names: Vec::new() }),
            );
        }
        while scanner.next_token().is_some() {}
        let goes_on = scanner.is_cut();
        let skipper = goes_on
            .then(|| OversizedGame { end_state: scanner.end_state(), names: names(&scanner) });
        (scanner.position(), skipper)
    }
}

fn names(scanner: &Scanner<'_>) -> Vec<Vec<u8>> {
    scanner.tags().iter().take(COMPARED_NAMES).map(|tag| tag.name().to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanner::phase::Phase;

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
        let state = ScannerState::Comment {
            phase: Phase::BetweenGames,
            depth: 0,
            blank_line: false,
            has_moves: false,
        };
        for case in cases {
            let text = case.replace('|', "");
            let skipped = OversizedGame { end_state: state, names: Vec::new() };
            let (end, goes_on) = skipped.resume(Chunk::whole(text.as_bytes()));
            let expected = (case.find('|').unwrap_or(text.len()), !case.contains('|'));
            assert_eq!((end, goes_on.is_some()), expected, "{case}");
        }
    }
}
