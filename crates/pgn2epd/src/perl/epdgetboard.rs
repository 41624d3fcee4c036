use san::FenError;

use super::Board;

/// Returns the side to move, the castling flags and the pieces of an EPD string.
///
/// The module returns them as a list, `($w, $Kc, $Qc, $kc, $qc, %board)`; here they are methods of
/// [`Board`]. Keeping the board replaces `epdgetboard()` without a string.
///
/// # Errors
///
/// Returns an error if the string is not valid EPD.
///
/// ```
/// use pgn2epd::perl;
/// use pgn2epd::chess::Square;
///
/// let board = perl::epdgetboard("8/8/8/4k3/8/8/4P3/4K3 w - -")?;
/// assert!(board.white() && !board.castling('K'));
/// assert_eq!(board.squares().letter(Square::E5), Some('k'));
/// # Ok::<_, pgn2epd::chess::FenError>(())
/// ```
pub fn epdgetboard(epd: &str) -> Result<Board, FenError> {
    Board::read(epd)
}
