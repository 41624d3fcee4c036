//! What is known of games: rows say which game is meant rather than all of it.

use crate::run::write_number;
use crate::tally::{GameFacts, Occurrence};

/// Games with their names and moves.
#[derive(Debug, Default)]
pub(crate) struct Games {
    games: Vec<Game>,
    /// Names and starts, as runs hold them.
    text: Vec<u8>,
    /// Moves, two bytes each.
    moves: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Game {
    facts: GameFacts,
    file: u32,
    number: u64,
    /// Where its names and its moves begin; they end where those of the next game begin.
    text: usize,
    moves: usize,
}

/// Where in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Its number among the [`Games`].
    pub(crate) game: u32,
    pub(crate) ply: u32,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
}

impl Games {
    /// Forgets everything but its memory.
    pub(crate) fn clear(&mut self) {
        self.games.clear();
        self.text.clear();
        self.moves.clear();
    }

    /// What it takes, in bytes.
    pub(crate) fn used(&self) -> usize {
        self.games.len() * size_of::<Game>() + self.text.len() + self.moves.len()
    }

    /// Whether one more game would have no number.
    pub(crate) fn is_full(&self) -> bool {
        self.games.len() >= u32::MAX as usize
    }

    /// Adds a game: its place, the names of its players, the FEN it starts from, and its moves.
    pub(crate) fn begin(
        &mut self,
        facts: GameFacts,
        file: u32,
        number: u64,
        story: [&[u8]; 3],
        moves: &[u16],
    ) {
        self.push(facts, file, number);
        for part in story {
            write_number(part.len() as u64, &mut self.text);
            self.text.extend_from_slice(part);
        }
        self.moves.extend(moves.iter().flat_map(|code| code.to_le_bytes()));
    }

    /// Adds a game of a chunk, in whose file so many games come before it; its number here.
    pub(crate) fn add(&mut self, chunk: &Games, game: u32, file: u32, before: u64) -> u32 {
        let Game { facts, number, .. } = chunk.games[game as usize];
        let added = self.games.len() as u32;
        self.push(facts, file, before + number);
        self.text.extend_from_slice(chunk.names(game));
        self.moves.extend_from_slice(chunk.moves(game, u32::MAX));
        added
    }

    /// Forgets the last game.
    pub(crate) fn pop(&mut self) {
        if let Some(game) = self.games.pop() {
            self.text.truncate(game.text);
            self.moves.truncate(game.moves);
        }
    }

    fn push(&mut self, facts: GameFacts, file: u32, number: u64) {
        let (text, moves) = (self.text.len(), self.moves.len());
        self.games.push(Game { facts, file, number, text, moves });
    }

    /// Whether there is a game of this number.
    #[inline]
    pub(crate) fn has(&self, game: u32) -> bool {
        (game as usize) < self.games.len()
    }

    /// What its tags say.
    #[inline]
    pub(crate) fn facts(&self, game: u32) -> GameFacts {
        self.games[game as usize].facts
    }

    /// The number that it has in its file.
    pub(crate) fn number(&self, game: u32) -> u64 {
        self.games[game as usize].number
    }

    #[inline]
    pub(crate) fn occurrence(&self, seen: Seen) -> Occurrence {
        let Seen { game, ply, halfmoves, fullmoves } = seen;
        let Game { file, number, .. } = self.games[game as usize];
        Occurrence { file, game: number, ply, halfmoves, fullmoves }
    }

    /// The game, if its names or moves are known.
    #[inline]
    pub(crate) fn teller(&self, game: u32) -> Option<u32> {
        let is_silent = self.names(game) == [0, 0, 0] && self.moves(game, u32::MAX).is_empty();
        (!is_silent).then_some(game)
    }

    /// Where its names begin.
    #[inline]
    pub(crate) fn start(&self, game: u32) -> usize {
        self.games[game as usize].text
    }

    /// The first byte of its names.
    #[inline]
    pub(crate) fn first_letter(&self, game: u32) -> u8 {
        self.text[self.start(game)]
    }

    /// Names and start, as runs hold them.
    #[inline]
    pub(crate) fn names(&self, game: u32) -> &[u8] {
        let end = self.games.get(game as usize + 1).map_or(self.text.len(), |game| game.text);
        &self.text[self.games[game as usize].text..end]
    }

    /// So many of the first moves, or all.
    #[inline]
    pub(crate) fn moves(&self, game: u32, plies: u32) -> &[u8] {
        let end = self.games.get(game as usize + 1).map_or(self.moves.len(), |game| game.moves);
        let moves = &self.moves[self.games[game as usize].moves..end];
        &moves[..moves.len().min(2 * plies as usize)]
    }
}
