//! The parts of a game.

/// The part of a game that the scanner is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Between games.
    BetweenGames,
    Movetext,
    /// After the result.
    AfterResult,
}
