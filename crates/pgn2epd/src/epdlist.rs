//! The positions of one list of moves, like `epdlist` in Chess::PGN::EPD.

use emit::MoveNumber;
use san::{Buffer, FenError, FieldStyle, Move, Position, SanError};

/// An error in a list of moves or its starting position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum EpdListError {
    #[error("FEN: {0}")]
    Fen(#[from] FenError),
    #[error("{number} {token}: illegal: {reason}")]
    Move { index: usize, number: MoveNumber, token: String, reason: SanError },
}

/// Returns the positions after each move, from the starting position: four fields each (EPD 3).
///
/// Moves may be in any notation that [`san::resolve`] accepts. Fails with an error that names the
/// first illegal move and the reason.
///
/// ```
/// let positions = pgn2epd::epdlist(["e4", "c5", "Nf3"])?;
/// assert_eq!(positions.len(), 3);
/// assert_eq!(positions[2], "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -");
///
/// let error = pgn2epd::epdlist(["e4", "e5", "Ke3"]).unwrap_err();
/// assert_eq!(error.to_string(), "2. Ke3: illegal: no white king can reach e3");
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdlist(moves: impl IntoIterator<Item: AsRef<str>>) -> Result<Vec<String>, EpdListError> {
    list(Position::default(), moves)
}

/// The same as [`epdlist`], from the position `start_fen`. Fails if the FEN is not a legal
/// position, or a move is illegal.
///
/// ```
/// let positions = pgn2epd::epdlist_from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ["e4"])?;
/// assert_eq!(positions, ["4k3/8/8/8/4P3/8/8/4K3 b - e3"]);
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdlist_from(
    start_fen: &str,
    moves: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<String>, EpdListError> {
    list(Position::from_fen(start_fen)?, moves)
}

fn list(
    position: Position,
    moves: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<String>, EpdListError> {
    let mut positions = Vec::new();
    play(position, moves.into_iter().enumerate(), |_, _, after| positions.push(fields(after)))?;
    Ok(positions)
}

/// Returns the position after moves, written as in a game, with or without move numbers. Fails with
/// an error that names the first illegal move and the reason.
///
/// ```
/// use pgn2epd::Position;
/// use pgn2epd::chess::position_after;
///
/// let sicilian = position_after(&Position::default(), "e4 c5")?;
/// assert_eq!(sicilian, position_after(&Position::default(), "1.e4 1... c5")?);
/// let error = position_after(&sicilian, "2. Nf3 Nc3").unwrap_err();
/// assert_eq!(error.to_string(), "2... Nc3: illegal: no black knight can reach c3");
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn position_after(start: &Position, moves: &str) -> Result<Position, EpdListError> {
    let mut position = start.clone();
    let tokens = moves.split_whitespace().map(without_number).filter(|token| !token.is_empty());
    play(start.clone(), tokens.enumerate(), |_, _, after| position.clone_from(after))?;
    Ok(position)
}

fn without_number(token: &str) -> &str {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { token }
}

pub(crate) fn play<T: AsRef<str>>(
    mut position: Position,
    moves: impl IntoIterator<Item = (usize, T)>,
    mut after: impl FnMut(&str, Move, &Position),
) -> Result<(), EpdListError> {
    for (index, token) in moves {
        let token = token.as_ref();
        let next = san::resolve(&position, token.as_bytes()).map_err(|reason| {
            let number = MoveNumber { fullmove: position.fullmoves(), turn: position.turn() };
            EpdListError::Move { index, number, token: token.to_owned(), reason }
        })?;
        position.play_unchecked(next);
        after(token, next, &position);
    }
    Ok(())
}

pub(crate) fn fields(position: &Position) -> String {
    let mut buffer = Buffer::default();
    let mut line = buffer.line();
    san::write_fields(position, FieldStyle::default(), &mut line);
    line.finish();
    String::from_utf8_lossy(buffer.as_bytes()).into_owned()
}
