use super::Board;
use crate::epdlist::{EpdListError, fields, play};

/// Returns the positions after each move, from the starting position.
///
/// As in the module, empty strings and `0` are ignored, as is white space around a move. Moves may
/// be in any supported notation, not only in plain SAN.
///
/// # Errors
///
/// Returns an error if a move is illegal. The module continues with a wrong position.
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
    /// Returns the positions after each move, from this position. The board is not changed.
    ///
    /// # Errors
    ///
    /// Returns an error if the position or a move is illegal.
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

/// Filters and trims a list of moves like the module.
pub(super) fn trimmed<T: AsRef<str>>(moves: &[T]) -> impl Iterator<Item = (usize, &str)> {
    let moves = moves.iter().map(|token| token.as_ref().trim()).enumerate();
    moves.filter(|(_, token)| !matches!(*token, "" | "0"))
}
