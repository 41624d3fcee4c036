use diagram::Placement;
use san::Square;

/// Returns the squares of a piece in the order of their names: a1, a2, …, h8.
///
/// ```
/// let board = pgn2epd::perl::epdset("8/8/8/4k3/8/8/4P2P/R3K2R w KQ -")?;
/// let rooks = pgn2epd::perl::psquares('R', board.squares());
/// assert_eq!(rooks.map(|square| square.to_string()).collect::<Vec<_>>(), ["a1", "h1"]);
/// # Ok::<_, pgn2epd::chess::FenError>(())
/// ```
pub fn psquares(piece: char, board: &Placement) -> impl Iterator<Item = Square> {
    let mut squares = Square::ALL;
    squares.sort_by_key(|square| square.coords());
    let board = *board;
    squares.into_iter().filter(move |square| board.letter(*square) == Some(piece))
}
