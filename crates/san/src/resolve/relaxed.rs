//! Slow path: accepts any notation, and explains why a move cannot be played.

use shakmaty::{Bitboard, CastlingSide, Rank, Role, Square, attacks};

use super::read::{self, PieceMove, Spelled};
use super::{advance_from, candidates, last_rank, pawn};
use crate::error::{PieceOn, SanError};
use crate::movegen::Obstacle;
use crate::position::{Move, Position};

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
    played.map_err(|reason| game_over(position).unwrap_or(reason))
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
    position.castling_move(side).ok_or_else(|| explain_castling(position, side))
}

/// UCI, or a king's move in long algebraic; castling to the king's target or onto the rook.
fn from_square(position: &Position, from: Square, spelled: PieceMove) -> Result<Move, SanError> {
    let color = position.turn();
    let Some(role) = position.role(from) else { return Err(SanError::EmptySquare(from)) };
    if position.color_at(from) != Some(color) {
        return Err(SanError::OtherSide { turn: color, found: PieceOn(role, from) });
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
        (None, _) => Err(explain_piece(position, role, spelled)),
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
            let our_pawns = position.pieces(Role::Pawn) & position.us();
            from.filter(|from| file.distance(to.file()) == 1 && our_pawns.contains(*from))
        }
        _ => advance_from(position, to),
    };
    let from = from.filter(|from| spelled.mask().contains(*from));
    let found = from.and_then(|from| pawn(position, from, to, promotion));
    match found {
        None => Err(explain_pawn(position, from, spelled)),
        Some(_) if promotion.is_none() && to.rank() == last_rank(position.turn()) => {
            Err(SanError::PromotionMissing(to))
        }
        Some(next) => Ok(next),
    }
}

// Explains why a move cannot be played. Slow; only used for errors.

pub(super) fn game_over(position: &Position) -> Option<SanError> {
    if position.has_legal_move() {
        return None;
    }
    let color = position.turn();
    let in_check = position.is_check();
    Some(if in_check { SanError::Checkmated(color) } else { SanError::Stalemated(color) })
}

pub(super) fn explain_castling(position: &Position, side: CastlingSide) -> SanError {
    let color = position.turn();
    let Some(rook) = position.castling_rook(color, side) else {
        return SanError::CastlingNoRight { color, side };
    };
    match position.castling_obstacle(side, rook) {
        Some(Obstacle::Piece(by)) => SanError::CastlingBlocked { side, by: on(position, by) },
        Some(Obstacle::Check(by)) => SanError::CastlingInCheck(on(position, by)),
        Some(Obstacle::Attack { over, by }) => {
            SanError::CastlingThroughCheck { side, over, by: on(position, by) }
        }
        None => SanError::NotAMove,
    }
}

pub(super) fn explain_piece(position: &Position, piece_role: Role, spelled: PieceMove) -> SanError {
    let color = position.turn();
    let PieceMove { file, rank, to, .. } = spelled;
    let named = position.pieces(piece_role) & position.us() & spelled.mask();
    if named.is_empty() {
        return no_such_piece(position, piece_role, spelled);
    }
    if position.us().contains(to) {
        return SanError::OwnPiece { color, role: on(position, to).0, to };
    }
    let reaching = position.reach(color, piece_role, to) & named;
    if let Some(from) = reaching.first() {
        return king_in_danger(position, piece_role, from, to);
    }
    // If the piece could reach the square on an empty board, another piece is in the way.
    let shape = match piece_role {
        Role::Bishop => attacks::bishop_attacks(to, Bitboard::EMPTY),
        Role::Rook => attacks::rook_attacks(to, Bitboard::EMPTY),
        Role::Queen => attacks::queen_attacks(to, Bitboard::EMPTY),
        _ => Bitboard::EMPTY,
    };
    match (shape & named).single_square() {
        Some(from) => {
            let between = attacks::between(from, to) & position.occupied();
            let nearest = between.into_iter().min_by_key(|square| square.distance(from));
            let by = nearest.unwrap_or(to);
            SanError::Blocked { piece: PieceOn(piece_role, from), to, by: on(position, by) }
        }
        None => SanError::CannotReach { color, role: piece_role, file, rank, to },
    }
}

