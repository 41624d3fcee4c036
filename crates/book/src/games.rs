//! Game information, shared by rows, which refer to it by game number.

use std::collections::HashMap;

use stream::spill::write_number;

use crate::tally::{GameFacts, SourceLocation};

#[derive(Debug, Default)]
pub(crate) struct Games {
    games: Vec<Game>,
    /// Names and start positions, encoded as in runs.
    text: Vec<u8>,
    /// Moves, two bytes each.
    moves: Vec<u8>,
    classes: Classes,
}

/// [Texts](crate::GameClass), numbered from 1 in the order of arrival; 0 is the empty text.
#[derive(Debug, Default)]
struct Classes {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
    /// Total length of the texts.
    bytes: usize,
}

/// Maximum number of classes, to which entries refer by 16 bits.
const MOST_CLASSES: usize = u16::MAX as usize;

#[derive(Clone, Copy, Debug)]
struct Game {
    facts: GameFacts,
    file: u32,
    number: u64,
    class: u32,
    /// Offsets of its names and its moves, which end where those of the next game begin.
    text: usize,
    moves: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct GamePly {
    /// Index in [`Games`].
    pub(crate) game: u32,
    pub(crate) ply: u32,
    pub(crate) halfmoves: u16,
    pub(crate) fullmoves: u16,
}

impl Games {
    pub(crate) fn clear(&mut self) {
        self.games.clear();
        self.text.clear();
        self.moves.clear();
        self.classes = Classes::default();
    }

    /// Returns the memory used, in bytes.
    pub(crate) fn used(&self) -> usize {
        let Games { games, text, moves, classes } = self;
        games.len() * size_of::<Game>() + text.len() + moves.len() + classes.used()
    }

    /// Whether all game numbers are used.
    pub(crate) fn is_full(&self) -> bool {
        self.games.len() >= u32::MAX as usize || self.classes.texts.len() >= MOST_CLASSES
    }

    pub(crate) fn begin(
        &mut self,
        facts: GameFacts,
        file: u32,
        number: u64,
        class: &str,
        info: [&[u8]; 3],
        moves: &[u16],
    ) {
        let class = self.classes.number(class);
        self.push(facts, file, number, class);
        for part in info {
            write_number(part.len() as u64, &mut self.text);
            self.text.extend_from_slice(part);
        }
        self.moves.extend(moves.iter().flat_map(|code| code.to_le_bytes()));
    }

    /// Returns the index of the game that is added next.
    pub(crate) fn next(&self) -> u32 {
        self.games.len() as u32
    }

    /// Adds a game of a chunk that has `before` games before it in its file.
    pub(crate) fn add(&mut self, chunk: &Games, game: u32, file: u32, before: u64) {
        let Game { facts, number, .. } = chunk.games[game as usize];
        let class = self.class_number(chunk, game).into();
        self.push(facts, file, before + number, class);
        self.text.extend_from_slice(chunk.names(game));
        self.moves.extend_from_slice(chunk.moves(game, u32::MAX));
    }

    fn push(&mut self, facts: GameFacts, file: u32, number: u64, class: u32) {
        let (text, moves) = (self.text.len(), self.moves.len());
        self.games.push(Game { facts, file, number, class, text, moves });
    }

    /// Adds the game's class if it is new, for which this must not be [full](Games::is_full).
    #[inline]
    pub(crate) fn class_number(&mut self, chunk: &Games, game: u32) -> u16 {
        let class = chunk.class(chunk.games[game as usize].class);
        self.classes.number(class).try_into().expect("there are fewer classes")
    }

    #[inline]
    pub(crate) fn class(&self, number: u32) -> &str {
        self.classes.texts.get((number as usize).wrapping_sub(1)).map_or("", |text| text)
    }

    #[inline]
    pub(crate) fn facts(&self, game: u32) -> GameFacts {
        self.games[game as usize].facts
    }

    /// Returns its number in its file.
    pub(crate) fn number(&self, game: u32) -> u64 {
        self.games[game as usize].number
    }

    #[inline]
    pub(crate) fn occurrence(&self, seen: GamePly) -> SourceLocation {
        let GamePly { game, ply, halfmoves, fullmoves } = seen;
        let Game { file, number, .. } = self.games[game as usize];
        SourceLocation {
            file,
            game: number,
            ply,
            halfmoves,
            fullmoves,
            ..SourceLocation::default()
        }
    }

    /// Returns the game if its names or moves are known.
    #[inline]
    pub(crate) fn index_if_known(&self, game: u32) -> Option<u32> {
        let is_silent = self.names(game) == [0, 0, 0] && self.moves(game, u32::MAX).is_empty();
        (!is_silent).then_some(game)
    }

    /// Loops without other work, so that the processor overlaps the cache misses.
    #[inline]
    pub(crate) fn fetch(&self, games: impl Iterator<Item = u32> + Clone) {
        let starts = games.map(|game| self.games[game as usize].text);
        std::hint::black_box(starts.clone().fold(0, |all, start| all | start));
        std::hint::black_box(starts.fold(0, |all, start| all | self.text[start]));
    }

    /// Returns names and start position, encoded as in runs.
    #[inline]
    pub(crate) fn names(&self, game: u32) -> &[u8] {
        let end = self.games.get(game as usize + 1).map_or(self.text.len(), |game| game.text);
        &self.text[self.games[game as usize].text..end]
    }

    /// Returns the first `plies` moves, or all.
    #[inline]
    pub(crate) fn moves(&self, game: u32, plies: u32) -> &[u8] {
        let end = self.games.get(game as usize + 1).map_or(self.moves.len(), |game| game.moves);
        let moves = &self.moves[self.games[game as usize].moves..end];
        &moves[..moves.len().min(2 * plies as usize)]
    }
}

impl Classes {
    /// Returns the memory used, in bytes.
    fn used(&self) -> usize {
        2 * self.bytes + 4 * self.texts.len() * size_of::<Box<str>>()
    }

    /// Returns the number of a class, which is added if it is new.
    fn number(&mut self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        self.texts.push(text.into());
        self.bytes += text.len();
        let number = self.texts.len() as u32;
        self.numbers.insert(text.into(), number);
        number
    }
}
