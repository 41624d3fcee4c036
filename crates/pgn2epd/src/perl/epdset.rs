use san::FenError;

use super::Board;

/// Returns the position of an EPD string. The starting position, `epdset()` in the module, is
/// [`Board::default`].
///
/// In the module, `epdlist` resets the board, so the position is lost before the first move; here
/// [`Board::epdlist`] plays from it.
///
/// # Errors
///
/// Returns an error if the string is not valid EPD. Legality is checked when moves are played.
pub fn epdset(epd: &str) -> Result<Board, FenError> {
    Board::read(epd)
}
