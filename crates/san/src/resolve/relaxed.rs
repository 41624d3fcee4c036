//! Slow path: accepts any notation, and explains why a move cannot be played.

use shakmaty::{Bitboard, CastlingSide, Rank, Role, Square};

use super::read::{self, PieceMove, Spelled};
use super::{advance_from, candidates, explain, last_rank, pawn};
use crate::error::SanError;
use crate::moves::Move;
use crate::position::Position;

#[cold]
pub(super) fn resolve(position: &Position, token: &[u8]) -> Result<Move, SanError> {
    let played = match read::read(token)? {
        Spelled::Castle(side) => castle(position, side),
        Spelled::Piece(spelled) => match (spelled.role, spelled.from()) {
            (None | Some(Role::King), Some(from)) => from_square(position, from, spelled),
            _ => piece(position, spelled.role.unwrap_or(Role::Pawn), spelled),
        },
    };
    // If the game is over, that is the reason.
    played.map_err(|reason| explain::game_over(position).unwrap_or(reason))
}

impl PieceMove {
    fn from(&self) -> Option<Square> {
        Some(Square::from_coords(self.file?, self.rank?))
    }

    pub(super) fn mask(&self) -> Bitboard {
        let file = self.file.map_or(Bitboard::FULL, Bitboard::from_file);
        let rank = self.rank.map_or(Bitboard::FULL, Bitboard::from_rank);
        file & rank
    }
}

fn castle(position: &Position, side: CastlingSide) -> Result<Move, SanError> {
    position.castling_move(side).ok_or_else(|| explain::castling(position, side))
}

/// UCI, or a king's move in long algebraic; castling to the king's target or onto the rook.
fn from_square(position: &Position, from: Square, spelled: PieceMove) -> Result<Move, SanError> {
    let color = position.turn();
    let Some(role) = position.role(from) else { return Err(SanError::EmptySquare(from)) };
    if position.color_at(from) != Some(color) {
        return Err(SanError::OtherSide { color, role, from });
    }
    if role == Role::King
        && let Some(side) = castling_side(position, from, spelled.to)
    {
        return castle(position, side);
    }
    piece(position, spelled.role.unwrap_or(role), spelled)
}

fn castling_side(position: &Position, from: Square, to: Square) -> Option<CastlingSide> {
    let color = position.turn();
    let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
    let onto_rook = |side: &CastlingSide| position.castling_rook(color, *side) == Some(to);
    let by_leap = |side: &CastlingSide| side.king_to(color) == to && from.distance(to) > 1;
    let home = from.rank() == color.backrank();
    sides
        .into_iter()
        .find(onto_rook)
        .or_else(|| sides.into_iter().find(|side| home && by_leap(side)))
}

fn piece(position: &Position, role: Role, spelled: PieceMove) -> Result<Move, SanError> {
    let PieceMove { to, promotion, .. } = spelled;
    match promotion {
        Some(_) if role != Role::Pawn => return Err(SanError::PromotionOfPiece(role)),
        Some(king_or_pawn @ (Role::King | Role::Pawn)) => {
            return Err(SanError::PromotionToThat(king_or_pawn));
        }
        Some(_) if to.rank() != last_rank(position.turn()) => {
            return Err(SanError::PromotionMisplaced(to));
        }
        _ => {}
    }
    if role == Role::Pawn {
        return pawn_move(position, spelled);
    }
    let mut legal = candidates(position, role, spelled.mask(), to)
        .into_iter()
        .filter(|from| position.is_safe(*from, to));
    match (legal.next(), legal.next()) {
        (Some(from), None) => Ok(position.step(role, from, to)),
        (Some(first), Some(second)) => Err(SanError::Ambiguous { role, first, second, to }),
        (None, _) => Err(explain::piece(position, role, spelled)),
    }
}

/// Resolves a pawn move; it is straight ahead unless another file is given.
fn pawn_move(position: &Position, spelled: PieceMove) -> Result<Move, SanError> {
    let PieceMove { to, promotion, file, .. } = spelled;
    let from = match file {
        Some(file) if file != to.file() => {
            let behind: i32 = position.turn().fold_wb(-8, 8);
            let rank = to.offset(behind).map(Square::rank);
            let from = rank.map(|rank| Square::from_coords(file, rank));
            from.filter(|from| from.file().distance(to.file()) == 1 && is_our_pawn(position, *from))
        }
        _ => advance_from(position, to),
    };
    let from = from.filter(|from| spelled.mask().contains(*from));
    let found = from.and_then(|from| pawn(position, from, to, promotion));
    match found {
        None => Err(explain::pawn(position, from, spelled)),
        Some(_) if promotion.is_none() && is_last(position, to.rank()) => {
            Err(SanError::PromotionMissing(to))
        }
        Some(next) => Ok(next),
    }
}

fn is_last(position: &Position, rank: Rank) -> bool {
    rank == last_rank(position.turn())
}

fn is_our_pawn(position: &Position, square: Square) -> bool {
    (position.pieces(Role::Pawn) & position.us()).contains(square)
}
