//! Information on the notable games of a row, and where it is stored.

use std::cmp::Ordering;
use std::io;

use stream::spill::{read_number, write_number};

use crate::encoding::{damaged, read_info, split_bytes, write_info};
use crate::games::Games;
use crate::tally::GameInfo;

use super::number_len;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameInfoRef<'s> {
    /// Encoded as in runs.
    Bytes(&'s [u8]),
    /// Not encoded.
    Decoded(&'s GameInfo),
    /// In [`Games`]: the names, and the moves before the position.
    Game(GameIndex<'s>),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct GameIndex<'s> {
    games: &'s Games,
    /// Its index in [`Games`], or [`NO_GAME`].
    game: u32,
    plies: u32,
}

const NO_GAME: u32 = u32::MAX;

impl<'s> GameInfoRef<'s> {
    pub(crate) fn of_game(games: &'s Games, game: Option<u32>, plies: u32) -> Self {
        GameInfoRef::Game(GameIndex { games, game: game.unwrap_or(NO_GAME), plies })
    }

    /// Reads encoded information, whose names are known to be text afterwards.
    pub(crate) fn read(input: &mut &'s [u8]) -> io::Result<Self> {
        let whole = *input;
        for _ in ["white", "black"] {
            std::str::from_utf8(split_bytes(input)?).map_err(|_| damaged())?;
        }
        split_bytes(input)?;
        let moves = usize::try_from(read_number(input)?).ok().and_then(|len| len.checked_mul(2));
        let (_, rest) = moves.and_then(|len| input.split_at_checked(len)).ok_or_else(damaged)?;
        *input = rest;
        Ok(GameInfoRef::Bytes(&whole[..whole.len() - rest.len()]))
    }

    /// Returns the players of the white and the black pieces; empty if unknown.
    pub(crate) fn players(&self) -> [&'s str; 2] {
        let mut names = match self {
            GameInfoRef::Decoded(info) => return [&info.white, &info.black],
            GameInfoRef::Bytes(bytes) => bytes,
            GameInfoRef::Game(index) => index.parts().0,
        };
        ["white", "black"].map(|_| {
            let name = split_bytes(&mut names).unwrap_or_default();
            std::str::from_utf8(name).unwrap_or_default()
        })
    }

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

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
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

    pub(crate) fn decode(&self) -> Option<GameInfo> {
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

impl Default for GameInfoRef<'_> {
    fn default() -> Self {
        GameInfoRef::Bytes(&[0; 4])
    }
}

/// As the decoded information.
impl PartialOrd for GameInfoRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            Some(Ordering::Equal)
        } else {
            self.decode().partial_cmp(&other.decode())
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
