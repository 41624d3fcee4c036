//! The position, which the module keeps in global variables, as a value.

use diagram::Placement;
use san::{FenError, Position, Setup, Square};

/// A position as given by an EPD string: the pieces, the side to move, the castling flags.
///
/// The position and its rights may be impossible; only playing moves from it requires a legal
/// position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    squares: Placement,
    white: bool,
    castling: String,
    en_passant: String,
}

impl Default for Board {
    /// Returns the starting position, as after `epdset()` of the module.
    fn default() -> Self {
        Board {
            squares: Placement::from(&Position::default()),
            white: true,
            castling: "KQkq".into(),
            en_passant: "-".into(),
        }
    }
}

impl Board {
    /// Parses the four fields of an EPD string; anything after them is ignored.
    pub(super) fn read(epd: &str) -> Result<Self, FenError> {
        let fields: Vec<&str> = epd.split_whitespace().take(4).collect();
        let setup = Setup::from_fen(fields.join(" ").as_bytes())?;
        let field = |index: usize| fields.get(index).copied().unwrap_or("-");
        Ok(Board {
            squares: Placement::from(&setup),
            white: field(1) == "w",
            castling: field(2).to_owned(),
            en_passant: field(3).to_owned(),
        })
    }

    /// `$w`: whether White is to move; as in the module, only a lower-case `w` means White.
    pub fn white(&self) -> bool {
        self.white
    }

    /// `$Kc`, `$Qc`, `$kc` and `$qc`: whether the castling field has that letter. King and rook are
    /// not checked.
    ///
    /// ```
    /// let board = pgn2epd::perl::epdset("r3k2r/8/8/8/8/8/8/R3K2R b Kq -")?;
    /// assert_eq!(['K', 'Q', 'k', 'q'].map(|letter| board.castling(letter)), [true, false, false, true]);
    /// # Ok::<_, pgn2epd::chess::FenError>(())
    /// ```
    pub fn castling(&self, letter: char) -> bool {
        self.castling.contains(letter)
    }

    /// Returns `%board`: the pieces by square.
    pub fn squares(&self) -> &Placement {
        &self.squares
    }

    /// Returns the position to play from, without impossible rights and en passant square.
    pub(super) fn position(&self) -> Result<Position, FenError> {
        let side = if self.white { 'w' } else { 'b' };
        let fen = format!("{} {side} {} {}", self.squares, self.castling, self.en_passant);
        let mut setup = Setup::from_fen(fen.as_bytes())?;
        setup.repair();
        setup.into_position()
    }
}

impl From<&Board> for Placement {
    fn from(board: &Board) -> Self {
        board.squares
    }
}

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
