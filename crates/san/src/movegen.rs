//! Generates legal moves; perft counts them.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use crate::lines;
use crate::moves::{Kind, Move, MoveList};
use crate::position::Position;

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Position {
    /// Returns all legal moves in unspecified order.
    ///
    /// ```
    /// assert_eq!(san::Position::default().legal_moves().len(), 20);
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.each_legal_move(|next| {
            moves.push(next);
            false
        });
        moves
    }

    /// Counts the legal moves; may stop counting at `most`.
    ///
    /// ```
    /// assert_eq!(san::Position::default().count_legal_moves(u32::MAX), 20);
    /// assert!(san::Position::default().count_legal_moves(3) >= 3);
    /// ```
    pub fn count_legal_moves(&self, most: u32) -> u32 {
        let seventh = self.turn.relative_rank(Rank::Seventh);
        let mut count = 0;
        let is_enough = self.each_origin(|role, from, targets| {
            let promotes = role == Role::Pawn && from.rank() == seventh;
            let ways = if promotes { PROMOTIONS.len() } else { 1 };
            count += (targets.count() * ways) as u32;
            count >= most
        });
        if !is_enough {
            self.each_odd_move(|_| {
                count += 1;
                false
            });
        }
        count
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        // Most kings in check can go somewhere, while most other moves leave them in check.
        self.is_check() && self.king_can_go()
            || self.each_origin(|_, _, targets| targets.any())
            || self.each_odd_move(|_| true)
    }

    /// Counts the move sequences of `depth` plies from here, the usual test of a move generator.
    ///
    /// ```
    /// assert_eq!(san::Position::default().perft(3), 8_902);
    /// ```
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if depth == 1 {
            return self.count_legal_moves(u32::MAX).into();
        }
        let after = |next: &Move| {
            let mut position = self.clone();
            position.play_unchecked(*next);
            position.perft(depth - 1)
        };
        self.legal_moves().iter().map(after).sum()
    }

    /// Calls `visit` for the legal moves until it returns `true`; returns whether it did.
    fn each_legal_move(&self, mut visit: impl FnMut(Move) -> bool) -> bool {
        self.each_origin(|role, from, targets| {
            targets.into_iter().any(|to| match role {
                Role::Pawn => self.each_pawn_arrival(from, to, &mut visit),
                _ => visit(self.step(role, from, to)),
            })
        }) || self.each_odd_move(visit)
    }

    /// Visits pieces with their targets, without castling and en passant, until one yields `true`.
    #[inline(always)]
    fn each_origin(&self, mut visit: impl FnMut(Role, Square, Bitboard) -> bool) -> bool {
        let asked = if self.is_check() { Bitboard::FULL } else { self.pinned() };
        let legal = |from: Square, targets: Bitboard| {
            if asked.contains(from) { self.safe_targets(from, targets) } else { targets }
        };
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.pieces(role) & self.us() {
                if visit(role, from, legal(from, self.reach(self.turn, role, from) & !self.us())) {
                    return true;
                }
            }
        }
        let king = self.king(self.turn);
        if visit(Role::King, king, self.king_targets()) {
            return true;
        }
        (self.pieces(Role::Pawn) & self.us()).into_iter().any(|from| {
            let captures = attacks::pawn_attacks(self.turn, from) & self.them();
            visit(Role::Pawn, from, legal(from, captures | self.pawn_advances(from)))
        })
    }

    fn king_can_go(&self) -> bool {
        let king = self.king(self.turn);
        let targets = attacks::king_attacks(king) & !self.us();
        targets.into_iter().any(|to| self.is_safe(king, to))
    }

    /// Returns the squares that our king may go to without castling.
    fn king_targets(&self) -> Bitboard {
        let king = self.king(self.turn);
        self.safe_targets(king, attacks::king_attacks(king) & !self.us())
    }

    #[inline(never)]
    fn safe_targets(&self, from: Square, mut targets: Bitboard) -> Bitboard {
        for to in targets {
            if !self.is_safe(from, to) {
                targets.discard(to);
            }
        }
        targets
    }

    /// Calls `visit` for en passant captures and castling, likewise.
    fn each_odd_move(&self, mut visit: impl FnMut(Move) -> bool) -> bool {
        let passes = self.en_passant.is_some_and(|to| {
            self.en_passant_captors(to).into_iter().any(|from| {
                self.is_safe_en_passant(from, to) && visit(self.en_passant_move(from, to))
            })
        });
        let sides = [CastlingSide::KingSide, CastlingSide::QueenSide];
        passes
            || (!self.is_check()
                && sides.into_iter().filter_map(|side| self.castling_move(side)).any(visit))
    }

    fn each_pawn_arrival(
        &self,
        from: Square,
        to: Square,
        visit: &mut impl FnMut(Move) -> bool,
    ) -> bool {
        if to.rank() != self.turn.relative_rank(Rank::Eighth) {
            return visit(self.pawn_move(from, to, None));
        }
        PROMOTIONS.into_iter().any(|role| visit(self.pawn_move(from, to, Some(role))))
    }

    fn pawn_advances(&self, from: Square) -> Bitboard {
        let ahead = self.turn.fold_wb(8, -8);
        let one = Bitboard::from_square(from).shift(ahead) & !self.occupied();
        let third = Bitboard::from_rank(self.turn.relative_rank(Rank::Third));
        let two = (one & third).shift(ahead) & !self.occupied();
        one | two
    }

    /// Returns our pieces that are alone between our king and an enemy slider.
    fn pinned(&self) -> Bitboard {
        let (king, queens) = (self.king(self.turn), self.pieces(Role::Queen));
        let sliders = (lines::straight(king) & (self.pieces(Role::Rook) | queens)
            | lines::diagonal(king) & (self.pieces(Role::Bishop) | queens))
            & self.them();
        let mut pinned = Bitboard::EMPTY;
        for from in sliders {
            let between = attacks::between(king, from) & self.occupied();
            if !between.more_than_one() {
                pinned |= between & self.us();
            }
        }
        pinned
    }

    /// Creates the move of a piece other than a pawn.
    #[inline]
    pub(crate) fn step(&self, role: Role, from: Square, to: Square) -> Move {
        let kind = if self.letters[to] == 0 { Kind::Quiet } else { Kind::Capture };
        Move { from, to, role, kind, promotion: None }
    }

    /// Creates a pawn move other than en passant.
    #[inline(always)]
    pub(crate) fn pawn_move(&self, from: Square, to: Square, promotion: Option<Role>) -> Move {
        let captures = self.letters[to] != 0;
        let kind = match promotion {
            Some(_) if captures => Kind::CapturePromotion,
            Some(_) => Kind::Promotion,
            None if captures => Kind::Capture,
            None if from.abs_diff(to) == 16 => Kind::Double,
            None => Kind::Quiet,
        };
        Move { from, to, role: Role::Pawn, kind, promotion }
    }

    #[inline]
    pub(crate) fn en_passant_move(&self, from: Square, to: Square) -> Move {
        Move { from, to, role: Role::Pawn, kind: Kind::EnPassant, promotion: None }
    }

    #[inline]
    pub(crate) fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let rook = self.castling_rook(self.turn, side)?;
        let king = self.king(self.turn);
        let castles = self.can_castle(side, king, rook);
        let kind = Kind::Castle;
        castles.then_some(Move { from: king, to: rook, role: Role::King, kind, promotion: None })
    }

    /// Whether the ways of king and rook are empty and the king's, ends included, is not attacked.
    fn can_castle(&self, side: CastlingSide, king: Square, rook: Square) -> bool {
        let (king_to, rook_to) = (side.king_to(self.turn), side.rook_to(self.turn));
        let others = self.occupied().without(king).without(rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let path = king_path | attacks::between(rook, rook_to).with(rook_to);
        let occupied = self.occupied().without(king);
        let arrival = others.with(rook_to);
        path.is_disjoint(others)
            && !self.is_attacked(king_to, arrival, king_to)
            && !king_path
                .without(king_to)
                .with(king)
                .into_iter()
                .any(|over| self.is_attacked(over, occupied, over))
    }

    /// A slow twin of [`Position::can_castle`] that gives the reason.
    pub(crate) fn castling_obstacle(&self, side: CastlingSide, rook: Square) -> Option<Obstacle> {
        let (king, them) = (self.king(self.turn), !self.turn);
        let (king_to, rook_to) = (side.king_to(self.turn), side.rook_to(self.turn));
        let others = self.occupied().without(king).without(rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let path = king_path | attacks::between(rook, rook_to).with(rook_to);
        if let Some(square) = (path & others).first() {
            return Some(Obstacle::Piece(square));
        }
        if let Some(checker) = self.checkers().first() {
            return Some(Obstacle::Check(checker));
        }
        // On its target square the king may have the rook beside it instead of on the rook's origin
        // (Chess960).
        let passed = king_path.without(king_to).into_iter();
        let occupied = self.occupied().without(king);
        let arrival = others.with(rook_to);
        passed
            .map(|over| (over, self.attackers(over, them, occupied)))
            .chain([(king_to, self.attackers(king_to, them, arrival))])
            .find_map(|(over, attackers)| attackers.first().map(|by| Obstacle::Attack { over, by }))
    }
}

pub(crate) enum Obstacle {
    Piece(Square),
    Check(Square),
    Attack { over: Square, by: Square },
}

impl Position {
    pub(crate) fn color_at(&self, square: Square) -> Option<Color> {
        self.letter(square).map(|letter| Color::from_white(letter.is_ascii_uppercase()))
    }
}
