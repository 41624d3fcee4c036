//! Games that are compared with others.

use std::sync::Arc;

/// A game that is compared with others.
#[derive(Clone, Debug)]
pub struct ComparedGame {
    /// Games are equal if the key of one is the beginning of that of another.
    pub key: Vec<u8>,
    /// Whether it has an error; a game without one is preferred.
    pub is_damaged: bool,
    /// What it is preferred by; the highest is best.
    pub rank: u32,
    /// Where it is.
    pub place: GamePlace,
}

/// Where a game is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePlace {
    /// The name of the file.
    pub file: Arc<str>,
    /// The line at which it begins, from 1.
    pub line: u64,
    /// Its number in the file, from 1.
    pub game: u64,
}

/// A game that is left out because of an equal one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DuplicateGame {
    /// The game that is left out.
    pub omitted: GamePlace,
    /// The game that is kept.
    pub kept: GamePlace,
}
