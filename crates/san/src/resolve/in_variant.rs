//! Resolves moves of chess variants by searching all legal moves.

use shakmaty::variant::VariantPosition;
use shakmaty::{Move, Position, Role, Square};

use super::read::{self, PieceMove, Spelled};
use crate::error::SanError;

pub(crate) fn in_variant(board: &VariantPosition, token: &[u8]) -> Result<Move, SanError> {
    let spelled = match read::read(token) {
        Err(SanError::Drop) => return drop_on(board, read::without_suffixes(token)),
        spelled => spelled?,
    };
    let legal = board.legal_moves();
    let mut found = legal.iter().filter(|next| match spelled {
        Spelled::Castle(side) => next.castling_side() == Some(side),
        Spelled::Piece(piece) => is_spelled(**next, piece),
    });
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(*only),
        (None, _) => Err(match spelled {
            Spelled::Piece(piece @ PieceMove { promotion: None, to, .. })
                if legal.iter().any(|next| {
                    let promotion = next.promotion();
                    promotion.is_some() && is_spelled(*next, PieceMove { promotion, ..piece })
                }) =>
            {
                SanError::PromotionMissing(to)
            }
            _ => SanError::NotInVariant,
        }),
        (Some(first), Some(second)) => {
            let from = |next: &Move| next.from().unwrap_or(next.to());
            let (role, to) = (first.role(), first.to());
            Err(SanError::Ambiguous { role, first: from(first), second: from(second), to })
        }
    }
}

fn is_spelled(next: Move, piece: PieceMove) -> bool {
    let Some(from) = next.from() else { return false };
    let has_from = piece.file.is_none_or(|file| file == from.file())
        && piece.rank.is_none_or(|rank| rank == from.rank());
    let names_from = piece.file.is_some() && piece.rank.is_some();
    if !has_from || piece.role.is_some_and(|role| role != next.role()) {
        return false;
    }
    if let Some(side) = next.castling_side() {
        // The target is the king's target square, or the square of the rook.
        let arrives = Square::from_coords(side.king_to_file(), from.rank());
        return names_from && (piece.to == next.to() || piece.to == arrives);
    }
    // A pawn moves straight ahead unless another file is given.
    let straight =
        next.role() != Role::Pawn || piece.file.is_some() || from.file() == next.to().file();
    straight && piece.to == next.to() && piece.promotion == next.promotion()
}

fn drop_on(board: &VariantPosition, token: &[u8]) -> Result<Move, SanError> {
    let at = token.iter().position(|byte| *byte == b'@').ok_or(SanError::NotAMove)?;
    let role = match &token[..at] {
        [] => Role::Pawn,
        [letter] => Role::from_char(char::from(*letter)).ok_or(SanError::NotAMove)?,
        _ => return Err(SanError::NotAMove),
    };
    let to = Square::from_ascii(&token[at + 1..]).map_err(|_| SanError::NotAMove)?;
    let next = Move::Put { role, to };
    if board.is_legal(next) { Ok(next) } else { Err(SanError::NotInVariant) }
}
