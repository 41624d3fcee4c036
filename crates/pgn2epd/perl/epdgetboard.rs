use san::FenError;

use super::Board;

/// The side to move, the castling flags and the pieces of an EPD string.
///
/// The module returns them as a list, `($w, $Kc, $Qc, $kc, $qc, %board)`; here they are asked of the [`Board`]. What
/// `epdgetboard()` without a string is for in the module is done by holding on to the board.
///
/// # Errors
///
/// If the string is no EPD.
///
/// ```
/// use pgn2epd::{Square, perl};
///
/// let board = perl::epdgetboard("8/8/8/4k3/8/8/4P3/4K3 w - -")?;
/// assert!(board.white() && !board.castling('K'));
/// assert_eq!(board.squares().letter(Square::E5), Some('k'));
/// # Ok::<_, pgn2epd::FenError>(())
/// ```
pub fn epdgetboard(epd: &str) -> Result<Board, FenError> {
    Board::read(epd)
}
