//! Attacks of pieces on squares and on other pieces: `attacks(wN, e5)`, `attacks(bQ, wA)`.

use san::{Bitboard, Color, Position, Role, Square};

use super::PieceSet;

/// A piece that attacks a square or a piece, be it pinned or not.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct Attack {
    color: Color,
    /// `None` for any piece.
    role: Option<Role>,
    target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Target {
    Square(Square),
    Piece(Color, Option<Role>),
}

impl Attack {
    pub(in super::super) fn new((color, role): (Color, Option<Role>), target: Target) -> Self {
        Attack { color, role, target }
    }

    pub(super) fn holds(&self, position: &Position) -> bool {
        let of = |color: Color, role: Option<Role>| match role {
            Some(role) => PieceSet::piece(color, role).squares(position),
            None => position.side(color),
        };
        let attackers = of(self.color, self.role);
        let targets = match self.target {
            Target::Square(square) => Bitboard::from(square),
            Target::Piece(color, role) => of(color, role),
        };
        if attackers.is_empty() {
            return false;
        }
        let attacked_by = |square| position.attackers(square, self.color, position.occupied());
        targets.into_iter().any(|square| (attacked_by(square) & attackers).any())
    }

    pub(super) fn for_other_colors(&self) -> Self {
        let target = match self.target {
            Target::Square(square) => Target::Square(square.flip_vertical()),
            Target::Piece(color, role) => Target::Piece(!color, role),
        };
        Attack { color: !self.color, target, ..*self }
    }

    pub(super) fn mirrored(&self) -> Self {
        let target = match self.target {
            Target::Square(square) => Target::Square(square.flip_horizontal()),
            piece => piece,
        };
        Attack { target, ..*self }
    }
}

/// Reads a piece such as `wN`; `wA` is any piece of White.
pub(in super::super) fn piece(name: &str) -> Option<(Color, Option<Role>)> {
    let (color, role) = name.split_at_checked(1)?;
    let color = match color {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return None,
    };
    match role.as_bytes() {
        b"A" => Some((color, None)),
        [letter @ b'A'..=b'Z'] => Some((color, Some(Role::from_char(char::from(*letter))?))),
        _ => None,
    }
}
