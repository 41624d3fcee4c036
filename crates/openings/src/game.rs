//! The opening name of a game.

use std::fmt;

use emit::{Name, Names};
use san::Position;

use crate::table::Openings;

/// The opening of a game: ECO code, NIC code and name, each from the deepest position that has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameName<'o> {
    eco: Option<Found<'o>>,
    nic: Option<Found<'o>>,
    opening: Option<Found<'o>>,
}

/// A name, and the number of plies before its position.
type Found<'o> = (&'o Name, u32);

impl<'o> GameName<'o> {
    /// Updates the name when the game reaches a position after `ply` plies.
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

    /// Returns the ECO code.
    pub fn eco(&self) -> Option<&'o str> {
        self.eco.and_then(|(name, _)| name.eco())
    }

    /// Returns the NIC code.
    pub fn nic(&self) -> Option<&'o str> {
        self.nic.and_then(|(name, _)| name.nic())
    }

    /// Returns the name of the opening.
    pub fn opening(&self) -> Option<&'o str> {
        self.opening.and_then(|(name, _)| name.opening())
    }

    /// Iterates over the parts of the opening's name.
    pub fn parts(&self) -> impl Iterator<Item = &'o str> {
        self.opening.into_iter().flat_map(|(name, _)| name.parts())
    }

    /// Returns the number of plies before the deepest named position.
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
    /// Writes codes and name, as far as known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = [self.eco(), self.nic(), self.opening()].into_iter().flatten();
        f.write_str(&known.collect::<Vec<_>>().join(" "))
    }
}
