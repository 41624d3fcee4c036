//! What a game is called.

use std::fmt;

use emit::{Name, Names};
use san::Position;

use crate::Openings;

/// The name of a game: of its code, its NIC code and its name, each from the deepest position that has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameName<'o> {
    eco: Option<Found<'o>>,
    nic: Option<Found<'o>>,
    opening: Option<Found<'o>>,
}

/// A name, and the number of plies behind which it stood.
type Found<'o> = (&'o Name, u32);

impl<'o> GameName<'o> {
    /// The game comes to a position after `ply` plies.
    #[inline]
    pub fn see(&mut self, openings: &'o Openings, position: &Position, ply: u32) {
        if let Some(name) = openings.name(position, ply) {
            self.found(name, ply);
        }
    }

    fn found(&mut self, name: &'o Name, ply: u32) {
        let found = Some((name, ply));
        if name.eco().is_some() {
            self.eco = found;
        }
        if name.nic().is_some() {
            self.nic = found;
        }
        if name.opening().is_some() {
            self.opening = found;
        }
    }

    /// The ECO code.
    pub fn eco(&self) -> Option<&'o str> {
        self.eco.and_then(|(name, _)| name.eco())
    }

    /// The NIC code.
    pub fn nic(&self) -> Option<&'o str> {
        self.nic.and_then(|(name, _)| name.nic())
    }

    /// The name of the opening.
    pub fn opening(&self) -> Option<&'o str> {
        self.opening.and_then(|(name, _)| name.opening())
    }

    /// The parts of the opening's name.
    pub fn parts(&self) -> impl Iterator<Item = &'o str> {
        self.opening.into_iter().flat_map(|(name, _)| name.parts())
    }

    /// How many plies the deepest named position is away from the start.
    ///
    /// ```
    /// let game = openings::Openings::embedded().classify_game(["e4", "e5", "a3", "a6"])?;
    /// assert_eq!((game.opening(), game.ply()), (Some("King's Pawn Game: Mengarini's Opening"), Some(3)));
    /// # Ok::<_, san::SanError>(())
    /// ```
    pub fn ply(&self) -> Option<u32> {
        [self.eco, self.nic, self.opening].into_iter().flatten().map(|(_, ply)| ply).max()
    }
}

impl fmt::Display for GameName<'_> {
    /// Codes and name, as far as there are any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = [self.eco(), self.nic(), self.opening()].into_iter().flatten();
        f.write_str(&known.collect::<Vec<_>>().join(" "))
    }
}
