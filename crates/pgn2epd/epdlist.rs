//! The positions of one list of moves: the mirror of `epdlist` in Perl's Chess::PGN::EPD.

use emit::MoveNumber;
use san::{Buffer, FenError, FieldStyle, Move, Position, SanError};

/// Why a list of moves has no list of positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdListError {
    /// The position to start from.
    #[error("FEN: {0}")]
    Fen(#[from] FenError),
    /// A move that cannot be played.
    #[error("{number} {token}: illegal: {reason}")]
    Move {
        /// How many moves of the list come before it.
        index: usize,
        /// Its number in the game.
        number: MoveNumber,
        /// The move, as it is spelled in the list.
        token: String,
        /// Why it cannot be played.
        reason: SanError,
    },
}

/// The positions after each of the moves, from the usual array: four fields each (EPD 3).
///
/// Moves are read in all spellings that [`san::resolve`] knows.
///
/// # Errors
///
/// If a move cannot be played: which one, and why.
///
/// ```
/// let positions = pgn2epd::epdlist(["e4", "c5", "Nf3"])?;
/// assert_eq!(positions.len(), 3);
/// assert_eq!(positions[2], "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -");
///
/// let error = pgn2epd::epdlist(["e4", "e5", "Ke3"]).unwrap_err();
/// assert_eq!(error.to_string(), "2. Ke3: illegal: no king of White's can reach e3");
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdlist<I>(moves: I) -> Result<Vec<String>, EpdListError>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    list(Position::default(), moves)
}

/// The same as [`epdlist`], from another position than the usual array.
///
/// # Errors
///
/// If the FEN holds no legal position, or a move cannot be played.
///
/// ```
/// let positions = pgn2epd::epdlist_from("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", ["e4"])?;
/// assert_eq!(positions, ["4k3/8/8/8/4P3/8/8/4K3 b - e3"]);
/// # Ok::<_, pgn2epd::EpdListError>(())
/// ```
pub fn epdlist_from<I>(start_fen: &str, moves: I) -> Result<Vec<String>, EpdListError>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    list(Position::from_fen(start_fen)?, moves)
}

fn list<I>(position: Position, moves: I) -> Result<Vec<String>, EpdListError>
where
    I: IntoIterator<Item: AsRef<str>>,
{
    let mut positions = Vec::new();
    play(position, moves.into_iter().enumerate(), |_, _, after| positions.push(fields(after)))?;
    Ok(positions)
}

/// Plays moves, each with its index in the list that it is from, and shows each with its text and the position after it.
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

/// The four fields of a position.
pub(crate) fn fields(position: &Position) -> String {
    let mut buffer = Buffer::default();
    let mut line = buffer.line();
    san::write_fields(position, FieldStyle::default(), &mut line);
    line.finish();
    String::from_utf8_lossy(buffer.as_bytes()).into_owned()
}
