//! The position, which the module keeps in global variables, as a value.

use diagram::Placement;
use san::{FenError, Position, Setup};

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
