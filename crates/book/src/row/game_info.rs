//! Information on the notable games of a row, and where it is stored.

use stream::spill::number::write_number;

use crate::games::Games;
use crate::run::{read_info, write_info};
use crate::tally::GameInfo;

use super::number_len;

/// Location of the information on a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameInfoRef<'s> {
    /// Encoded as in runs.
    Bytes(&'s [u8]),
    /// Not encoded.
    Decoded(&'s GameInfo),
    /// In [`Games`]: the names, and the moves before the position.
    Game(GameIndex<'s>),
}

/// Reference to a game, up to a ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameIndex<'s> {
    games: &'s Games,
    /// Its index in [`Games`], or [`NO_GAME`].
    game: u32,
    plies: u32,
}

/// Index that stands for a game without information.
const NO_GAME: u32 = u32::MAX;

impl<'s> GameInfoRef<'s> {
    /// Returns a reference to a game, if it is known, up to a ply.
    pub(crate) fn of_game(games: &'s Games, game: Option<u32>, plies: u32) -> Self {
        GameInfoRef::Game(GameIndex { games, game: game.unwrap_or(NO_GAME), plies })
    }
    /// Returns the encoded length.
    pub(super) fn len(&self) -> usize {
        match self {
            GameInfoRef::Bytes(bytes) => bytes.len(),
            GameInfoRef::Decoded(info) => {
                let mut bytes = Vec::new();
                write_info(info, &mut bytes);
                bytes.len()
            }
            GameInfoRef::Game(index) => {
                let (names, moves) = index.parts();
                names.len() + number_len(moves.len() as u64 / 2) + moves.len()
            }
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match self {
            GameInfoRef::Bytes(bytes) => out.extend_from_slice(bytes),
            GameInfoRef::Decoded(info) => write_info(info, out),
            GameInfoRef::Game(index) => {
                let (names, moves) = index.parts();
                out.extend_from_slice(names);
                write_number(moves.len() as u64 / 2, out);
                out.extend_from_slice(moves);
            }
        }
    }

    /// Decodes the information; `None` if the bytes are damaged.
    pub(super) fn decode(&self) -> Option<GameInfo> {
        match self {
            GameInfoRef::Bytes([0, 0, 0, 0])
            | GameInfoRef::Game(GameIndex { game: NO_GAME, .. }) => Some(GameInfo::default()),
            GameInfoRef::Bytes(bytes) => read_info(&mut &bytes[..]).ok(),
            GameInfoRef::Decoded(info) => Some((*info).clone()),
            GameInfoRef::Game { .. } => {
                let mut bytes = Vec::with_capacity(self.len());
                self.write(&mut bytes);
                read_info(&mut &bytes[..]).ok()
            }
        }
    }
}

impl<'s> GameIndex<'s> {
    /// Returns the names and start position, and the moves.
    fn parts(&self) -> (&'s [u8], &'s [u8]) {
        match self.game {
            NO_GAME => (&[0, 0, 0], &[]),
            game => (self.games.names(game), self.games.moves(game, self.plies)),
        }
    }
}

impl PartialEq for GameIndex<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.game, self.plies) == (other.game, other.plies)
    }
}

impl Eq for GameIndex<'_> {}
