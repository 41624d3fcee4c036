use super::Board;
use crate::EpdListError;
use crate::epdlist::{fields, play};

/// The positions after each of the moves, from the usual array.
///
/// As in the module, empty strings and `0` are no moves and are passed over, and white space around a move does not
/// matter. Moves are read in all spellings that are known, not in plain SAN alone.
///
/// # Errors
///
/// If a move cannot be played. The module goes on with a wrong position.
///
/// ```
/// let positions = pgn2epd::perl::epdlist(["e4", "e5"])?;
/// assert_eq!(positions[1], "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6");
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdlist<I>(moves: I) -> Result<Vec<String>, EpdListError>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    Board::default().epdlist(moves)
}

impl Board {
    /// The positions after each of the moves, from this one. The board stays as it is.
    ///
    /// # Errors
    ///
    /// If the position is not legal, or a move cannot be played.
    pub fn epdlist<I>(&self, moves: I) -> Result<Vec<String>, EpdListError>
    where
        I: IntoIterator<Item: AsRef<str>>,
    {
        let moves: Vec<I::Item> = moves.into_iter().collect();
        let mut positions = Vec::new();
        play(self.position()?, trimmed(&moves), |_, _, after| positions.push(fields(after)))?;
        Ok(positions)
    }
}

/// The moves of a list as the module sees them.
pub(super) fn trimmed<T: AsRef<str>>(moves: &[T]) -> impl Iterator<Item = (usize, &str)> {
    let moves = moves.iter().map(|token| token.as_ref().trim()).enumerate();
    moves.filter(|(_, token)| !matches!(*token, "" | "0"))
}
