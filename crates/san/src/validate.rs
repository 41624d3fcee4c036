//! Validates a [`Setup`]: one function per kind of illegality.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use crate::castling::beside;
use crate::error::FenError;
use crate::position::Position;
use crate::setup::{Right, Setup};

#[inline(always)]
pub(crate) fn position(setup: &Setup) -> Result<Position, FenError> {
    for color in Color::ALL {
        kings(setup, color)?;
        pawns(setup, color)?;
        material(setup, color)?;
    }
    let mut position = setup.bare_position();
    for right in &setup.rights {
        let rook = rook_of(setup, *right, position.castling_rooks)?;
        position.castling_rooks.add(rook);
    }
    en_passant(setup)?;
    checks(&position)?;
    position.en_passant = setup.en_passant;
    Ok(position)
}

/// Returns the position if moves can be played from it, and the reason why it is unreachable: bishops of one color that
/// cannot both be original, or checks that no move can have given.
#[cold]
pub(crate) fn playable(setup: &Setup) -> Result<(Position, Option<FenError>), FenError> {
    let odd = match position(setup) {
        Ok(position) => return Ok((position, None)),
        Err(odd @ (FenError::TooMuchMaterial(_) | FenError::ImpossibleCheck(_))) => odd,
        Err(error) => return Err(error),
    };
    for color in Color::ALL {
        kings(setup, color)?;
        pawns(setup, color)?;
        // Upper bound, so that the number of moves does not exceed the capacity of a move list.
        let bishops = setup.pieces(color, Role::Bishop).count().saturating_sub(2);
        if pawns_and_promoted(setup, color, bishops) > 8 {
            return Err(FenError::TooMuchMaterial(color));
        }
    }
    let mut position = setup.bare_position();
    for right in &setup.rights {
        let rook = rook_of(setup, *right, position.castling_rooks)?;
        position.castling_rooks.add(rook);
    }
    en_passant(setup)?;
    match checks(&position) {
        Ok(()) | Err(FenError::ImpossibleCheck(_)) => {}
        Err(error) => return Err(error),
    }
    position.en_passant = setup.en_passant;
    Ok((position, Some(odd)))
}

fn kings(setup: &Setup, color: Color) -> Result<(), FenError> {
    match setup.pieces(color, Role::King).count() {
        0 => Err(FenError::NoKing(color)),
        1 => Ok(()),
        _ => Err(FenError::ManyKings(color)),
    }
}

fn pawns(setup: &Setup, color: Color) -> Result<(), FenError> {
    let misplaced = (setup.pieces(color, Role::Pawn) & Bitboard::BACKRANKS).first();
    misplaced.map_or(Ok(()), |square| Err(FenError::PawnOnBackRank(square)))
}

/// Checks that pieces in excess of the initial number are promoted pawns, of which there are eight.
fn material(setup: &Setup, color: Color) -> Result<(), FenError> {
    let bishops = setup.pieces(color, Role::Bishop);
    let of_color = |squares: Bitboard| (bishops & squares).count().saturating_sub(1);
    let promoted = of_color(Bitboard::LIGHT_SQUARES) + of_color(Bitboard::DARK_SQUARES);
    if pawns_and_promoted(setup, color, promoted) > 8 {
        return Err(FenError::TooMuchMaterial(color));
    }
    Ok(())
}

/// Returns the number of pawns and promoted pieces; `bishops` is the number of bishops among the latter.
fn pawns_and_promoted(setup: &Setup, color: Color, bishops: usize) -> usize {
    let beyond = |role, at_start| setup.pieces(color, role).count().saturating_sub(at_start);
    setup.pieces(color, Role::Pawn).count()
        + beyond(Role::Queen, 1)
        + beyond(Role::Rook, 2)
        + beyond(Role::Knight, 2)
        + bishops
}

/// Returns the rook of a right; `taken` are the rooks of the rights before it. A side has at most one right per direction.
pub(crate) fn rook_of(setup: &Setup, right: Right, taken: Bitboard) -> Result<Square, FenError> {
    let (Right::Side(color, _) | Right::File(color, _)) = right;
    let home = Bitboard::from_rank(color.backrank());
    let rooks = setup.pieces(color, Role::Rook) & home;
    let king = (setup.pieces(color, Role::King) & home).first();
    let side = match right {
        Right::Side(_, side) => side,
        Right::File(_, file) => {
            CastlingSide::from_queen_side(file < king.map_or(shakmaty::File::E, Square::file))
        }
    };
    let rook = king.and_then(|king| {
        let rooks = rooks & beside(king, side);
        let rook = match (right, side) {
            (Right::File(_, file), _) => (rooks & Bitboard::from_file(file)).first(),
            (Right::Side(..), CastlingSide::KingSide) => rooks.last(),
            (Right::Side(..), CastlingSide::QueenSide) => rooks.first(),
        };
        rook.filter(|rook| (taken & rooks).without(*rook).is_empty())
    });
    rook.ok_or(FenError::NoSuchRight { color, side })
}

/// Checks that the en passant square is behind a pawn that can have just advanced, over empty squares, and that any
/// check is given by that pawn or through the square that it left.
pub(crate) fn en_passant(setup: &Setup) -> Result<(), FenError> {
    let Some(square) = setup.en_passant else { return Ok(()) };
    let error = Err(FenError::NoSuchAdvance(square));
    let them = !setup.turn;
    if square.rank() != setup.turn.relative_rank(Rank::Sixth) {
        return error;
    }
    let (from_rank, to_rank) =
        them.fold_wb((Rank::Second, Rank::Fourth), (Rank::Seventh, Rank::Fifth));
    let from = Square::from_coords(square.file(), from_rank);
    let to = Square::from_coords(square.file(), to_rank);
    let is_there = setup.letters[to] == them.pawn().char() as u8;
    if !is_there || setup.letters[square] != 0 || setup.letters[from] != 0 {
        return error;
    }
    let position = setup.bare_position();
    let checkers = position.checkers();
    let king = position.king(setup.turn);
    let before = position.occupied().without(to).with(from);
    let by_pawn = checkers == Bitboard::from_square(to);
    let discovered = !checkers.more_than_one() && position.attackers(king, them, before).is_empty();
    if checkers.is_empty() || by_pawn || discovered { Ok(()) } else { error }
}

fn checks(position: &Position) -> Result<(), FenError> {
    let (us, them) = (position.turn(), !position.turn());
    if position.attackers(position.king(them), us, position.occupied()).any() {
        return Err(FenError::OtherSideInCheck(them));
    }
    let king = position.king(us);
    let checkers = position.checkers();
    let steppers =
        position.pieces(Role::Pawn) | position.pieces(Role::Knight) | position.pieces(Role::King);
    // At most two checkers, one of them discovered: they are not on one line, and not both are non-sliders.
    let in_line = match (checkers.first(), checkers.last()) {
        (Some(first), Some(last)) => first != last && attacks::aligned(first, king, last),
        _ => false,
    };
    if checkers.count() > 2 || in_line || (checkers & steppers).more_than_one() {
        return Err(FenError::ImpossibleCheck(king));
    }
    Ok(())
}
