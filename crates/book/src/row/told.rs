//! Whose story a row has, and where it stands.

use crate::games::Games;
use crate::run::{read_story, write_number};
use crate::tally::Story;

use super::{Row, number_len};

/// Where the story of the strongest game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told<'s> {
    /// In these bytes, as runs hold it.
    Bytes(&'s [u8]),
    /// With a game: its names, and the moves before the position.
    Game(Teller<'s>),
}

/// A game that is told of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Teller<'s> {
    pub(super) games: &'s Games,
    /// Its number among the games, or [`NOBODY`].
    pub(super) game: u32,
    pub(super) plies: u32,
}

/// The number of a game of which nothing is told.
pub(super) const NOBODY: u32 = u32::MAX;

impl Told<'_> {
    /// How long the story is as bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Told::Bytes(bytes) => bytes.len(),
            Told::Game(teller) => {
                let (names, moves) = teller.parts();
                names.len() + number_len(moves.len() as u64 / 2) + moves.len()
            }
        }
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Told::Bytes(bytes) => out.extend_from_slice(bytes),
            Told::Game(teller) => {
                let (names, moves) = teller.parts();
                out.extend_from_slice(names);
                write_number(moves.len() as u64 / 2, out);
                out.extend_from_slice(moves);
            }
        }
    }

    /// The story; nothing if the bytes are damaged.
    pub(super) fn story(&self) -> Option<Story> {
        match self {
            Told::Bytes([0, 0, 0, 0]) | Told::Game(Teller { game: NOBODY, .. }) => {
                Some(Story::default())
            }
            Told::Bytes(bytes) => read_story(&mut &bytes[..]).ok(),
            Told::Game { .. } => {
                let mut bytes = Vec::with_capacity(self.len());
                self.write(&mut bytes);
                read_story(&mut &bytes[..]).ok()
            }
        }
    }
}

/// Has the stories of rows brought into the caches: the processor waits for many of them at once.
pub(crate) fn fetch_stories(rows: &[Row<'_>]) {
    let tellers = rows.iter().filter_map(|row| match row.told {
        Told::Game(teller) if teller.game != NOBODY => Some(teller),
        _ => None,
    });
    let starts = tellers.clone().map(|teller| teller.games.start(teller.game));
    std::hint::black_box(starts.fold(0, |all, start| all | start));
    let letters = tellers.map(|teller| teller.games.first_letter(teller.game));
    std::hint::black_box(letters.fold(0, |all, letter| all | letter));
}

impl<'s> Teller<'s> {
    /// Names and start, and moves.
    fn parts(&self) -> (&'s [u8], &'s [u8]) {
        match self.game {
            NOBODY => (&[0, 0, 0], &[]),
            game => (self.games.names(game), self.games.moves(game, self.plies)),
        }
    }
}

impl PartialEq for Teller<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.game, self.plies) == (other.game, other.plies)
    }
}

impl Eq for Teller<'_> {}
