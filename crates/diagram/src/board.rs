//! What is to be drawn.

use san::{Color, File, Position, Rank, Square};

use crate::{Marks, Placement, Theme};

/// A position to be drawn, its marks, and how it is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The pieces.
    pub placement: Placement,
    /// Whose turn it is, if that is to be shown.
    pub turn: Option<Color>,
    /// Marked squares and arrows.
    pub marks: Marks,
    /// Whose first rank is at the bottom.
    pub from: Color,
    /// Whether the names of files and ranks stand beside the board.
    pub coordinates: bool,
    /// The colours of a picture.
    pub theme: Theme,
    /// What the picture shows, for those who cannot see it; none for the placement.
    pub title: String,
}

impl From<Placement> for Diagram {
    fn from(placement: Placement) -> Self {
        Diagram {
            placement,
            turn: None,
            marks: Marks::default(),
            from: Color::White,
            coordinates: true,
            theme: Theme::default(),
            title: String::new(),
        }
    }
}

impl From<&Position> for Diagram {
    /// A position with its side to move, and the mark of a king in check.
    fn from(position: &Position) -> Self {
        let mut diagram = Diagram::from(Placement::from(position));
        diagram.turn = Some(position.turn());
        diagram.marks.check = position.is_check().then(|| position.king(position.turn()));
        diagram.title = position.to_string();
        diagram
    }
}

impl Diagram {
    /// The ranks from top to bottom.
    pub(crate) fn ranks(&self) -> [Rank; 8] {
        let mut ranks = Rank::ALL;
        if self.from.is_white() {
            ranks.reverse();
        }
        ranks
    }

    /// The files from left to right.
    pub(crate) fn files(&self) -> [File; 8] {
        let mut files = File::ALL;
        if self.from.is_black() {
            files.reverse();
        }
        files
    }

    /// The column and the row of a square, counted from the top left corner.
    pub(crate) fn cell(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        if self.from.is_white() { (file, 7 - rank) } else { (7 - file, rank) }
    }
}
