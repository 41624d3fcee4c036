//! The numbering of the moves of a piece in a chain: by target square, from a1 to h8.
//!
//! Moves count that leave the king in check. Pawns have four moves for each target on the last
//! rank, and a king has a move for each castling right, the queen's side first, after its targets.

use san::{Bitboard, CastlingSide, Color, EnPassantPolicy, Move, Position, Rank, Role, Square};
use shakmaty::attacks;

use crate::error::Damage;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Destinations {
    targets: Bitboard,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Promotions,
    King { can_castle_long: bool, rights: u32 },
}

impl Destinations {
    /// Returns the moves of the piece on a square, which belongs to the side to move.
    #[inline(always)]
    pub(crate) fn of(position: &Position, from: Square, role: Role) -> Self {
        let turn = position.turn();
        let (ours, occupied) = (position.side(turn), position.occupied());
        let plain =
            |attacked: Bitboard| Destinations { targets: attacked & !ours, kind: Kind::Plain };
        match role {
            Role::Pawn => Destinations::of_pawn(position, from),
            Role::Knight => plain(attacks::knight_attacks(from)),
            Role::Bishop => plain(attacks::bishop_attacks(from, occupied)),
            Role::Rook => plain(attacks::rook_attacks(from, occupied)),
            Role::Queen => plain(attacks::queen_attacks(from, occupied)),
            Role::King => {
                let rooks = position.castling_rooks() & Bitboard::from_rank(turn.backrank());
                let corner = turn.fold_wb(Square::A1, Square::A8);
                let can_castle_long = rooks.contains(corner);
                let kind = Kind::King { can_castle_long, rights: rooks.count() as u32 };
                Destinations { targets: attacks::king_attacks(from) & !ours, kind }
            }
        }
    }

    #[inline(always)]
    fn of_pawn(position: &Position, from: Square) -> Self {
        let turn = position.turn();
        let (theirs, occupied) = (position.side(!turn), position.occupied());
        let square = position.en_passant(EnPassantPolicy::Legal);
        let captured = theirs | square.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let mut targets = attacks::pawn_attacks(turn, from) & captured;
        let pawn = Bitboard::from_square(from);
        let step = |pawns: Bitboard| match turn {
            Color::White => Bitboard(pawns.0 << 8) & !occupied,
            Color::Black => Bitboard(pawns.0 >> 8) & !occupied,
        };
        let (start, last) =
            turn.fold_wb((Rank::Second, Rank::Seventh), (Rank::Seventh, Rank::Second));
        let once = step(pawn);
        targets |= once;
        if from.rank() == start {
            targets |= step(once);
        }
        let kind = if from.rank() == last { Kind::Promotions } else { Kind::Plain };
        Destinations { targets, kind }
    }

    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        let targets = self.targets.count() as u32;
        match self.kind {
            Kind::Plain => targets,
            Kind::Promotions => 4 * targets,
            Kind::King { rights, .. } => targets + rights,
        }
    }

    #[inline(always)]
    pub(crate) fn number(self, played: Move) -> u8 {
        let targets = self.targets.count() as u32;
        if let Kind::King { can_castle_long, .. } = self.kind
            && let Some(side) = played.castling()
        {
            let is_second = can_castle_long && side == CastlingSide::KingSide;
            return (targets + u32::from(is_second)) as u8;
        }
        let before = (1 << played.to() as u32) - 1;
        let number = (self.targets.0 & before).count_ones() as u8;
        match played.promotion() {
            Some(role) => number * 4 + (role as u8 - Role::Knight as u8),
            None => number,
        }
    }

    /// Returns the target, in castling the square of the rook, and the promotion piece.
    pub(crate) fn target(self, number: u8, turn: Color) -> Result<(Square, Option<Role>), Damage> {
        let missing = || Damage::NoMove(number, self.count());
        let targets = self.targets.count() as u32;
        let wanted = u32::from(number);
        match self.kind {
            Kind::Promotions => {
                let square = nth(self.targets, wanted / 4).ok_or_else(missing)?;
                let role =
                    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen][number as usize % 4];
                Ok((square, Some(role)))
            }
            Kind::King { can_castle_long, rights } if wanted >= targets => {
                if wanted >= targets + rights {
                    return Err(missing());
                }
                let is_long = wanted == targets && can_castle_long;
                let rooks = turn.fold_wb([Square::H1, Square::A1], [Square::H8, Square::A8]);
                Ok((rooks[usize::from(is_long)], None))
            }
            _ => nth(self.targets, wanted).map(|square| (square, None)).ok_or_else(missing),
        }
    }
}

/// Returns the square with the given number, counted from 0.
pub(crate) fn nth(squares: Bitboard, number: u32) -> Option<Square> {
    squares.into_iter().nth(number as usize)
}
