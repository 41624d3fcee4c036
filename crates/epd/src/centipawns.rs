//! Evaluations, and the forced mates that they encode (EPD 5.6).

use std::fmt;

/// An evaluation in centipawns from the point of view of the side to move (EPD 5.6): -32767 to
/// 32766.
///
/// Above 32000 the side to move mates, below -32000 it is mated; the value encodes the number of
/// plies.
///
/// ```
/// use epd::{Centipawns, Mate};
///
/// assert_eq!(Centipawns::gives_mate_in_moves(1).unwrap().get(), 32766);
/// assert_eq!(Centipawns::gives_mate_in_moves(5).unwrap().get(), 32758);
/// assert_eq!(Centipawns::gets_mated_in_moves(1).unwrap().get(), -32765);
/// assert_eq!(Centipawns::gets_mated_in_moves(5).unwrap().get(), -32757);
/// assert_eq!(Centipawns::new(32766).unwrap().mate(), Some(Mate::Gives { plies: 1 }));
/// assert_eq!(Centipawns::new(-32765).unwrap().mate(), Some(Mate::Gets { plies: 2 }));
/// assert_eq!(Centipawns::new(32767), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Centipawns(i16);

/// A forced mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mate {
    /// The side to move mates in `plies` plies, an odd number.
    Gives {
        /// Plies, counting both sides.
        plies: u32,
    },
    /// The side to move is mated in `plies` plies, an even number.
    Gets {
        /// Plies, counting both sides.
        plies: u32,
    },
}

impl Centipawns {
    /// Lower bound: “a value of -32767 indicates an illegal position”.
    pub const LEAST: i64 = -32767;
    /// Upper bound: mate in one.
    pub const MOST: i64 = 32766;
    /// Magnitudes above this encode a mate.
    const MATE: i32 = 32000;

    /// Creates an evaluation, or returns `None` if `value` is out of range.
    pub fn new(value: i64) -> Option<Self> {
        (Self::LEAST..=Self::MOST).contains(&value).then_some(Centipawns(value as i16))
    }

    /// Creates an evaluation that is not a mate, clamped to -32000 to 32000.
    pub fn without_mate(value: i64) -> Self {
        Centipawns(value.clamp(-32000, 32000) as i16)
    }

    /// Returns 32767 minus `plies`: the side to move mates. `None` if that is out of range.
    pub fn gives_mate_in_plies(plies: u32) -> Option<Self> {
        Self::new(32767 - i64::from(plies))
            .filter(|ce| ce.mate() == Some(Mate::Gives { plies }) && plies > 0)
    }

    /// Returns -32767 plus `plies`: the side to move is mated. `None` if that is out of range.
    pub fn gets_mated_in_plies(plies: u32) -> Option<Self> {
        Self::new(-32767 + i64::from(plies))
            .filter(|ce| ce.mate() == Some(Mate::Gets { plies }) && plies > 0)
    }

    /// Returns the evaluation if the side to move mates in `moves` moves: mate in one is 32766.
    pub fn gives_mate_in_moves(moves: u32) -> Option<Self> {
        Self::gives_mate_in_plies(moves.checked_mul(2)?.checked_sub(1)?)
    }

    /// Returns the evaluation if the side to move is mated after `moves` own moves: 1 is -32765.
    pub fn gets_mated_in_moves(moves: u32) -> Option<Self> {
        Self::gets_mated_in_plies(moves.checked_mul(2)?)
    }

    /// Returns the evaluation of a mate in a number of moves, negative if the mover is mated.
    pub fn mate_in_moves(moves: i64) -> Option<Self> {
        let count = u32::try_from(moves.unsigned_abs()).ok()?;
        match moves > 0 {
            true => Self::gives_mate_in_moves(count),
            false => Self::gets_mated_in_moves(count),
        }
    }

    /// Corrects a mate with an impossible number of plies to one in the same number of moves: a
    /// mate is delivered on an odd ply and suffered on an even one. Engines that add the plies of a
    /// tablebase are off by one.
    ///
    /// ```
    /// use epd::Centipawns;
    ///
    /// let possible = |value| Centipawns::new(value).unwrap().with_possible_mate().get();
    /// assert_eq!((possible(32766), possible(32765), possible(32764)), (32766, 32766, 32764));
    /// assert_eq!((possible(-32765), possible(-32766)), (-32765, -32765));
    /// ```
    #[must_use]
    pub fn with_possible_mate(self) -> Self {
        let possible = match self.mate() {
            Some(Mate::Gives { plies }) => Self::gives_mate_in_moves(plies.div_ceil(2)),
            Some(Mate::Gets { plies }) => Self::gets_mated_in_moves(plies.div_ceil(2)),
            None => None,
        };
        possible.unwrap_or(self)
    }

    /// Returns the value in centipawns.
    pub fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Returns the mate that the value encodes, if any.
    pub fn mate(self) -> Option<Mate> {
        let value = self.get();
        match value {
            _ if self.is_illegal_position() => None,
            _ if value > Self::MATE => Some(Mate::Gives { plies: (32767 - value) as u32 }),
            _ if value < -Self::MATE => Some(Mate::Gets { plies: (32767 + value) as u32 }),
            _ => None,
        }
    }

    /// Whether the value marks an illegal position: -32767.
    pub fn is_illegal_position(self) -> bool {
        i64::from(self.0) == Self::LEAST
    }

    /// Returns the evaluation for the opponent; the value for an illegal position is unchanged.
    #[must_use]
    pub fn of_other_side(self) -> Self {
        if self.is_illegal_position() { self } else { Centipawns(-self.0) }
    }
}

impl fmt::Display for Centipawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_coded_as_the_standard_says() {
        let ce = |value| Centipawns::new(value).unwrap();
        assert_eq!(ce(17).mate(), None);
        assert_eq!(ce(32000).mate(), None);
        assert_eq!(ce(32001).mate(), Some(Mate::Gives { plies: 766 }));
        assert_eq!(ce(-32001).mate(), Some(Mate::Gets { plies: 766 }));
        assert_eq!(ce(-32767).mate(), None);
        assert!(ce(-32767).is_illegal_position());
        assert_eq!(ce(32766).of_other_side(), ce(-32766));
        assert_eq!(ce(-32767).of_other_side(), ce(-32767));
        assert_eq!(Centipawns::gives_mate_in_moves(0), None);
        assert_eq!(Centipawns::gets_mated_in_plies(0), None);
        // 65000 plies would be the number of a mate of the other side.
        for plies in [767, 32767, 65000, 65534, u32::MAX] {
            assert_eq!(Centipawns::gives_mate_in_plies(plies), None, "{plies}");
            assert_eq!(Centipawns::gets_mated_in_plies(plies), None, "{plies}");
        }
        assert_eq!(Centipawns::without_mate(40000), ce(32000));
    }
}
