//! A game that is too large, while it is passed over chunk by chunk.

use crate::Scanner;
use crate::boundary::Tail;
use crate::chunk::OwnedChunk;
use crate::scanner::COMPARED_NAMES;
use crate::tag::TagPair;

/// What must be known of the bytes passed over to go on behind them.
pub(super) struct Passing {
    tail: Tail,
    /// The names of its tags, since one that comes twice may begin the next game.
    names: Vec<Vec<u8>>,
}

impl Passing {
    /// Passes over a chunk that begins with the game and ends in it, in `tail`.
    pub(super) fn begin(chunk: &OwnedChunk, tail: Tail) -> Self {
        let in_tags = matches!(tail, Tail::Tags { .. } | Tail::TagComment { .. });
        let mut scanner = chunk.borrow().scanner();
        let names = if in_tags && scanner.next_game() { names(&scanner) } else { Vec::new() };
        Passing { tail, names }
    }

    /// Passes over what of the game stands in the next chunk: up to where, and how to go on if that is the end of the chunk.
    pub(super) fn over(self, chunk: &OwnedChunk) -> (usize, Option<Self>) {
        let tags = self.names.iter().map(|name| TagPair::without_value(name)).collect();
        let in_line = chunk.start.column > 1;
        let mut scanner = Scanner::resume(&chunk.bytes, chunk.follow, self.tail, in_line, tags);
        if self.tail.is_outside() {
            if scanner.next_game() {
                return (scanner.game_start(), None);
            }
            return (chunk.bytes.len(), Some(Passing { tail: scanner.tail(), names: Vec::new() }));
        }
        while scanner.next_token().is_some() {}
        let goes_on = scanner.is_cut();
        let passing = goes_on.then(|| Passing { tail: scanner.tail(), names: names(&scanner) });
        (scanner.position(), passing)
    }
}

fn names(scanner: &Scanner<'_>) -> Vec<Vec<u8>> {
    scanner.tags().iter().take(COMPARED_NAMES).map(|tag| tag.name().to_vec()).collect()
}