/// Explains why no pawn can reach the square; `from` is the pawn that would, if there is one.
pub(super) fn explain_pawn(
    position: &Position,
    from: Option<Square>,
    spelled: PieceMove,
) -> SanError {
    let color = position.turn();
    let PieceMove { file, rank, to, .. } = spelled;
    let our_pawns = position.pieces(Role::Pawn) & position.us();
    if (our_pawns & spelled.mask()).is_empty() {
        return no_such_piece(position, Role::Pawn, spelled);
    }
    let captures = file.is_some_and(|file| file != to.file());
    match from {
        Some(_) if captures && position.us().contains(to) => {
            SanError::OwnPiece { color, role: on(position, to).0, to }
        }
        Some(from) if captures && position.en_passant == Some(to) => {
            en_passant_in_danger(position, from, to)
        }
        Some(from) if captures && position.letter(to).is_none() => {
            nothing_to_capture(position, from, to)
        }
        Some(from) => king_in_danger(position, Role::Pawn, from, to),
        None if captures => SanError::CannotReach { color, role: Role::Pawn, file, rank, to },
        None => pawn_straight_ahead(position, spelled),
    }
}

fn no_such_piece(position: &Position, piece_role: Role, spelled: PieceMove) -> SanError {
    let color = position.turn();
    let PieceMove { file, rank, .. } = spelled;
    if let (Some(file), Some(rank)) = (file, rank) {
        let from = Square::from_coords(file, rank);
        return match (position.role(from), position.color_at(from)) {
            (None, _) => SanError::EmptySquare(from),
            (Some(role), Some(other)) if other != color => {
                SanError::OtherSide { turn: color, found: PieceOn(role, from) }
            }
            (Some(found), _) => {
                SanError::OtherPiece { found: PieceOn(found, from), role: piece_role }
            }
        };
    }
    SanError::NoSuchPiece { color, role: piece_role, file, rank }
}

/// The square or the path to it is occupied, or no pawn is behind it.
fn pawn_straight_ahead(position: &Position, spelled: PieceMove) -> SanError {
    let color = position.turn();
    let PieceMove { file, rank, to, .. } = spelled;
    let behind: i32 = color.fold_wb(-8, 8);
    let our_pawns = position.pieces(Role::Pawn) & position.us() & spelled.mask();
    let one = to.offset(behind);
    let two = one.and_then(|square| square.offset(behind));
    let pawn = |square: Option<Square>| square.filter(|square| our_pawns.contains(*square));
    let on_fourth = to.rank() == color.relative_rank(Rank::Fourth);
    let from = pawn(one).or_else(|| pawn(two).filter(|_| on_fourth));
    let between = one.filter(|square| Some(*square) != from && position.letter(*square).is_some());
    let blocker = between.or(Some(to)).filter(|square| position.letter(*square).is_some());
    match (from, blocker) {
        (Some(from), Some(by)) => SanError::PawnBlocked { from, by: on(position, by) },
        _ => SanError::CannotReach { color, role: Role::Pawn, file, rank, to },
    }
}

fn nothing_to_capture(position: &Position, from: Square, to: Square) -> SanError {
    let beside = Square::from_coords(to.file(), from.rank());
    let enemy_pawn = (position.pieces(Role::Pawn) & position.them()).contains(beside);
    let fifth = position.turn().relative_rank(Rank::Fifth);
    if enemy_pawn && from.rank() == fifth {
        return SanError::EnPassantGone { from, to };
    }
    SanError::NothingToCapture { from, to }
}

fn en_passant_in_danger(position: &Position, from: Square, to: Square) -> SanError {
    let captured = Square::from_coords(to.file(), from.rank());
    let occupied = position.occupied().without(from).without(captured).with(to);
    let king = position.king(position.turn());
    let attackers = position.attackers(king, !position.turn(), occupied).without(captured);
    match attackers.first() {
        Some(by) => SanError::EnPassantPinned { king, by: on(position, by) },
        None => SanError::NotAMove,
    }
}

fn king_in_danger(position: &Position, piece_role: Role, from: Square, to: Square) -> SanError {
    let (us, them) = (position.turn(), !position.turn());
    let occupied = position.occupied().without(from);
    if piece_role == Role::King {
        let by = position.attackers(to, them, occupied).without(to).first().unwrap_or(to);
        return SanError::IntoCheck { to, by: on(position, by) };
    }
    let king = position.king(us);
    let checkers = position.checkers().without(to);
    // A pin explains more than a simultaneous check, if the pin alone forbids the move.
    let uncovered = position.attackers(king, them, occupied.with(to)).without(to);
    let pinner = (uncovered & !position.checkers()).first();
    match (pinner, checkers.first()) {
        (Some(by), _) => {
            SanError::Pinned { piece: PieceOn(piece_role, from), king, by: on(position, by) }
        }
        (None, Some(by)) => SanError::InCheck { king, by: on(position, by) },
        (None, None) => SanError::NotAMove,
    }
}

fn on(position: &Position, square: Square) -> PieceOn {
    PieceOn(position.role(square).unwrap_or(Role::Pawn), square)
}
