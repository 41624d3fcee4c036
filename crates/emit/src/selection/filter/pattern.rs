//! Patterns that a board is compared with: pieces on squares, material, attacks.

mod attack;
mod board;
mod material;

use std::ops::Range;

use san::{Color, Position, Role};

pub(super) use attack::{Attack, Target, piece};
pub(super) use board::BoardPattern;
pub(super) use material::MaterialPattern;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pattern {
    Board(BoardPattern),
    Material(MaterialPattern),
    Attack(Attack),
}

/// A fault in the text of a pattern: its bytes, and the reason.
pub(super) type PatternFault = (Range<usize>, String);

impl Pattern {
    pub(super) fn holds(&self, position: &Position) -> bool {
        match self {
            Pattern::Board(board) => board.holds(position),
            Pattern::Material(material) => material.holds(position),
            Pattern::Attack(attack) => attack.holds(position),
        }
    }

    /// Exchanges the colours of the pieces, and turns the board upside down.
    pub(super) fn for_other_colors(&self) -> Pattern {
        match self {
            Pattern::Board(board) => Pattern::Board(board.for_other_colors()),
            Pattern::Material(material) => Pattern::Material(material.for_other_colors()),
            Pattern::Attack(attack) => Pattern::Attack(attack.for_other_colors()),
        }
    }

    /// Returns the pattern in a mirror: the a-file is the h-file.
    pub(super) fn mirrored(&self) -> Pattern {
        match self {
            Pattern::Board(board) => Pattern::Board(board.mirrored()),
            Pattern::Material(material) => Pattern::Material(material.clone()),
            Pattern::Attack(attack) => Pattern::Attack(attack.mirrored()),
        }
    }
}

/// A set of pieces: a bit for each, White's first, as in [`Role::ALL`]; then an empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PieceSet(u16);

impl PieceSet {
    const EMPTY_SQUARE: PieceSet = PieceSet(1 << 12);

    fn piece(color: Color, role: Role) -> PieceSet {
        PieceSet(1 << (color.fold_wb(0, 6) + role as u16 - 1))
    }

    fn side(color: Color) -> PieceSet {
        PieceSet(color.fold_wb(0x3f, 0x3f << 6))
    }

    fn with(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }

    fn for_other_colors(self) -> PieceSet {
        let empty = self.0 & PieceSet::EMPTY_SQUARE.0;
        PieceSet(empty | (self.0 & 0x3f) << 6 | self.0 >> 6 & 0x3f)
    }

    fn squares(self, position: &Position) -> san::Bitboard {
        let mut squares = san::Bitboard::EMPTY;
        for color in Color::ALL {
            if self.0 & PieceSet::side(color).0 == PieceSet::side(color).0 {
                squares |= position.side(color);
                continue;
            }
            for role in Role::ALL {
                if self.0 & PieceSet::piece(color, role).0 != 0 {
                    squares |= position.pieces(role) & position.side(color);
                }
            }
        }
        if self.0 & PieceSet::EMPTY_SQUARE.0 != 0 {
            squares |= !position.occupied();
        }
        squares
    }
}
