//! Attacks on kings: all that decides whether a move that a piece can make is legal.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::Position;
use crate::moves::{Kind, Move};

impl Position {
    /// The pieces of `by` that attack a square, if the squares `occupied` were the occupied ones.
    #[inline]
    pub(crate) fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let lines = self.pieces(Role::Rook) | self.pieces(Role::Queen);
        let diagonals = self.pieces(Role::Bishop) | self.pieces(Role::Queen);
        (attacks::rook_attacks(square, occupied) & lines
            | attacks::bishop_attacks(square, occupied) & diagonals
            | attacks::knight_attacks(square) & self.pieces(Role::Knight)
            | attacks::king_attacks(square) & self.pieces(Role::King)
            | attacks::pawn_attacks(!by, square) & self.pieces(Role::Pawn))
            & self.side(by)
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.attackers(self.king(self.turn), !self.turn, self.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !self.has_legal_move()
    }

    /// Whether the side to move is in no check and has no move.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// Whether our king is safe after a piece other than the king went from `from` to `to`, capturing what stood there.
    ///
    /// One rook and one bishop look-up from the king on the changed board, and the steppers that were not captured.
    #[inline]
    pub(crate) fn is_safe(&self, from: Square, to: Square) -> bool {
        let occupied = self.occupied().without(from).with(to);
        (self.attackers(self.king(self.turn), !self.turn, occupied).without(to)).is_empty()
    }

    /// The same for a king's step.
    #[inline]
    pub(crate) fn is_safe_step(&self, from: Square, to: Square) -> bool {
        let occupied = self.occupied().without(from);
        self.attackers(to, !self.turn, occupied).without(to).is_empty()
    }

    /// The same for a capture en passant: two pawns leave their squares.
    pub(crate) fn is_safe_en_passant(&self, from: Square, to: Square) -> bool {
        let captured = Square::from_coords(to.file(), from.rank());
        let occupied = self.occupied().without(from).without(captured).with(to);
        let king = self.king(self.turn);
        self.attackers(king, !self.turn, occupied).without(captured).is_empty()
    }

    /// The squares that a piece on `from` attacks; for pawns where they could capture.
    #[inline]
    pub(crate) fn reach(&self, color: Color, role: Role, from: Square) -> Bitboard {
        match role {
            Role::Pawn => attacks::pawn_attacks(color, from),
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, self.occupied()),
            Role::Rook => attacks::rook_attacks(from, self.occupied()),
            Role::Queen => attacks::queen_attacks(from, self.occupied()),
            Role::King => attacks::king_attacks(from),
        }
    }

    /// Whether a legal move gives check.
    ///
    /// The moved piece may give it, or one that stood behind it; castling may give it with the rook.
    #[inline]
    pub fn gives_check(&self, next: Move) -> bool {
        let them = self.king(!self.turn);
        let role = match next.kind {
            Kind::Promotion(role) | Kind::CapturePromotion(role) => role,
            Kind::EnPassant | Kind::Castle => return self.gives_odd_check(next),
            _ => next.role,
        };
        let occupied = self.occupied().without(next.from).with(next.to);
        let lines = attacks::rook_attacks(them, occupied);
        let diagonals = attacks::bishop_attacks(them, occupied);
        let target = Bitboard::from_square(next.to);
        let direct = match role {
            Role::Pawn => attacks::pawn_attacks(!self.turn, them) & target,
            Role::Knight => attacks::knight_attacks(them) & target,
            Role::Bishop => diagonals & target,
            Role::Rook => lines & target,
            Role::Queen => (lines | diagonals) & target,
            Role::King => Bitboard::EMPTY,
        };
        let queens = self.pieces(Role::Queen);
        let behind = (lines & (self.pieces(Role::Rook) | queens)
            | diagonals & (self.pieces(Role::Bishop) | queens))
            & self.us().without(next.from);
        (direct | behind).any()
    }

    #[cold]
    fn gives_odd_check(&self, next: Move) -> bool {
        let mut after = self.clone();
        after.play_unchecked(next);
        after.is_check()
    }
}
