use san::FenError;

use super::Board;

/// Sets a position up: that of an EPD string. The usual array, the module's `epdset()`, is [`Board::default`].
///
/// In the module `epdlist` resets the board, so a position that was set is lost before the first move; here
/// [`Board::epdlist`] plays from it.
///
/// # Errors
///
/// If the string is no EPD. Whether the position is legal is asked when moves are played.
pub fn epdset(epd: &str) -> Result<Board, FenError> {
    Board::read(epd)
}
