//! Piece placement: any arrangement, reachable in a game or not.

use std::fmt;
use std::str::FromStr;

use san::{FenError, File, Piece, Position, Rank, Setup, Square};

/// The pieces on the board, without any other state.
///
/// ```
/// use diagram::Placement;
/// use san::Square;
///
/// let placement: Placement = "8/8/8/4k3/8/8/4P3/4K3".parse()?;
/// assert_eq!(placement.letter(Square::E2), Some('P'));
/// assert_eq!(placement.to_string(), "8/8/8/4k3/8/8/4P3/4K3");
/// # Ok::<_, diagram::NotAPlacement>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement {
    pieces: [Option<Piece>; 64],
}

/// The text is not a piece placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotAPlacement(FenError);

impl Placement {
    /// Returns the FEN letter of the piece on a square; white pieces are upper case.
    pub fn letter(&self, square: Square) -> Option<char> {
        self.piece(square).map(Piece::char)
    }

    /// Returns the piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.pieces[square.to_usize()]
    }

    /// Puts a piece on a square, or removes it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.pieces[square.to_usize()] = piece;
    }

    /// Iterates over the occupied squares and their pieces: a1, b1, …, h8.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        Square::ALL.into_iter().filter_map(|square| Some((square, self.piece(square)?)))
    }
}

impl Default for Placement {
    /// The empty board.
    fn default() -> Self {
        Placement { pieces: [None; 64] }
    }
}

impl From<&Position> for Placement {
    fn from(position: &Position) -> Self {
        from_letters(|square| position.letter(square))
    }
}

impl From<&Setup> for Placement {
    fn from(setup: &Setup) -> Self {
        from_letters(|square| setup.letter(square))
    }
}

fn from_letters(letter: impl Fn(Square) -> Option<char>) -> Placement {
    let piece = |square| letter(square).and_then(Piece::from_char);
    Placement { pieces: Square::ALL.map(piece) }
}

impl FromIterator<(Square, Piece)> for Placement {
    fn from_iter<I: IntoIterator<Item = (Square, Piece)>>(pieces: I) -> Self {
        let mut placement = Placement::default();
        for (square, piece) in pieces {
            placement.set(square, Some(piece));
        }
        placement
    }
}

impl FromStr for Placement {
    type Err = NotAPlacement;

    /// Reads the first field of an EPD or FEN record; any further fields are ignored, so a whole
    /// record may be passed.
    ///
    /// # Errors
    ///
    /// If the text does not consist of eight ranks of eight squares each, with pieces and counts of
    /// empty squares.
    fn from_str(text: &str) -> Result<Self, NotAPlacement> {
        let field = text.split_whitespace().next().ok_or(NotAPlacement(FenError::Empty))?;
        let fen = format!("{field} w - - 0 1");
        Setup::from_fen(fen.as_bytes()).map(|setup| Placement::from(&setup)).map_err(NotAPlacement)
    }
}

impl TryFrom<&str> for Placement {
    type Error = NotAPlacement;

    fn try_from(text: &str) -> Result<Self, NotAPlacement> {
        text.parse()
    }
}

impl fmt::Display for Placement {
    /// Writes the first field of an EPD or FEN record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.letter(Square::from_coords(file, rank)) {
                    None => empty += 1,
                    Some(letter) => {
                        write_empty(std::mem::take(&mut empty), f)?;
                        write!(f, "{letter}")?;
                    }
                }
            }
            write_empty(empty, f)?;
            if rank != Rank::First {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

fn write_empty(squares: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if squares == 0 { Ok(()) } else { write!(f, "{squares}") }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_invalid_placement_gives_the_reason() {
        let cases = [
            ("", "it is empty"),
            ("8/8/8", "3 ranks, not 8"),
            ("8/8/8/8/8/8/8/7", "rank 1 has 7 squares, not 8"),
            ("8/8/8/8/8/8/8/7x", "rank 1: x is not a piece"),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<Placement>().unwrap_err().to_string(), message, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_placement_survives_a_round_trip(pieces in prop::collection::vec((0u32..64, 0usize..12), 0..40)) {
            let piece = |index| Piece::from_char("PNBRQKpnbrqk".chars().nth(index).unwrap()).unwrap();
            let placed = pieces.into_iter().map(|(square, index)| (Square::new(square), piece(index)));
            let placement: Placement = placed.collect();
            prop_assert_eq!(placement.to_string().parse::<Placement>(), Ok(placement));
        }
    }
}
