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
        diagram.marks.check = position.is_check().then(|| position.king(position.turn()));
        diagram.title = position.to_string();
        diagram
    }
}

impl Diagram {
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
