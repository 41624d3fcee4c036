//! Attacks on kings, which decide whether a move that a piece can make is legal.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::lines;
use crate::moves::{Kind, Move};
use crate::position::Position;

impl Position {
    /// Returns the pieces of `by` that attack a square, pinned ones too, with the occupancy
    /// `occupied`.
    #[inline]
    pub fn attackers(&self, square: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let lines = self.pieces(Role::Rook) | self.pieces(Role::Queen);
        let diagonals = self.pieces(Role::Bishop) | self.pieces(Role::Queen);
        (attacks::rook_attacks(square, occupied) & lines
            | attacks::bishop_attacks(square, occupied) & diagonals
            | attacks::knight_attacks(square) & self.pieces(Role::Knight)
            | attacks::king_attacks(square) & self.pieces(Role::King)
            | attacks::pawn_attacks(!by, square) & self.pieces(Role::Pawn))
            & self.side(by)
    }

    /// Returns the pieces that give check to the side to move.
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

    /// Whether the side to move is not in check and has no legal move.
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && !self.has_legal_move()
    }

    /// By the other side, with the occupancy `occupied` and the piece on `captured` removed.
    #[inline(always)]
    pub(crate) fn is_attacked(&self, square: Square, occupied: Bitboard, captured: Square) -> bool {
        let them = self.them().without(captured);
        let steppers = attacks::knight_attacks(square) & self.pieces(Role::Knight)
            | attacks::king_attacks(square) & self.pieces(Role::King)
            | attacks::pawn_attacks(self.turn, square) & self.pieces(Role::Pawn);
        let queens = self.pieces(Role::Queen);
        let sliders = (lines::straight(square) & (self.pieces(Role::Rook) | queens)
            | lines::diagonal(square) & (self.pieces(Role::Bishop) | queens))
            & them;
        (steppers & them).any()
            || sliders.into_iter().any(|from| lines::is_clear(square, from, occupied))
    }

    /// Whether our king is safe after a move, possibly its own, with or without a capture.
    #[inline(always)]
    pub(crate) fn is_safe(&self, from: Square, to: Square) -> bool {
        let occupied = self.occupied().without(from).with(to);
        let king = self.king(self.turn);
        let king = if king == from { to } else { king };
        !self.is_attacked(king, occupied, to)
    }

    /// Returns our pieces of this kind, other than pawns, that attack `to`, restricted to `among`.
    #[inline(always)]
    pub(crate) fn movers(&self, role: Role, to: Square, among: Bitboard) -> Bitboard {
        let mut movers = lines::of_role(role, to) & self.pieces(role) & self.us() & among;
        // Also computed for knights and kings, which are never blocked: uniform code avoids a
        // branch.
        for from in movers {
            if !lines::is_clear(from, to, self.occupied()) {
                movers.discard(from);
            }
        }
        movers
    }

    /// Whether our king is safe after an en passant capture, which clears two squares.
    pub(crate) fn is_safe_en_passant(&self, from: Square, to: Square) -> bool {
        let captured = Square::from_coords(to.file(), from.rank());
        let occupied = self.occupied().without(from).without(captured).with(to);
        let king = self.king(self.turn);
        self.attackers(king, !self.turn, occupied).without(captured).is_empty()
    }

    /// Returns the squares that a piece on `from` attacks; for pawns, the capture squares.
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

    /// Whether neither side can mate by any sequence of moves: bare kings, one minor piece, or
    /// bishops on squares of one colour.
    ///
    /// ```
    /// let is_dead = |fen| san::Position::from_fen(fen).unwrap().is_insufficient_material();
    /// assert!(is_dead("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"));
    /// assert!(!is_dead("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1"));
    /// ```
    pub fn is_insufficient_material(&self) -> bool {
        let heavy = [Role::Pawn, Role::Rook, Role::Queen].map(|role| self.pieces(role));
        if heavy.into_iter().any(Bitboard::any) {
            return false;
        }
        let (knights, bishops) = (self.pieces(Role::Knight), self.pieces(Role::Bishop));
        let of_one_colour = |bishops: Bitboard| {
            (bishops & Bitboard::DARK_SQUARES).is_empty()
                || (bishops & Bitboard::LIGHT_SQUARES).is_empty()
        };
        match knights.count() {
            0 => of_one_colour(bishops),
            count => count == 1 && bishops.is_empty(),
        }
    }

    /// Whether a legal move gives check.
    ///
    /// Covers direct checks, discovered checks, and castling that gives check with the rook.
    #[inline(always)]
    pub fn gives_check(&self, next: Move) -> bool {
        let them = self.king(!self.turn);
        if next.kind == Kind::EnPassant || next.kind == Kind::Castle {
            return self.gives_odd_check(next);
        }
        let role = next.promotion.unwrap_or(next.role);
        let occupied = self.occupied().without(next.from).with(next.to);
        let direct = match role {
            Role::Pawn => attacks::pawn_attacks(!self.turn, them),
            role => lines::of_role(role, them),
        };
        // Knights and pawns are never blocked.
        if direct.contains(next.to) && lines::is_clear(them, next.to, occupied) {
            return true;
        }
        // A discovered check requires that the moved piece leaves one of the king's lines.
        let (straight, diagonal) = (lines::straight(them), lines::diagonal(them));
        (straight | diagonal).contains(next.from) && {
            let queens = self.pieces(Role::Queen);
            let sliders = straight & (self.pieces(Role::Rook) | queens)
                | diagonal & (self.pieces(Role::Bishop) | queens);
            let behind = sliders & self.us().without(next.from);
            behind.into_iter().any(|from| lines::is_clear(them, from, occupied))
        }
    }

    #[cold]
    fn gives_odd_check(&self, next: Move) -> bool {
        if let Some(side) = next.castling() {
            let (king_to, rook_to) = (side.king_to(self.turn), side.rook_to(self.turn));
            let rook = next.to;
            let occupied = self.occupied().without(next.from).without(rook);
            let occupied = occupied.with(king_to).with(rook_to);
            let them = self.king(!self.turn);
            let (straight, diagonal) = (lines::straight(them), lines::diagonal(them));
            let queens = self.pieces(Role::Queen);
            let rooks = self.pieces(Role::Rook).without(rook) | queens;
            let bishops = self.pieces(Role::Bishop) | queens;
            let ours = (straight & rooks | diagonal & bishops) & self.us()
                | straight & Bitboard::from_square(rook_to);
            return ours.into_iter().any(|from| lines::is_clear(them, from, occupied));
        }
        let mut after = self.clone();
        after.play_unchecked(next);
        after.is_check()
    }
}
