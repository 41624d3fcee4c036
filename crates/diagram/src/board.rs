//! The contents of a diagram.

use san::{Color, File, Position, Rank, Square};

use crate::marks::Marks;
use crate::placement::Placement;
use crate::theme::Theme;

/// A position to be drawn, with its marks and orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The pieces.
    pub placement: Placement,
    /// The side to move, if it is to be shown.
    pub turn: Option<Color>,
    /// Whether that side has no move, so that it is not shown as the one to move.
    pub is_over: bool,
    /// Marked squares and arrows.
    pub marks: Marks,
    /// The side whose first rank is at the bottom.
    pub from: Color,
    /// Whether files and ranks are labelled.
    pub coordinates: bool,
    /// The colours of the picture.
    pub theme: Theme,
    /// Description of the picture for screen readers; if empty, the placement is used.
    pub title: String,
}

impl From<Placement> for Diagram {
    fn from(placement: Placement) -> Self {
        Diagram {
            placement,
            turn: None,
            is_over: false,
            marks: Marks::default(),
            from: Color::White,
            coordinates: true,
            theme: Theme::default(),
            title: String::new(),
        }
    }
}

impl From<&Position> for Diagram {
    /// Takes the position with its side to move, and marks a king in check.
    fn from(position: &Position) -> Self {
        let mut diagram = Diagram::from(Placement::from(position));
        diagram.turn = Some(position.turn());
        diagram.is_over = position.legal_moves().is_empty();
        diagram.marks.check = position.is_check().then(|| position.king(position.turn()));
        diagram.title = position.to_string();
        diagram
    }
}

impl Diagram {
    pub(crate) fn to_move(&self) -> Option<Color> {
        self.turn.filter(|_| !self.is_over)
    }

    /// Returns the ranks from top to bottom.
    pub(crate) fn ranks(&self) -> [Rank; 8] {
        let mut ranks = Rank::ALL;
        if self.from.is_white() {
            ranks.reverse();
        }
        ranks
    }

    /// Returns the files from left to right.
    pub(crate) fn files(&self) -> [File; 8] {
        let mut files = File::ALL;
        if self.from.is_black() {
            files.reverse();
        }
        files
    }

    /// Returns the column and the row of a square, from the top left corner.
    pub(crate) fn cell(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        if self.from.is_white() { (file, 7 - rank) } else { (7 - file, rank) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_without_a_move_is_not_to_move() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(Color::White)),
            ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", Some(Color::Black)),
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", None),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None),
        ] {
            let position = Position::from_fen(fen.as_bytes()).unwrap();
            assert_eq!(Diagram::from(&position).to_move(), expected, "{fen}");
        }
    }
}
