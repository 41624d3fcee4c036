//! Skips a game that exceeds the size limit, chunk by chunk.

use crate::boundary::ScannerState;
use crate::chunk::OwnedChunk;
use crate::scanner::{COMPARED_NAMES, Scanner};
use crate::tag::TagPair;

/// State needed to resume after the skipped bytes.
pub(super) struct OversizedGameSkipper {
    end_state: ScannerState,
    /// The names of its tags, since a repeated name may begin the next game.
    names: Vec<Vec<u8>>,
}

impl OversizedGameSkipper {
    /// Skips a chunk that begins with the game and ends inside it, in state `end_state`.
    pub(super) fn begin(chunk: &OwnedChunk, end_state: ScannerState) -> Self {
        let in_tags =
            matches!(end_state, ScannerState::Tags { .. } | ScannerState::TagComment { .. });
        let mut scanner = chunk.borrow().scanner();
        let names = if in_tags && scanner.next_game() { names(&scanner) } else { Vec::new() };
        OversizedGameSkipper { end_state, names }
    }

    /// Skips the rest of the game in the next chunk. Returns the offset reached, and the new state if the game goes on.
    pub(super) fn resume(self, chunk: &OwnedChunk) -> (usize, Option<Self>) {
        let tags = self.names.iter().map(|name| TagPair::without_value(name)).collect();
        let in_line = chunk.start.column > 1;
        let mut scanner =
            Scanner::resume(&chunk.bytes, chunk.next_input, self.end_state, in_line, tags);
        if self.end_state.is_outside() {
            let begins_game = scanner.next_game();
            let begins_comments = scanner.end_state() != ScannerState::BetweenGames;
            // Other comments, after text that is not a comment, may belong to the next game.
            if begins_game || begins_comments && !scanner.drops_lead() {
                return (scanner.game_start(), None);
            }
            return (
                chunk.bytes.len(),
                Some(OversizedGameSkipper { end_state: scanner.end_state(), names: Vec::new() }),
            );
        }
        while scanner.next_token().is_some() {}
        let goes_on = scanner.is_cut();
        let skipper = goes_on.then(|| OversizedGameSkipper {
            end_state: scanner.end_state(),
            names: names(&scanner),
        });
        (scanner.position(), skipper)
    }
}

fn names(scanner: &Scanner<'_>) -> Vec<Vec<u8>> {
    scanner.tags().iter().take(COMPARED_NAMES).map(|tag| tag.name().to_vec()).collect()
}
